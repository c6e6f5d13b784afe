// Nothing leaks from a table, either: the walk of public addresses beside page indexes in LMDB, Redis and SQLite, with a worker that
// follows the stream. Servers and workers are killed (QUIRE_KILLS). What is hidden is unseen within seconds; in the end all agree.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { backends } from '../support/servers/backends.mjs';
import { pick, seed, seeded } from '../support/data.mjs';
import { startDynamoDb } from '../support/dynamodb.mjs';
import { declare } from '../support/facets.mjs';
import { newShop, serveShop } from '../support/moderation.mjs';
import { check, deeds, deedsThroughAKill, List, Public, shop, Stand, tellsNoSecrets } from '../support/moderation_walk.mjs';
import { Stage, until } from '../support/project.mjs';

const kills = Number(process.env.QUIRE_KILLS ?? 4);
const unseenWithin = 5_000; // milliseconds: 3 s of a table's caches, and the worker's delay

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

/** Asks everything until it is as it must be. Meanwhile no answer may tell for long what is hidden. */
async function checkSoon(there, list, when) {
  const since = Date.now();
  let last;
  await until(`the public sees the published comments alone ${when}`, () => check(there, list).then(() => true, (error) => {
    last = error;
    tellsNoSecrets(there, list, since + unseenWithin);
  }), () => last.message);
}

for (const name of ['LMDB', 'Redis', 'SQLite']) {
  test(`the public of a table sees the published comments alone, beside ${name} and through kills`, { timeout: 120_000 + kills * 30_000 }, async (context) => {
    const random = seeded(seed);
    const index = await backends[name]();
    const stage = await Stage.make({ test: context, database, table: `walk-${name}`, index, random });
    const facets = name === 'LMDB';
    if (facets) await declare(stage.store, [{ name: 'color', type: 'choice' }]);
    await stage.mustRun('backfill');
    const kept = await newShop(shop);
    const args = ['--pages', index.pages, '--trusted-proxy', '127.0.0.1', '--public-url', 'https://shop.example'];
    const stand = await Stand.make(() => serveShop({ store: stage.store, kept, args, env: stage.env }));
    const list = new List();
    const there = new Public(stand, { facets });
    const all = deeds(stand, list, random);
    let worker = stage.work();
    for (let i = 0; i < 12; ++i) await all[i % 3]();
    let hidden = 0;
    for (let round = 0; round < kills; ++round) {
      await checkSoon(there, list, `in round ${round} (seed ${seed})`);
      hidden = Math.max(hidden, Math.min(list.with('pending', 'rejected').length, list.with('published').length));
      await deedsThroughAKill(stand, all, random, { count: 4, within: 60 });
      await worker.kill();
      await stage.dropLeases();
      await pick(random, all)(); // while nobody follows
      worker = stage.work();
    }
    await checkSoon(there, list, `at the end (seed ${seed})`);
    assert.ok(hidden > 3, `the walk had something to hide (seed ${seed})`);
    stage.comments = new Map(list.published().map((comment) => [comment.id, comment]));
    await stage.mustVerify(`after the walk (seed ${seed})`);
    await worker.stop();
    await stand.server.stop();
  });
}
