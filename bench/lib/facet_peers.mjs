// Peers for filters of several facets: each gives the id at a depth and the number of matches.

import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns, condition, keys } from './facet_questions.mjs';
import * as postgres from './postgres.mjs';
import { Broken, remove, serverCore, start, stop, temporaryDirectory } from './processes.mjs';
import { connect } from './resp.mjs';
import * as sqlite from './sqlite.mjs';

const indexed = ['language', 'rating', 'verified', 'size', 'country', 'helpful'];

/** Writes the rows of a file as tab-separated columns. */
export async function writeColumns(from, to) {
  const out = createWriteStream(to);
  for await (const line of createInterface({ input: createReadStream(from) })) {
    const text = columns(line).map((value) => value ?? '').join('\t');
    if (!out.write(`${text}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

const table = 'CREATE TABLE c (id text PRIMARY KEY, language text, rating text, verified text, size text, country text, helpful integer)';
const nth = ({ filter, depth }) => `SELECT id FROM c WHERE ${condition(filter)} ORDER BY id DESC LIMIT 1 OFFSET ${depth};`;
const count = ({ filter }) => `SELECT count(*) FROM c WHERE ${condition(filter)};`;

// The milliseconds of every second statement and of those between them.
function pairs(times, questions, who) {
  if (times.length !== 2 * questions) throw new Broken(`${who} timed ${times.length} of ${2 * questions} statements`);
  return { nth: times.filter((_, i) => i % 2 === 0), count: times.filter((_, i) => i % 2 === 1) };
}

/** PostgreSQL with an index a facet, which it combines as bitmaps: milliseconds by psql's clock, through a Unix socket. */
export async function askPostgres(file, members, questions) {
  const cluster = await postgres.cluster({ core: serverCore });
  try {
    const size = await cluster.sql(`
BEGIN;
${table};
\\copy c FROM '${file}' WITH (NULL '')
${indexed.map((name) => `CREATE INDEX ON c (${name});`).join('\n')}
COMMIT;
VACUUM (FREEZE, ANALYZE) c;
SELECT pg_total_relation_size('c');`);
    const statements = questions.flatMap((question) => [nth(question), count(question)]);
    const answers = (await cluster.sql(statements.join('\n'))).split('\n');  // it also fills the caches
    const printed = await cluster.sql(`\\timing on\n${statements.join('\n')}`);
    const times = [...printed.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, time]) => Number(time));
    return { ...pairs(times, questions.length, 'psql'), answers: answers.filter((_, i) => i % 2 === 0), bytes: Number(size.split('\n').at(-1)) / members };
  } finally {
    await cluster.end();
  }
}

/** SQLite with an index a facet and id: milliseconds of processor time, in process. */
export async function askSqlite(file, questions) {
  const directory = temporaryDirectory();
  const statements = questions.flatMap((question) => [nth(question), count(question)]).join('\n');
  await sqlite.script(directory, `PRAGMA journal_mode=OFF;
PRAGMA synchronous=OFF;
${table} WITHOUT ROWID;
.mode tabs
.import '${file}' c
${indexed.map((name) => `CREATE INDEX by_${name} ON c (${name}, id);`).join('\n')}
ANALYZE;`);
  const { stdout } = await sqlite.script(directory, `PRAGMA cache_size=-4000000;\n${statements}\n.timer on\n${statements}`);
  const answers = stdout.split('\n').slice(0, 2 * questions.length).filter((_, i) => i % 2 === 0);
  const times = [...stdout.matchAll(/^Run Time: real [\d.]+ user ([\d.]+) sys ([\d.]+)/gm)].map(([, user, system]) => (Number(user) + Number(system)) * 1000);
  remove(directory);
  return { ...pairs(times, questions.length, 'sqlite3'), answers };
}

/** Redis with a sorted set a value: ZINTERSTORE, then the place in the result; milliseconds as the client sees them, through a Unix socket. */
export async function askRedis(file, questions) {
  const directory = temporaryDirectory();
  const socket = join(directory, 'socket');
  const args = ['--port', '0', '--unixsocket', socket, '--dir', directory, '--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
  const started = start('redis-server', args, { core: serverCore });
  for (let tries = 0; !existsSync(socket); ++tries) {
    if (tries === 400) throw new Broken(`redis-server does not start\n${started.text('stderr')}`);
    await sleep(25);
  }
  const client = await connect(socket);
  await fillSets(client, file);
  const times = [];
  const answers = [];
  for (const { filter, depth } of questions) {
    const begun = performance.now();
    const sets = keys(filter);
    await client.send('ZINTERSTORE', 'found', sets.length, ...sets, 'AGGREGATE', 'MIN');
    answers.push((await client.send('ZREVRANGE', 'found', depth, depth))[0]);
    times.push(performance.now() - begun);
  }
  client.close();
  await stop(started);
  remove(directory);
  return { nth: times, answers };
}

// All scores are 0, so ids sort by their bytes.
async function fillSets(client, file) {
  const waiting = new Map();
  const flush = async (key) => { await client.send('ZADD', key, ...waiting.get(key)); waiting.delete(key); };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [id, language, rating, verified, size, country] = line.split('\t');
    for (const [key, value] of Object.entries({ language, rating, verified, size, country })) {
      const words = waiting.get(`${key}:${value}`) ?? [];
      words.push(0, id);
      waiting.set(`${key}:${value}`, words);
      if (words.length === 1000) await flush(`${key}:${value}`);
    }
  }
  for (const key of [...waiting.keys()]) await flush(key);
}
