// A receiver that fails, hangs, rests, redirects and ends the webhook at random, while the server is killed: every event arrives, and none
// after the end.
// QUIRE_KILLS sets the number of kills, QUIRE_EVENTS that of changes before each, QUIRE_SEED repeats a run.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { mustRun, mustVerify, newStore, newToken, serve, unlimited } from '../support/harness.mjs';
import { pick, seed, seeded } from '../support/data.mjs';
import { copyTo, receiver, shopWith, soon, verified } from './receiver.mjs';

const kills = Math.max(2, Number(process.env.QUIRE_KILLS ?? 5));
const eventsOfRound = Number(process.env.QUIRE_EVENTS ?? 60);

test('every event arrives, and its newest state by mark', { timeout: 120_000 + kills * 20_000 }, async () => {
  const random = seeded(seed);
  const kept = new Map(); // id -> {mark, rating}: a copy as the docs say to keep it
  const taken = (message) => {
    const { data } = verified(message);
    const id = data.comment?.id ?? data.id;
    if ((kept.get(id)?.mark ?? -1) < data.mark) kept.set(id, { mark: data.mark, rating: data.comment?.rating });
    return 200;
  };
  const faults = [() => 500, () => 500, () => [429, { 'Retry-After': '1' }], () => [301, { Location: 'http://127.0.0.1:1/' }], () => undefined];
  let ended = false; // by a 410, from then on until the operator begins again
  const to = await receiver((message) => {
    if (ended) return 410;
    return random() < 0.8 ? taken(message) : pick(random, faults)();
  });
  const shop = shopWith(copyTo(to.url));
  const tokens = await newToken({ scopes: 'admin' });
  const store = newStore();
  const start = () => serve({ store, token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...shop.args] });
  const wanted = new Map(); // id -> rating; undefined: it is removed
  const listed = async () => JSON.parse((await mustRun(['webhook', 'list', '--store', store, '--json'])).stdout);
  const untold = []; // ids of comments that were posted while the webhook had ended

  /** The operator begins again what the receiver has ended. What was not told meanwhile the receiver reads anew. */
  async function beginAgain() {
    const last = await server.add('lamp', { rating: 1 });
    wanted.set(last.id, last.rating);
    await soon('the webhook has ended', async () => (await listed()).ended);
    untold.push((await server.add('lamp', { rating: 1 })).id);
    if (random() < 0.5) {
      await server.kill();
      server = await start();
      untold.push((await server.add('lamp', { rating: 1 })).id);
    }
    ended = false;
    await mustRun(['webhook', 'retry', 'copy', '--store', store]);
    await soon('it begins again', async () => !(await listed()).ended);
    for (const [id, rating] of wanted) kept.set(id, { mark: kept.get(id)?.mark ?? 0, rating });
  }

  let server = await start();
  for (let round = 0; round < kills; ++round) {
    const endsAt = round === 1 || random() < 0.1 ? Math.floor(random() * eventsOfRound) : -1;
    for (let i = 0; i < eventsOfRound; ++i) {
      ended ||= i === endsAt;
      const some = pick(random, [...wanted.keys()]);
      if (some && random() < 0.2) {
        const answer = await server.patch(`/v1/comments/${some}`, { rating: 1 + Math.floor(random() * 5) });
        if (answer.status === 200) wanted.set(some, answer.json.rating);
      } else if (some && random() < 0.1) {
        (await server.delete(`/v1/comments/${some}`)).expect(204, 404);
        wanted.set(some, undefined);
      } else {
        const posted = await server.add('lamp', { rating: 1 + Math.floor(random() * 5), title: `${round} ${i}` });
        wanted.set(posted.id, posted.rating);
      }
    }
    await sleep(random() * 1500);
    await server.kill();
    server = await start();
    if (ended) await beginAgain();
  }
  to.answer = taken;
  const missing = () => [...wanted].filter(([id, rating]) => !kept.has(id) || kept.get(id).rating !== rating);
  await soon('all arrive', async () => {
    await mustRun(['webhook', 'retry', 'copy', '--store', store]);
    await sleep(500);
    return missing().length === 0 && (await listed()).waiting === 0;
  }, 90_000 + kills * eventsOfRound * 20);
  assert.deepEqual(missing(), []);
  const told = new Set(to.messages.map(({ body }) => JSON.parse(body).data).map(({ comment, id }) => comment?.id ?? id));
  assert.deepEqual(untold.filter((id) => told.has(id)), []);
  assert.ok(statSync(join(store.slice('lmdb:'.length), 'webhooks.ledger')).size < 1000);
  await server.stop();
  await mustVerify(store, `after the kills (seed ${seed})`);
});
