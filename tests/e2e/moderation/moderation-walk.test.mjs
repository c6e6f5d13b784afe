// Nothing leaks: every public address is compared with a plain list of the published comments, while comments are posted, held,
// published, rejected, edited, reported and removed. With the page cache and without it, and through kills (QUIRE_KILLS).
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mustVerify, newStore } from '../support/harness.mjs';
import { declare } from '../support/facets.mjs';
import { newShop, serveShop } from '../support/moderation.mjs';
import { check, deeds, deedsThroughAKill, List, Public, shop, Stand } from '../support/moderation_walk.mjs';
import { pick, seed, seeded } from '../support/data.mjs';

const kills = Number(process.env.QUIRE_KILLS ?? 20);

/** Walks between rounds of deeds, and tells how many comments were hidden beside as many published ones. */
async function walk({ store, cache, random, rounds, act }) {
  await declare(store, [{ name: 'color', type: 'choice' }]);
  const kept = await newShop(shop);
  const args = ['--cache', cache, '--trusted-proxy', '127.0.0.1', '--public-url', 'https://shop.example'];
  const stand = await Stand.make(() => serveShop({ store, kept, args }));
  const list = new List();
  const there = new Public(stand);
  const all = deeds(stand, list, random);
  for (let i = 0; i < 12; ++i) await all[i % 3]();
  let hidden = 0;
  for (let round = 0; round < rounds; ++round) {
    await check(there, list);
    hidden = Math.max(hidden, Math.min(list.with('pending', 'rejected').length, list.with('published').length));
    await act(stand, all);
  }
  await check(there, list);
  await stand.server.stop();
  await mustVerify(store, 'after the walk');
  return hidden;
}

for (const cache of ['64MiB', '0']) {
  test(`the public sees the published comments alone, with a cache of ${cache}`, async () => {
    const random = seeded(cache === '0' ? 7 : 11);
    const act = async (_, all) => { for (let i = 0; i < 2; ++i) await pick(random, all)(); };
    assert.ok(await walk({ store: newStore(), cache, random, rounds: 40, act }) > 3, 'the walk had something to hide');
  });
}

test('the public sees the published comments alone, through kills', { timeout: 60_000 + kills * 10_000 }, async () => {
  const random = seeded(seed);
  const act = (stand, all) => deedsThroughAKill(stand, all, random, { count: 4, within: 15 });
  assert.ok(await walk({ store: newStore(), cache: '64MiB', random, rounds: kills, act }) > 3, `the walk had something to hide (seed ${seed})`);
});
