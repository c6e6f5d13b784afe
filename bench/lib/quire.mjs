// The quire binary: a store of generated comments, commands, a server.

import { constants, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeConnections } from './http.mjs';
import { Broken, listening, run, start, stop, temporaryDirectory } from './processes.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const build = process.env.QUIRE_BUILD ? resolve(process.env.QUIRE_BUILD) : join(root, 'build/release');
export const binary = join(build, 'quire');
export const microBinary = join(build, 'quire_bench');
export const ranksBinary = join(build, 'quire_ranks');
export const pagesBinary = join(build, 'quire_pages');
export const encodingsBinary = join(build, 'quire_encodings');

/** The one product the benchmarks ask for, as `quire generate` names that with most comments. */
export const product = 'product-1';

export function needBinary(file = binary) {
  if (!existsSync(file)) throw new Broken(`there is no ${file}: build it (cmake --build --preset release), or name its folder in QUIRE_BUILD`);
}

export const generation = (comments, products = 1) => ['generate', '--comments', String(comments), '--products', String(products), '--seed', '1'];

let generated;

/** The directory of a store of so many generated comments. It is made once a run: for reading only. */
export async function generatedStore(comments) {
  if (generated?.comments !== comments) {
    const directory = join(temporaryDirectory(), 'store');
    await run(binary, [...generation(comments), '--store', `lmdb:${directory}`]);
    generated = { comments, directory };
  }
  return generated.directory;
}

/** A copy of it, for writing. */
export async function copyOfGeneratedStore(comments) {
  const from = await generatedStore(comments);
  const directory = join(temporaryDirectory(), 'store');
  mkdirSync(directory);
  copyFileSync(join(from, 'data.mdb'), join(directory, 'data.mdb'), constants.COPYFILE_FICLONE);
  return directory;
}

/** The bytes a store takes on disk. */
export const bytesOnDisk = (directory) => statSync(join(directory, 'data.mdb')).blocks * 512;

/** Lists, counts and comments must agree, and there must be so many comments: `least` to `most`. Gives their number. */
export async function verify(directory, least, most = least) {
  const { stdout } = await run(binary, ['verify', '--json', '--store', `lmdb:${directory}`]);
  const { comments, differences } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (differences !== 0) throw new Broken(`verify found ${differences} differences\n${stdout.slice(0, 2000)}`);
  if (comments < least || comments > most) throw new Broken(`the store holds ${comments} comments, not ${least === most ? least : `${least} to ${most}`}`);
  return comments;
}

// The same key in every run: then the same comments give the same answers, cursors included, and their hashes can be compared.
function cursorKeys() {
  const file = join(temporaryDirectory(), 'cursor-keys');
  writeFileSync(file, `${'0123456789abcdef'.repeat(4)}\n`);
  return file;
}

/** A server of a store, by its address or the directory of an embedded one. `core`: the only one it may use. */
export async function serve(store, { program = binary, core, env, accessLog = 'none', args = [] } = {}) {
  const address = /^[a-z]+:/.test(store) ? store : `lmdb:${store}`;
  const fixed = ['serve', '--store', address, '--listen', '127.0.0.1:0', '--access-log', accessLog, '--cursor-keys', cursorKeys()];
  const started = start(program, [...fixed, ...args], { core, env });
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

/** Flags that let a benchmark post as fast as it can. */
export const openToPosts = ['--demo', '--posts-per-minute-client', '100000000', '--posts-per-minute-product', '100000000'];
