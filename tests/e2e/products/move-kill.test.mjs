// kill -9 while a product moves and comments are posted for it: the same call goes on, no comment is lost or doubled, and quire verify finds no difference.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { commentsPath, exportRows, importRows, mustVerify, newStore } from '../support/harness.mjs';
import { seed, seeded } from '../support/data.mjs';
import { bearer, serveShop } from '../support/moderation.mjs';

const kills = Math.max(2, Math.floor(Number(process.env.QUIRE_KILLS ?? 12) / 2));
console.log(`move-kill: ${kills} kills`);

test('a move that was killed goes on when it is asked for again', { timeout: 60_000 + kills * 30_000 }, async () => {
  const random = seeded(seed);
  const store = newStore();
  const rows = Array.from({ length: 8000 }, (_, i) => ({ product: 'p0', rating: 1 + (i % 5), language: 'en', text: `Number ${i}.`, created_at: '2024-01-01T00:00:00Z', ...(i % 4 ? {} : { status: 'pending' }) }));
  await importRows(store, rows);
  const acknowledged = new Set();
  let at = 0; // the product that has, or gets, all comments
  for (let kill = 1; kill <= kills; ++kill) {
    const server = await serveShop({ store, shop: '[feeds]\nchanges = true\n' });
    const [from, to] = [`p${at}`, `p${at + 1}`];
    const until = { over: false };
    const guarded = async (work) => { try { await work(); } catch (error) { if (!until.over) throw error; } };
    const moving = guarded(async () => { while ((await server.post(`/v1/products/${from}/move`, { to }, bearer(server.tokens.admin))).expect(200).json.more); });
    const posting = guarded(async () => { while (!until.over) acknowledged.add((await server.add(from, { rating: 5 })).id); });
    await sleep(random() * 400);
    until.over = true;
    await server.kill();
    await Promise.all([moving, posting]);
    await mustVerify(store, `after kill ${kill} (seed ${seed})`);
    const again = await serveShop({ store });
    (await again.post(`/v1/products/${from}/move`, { to }, bearer(again.tokens.admin))).expect(200);
    (await again.get(commentsPath(from))).expect(308);
    assert.equal((await again.add(from, { rating: 5 })).product, to);
    await again.stop();
    at += 1;
    const kept = await exportRows(store);
    assert.deepEqual([...new Set(kept.map(({ product }) => product))], [to]);
    const ids = kept.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of acknowledged) assert.ok(ids.includes(id), `the comment ${id} was acknowledged`);
    assert.ok(ids.length >= rows.length + acknowledged.size + kill);
  }
});
