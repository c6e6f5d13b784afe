// Imports of files of other systems, imports through a server, and the pages of products that such an import does not touch.

import { join } from 'node:path';
import { OneClient } from '../lib/client_times.mjs';
import { foreignFiles, importToken } from '../lib/foreign_files.mjs';
import { Broken, remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, copyOfGeneratedStore, product, serve } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';
import { median, percentile } from '../lib/statistics.mjs';

export async function importsOfOthers(report, size, progress) {
  const directory = temporaryDirectory();
  progress('writing files of other systems');
  const files = await foreignFiles(directory, size.foreign);
  const own = {};
  for (const [kind, [file, ...map]] of Object.entries(files)) {
    own[kind] = join(directory, `${kind}.jsonl`);
    await writeRows(own[kind], ['import', file, ...map, '--print']);
  }
  for (const [kind, name] of [['csv', 'CSV of Judge.me'], ['xml', 'XML of a Google feed']]) await besideOwnRows(report, size, progress, { name, file: files[kind], own: own[kind] });
  await throughServer(report, size, progress, { own: own.csv, token: await importToken(directory) });
  remove(directory);
}

const perSecond = (rows, seconds) => rows / median(seconds);

async function besideOwnRows(report, size, progress, { name, file, own }) {
  const spent = { foreign: [], own: [] };
  for (let i = 1; i <= size.repeats; ++i) {
    progress(`${name}, ${i} of ${size.repeats}`);
    spent.foreign.push((await importOnce(file, size)).cpu);
    spent.own.push((await importOnce([own], size)).cpu);
  }
  report.add({
    name: `import of ${name}, rows by a second of the processor`, unit: '/s', quire: perSecond(size.foreign, spent.foreign),
    peer: { name: 'the same as own rows', value: perSecond(size.foreign, spent.own) }, wanted: { at: 'min', of: 'ratio', value: 0.5 },
  });
}

/** Into a new store, unless `to` says where else: {cpu, wall} in seconds. */
async function importOnce(args, { foreign }, to) {
  const store = temporaryDirectory();
  const begun = performance.now();
  const command = [binary, 'import', ...args, '--json', ...(to ?? ['--store', `lmdb:${store}`])];
  const { stdout, stderr } = await run('bash', ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', ...command]);
  const wall = (performance.now() - begun) / 1000;
  const { added } = JSON.parse(stdout);
  if (added !== foreign) throw new Broken(`import of ${foreign} rows: ${stdout}`);
  remove(store);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { cpu: user + system, wall };
}

async function throughServer(report, size, progress, { own, token }) {
  const seconds = { server: [], offline: [] };
  const pages = { quiet: [], beside: [] };
  for (let i = 1; i <= size.repeats; ++i) {
    progress(`through a server, ${i} of ${size.repeats}`);
    const server = await serve(await copyOfGeneratedStore(size.comments), { args: ['--tokens', token.tokens] });
    seconds.offline.push((await importOnce([own], size)).wall);
    const client = new OneClient(server, 'an import');
    await ask(client, pages.quiet, whileSeconds(size.seconds));
    let imported;
    const importing = importOnce([own], size, ['--server', server.url, '--token-file', token.file]).finally(() => { imported = true; });
    importing.catch(() => {});
    await ask(client, pages.beside, () => !imported);
    seconds.server.push((await importing).wall);
    await ask(client, pages.quiet, whileSeconds(size.seconds));
    client.end();
    await server.stop();
  }
  report.add({
    name: 'import through a server, rows', unit: '/s', quire: perSecond(size.foreign, seconds.server),
    peer: { name: 'into a store', value: perSecond(size.foreign, seconds.offline) }, wanted: { at: 'min', of: 'ratio', value: 0.5 },
  });
  report.add({
    name: 'p99 of pages of another product beside this import', unit: 'ms', quire: percentile(pages.beside, 0.99),
    peer: { name: 'quiet server', value: percentile(pages.quiet, 0.99) }, wanted: { at: 'max', of: 'ratio', value: 2 },
  });
}

function whileSeconds(seconds) {
  const end = performance.now() + 1000 * seconds;
  return () => performance.now() < end;
}

/** Asks for pages, in JSON and HTML by turns, and notes their times in milliseconds. */
async function ask(client, times, goesOn) {
  for (let n = 0; n < 20 || goesOn(); ++n) {
    const path = n % 2 ? `/products/${product}?rating=${1 + n % 5}` : `/v1/products/${product}/comments?rating=${1 + n % 5}`;
    times.push(await client.timed(200, { path }));
  }
}
