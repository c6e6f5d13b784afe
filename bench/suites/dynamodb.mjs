// What a page on DynamoDB costs: read units, requests, and the server's processor time; beside a Go program that asks every partition
// of the filter for a whole page. Both read the same table of the same DynamoDB Local, and must show the same comments.

import { join } from 'node:path';
import { credentials, importAll, startDatabase } from '../lib/dynamodb.mjs';
import { readPeer, readQuire, walkInTurns } from '../lib/page_walks.mjs';
import { buildPeer, servePeer } from '../lib/peer.mjs';
import { loadCore, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, needBinary, serve } from '../lib/quire.mjs';
import { writeLongRows } from '../lib/rows.mjs';
import { compare, expectSameAnswers, noteDisturbance, page, takeTurns } from '../lib/turns.mjs';

export const title = 'pages on DynamoDB';

const filters = {
  'no filter': '',
  'ratings 1 4 5': 'rating=1&rating=4&rating=5',
  'ratings 4 5': 'rating=4&rating=5',
  'ratings 1 2 4 5': 'rating=1&rating=2&rating=4&rating=5',
  'ratings 1 2 3 4': 'rating=1&rating=2&rating=3&rating=4',
  'English, ratings 1 4 5': 'language=en&rating=1&rating=4&rating=5',
};
const pages = 10;
const table = 'quire';

export async function measure(report, size, progress) {
  need('wrk', 'taskset', 'java', 'go');
  needBinary();
  progress('building the peer');
  await buildPeer();
  // The servers under test have a core to themselves. The database shares the core of the load.
  const database = await startDatabase({ core: loadCore, small: size.small });
  const store = database.address(table);
  await fill(store, size.stored, progress);
  const quire = await serve(store, { core: serverCore, env: credentials });
  const peer = await servePeer({ endpoint: database.endpoint, table, core: serverCore });

  const walks = {};
  for (const [name, filter] of Object.entries(filters)) {
    progress(`walking ${pages} pages: ${name}`);
    walks[name] = await walkInTurns({ quire: readQuire(quire), peer: readPeer(peer) }, filter, pages);
    await page(quire, undefined, filter, report, name);
  }
  const results = await load(walks, { quire, peer, database }, size, progress);
  await peer.stop();
  await quire.stop();
  await database.stop();
  addFigures(report, walks, results);
  report.note(`Pages on DynamoDB: ${size.stored} comments, of which an entry of an index takes about 490 bytes.`);
  noteDisturbance(report, 'Pages on DynamoDB', results);
  return { costs: costsOf(walks), results };
}

async function fill(store, comments, progress) {
  const directory = temporaryDirectory();
  const file = join(directory, 'comments.jsonl');
  await writeLongRows(file, comments, 5);
  progress(`importing ${comments} comments`);
  await run(binary, ['table', 'create', '--store', store], { env: credentials });
  await importAll(store, file, comments);
  remove(directory);
}

// Asks each server for the pages of the walk. The answers must be those of the walk.
async function load(walks, { quire, peer, database }, size, progress) {
  const contenders = {};
  for (const [name, walked] of Object.entries(walks)) {
    for (const [of, { pid }] of Object.entries({ quire, peer })) {
      const [{ url }] = walked[of];
      const paths = walked[of].map((each) => each.url.slice(new URL(url).origin.length));
      const shortest = walked[of].map(({ body }) => body).reduce((least, body) => (body.length < least.length ? body : least));
      contenders[`${name}, ${of}`] = { url, paths, body: shortest, pid, behind: [database.pid] };
    }
  }
  const results = await takeTurns(contenders, size, progress);
  await expectSameAnswers(Object.values(walks).flatMap(Object.values).flat());
  return results;
}

const kinds = { units: 'read units', read: 'entries read', requests: 'requests to DynamoDB' };

// Per filter and program, what a page costs on average.
function costsOf(walks) {
  const mean = (walked, kind) => walked.reduce((sum, each) => sum + each[kind], 0) / walked.length;
  const ofOne = (walked) => Object.fromEntries(Object.keys(kinds).map((kind) => [kind, mean(walked, kind)]));
  return Object.fromEntries(Object.entries(walks).map(([name, { quire, peer }]) => [name, { quire: ofOne(quire), peer: ofOne(peer) }]));
}

function addFigures(report, walks, results) {
  const costs = costsOf(walks);
  const add = (name, quire, peer, wanted) => report.add({ name, quire, peer: { name: 'Go program', value: peer }, wanted });
  const { cpu, rate } = compare(report, results);
  for (const [name, { quire, peer }] of Object.entries(costs)) {
    for (const [kind, what] of Object.entries(kinds)) add(`${what} a page, ${name}`, quire[kind], peer[kind]);
    const turns = [`${name}, quire`, 'Go program', `${name}, peer`];
    cpu('the same, server CPU', ...turns, { at: 'max', of: 'ratio', value: 0.15 });
    rate('the same, pages', ...turns);
  }
  const mean = (of) => Object.values(costs).reduce((sum, cost) => sum + cost[of].units, 0) / Object.keys(costs).length;
  add('read units a page, all of these filters', mean('quire'), mean('peer'), { at: 'max', of: 'ratio', value: 0.6 });
}
