// Filters of several facets at any depth: what a page, its numbers and its counts take, beside PostgreSQL, SQLite and Redis.

import { join } from 'node:path';
import { askPostgres, askRedis, askSqlite, writeColumns } from '../lib/facet_peers.mjs';
import { filters, query, random } from '../lib/facet_questions.mjs';
import { fetchJson } from '../lib/http.mjs';
import { needPostgres } from '../lib/postgres.mjs';
import { Broken, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, bytesOnDisk, generation, needBinary, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { writeRows } from '../lib/rows.mjs';
import { median, percentile } from '../lib/statistics.mjs';
import { compare, noteDisturbance, page, takeTurns } from '../lib/turns.mjs';

export const title = 'pages, numbers and counts under any facets';

const three = 'language=en&verified=true&size=M';

export async function measure(report, size, progress) {
  need('wrk', 'taskset', 'sqlite3', 'redis-server');
  needPostgres();
  needBinary();
  const directory = temporaryDirectory();
  progress('filling a store');
  const store = join(directory, 'store');
  await run(binary, [...generation(size.comments), '--facets', '--store', `lmdb:${store}`]);
  report.add({ name: 'disk per comment, five facets declared', unit: 'bytes', quire: bytesOnDisk(store) / size.comments });
  const accessLog = join(directory, 'access.log');
  const quire = await serve(store, { core: serverCore, accessLog });
  const questions = await places(quire, size.small ? 40 : 200);
  progress('asking Quire');
  const asked = await ask(quire, questions);
  addTimes(report, 'n-th under a filter of 2 to 5 facets, the first time', asked.first, { p50: 200 });
  addTimes(report, 'the same again, from totals kept', asked.again);
  addTimes(report, 'the same with counts of all facets under the others, as the client sees it', asked.counts, { p50: 2000 });
  addTimes(report, 'sorted by votes, at random depth', asked.votes, { p50: 1000 });
  const rounds = await rates(report, quire, accessLog, size, progress);
  await quire.stop();
  await peers(report, size, questions, asked, directory, progress);
  remove(directory);
  return rounds;
}

// Filters that have matches, each with a random depth, and the id that is there.
async function places(quire, count) {
  const next = random(2);
  const found = [];
  for (const filter of filters(count * 2, 1)) {
    if (found.length === count) break;
    const { total } = await fetchJson(quire.comments(`${query(filter)}&limit=1`));
    if (total > 0) found.push({ filter, depth: Math.floor(next() * total), total });
  }
  if (found.length < count) throw new Broken(`only ${found.length} of ${2 * count} filters have matches`);
  return found;
}

// Microseconds within the server, as its plans tell. A server begins without totals, so each filter is asked twice of a new one.
async function ask(quire, questions) {
  const micros = async (more) => {
    const { plan, comments } = await fetchJson(quire.comments(`${more}&explain=true`));
    return { micros: plan.microseconds, kept: plan.totals_kept, id: comments[0]?.id };
  };
  const times = { first: [], again: [], counts: [], votes: [], ids: [] };
  const next = random(3);
  const all = (await fetchJson(quire.comments('limit=1'))).total;
  for (const { filter, depth } of questions) {
    const unseen = `${query(filter)}&not.country=ZZ&limit=1&skip=${depth}`;  // nobody has asked with this condition yet
    const first = await micros(unseen);
    const again = await micros(unseen);
    if (first.id !== again.id) throw new Broken(`${unseen} gives ${first.id}, then ${again.id}`);
    times.first.push(first.micros);
    times.again.push(again.micros);
    times.ids.push(again.id);
    const begun = performance.now();  // a plan tells the time of the page without its counts
    await fetchJson(quire.comments(`${query(filter)}&limit=1&facets=true`));
    times.counts.push((performance.now() - begun) * 1000);
    times.votes.push((await micros(`sort=-helpful&limit=1&skip=${Math.floor(next() * all)}`)).micros);
  }
  return times;
}

function addTimes(report, name, times, wanted) {
  const most = wanted?.p50 && { at: 'max', of: 'quire', value: wanted.p50 };
  report.add({ name: `${name}, p50`, unit: 'µs', quire: median(times), wanted: most });
  report.add({ name: `${name}, p99`, unit: 'µs', quire: percentile(times, 0.99) });
}

async function rates(report, quire, accessLog, size, progress) {
  const contenders = {};
  const add = async (name, more) => { contenders[name] = await page(quire, accessLog, more, report, name); };
  const { page: { count } } = await fetchJson(quire.comments(three));
  await add('first', '');
  await add('middle under three facets', `${three}&page=${Math.ceil(count / 2)}`);
  await add('first with counts', 'facets=true');
  const results = await takeTurns(contenders, size, progress);
  const { cpu, rate } = compare(report, results);
  rate('page in the middle under three facets', 'middle under three facets', 'first page', 'first', { at: 'min', of: 'ratio', value: 0.85 });
  cpu('server CPU per request, the same', 'middle under three facets', 'first page', 'first');
  cpu('server CPU per request, first page with counts of all facets', 'first with counts', 'first page', 'first');
  noteDisturbance(report, 'Facets', results);
  return results;
}

async function peers(report, size, questions, asked, directory, progress) {
  const rows = join(directory, 'rows.jsonl');
  const file = join(directory, 'rows.tsv');
  progress('writing rows for the peers');
  await writeRows(rows, [...generation(size.comments), '--facets', '--stdout']);
  await writeColumns(rows, file);
  const few = questions.slice(0, size.small ? 10 : 40);
  const quire = { first: median(asked.first.slice(0, few.length)), again: median(asked.again.slice(0, few.length)) };
  const all = {
    'PostgreSQL, an index a facet, through a Unix socket': () => askPostgres(file, size.comments, few),
    'SQLite, an index a facet, in process': () => askSqlite(file, few),
    'Redis, ZINTERSTORE, through a Unix socket': () => askRedis(file, few),
  };
  for (const [name, measurePeer] of Object.entries(all)) {
    progress(name);
    const peer = await measurePeer();
    few.forEach((question, i) => {
      if (peer.answers[i] !== asked.ids[i]) throw new Broken(`${name} gives ${peer.answers[i]} for ${JSON.stringify(question)}, Quire ${asked.ids[i]}`);
    });
    report.add({ name: 'n-th under a filter, the first time', unit: 'µs', quire: quire.first, peer: { name, value: median(peer.nth) * 1000 } });
    report.add({ name: 'n-th under a filter, again', unit: 'µs', quire: quire.again, peer: { name, value: median(peer.nth) * 1000 } });
    if (peer.count) report.add({ name: 'number of matches', unit: 'µs', quire: quire.again, peer: { name: `${name}: count(*)`, value: median(peer.count) * 1000 } });
    if (peer.bytes) report.note(`${name}: ${number(peer.bytes)} bytes a comment for table and indexes, without texts.`);
  }
}
