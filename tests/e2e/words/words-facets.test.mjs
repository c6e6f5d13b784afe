// Words beside facets and sorts: pages, counts, places and walks compared with a plain model, beside writes and kills.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, serveWithToken } from '../support/harness.mjs';
import { pick, seeded } from '../support/data.mjs';
import { comparePages, declare, facetRows, filterWithWords, found, ids, vocabulary } from '../support/facets.mjs';

const product = 'shoes';
const store = newStore();
let server;

/** Rows whose words are known: the first ones are in half of them, the last ones in few. */
function wordRows(seed, count) {
  const random = seeded(seed);
  const some = (most) => Array.from({ length: Math.floor(random() * most) }, () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)]);
  return facetRows(seed, count, product).map((row) => ({ ...row, title: some(3).join(' '), text: `${some(9).join(', ')}.` }));
}

before(async () => {
  await declare(store);
  await importRows(store, wordRows(61, 3000));
  await mustRun(['words', 'add', '--store', store]);
  server = await serveWithToken({ store });
});
after(() => server?.stop());

test('pages, totals, counts and places under words are those of the plain model', { timeout: 60_000 }, async () => {
  await comparePages(server, product, await exportRows(store), 12, filterWithWords);
});

test('a walk by cursors meets each comment once, both ways', async () => {
  const filter = { q: 'zip crash', rating: [4, 5] };
  const wanted = ids(found(await exportRows(store), filter));
  assert.ok(wanted.length > 30, `${wanted.length} comments`);
  const pages = await server.walk(product, { ...filter, limit: 7 });
  assert.deepEqual(idsOf(pages), wanted);
  const back = await server.walkBack(product, { ...filter, limit: 7 }, pages.at(-1));
  assert.deepEqual(idsOf(back.reverse()), wanted);
});

test('posts, edits, removals and kills leave what the plain model finds', { timeout: 120_000 }, async () => {
  const random = seeded(63);
  for (let round = 0; round < 5; ++round) {
    for (const { rating, language, title, text } of wordRows(70 + round, 30)) await server.add(product, { rating, language, title, text });
    const present = (await exportRows(store)).filter((comment) => comment.product === product);
    for (let i = 0; i < 10; ++i) {
      const { id } = present[i * 100 + round];
      if (i % 2) (await server.delete(commentPath(id))).expect(204);
      else (await server.patch(commentPath(id), { text: `${pick(random, vocabulary)} ${pick(random, vocabulary)}` })).expect(200);
    }
    await server.kill();
    await mustVerify(store, `after kill ${round}`);
    server = await serveWithToken({ store });
    await comparePages(server, product, (await exportRows(store)).filter((comment) => comment.product === product), 3, filterWithWords);
  }
});
