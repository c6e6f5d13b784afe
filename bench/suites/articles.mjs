// The load of the articles on pages of DynamoDB: ab -n 1000 -c 20, a connection for each request, under their filters. Quire answers it
// from an embedded store and from a table, in JSON and as a web page, with and without its page cache. And the articles' SQL for page numbers.

import { join } from 'node:path';
import { requestsPerSecond } from '../lib/ab.mjs';
import { credentials, startDatabase } from '../lib/dynamodb.mjs';
import { fetchBody } from '../lib/http.mjs';
import { Broken, loadCore, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { binary, needBinary, product, serve } from '../lib/quire.mjs';
import { writeLongRows } from '../lib/rows.mjs';
import { sqlWays } from '../lib/articles_sql.mjs';
import { median } from '../lib/statistics.mjs';

export const title = "the articles' load: ab -n 1000 -c 20";

// With the requests a second that the articles tell, on a machine and a service of their own.
const filters = {
  'no filter': { query: '', told: 783 },
  'one language': { query: '?language=en' },
  'one rating': { query: '?rating=5' },
  'three ratings': { query: '?rating=1&rating=4&rating=5', told: 268 },
  'a language and a rating': { query: '?language=en&rating=5' },
};
// What the articles tell of the whole load: read units, and dollars a million of them.
const told = { units: 50, dollars: 0.283 };
const requestsOf = (size) => (size.small ? 100 : 1000);
const caches = { '': '0', ' with the page cache': '64MiB' };
const forms = { JSON: `/v1/products/${product}/comments`, HTML: `/products/${product}` };

export async function measure(report, size, progress) {
  need('ab', 'taskset', 'java');
  needBinary();
  const directory = temporaryDirectory();
  const rows = join(directory, 'comments.jsonl');
  const comments = size.stored / 5;
  await writeLongRows(rows, comments, 5);
  const database = await startDatabase({ core: loadCore, small: size.small });
  await run(binary, ['table', 'create', '--store', database.address('quire')], { env: credentials });
  const stores = { 'embedded store': `lmdb:${join(directory, 'store')}`, table: database.address('quire') };
  const rounds = {};
  for (const [name, store] of Object.entries(stores)) {
    progress(`importing ${comments} comments: ${name}`);
    await run(binary, ['import', rows, '--store', store], { env: credentials });
    for (const [cached, cache] of Object.entries(caches)) {
      const quire = await serve(store, { core: serverCore, env: credentials, cache });
      Object.assign(rounds, await ask(quire, `${name}${cached}`, size, progress));
      await quire.stop();
    }
  }
  await database.stop();
  remove(directory);
  addFigures(report, rounds, requestsOf(size));
  addSqlFigures(report, await sqlWays(size, progress));
  report.note(`The articles' load: ${comments} comments in five products; the table's server reads DynamoDB Local, which shares a core with ab.`);
  return rounds;
}

// All addresses take turns, so that disturbances hit them alike.
async function ask(quire, store, size, progress) {
  const addresses = Object.entries(forms).flatMap(([form, path]) => Object.entries(filters).map(([filter, { query }]) => [`${store}, ${form}, ${filter}`, `${quire.url}${path}${query}`]));
  const bodies = Object.fromEntries(await Promise.all(addresses.map(async ([name, url]) => [name, await fetchBody(url)])));
  const rounds = Object.fromEntries(addresses.map(([name]) => [name, []]));
  for (let round = 1; round <= size.rounds; ++round) {
    progress(`round ${round} of ${size.rounds}: ${store}`);
    for (const [name, url] of addresses) rounds[name].push(await askOnce(quire, url, bodies[name], requestsOf(size)));
  }
  for (const [name, url] of addresses) {
    if (!bodies[name].equals(await fetchBody(url))) throw new Broken(`${url} changed its answer while it was measured`);
  }
  return rounds;
}

const unitsOf = async ({ url }) => Number(/^quire_table_read_units_total (\S+)$/m.exec((await fetchBody(`${url}/metrics`)).toString())?.[1] ?? 0);

// Requests a second, and microseconds of the server's processor for each, which other programs disturb less; what the load reads of a table;
// and milliseconds of a request where one client asks.
async function askOnce(quire, url, body, requests) {
  const before = cpuNanoseconds(quire.pid);
  const read = await unitsOf(quire);
  const rate = await requestsPerSecond(url, body, { requests });
  const cpu = (cpuNanoseconds(quire.pid) - before) / requests / 1000;
  const units = await unitsOf(quire) - read;
  return { rate, cpu, units, alone: 1000 / await requestsPerSecond(url, body, { requests: Math.ceil(requests / 10), connections: 1 }) };
}

function addFigures(report, rounds, requests) {
  for (const [name, results] of Object.entries(rounds)) {
    const rateTold = filters[name.split(', ').at(-1)].told;
    const middle = (kind) => median(results.map((each) => each[kind]));
    report.add({ name, unit: '/s', quire: middle('rate'), peer: rateTold && { name: 'the articles', value: rateTold } });
    report.add({ name: 'the same, server CPU', unit: 'µs', quire: middle('cpu') });
    report.add({ name: 'the same, one client', unit: 'ms', quire: middle('alone') });
    if (middle('units') === 0) continue;
    report.add({ name: `the same, read units of ${requests} requests`, quire: middle('units'), peer: { name: 'the articles', value: told.units } });
    report.add({ name: `the same, at ${told.dollars} dollars a million`, unit: 'millionths of a dollar', quire: middle('units') * told.dollars });
  }
}

function addSqlFigures(report, ways) {
  for (const [comments, { key, count }] of Object.entries(ways)) {
    report.add({ name: `the articles' SQL on MariaDB, ${comments} comments: the key before the page in the middle`, unit: 'ms', quire: key });
    report.add({ name: 'the same, how many comments there are', unit: 'ms', quire: count });
  }
}
