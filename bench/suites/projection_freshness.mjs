// How long it takes from the acknowledgement of a post until page numbers count it.

import { setTimeout as sleep } from 'node:timers/promises';
import { credentials } from '../lib/dynamodb.mjs';
import { fetchJson } from '../lib/http.mjs';
import { Broken, run, serverCore } from '../lib/processes.mjs';
import { binary, openToPosts, serve } from '../lib/quire.mjs';
import { percentile } from '../lib/statistics.mjs';
import { command, until, work } from './projection_worker.mjs';

const table = 'fresh';
const polls = { usual: [], quick: ['--poll', '50'] };

/** Per page index and pause between looks: the milliseconds of each post. */
export async function measureFreshness({ database, backends }, size, progress) {
  const store = database.address(table);
  await run(binary, ['table', 'create', '--store', store], { env: credentials });
  const results = {};
  let posted = 0;
  for (const [name, { pages }] of Object.entries(backends)) {
    const followed = { store, pages: pages(table) };
    await command('backfill', followed);
    const quire = await serve(store, { core: serverCore, env: credentials, args: ['--pages', followed.pages, ...openToPosts] });
    results[name] = {};
    for (const [poll, flags] of Object.entries(polls)) {
      progress(`${size.fresh} posts until ${name} counts them, ${poll} pauses`);
      const worker = await work(followed, ...flags);
      await until(`${name} counts ${posted} comments`, 20, async () => await total(quire) === posted);
      results[name][poll] = await postAndWatch(quire, posted, size.fresh);
      posted += size.fresh;
      await worker.stop();
    }
    await quire.stop();
  }
  return results;
}

async function total(quire) {
  const { page, total: found } = await fetchJson(quire.comments('limit=1'));
  return page.numbers_missing ? undefined : found;
}

// Posts at random moments, so that the moments at which the worker looks do not matter. The stream keeps the order of the posts.
async function postAndWatch(quire, before, count) {
  const acknowledged = [];
  const counted = [];
  const post = async () => {
    while (acknowledged.length < count) {
      await sleep(Math.random() * 100);
      const answer = await fetch(quire.comments(), {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ language: 'en', rating: 5, title: 'Fits' }),
      });
      await answer.arrayBuffer();
      if (answer.status !== 201) throw new Broken(`a post was answered ${answer.status}`);
      acknowledged.push(performance.now());
    }
  };
  const watch = () => until(`${count} posts are counted`, 1, async () => {
    const now = (await total(quire) ?? before) - before;
    while (counted.length < now) counted.push(performance.now());
    return now >= count;
  });
  await Promise.all([post(), watch()]);
  return counted.map((time, i) => Math.max(0, time - acknowledged[i]));
}

export function addFreshnessFigures(report, results) {
  for (const [name, byPoll] of Object.entries(results)) {
    const add = (what, part) => report.add({
      name: what, unit: 'ms', quire: percentile(byPoll.usual, part), peer: { name: '--poll 50', value: percentile(byPoll.quick, part) }, ratio: null,
    });
    add(`from acknowledged to counted, ${name}, p50`, 0.5);
    add('the same, p99', 0.99);
  }
}
