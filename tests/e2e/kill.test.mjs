// kill -9 at random moments, during imports and concurrent posts. No acknowledged comment is lost, none is there twice,
// `quire verify` finds no differences after any kill, and page numbers, statistics and leaderboard are those of what is there. QUIRE_KILLS sets the number of kills, QUIRE_SEED repeats a run.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { commentPath, commentsPath, exportRows, idsOf, mustRun, mustVerify, newStore, serve, start } from './support/harness.mjs';
import { expected, pagesOf, pick, randomQuery, sampleRows, seed, seeded } from './support/data.mjs';
import { recount, sameFigures } from './support/recount.mjs';

const kills = Math.max(2, Number(process.env.QUIRE_KILLS ?? 30));
console.log(`kill.test: ${kills} kills`);

const rowsPerRound = 1_500;
const jsonLines = (rows) => rows.map((row) => JSON.stringify(row) + '\n').join('');

/** Milliseconds that one undisturbed import takes. */
async function timeOfImport(store, input) {
  const began = performance.now();
  await mustRun(['import', '--store', store, '-'], { input });
  return performance.now() - began;
}

test('kills during import', { timeout: 60_000 + kills * 3_000 }, async () => {
  const random = seeded(seed);
  const wanted = Math.floor(kills / 2);
  const store = newStore();
  const rowsOf = (round) => sampleRows(seed + round, rowsPerRound, (choose) => `import ${round} ${Math.floor(choose() * 4)}`);
  const rounds = [jsonLines(rowsOf(0))];
  let span = await timeOfImport(store, rounds[0]);
  let killed = 0;
  while (killed < wanted) {
    const round = rounds.length;
    assert.ok(round <= wanted * 8 + 20, `only ${killed} of ${round - 1} imports lived long enough to be killed; an import takes about ${span} ms`);
    rounds.push(jsonLines(rowsOf(round)));
    const { child, ended } = start(['import', '--store', store, '-'], { input: rounds[round] });
    await sleep(random() * span);
    child.kill('SIGKILL');
    const { signal, status, stderr } = await ended;
    if (signal === 'SIGKILL') {
      killed += 1;
    } else {
      assert.equal(status, 0, `import ${round}: ${stderr}`);
      span *= 0.9;
    }
    await mustVerify(store, `after kill ${killed} during an import (seed ${seed})`);
    const server = await serve({ store });
    await checkFigures(server, `import ${round} ${Math.floor(random() * 4)}`, random, `kill ${killed} during an import (seed ${seed})`);
    await server.kill();
  }

  for (const input of rounds) await mustRun(['import', '--store', store, '-'], { input });
  await mustVerify(store, `after the interrupted imports were repeated (seed ${seed})`);
  const undisturbed = newStore();
  for (const input of rounds) await mustRun(['import', '--store', undisturbed, '-'], { input });
  const [there, wantedRows] = [await exportRows(store), await exportRows(undisturbed)];
  assert.equal(there.length, rounds.length * rowsPerRound, 'each row once');
  assert.deepEqual(there, wantedRows, 'the same as imports that were never killed');
});

/** Posts without pause until the server is gone. `sent` holds the requests (key -> body), `acknowledged` the answers (key -> comment). */
async function postUntilKilled(server, random, { sent, acknowledged, product }) {
  while (server.running) {
    const key = `key-${sent.size}`;
    const body = { rating: 1 + Math.floor(random() * 5), language: pick(random, ['de', 'en', 'und']), title: key, text: 'x'.repeat(Math.floor(random() * 2_000)) };
    sent.set(key, body);
    try {
      const answer = await server.post(commentsPath(product), body, { 'Idempotency-Key': key });
      acknowledged.set(key, answer.expect(201).json);
    } catch (error) {
      if (error.code === 'ERR_ASSERTION') throw error;
      return; // the connection broke: not acknowledged
    }
  }
}

test('kills during concurrent posts', { timeout: 60_000 + kills * 3_000 }, async () => {
  const random = seeded(seed + 1);
  const wanted = kills - Math.floor(kills / 2);
  const product = 'posts';
  const store = newStore();
  const sent = new Map();
  const acknowledged = new Map();
  for (let killed = 1; killed <= wanted; ++killed) {
    const server = await serve({ store });
    const known = acknowledged.size;
    const posting = Array.from({ length: 8 }, () => postUntilKilled(server, random, { sent, acknowledged, product }));
    await sleep(10 + random() * 150);
    const { signal } = await server.kill();
    assert.equal(signal, 'SIGKILL', 'the server lived until it was killed');
    await Promise.all(posting);
    await mustVerify(store, `after kill ${killed} during posts (seed ${seed})`);
    const next = await serve({ store });
    await checkAcknowledged(next, [...acknowledged.values()].slice(known), `kill ${killed} (seed ${seed})`);
    await checkFigures(next, product, random, `kill ${killed} during posts (seed ${seed})`);
    await next.kill();
  }

  const server = await serve({ store });
  assert.ok(acknowledged.size >= wanted, `the kills left time for posts: ${acknowledged.size} acknowledged`);
  for (const [key, body] of sent) {
    const again = (await server.post(commentsPath(product), body, { 'Idempotency-Key': key })).expect(201).json;
    if (acknowledged.has(key)) assert.deepEqual(again, acknowledged.get(key), `${key} was acknowledged; the same key gives the same answer`);
  }
  const stored = (await server.walk(product, { limit: 100 })).flatMap((page) => page.comments);
  assert.deepEqual(stored.map((comment) => comment.title).sort(), [...sent.keys()].sort(), `each post is there exactly once after its repetition (seed ${seed})`);
  assert.equal((await server.page(product, { limit: 1 })).total, sent.size, 'total');
  assert.equal((await server.stop()).status, 0);
  await mustVerify(store, `at the end (seed ${seed})`);
});

/** Checks that the server has each of these comments, by its id. */
async function checkAcknowledged(server, comments, when) {
  for (const comment of comments) {
    const answer = await server.get(commentPath(comment.id));
    assert.equal(answer.status, 200, `after ${when} the acknowledged comment ${comment.id} is gone: ${answer.status}`);
    assert.deepEqual(answer.json, comment, `after ${when}`);
  }
}

/** Checks that a page by number is the page of the walk, that the statistics equal a recount, and that the leaderboard agrees with them. */
async function checkFigures(server, product, random, when) {
  const comments = (await server.walk(product, { limit: 100 })).flatMap((page) => page.comments);
  const query = randomQuery(random, 30);
  const all = expected(comments, query);
  const count = pagesOf(all.length, query.limit);
  const number = 1 + Math.floor(random() * count);
  const shown = await server.page(product, { ...query, page: number });
  assert.deepEqual(idsOf(shown), all.slice((number - 1) * query.limit, number * query.limit).map(({ id }) => id), `page ${number} under ${JSON.stringify(query)} after ${when}`);
  assert.deepEqual([shown.total, shown.page.number, shown.page.count], [all.length, number, count], `after ${when}`);
  const statistics = async (name) => (await server.get(`/v1/products/${encodeURIComponent(name)}/statistics`)).expect(200).json;
  sameFigures(await statistics(product), recount(product, comments), `statistics after ${when}`);
  for (const leader of (await server.get('/v1/leaderboard?limit=20')).expect(200).json.products) {
    const { total, average, ratings } = await statistics(leader.product);
    assert.deepEqual([leader.total, leader.five_star, leader.average, leader.ratings], [total, ratings[5], average, ratings], `${leader.product} among the leaders after ${when}`);
  }
}
