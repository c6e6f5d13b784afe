// A receiver that fails, hangs, rests and redirects at random, while the server is killed: every event arrives.
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
  const to = await receiver((message) => (random() < 0.8 ? taken(message) : pick(random, faults)()));
  const shop = shopWith(copyTo(to.url));
  const tokens = await newToken({ scopes: 'admin' });
  const store = newStore();
  const start = () => serve({ store, token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...shop.args] });
  const wanted = new Map(); // id -> rating; undefined: it is removed
  let server = await start();
  for (let round = 0; round < kills; ++round) {
    for (let i = 0; i < eventsOfRound; ++i) {
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
  }
  to.answer = taken;
  const missing = () => [...wanted].filter(([id, rating]) => !kept.has(id) || kept.get(id).rating !== rating);
  const waiting = async () => JSON.parse((await mustRun(['webhook', 'list', '--store', store, '--json'])).stdout).waiting;
  await soon('all arrive', async () => {
    await mustRun(['webhook', 'retry', 'copy', '--store', store]);
    await sleep(500);
    return missing().length === 0 && (await waiting()) === 0;
  }, 90_000);
  assert.deepEqual(missing(), []);
  assert.ok(statSync(join(store.slice('lmdb:'.length), 'webhooks.ledger')).size < 1000);
  await server.stop();
  await mustVerify(store, `after the kills (seed ${seed})`);
});
