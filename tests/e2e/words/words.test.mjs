// Words in comments over HTTP: pages, numbers, statistics, places and feeds under `q` compared with a plain model, and where answers
// say the words are.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, exportRows, idsOf, importRows, mustRun, newStore, queryString, serve } from '../support/harness.mjs';
import { pagesOf, pick, seed, seeded } from '../support/data.mjs';
import { until } from '../support/project.mjs';
import { childrenOf, parseXml, textOf } from '../support/xml.mjs';

const product = 'jacket';
// Each word with forms that have its English stem.
const forms = { zipper: ['zipper', 'Zippers', 'ZIPPER'], break: ['break', 'breaks', 'breaking'], pocket: ['pocket', 'pockets'], cafe: ['café', 'Cafés', 'cafe'], warm: ['warm', 'warmed', 'WARMS'] };
const names = Object.keys(forms);
const random = seeded(seed);
const words = (most) => Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, names));
const written = (some) => some.map((name) => pick(random, forms[name])).join(pick(random, [' ', ', ', ' 😀 ', '\n']));
const told = new Map(); // by the author of a comment, the words in its title and text
const rows = Array.from({ length: 300 }, (_, n) => {
  const title = words(2), text = words(4);
  told.set(`Ann ${n}`, new Set([...title, ...text]));
  return { product, rating: 1 + Math.floor(random() * 5), language: 'en', author: `Ann ${n}`, title: written(title), text: written(text), created_at: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000).toISOString() };
});

let server, store, all; // newest first
before(async () => {
  store = newStore();
  await importRows(store, rows);
  await mustRun(['words', 'add', '--store', store]);
  server = await serve({ store });
  all = (await exportRows(store)).filter(({ id }) => id).sort((a, b) => (a.id < b.id ? 1 : -1));
  await until('the words are there', async () => (await server.get(commentsPath(product, { q: 'zipper' }))).status === 200);
});
after(() => server?.stop());

const has = (comment, sought) => sought.every((name) => told.get(comment.author).has(name));
const found = (sought, rating) => all.filter((comment) => has(comment, sought) && (!rating || comment.rating === rating)).map(({ id }) => id);
const asked = (sought) => sought.map((name) => pick(random, forms[name])).join(' ');

test('pages, totals and numbers under words are those of the plain model', async () => {
  for (let i = 0; i < 25; ++i) {
    const sought = [...new Set([pick(random, names), ...words(2)])];
    const rating = pick(random, [undefined, 1, 5]);
    const wanted = found(sought, rating);
    const limit = 1 + Math.floor(random() * 9);
    const query = { q: asked(sought), limit, ...(rating && { rating }) };
    const seen = [];
    let page = await server.page(product, query);
    for (;;) {
      assert.equal(page.total, wanted.length, query.q);
      assert.equal(page.page.count, Math.max(1, pagesOf(wanted.length, limit)));
      seen.push(...idsOf(page));
      if (!page.page.next) break;
      page = await server.page(product, { ...query, after: page.page.next });
    }
    assert.deepEqual(seen, wanted, query.q);
    const last = await server.page(product, { ...query, page: page.page.count });
    assert.deepEqual(idsOf(last), wanted.slice((page.page.count - 1) * limit));
    const { json } = (await server.get(`/v1/products/${product}/statistics${queryString({ q: query.q, ...(rating && { rating }) })}`)).expect(200);
    assert.equal(json.total, wanted.length);
    if (wanted.length === 0) continue;
    const place = pick(random, wanted);
    const { json: on } = (await server.get(`/v1/comments/${place}/page${queryString(query)}`)).expect(200);
    assert.equal(on.number, 1 + Math.floor(wanted.indexOf(place) / limit));
    assert.ok(idsOf((await server.get(on.href)).expect(200).json).includes(place));
  }
});

test('answers say where the words are, in characters', async () => {
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  for (const sought of [['cafe'], ['zipper', 'warm'], names.slice(0, 3)]) {
    const { comments } = await server.page(product, { q: asked(sought), limit: 100 });
    assert.ok(comments.length > 0, sought.join());
    const one = new Set(sought.flatMap((name) => forms[name]).map(plain));
    for (const { title, text, matches } of comments) {
      for (const [name, whole] of Object.entries({ title, text })) {
        const marked = matches[name].map(([begin, end]) => [...whole].slice(begin, end).join(''));
        const there = [...whole.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => word).filter((word) => one.has(plain(word)));
        assert.deepEqual(marked, there, whole);
      }
    }
  }
  assert.ok((await server.page(product, {})).comments.every((comment) => !('matches' in comment)));
});

test('links keep the words, and cursors are for them', async () => {
  const query = { q: 'Zipper, breaks!', limit: 2 };
  const page = await server.page(product, query);
  const { headers } = (await server.get(commentsPath(product, query))).expect(200);
  assert.match(headers.link, /q=Zipper%2C%20breaks%21/);
  assert.deepEqual(idsOf(await server.page(product, { q: 'BREAKS zipper', limit: 2, after: page.page.next })), found(['zipper', 'break']).slice(2, 4), 'the order of words and their case are no other question');
  (await server.get(commentsPath(product, { q: 'zipper', after: page.page.next }))).problem('cursor-mismatch', { parameter: 'after' });
});

test('the feed of a product takes words', async () => {
  const { text } = (await server.get(`/products/${product}/comments.atom?q=zipper`)).expect(200);
  const feed = parseXml(text);
  assert.equal(childrenOf(feed, 'entry').length, Math.min(20, found(['zipper']).length));
  assert.match(textOf(feed, 'title'), /jacket/);
});

test('what is no question is refused, and so is one where there is no index', async () => {
  for (const q of ['', ' ', '?!', 'a b c d e f g h i', 'x'.repeat(201)]) (await server.get(commentsPath(product, { q }))).problem('invalid-parameter', { parameter: 'q' });
  (await server.get(`${commentsPath(product)}?q=a&q=b`)).problem('invalid-parameter', { parameter: 'q' });
  const bare = await serve();
  try {
    await bare.add(product, { rating: 5, title: 'Zipper' });
    const refused = (await bare.get(commentsPath(product, { q: 'zipper' }))).problem('invalid-parameter', { parameter: 'q' });
    assert.match(refused.detail, /quire words add/);
  } finally {
    await bare.stop();
  }
});

test('commands take words', async () => {
  const { stdout } = await mustRun(['page', product, '--q', 'zippers breaking', '--limit', '100', '--json', '--store', store]);
  assert.deepEqual(idsOf(JSON.parse(stdout)), found(['zipper', 'break']).slice(0, 100));
});
