// Pages by number over a table that others made, with its lmdb: page index, beside a table of Quire's own with each page index; and what a
// first page costs on both, beside the articles' way: a sorted set in Redis gives the key before a page, and a query of an index its items.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillSets, keepOneAMinute, makeTable, readPage } from '../lib/articles_way.mjs';
import { credentials, startDatabase } from '../lib/dynamodb.mjs';
import { fetchBody, fetchJson } from '../lib/http.mjs';
import { Broken, loadCore, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, needBinary, product, serve } from '../lib/quire.mjs';
import { connect } from '../lib/resp.mjs';
import { writeLongRows } from '../lib/rows.mjs';
import { median, percentile } from '../lib/statistics.mjs';
import { noteDisturbance, takeTurns } from '../lib/turns.mjs';
import { needBackends, startBackends } from './projection_backends.mjs';

export const title = 'pages over a table that others made';

const rowsAPage = 20;
const own = 'quire';

export async function measure(report, size, progress) {
  need('wrk', 'taskset', 'java');
  needBackends();
  needBinary();
  const directory = temporaryDirectory();
  const database = await startDatabase({ core: loadCore, small: size.small });
  const backends = await startBackends(size.small ? ['LMDB', 'SQLite', 'Redis'] : undefined);
  const wanted = Math.min(size.comments, size.stored / 5);
  const stage = { database, backends, rows: join(directory, 'comments.jsonl') };
  await writeLongRows(stage.rows, Math.ceil(wanted * 1.1), 1);
  const comments = stage.comments = keepOneAMinute(stage.rows, wanted);
  progress(`filling a table of ${comments} comments, and that of the articles`);
  const stores = await fillTables(stage, join(directory, 'mapping.toml'));
  const servers = await startServers(stage, stores, progress);
  const redis = await connect(backends.Redis.socket);
  await fillSets(redis, stage.rows);

  const last = comments / rowsAPage;
  const depths = [1, Math.floor(last / 2) + 1, last];
  const costs = await costsOf(stage, servers, redis);
  const contenders = await contendersOf(stage, servers, redis, depths);
  const results = await takeTurns(contenders, size, progress);
  const calls = await timeArticles(stage, redis, depths, size.small ? 20 : 500);
  redis.close();
  for (const { quire } of Object.values(servers)) await quire.stop();
  for (const backend of Object.values(backends)) await backend.stop();
  await database.stop();
  remove(directory);
  addFigures(report, { servers, depths, costs, results, calls });
  report.note(`Over a table that others made: ${comments} comments of one product, each below 4 KiB, in both tables.`);
  noteDisturbance(report, 'Over a table that others made', results);
  return { costs, results, calls };
}

async function fillTables({ database, rows }, mapping) {
  const keyed = `${mapping}.keyed`;
  const table = await makeTable(database.endpoint, rows, { sorted: mapping, keyed });
  const adopted = `${database.address(table)}&map=`;
  // Transactions that count each write would wait for each other at this one product.
  const stores = { own: `${database.address(own)}&statistics=stream`, sorted: adopted + mapping, keyed: adopted + keyed };
  await run(binary, ['table', 'create', '--store', stores.own], { env: credentials });
  const lines = readFileSync(rows, 'utf8').trim().split('\n');
  while (lines.length > 0) { // few at once: DynamoDB Local shares its core
    writeFileSync(`${rows}.some`, `${lines.splice(0, 500).join('\n')}\n`);
    await run(binary, ['import', `${rows}.some`, '--store', stores.own], { env: credentials });
  }
  return stores;
}

// With each page index over the own table, with lmdb: over the other, and over each table without one.
async function startServers({ backends }, stores, progress) {
  const servers = {};
  const add = async (name, store, pages, pid) => {
    const flags = ['--pages', pages];
    if (pages !== 'none') {
      progress(`building the page index: ${name}`);
      await run(binary, ['backfill', '--store', store, ...flags], { env: credentials });
    }
    const args = [...flags, '--numbers-behind', '1000000']; // no worker runs
    servers[name] = { quire: await serve(store, { core: serverCore, env: credentials, args }), pid, numbers: pages !== 'none' };
  };
  await add("others' table, [[index]] alone", stores.sorted, 'none');
  await add("others' table, LMDB and [[index]]", stores.sorted, backends.LMDB.pages('sorted'));
  await add("others' table, LMDB alone", stores.keyed, backends.LMDB.pages('keyed'));
  for (const [name, { pages, pid }] of Object.entries(backends)) await add(`own table, ${name}`, stores.own, pages(own), pid);
  await add('own table, no page index', stores.own, 'none');
  return servers;
}

