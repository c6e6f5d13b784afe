// Words over HTTP: pages, counts and walks compared with a plain model, beside writes, kills and erasures; marks; the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, queryString, serveWithToken } from './support/harness.mjs';
import { pick, seeded } from './support/data.mjs';
import { comparePages, declare, facetRows, found, ids, randomFilter } from './support/facets.mjs';

const product = 'shoes';
const vocabulary = ['zip', 'crash', 'laptop', 'red', 'fit', 'warm', 'storm', 'lamp', 'dog', 'cold'];
const store = newStore();
let server;

/** Rows whose words are known: the first ones are in half of them, the last ones in few. */
function wordRows(seed, count) {
  const random = seeded(seed);
  const some = (most) => Array.from({ length: Math.floor(random() * most) }, () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)]);
  return facetRows(seed, count, product).map((row) => ({ ...row, title: some(3).join(' '), text: `${some(9).join(', ')}.` }));
}

function filterWithWords(random) {
  const words = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, vocabulary));
  return { ...randomFilter(random), q: words.join(' ') };
}

const list = (filter) => server.get(commentsPath(product, filter));

before(async () => {
  await declare(store);
  await importRows(store, wordRows(61, 3000));
  server = await serveWithToken({ store });
});
after(() => server?.stop());

test('without an index the answer says how to make it', async () => {
  const { json } = (await list({ q: 'zip' })).expect(400);
  assert.equal(json.parameter, 'q');
  assert.match(json.detail, /quire words add/);
  await mustRun(['words', 'add', '--store', store]);
  (await list({ q: 'zip' })).expect(200);
});

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

test('answers say where the words are', async () => {
  await server.add('marks', { rating: 5, language: 'en', title: 'Crashes', text: 'It 😀 crashed; no zip.' });
  const [comment] = (await server.page('marks', { q: 'crash zip' })).comments;
  const characters = (text, [begin, end]) => [...text].slice(begin, end).join('');
  assert.deepEqual(comment.matches.title.map((mark) => characters(comment.title, mark)), ['Crashes']);
  assert.deepEqual(comment.matches.text.map((mark) => characters(comment.text, mark)), ['crashed', 'zip']);
  assert.equal((await server.page('marks', {})).comments[0].matches, undefined);
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

test('the page has a field, marks the words, and says what each finds alone', async () => {
  const some = (await server.get(`/products/${product}${queryString({ q: 'laptop' })}`)).expect(200);
  assert.match(some.text, /<mark>laptop<\/mark>/i);
  assert.match(some.text, /<input[^>]+name="?q"?[^>]+value="laptop"/);
  assert.match(`${some.headers['x-robots-tag'] ?? ''} ${some.text.match(/<meta name="robots"[^>]*>/)?.[0] ?? ''}`, /noindex/);
  const none = (await server.get(`/products/${product}${queryString({ q: 'laptop xylophone' })}`)).expect(200);
  assert.match(none.text, /href="[^"]*q=laptop[^"]*"/, 'what the other word finds');
});
