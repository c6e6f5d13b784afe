// A receiver that fails, hangs, rests and redirects at random, and one that ends its webhook now and then, while the server is killed: every
// event arrives at the first, and none at the other after the end.
// QUIRE_KILLS sets the number of kills, QUIRE_EVENTS that of changes before each, QUIRE_SEED repeats a run.
// The campaign of docs/testing.md has 50 kills and 10,000 changes.
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

test('every event arrives, and its newest state by mark', { timeout: 120_000 + kills * 20_000 }, async (t) => {
  const random = seeded(seed);
  const kept = new Map(); // id -> {mark, rating}: a copy as the docs say to keep it
  const events = new Set(); // their marks
  const taken = (message) => {
    const { data } = verified(message);
    events.add(data.mark);
    const id = data.comment?.id ?? data.id;
    if ((kept.get(id)?.mark ?? -1) < data.mark) kept.set(id, { mark: data.mark, rating: data.comment?.rating });
    return 200;
  };
  const faults = [() => 500, () => 500, () => [429, { 'Retry-After': '1' }], () => [301, { Location: 'http://127.0.0.1:1/' }], () => undefined];
  const to = await receiver((message) => (random() < 0.8 ? taken(message) : pick(random, faults)()));
  let ended = false; // by a 410, from then on until the operator begins again
  const ending = await receiver(() => (ended ? 410 : 200));
  const shop = shopWith(copyTo(to.url), copyTo(ending.url).replace('"copy"', '"ending"'));
  const tokens = await newToken({ scopes: 'admin' });
  const store = newStore();
  const start = () => serve({ store, token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...shop.args] });
  const wanted = new Map(); // id -> rating; undefined: it is removed
  const sizeOf = (name) => statSync(join(store.slice('lmdb:'.length), name), { throwIfNoEntry: false })?.size ?? 0;
  const listed = async (name) => (await mustRun(['webhook', 'list', '--store', store, '--json'])).stdout.trim().split('\n').map((line) => JSON.parse(line)).find((each) => each.name === name);
  let changes = 0; // that were acknowledged
  const sizes = { 'data.mdb': 0, 'webhooks.ledger': 0 }; // at most, in bytes
  const untold = new Set(); // ids of comments that were posted while the webhook had ended, and are not changed

  async function post(comment) {
    const posted = await server.add('lamp', comment);
    wanted.set(posted.id, posted.rating);
    ++changes;
    return posted.id;
  }

  /** The operator begins again what the receiver has ended. */
  async function beginAgain() {
    await post({ rating: 1 });
    await soon('the webhook has ended', async () => (await listed('ending')).ended);
    untold.add(await post({ rating: 1 }));
    if (random() < 0.5) {
      await server.kill();
      server = await start();
      untold.add(await post({ rating: 1 }));
    }
    ended = false;
    await mustRun(['webhook', 'retry', 'ending', '--store', store]);
    await soon('it begins again', async () => !(await listed('ending')).ended);
  }

  let server = await start();
  for (let round = 0; round < kills; ++round) {
    const endsAt = round === 1 || random() < 0.1 ? Math.floor(random() * eventsOfRound) : -1;
    for (let i = 0; i < eventsOfRound; ++i) {
      ended ||= i === endsAt;
      const some = pick(random, [...wanted].filter(([id, rating]) => rating && !untold.has(id)))?.[0];
      if (some && random() < 0.2) {
        const { rating } = (await server.patch(`/v1/comments/${some}`, { title: `${round} ${i}`, rating: 1 + Math.floor(random() * 5) })).expect(200).json;
        wanted.set(some, rating);
        ++changes;
      } else if (some && random() < 0.1) {
        (await server.delete(`/v1/comments/${some}`)).expect(204);
        wanted.set(some, undefined);
        ++changes;
      } else {
        await post({ rating: 1 + Math.floor(random() * 5), title: `${round} ${i}` });
      }
    }
    await sleep(random() * 1500);
    await server.kill();
    for (const name of Object.keys(sizes)) sizes[name] = Math.max(sizes[name], sizeOf(name));
    server = await start();
    if (ended) await beginAgain();
  }
  to.answer = taken;
  const missing = () => [...wanted].filter(([id, rating]) => !kept.has(id) || kept.get(id).rating !== rating);
  await soon('all arrive', async () => {
    await mustRun(['webhook', 'retry', 'copy', '--store', store]);
    await sleep(500);
    return missing().length === 0 && events.size >= changes && (await listed('copy')).waiting === 0;
  }, 90_000 + changes * 30);
  t.diagnostic(`${kills} kills, ${changes} changes, ${to.messages.length} and ${ending.messages.length} messages; at most ${JSON.stringify(sizes)} bytes`);
  assert.deepEqual(missing(), []);
  const told = new Set(ending.messages.map(({ body }) => JSON.parse(body).data).map(({ comment, id }) => comment?.id ?? id));
  assert.deepEqual([...untold].filter((id) => told.has(id)), []);
  assert.ok(sizes['data.mdb'] < 1_000_000 + 2000 * changes, 'the store has its comments and their events alone');
  assert.ok(sizes['webhooks.ledger'] < 2 * 300 * Math.min(changes, 10_000), 'the ledger has a bound');
  await soon('nothing is owed', async () => sizeOf('webhooks.ledger') < 1000);
  await server.stop();
  await mustVerify(store, `after the kills (seed ${seed})`);
});