const spent = async ({ url }) => {
  const text = (await fetchBody(`${url}/metrics`)).toString();
  const counter = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)[1]);
  return { units: counter('quire_table_read_units_total'), requests: counter('quire_table_requests_total') };
};

// Read units and requests of a first page, and of one in the middle: of the second of two alike, as the first asks for more.
async function costsOf({ database, comments }, servers, redis) {
  const middle = Math.floor(comments / rowsAPage / 2) + 1;
  const { units, requests } = await readPage(database.endpoint, redis, product, middle);
  const costs = { "the articles' way": { first: await readPage(database.endpoint, redis, product, 1), middle: { units, requests } } };
  for (const [name, { quire, numbers }] of Object.entries(servers)) {
    const cost = async (query) => {
      await fetchBody(quire.comments(query));
      const before = await spent(quire);
      await fetchBody(quire.comments(query));
      const after = await spent(quire);
      return { units: after.units - before.units, requests: after.requests - before.requests };
    };
    costs[name] = { first: await cost(''), ...(numbers && { middle: await cost(`page=${middle}`) }) };
  }
  return costs;
}

const nameOf = (name, depth) => `${name}, page ${depth}`;

// Each page of each server has the comments that the articles' way finds.
async function contendersOf({ database, comments }, servers, redis, depths) {
  const contenders = {};
  for (const depth of depths) {
    const { texts } = await readPage(database.endpoint, redis, product, depth);
    for (const [name, { quire, pid, numbers }] of Object.entries(servers)) {
      if (depth > 1 && !numbers) continue;
      const url = quire.comments(depth > 1 ? `page=${depth}` : '');
      const { comments: found, page, total } = await fetchJson(url);
      const right = found.map(({ text }) => text).join('\n') === texts.join('\n') && (!numbers || (page.number === depth && total === comments));
      if (!right) throw new Broken(`${name}: page ${depth} is not the comments there`);
      contenders[nameOf(name, depth)] = { url, body: await fetchBody(url), pid: quire.pid, beside: pid, behind: [database.pid, pid].filter(Boolean), connections: 1 };
    }
  }
  return contenders;
}

// Milliseconds of the two calls, one after the other, without a server in front of them.
async function timeArticles({ database }, redis, depths, rounds) {
  const taken = {};
  for (const depth of depths) {
    const times = [];
    for (let round = 0; round < rounds; ++round) {
      const begun = performance.now();
      await readPage(database.endpoint, redis, product, depth);
      times.push(performance.now() - begun);
    }
    taken[depth] = percentile(times, 0.5);
  }
  return taken;
}

function addFigures(report, { servers, depths, costs, results, calls }) {
  const { "the articles' way": articles, ...quire } = costs;
  for (const [name, { first, middle }] of Object.entries(quire)) {
    const add = (page, kind, unit, cost) => report.add({ name: `${page}, ${unit}: ${name}`, quire: cost[kind], peer: { name: "the articles' way", value: (page === 'first page' ? articles.first : articles.middle)[kind] } });
    add('first page', 'units', 'read units', first);
    add('first page', 'requests', 'requests to DynamoDB', first);
    if (middle) add('page in the middle', 'units', 'read units', middle);
  }
  const figure = (name, depth, kind) => median(results[nameOf(name, depth)].map((round) => round[kind]));
  for (const name of Object.keys(servers)) {
    for (const depth of depths.filter((each) => nameOf(name, each) in results)) {
      report.add({ name: `${nameOf(name, depth)}, p50`, unit: 'ms', quire: figure(name, depth, 'p50') / 1000, peer: { name: "the articles' two calls", value: calls[depth] } });
      report.add({ name: 'the same, server CPU', unit: 'µs', quire: figure(name, depth, 'cpu') });
    }
  }
}
