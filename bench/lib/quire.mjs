// The quire binary: a store of generated comments, commands, a server.

import { constants, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeConnections } from './http.mjs';
import { Broken, listening, run, start, stop, temporaryDirectory } from './processes.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const build = join(root, 'build/release');
export const binary = join(build, 'quire');
export const microBinary = join(build, 'quire_bench');
export const votesBinary = join(build, 'quire_votes');
export const pagesBinary = join(build, 'quire_pages');
export const wordsBinary = join(build, 'quire_words_bench');

/** The product that the benchmarks ask for: `quire generate` gives this name to the product with most comments. */
export const product = 'product-1';

export function needBinary(file = binary) {
  if (!existsSync(file)) throw new Broken(`there is no ${file}: build it (cmake --build --preset release)`);
}

export const generation = (comments, products = 1) => ['generate', '--comments', String(comments), '--products', String(products), '--seed', '1'];

let generated;

/** The directory of a store of that many generated comments. It is made once a run, for reading only. */
export async function generatedStore(comments) {
  if (generated?.comments !== comments) {
    const directory = join(temporaryDirectory(), 'store');
    await run(binary, [...generation(comments), '--store', `lmdb:${directory}`]);
    generated = { comments, directory };
  }
  return generated.directory;
}

/** A copy of that store, for writing. */
export async function copyOfGeneratedStore(comments) {
  const from = await generatedStore(comments);
  const directory = join(temporaryDirectory(), 'store');
  mkdirSync(directory);
  copyFileSync(join(from, 'data.mdb'), join(directory, 'data.mdb'), constants.COPYFILE_FICLONE);
  return directory;
}

/** The bytes a store takes on disk. */
export const bytesOnDisk = (directory) => statSync(join(directory, 'data.mdb')).blocks * 512;

/** Checks that lists, counts and comments agree and that the store has `min` to `max` comments. Returns their number. */
export async function verify(directory, min, max = min) {
  const { stdout } = await run(binary, ['verify', '--json', '--store', `lmdb:${directory}`]);
  const { comments, differences } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (differences !== 0) throw new Broken(`verify found ${differences} differences\n${stdout.slice(0, 2000)}`);
  if (comments < min || comments > max) throw new Broken(`the store holds ${comments} comments, not ${min === max ? min : `${min} to ${max}`}`);
  return comments;
}

// Every run has the same key. The same comments then give the same answers, cursors included, with the same hashes.
function cursorKeys() {
  const file = join(temporaryDirectory(), 'cursor-keys');
  writeFileSync(file, `${'0123456789abcdef'.repeat(4)}\n`);
  return file;
}

/**
 * A server of a store: an address, or the directory of an embedded store. `core`: the only core it may use. `cache`: the size of its
 * page cache, which is off where pages are measured. `limited`: wraps the command, as withMemoryLimit() gives it.
 */
export async function serve(store, { program = binary, core, env, accessLog = 'none', cache = '0', args = [], limited = (...words) => words } = {}) {
  const address = /^[a-z]+:/.test(store) ? store : `lmdb:${store}`;
  const fixed = ['serve', '--store', address, '--listen', '127.0.0.1:0', '--access-log', accessLog, '--cursor-keys', cursorKeys()];
  const started = start(...limited(program, [...fixed, ...args]), { core, env: { QUIRE_CACHE: cache, QUIRE_DRAIN: '0', ...env } });
  const url = await listening(started, 'quire serve');
  return {
    url,
    pid: started.pid,
    comments: (query = '') => `${url}/v1/products/${product}/comments${query && `?${query}`}`,
    async stop() {
      closeConnections();
      const end = await stop(started);
      if (end.status !== 0) throw new Broken(`quire serve ended with ${end.signal ?? `exit status ${end.status}`}\n${end.stderr.slice(-2000)}`);
    },
  };
}

// A demo's own shop has rules, which look at each post.
const emptyShop = join(temporaryDirectory(), 'shop.toml');
writeFileSync(emptyShop, '[shop]\n');

/** Flags that let a benchmark post as fast as it can. */
export const openToPosts = ['--demo', '--shop', emptyShop, '--posts-per-minute-client', '100000000', '--posts-per-minute-product', '100000000'];
