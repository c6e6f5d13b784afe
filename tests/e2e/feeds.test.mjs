// The sitemap and the Atom feed: complete, with absolute addresses, and well-formed whatever the comments contain.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, importRows, newStore, newToken, queryString, run, serve, serveWithToken, temporaryDirectory } from './support/harness.mjs';
import { expected, sampleRows } from './support/data.mjs';
import { childrenOf, parseXml, textOf } from './support/xml.mjs';

const origin = 'https://shop.example';
const product = 'lamp & co/é';
const awkward = '<b>"x"</b> & \u2028';
const hostile = ']]> & < > " \' &amp; &#0; <![CDATA[ ]]]]> <!-- \u0085\u200e😀';
const store = newStore();
let server;

before(async () => {
  const rows = sampleRows(131, 130, product);
  rows.push({ ...rows[0], product: awkward });
  rows.push({ product: 'hostile', rating: 1, language: 'en', created_at: '2024-02-03T04:05:06.789Z', author: hostile, title: `${hostile} \ufffe title \uffff`, text: `${hostile}\n\tsecond line \ufffe` });
  rows.push({ product: 'hostile', rating: 5, language: 'und', created_at: '2024-02-02T00:00:00.000Z', author: '', title: '', text: '' });
  await importRows(store, rows);
  server = await serve({ store, args: ['--public-url', origin] });
});
after(() => server?.stop());

/** Encodes all but RFC 3986's unreserved characters, as the server does in addresses. */
const self = (name = product) => `/products/${encodeURIComponent(name).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
const page = async (path) => (await server.get(path)).expect(200).text;

test('the sitemap names the page of every product that has comments', async () => {
  const answer = (await server.get('/sitemap.xml')).expect(200);
  assert.match(answer.headers['content-type'], /^application\/xml/);
  const map = parseXml(answer.text);
  assert.deepEqual([map.name, map.attributes.xmlns], ['urlset', 'http://www.sitemaps.org/schemas/sitemap/0.9']);
  const places = () => childrenOf(map, 'url').map((url) => textOf(url, 'loc'));
  assert.deepEqual(places().map((place) => decodeURIComponent(place.slice(`${origin}/products/`.length))), [awkward, 'hostile', product]);
  for (const place of places()) {
    assert.ok(place.startsWith(`${origin}/products/`), place);
    assert.ok((await page(place.slice(origin.length))).includes(`<link rel="canonical" href="${place}">`), `${place}: as the page itself says`);
  }
  for (const [at, name] of [awkward, 'hostile', product].entries()) {
    const [newest] = (await server.page(name, { limit: 1 })).comments;
    assert.equal(textOf(childrenOf(map, 'url')[at], 'lastmod'), newest.created_at, name);
  }
  const part = parseXml((await server.get(`/sitemap.xml?after=${encodeURIComponent(awkward)}`)).expect(200).text);
  assert.deepEqual(childrenOf(part, 'url').map((url) => textOf(url, 'loc')), places().slice(1));
});

test('a large sitemap has parts, which have each product once', { timeout: 120_000 }, async () => {
  const large = newStore();
  const rows = Array.from({ length: 10_001 }, (_, n) => ({ product: `p ${n}`, rating: 1 + (n % 5), language: 'en', created_at: new Date(Date.UTC(2024, 0, 1) + n).toISOString() }));
  await importRows(large, rows);
  const big = await serve({ store: large });
  const index = parseXml((await big.get('/sitemap.xml')).expect(200).text);
  assert.equal(index.name, 'sitemapindex');
  const parts = childrenOf(index, 'sitemap').map((part) => textOf(part, 'loc'));
  assert.equal(parts.length, 3);
  const found = [];
  for (const part of parts) {
    assert.ok(part.startsWith(`${big.url}/sitemap.xml?after=`), `${part}: without --public-url the host is the request's`);
    const map = parseXml((await big.get(part.slice(big.url.length))).expect(200).text);
    found.push(...childrenOf(map, 'url').map((url) => decodeURIComponent(textOf(url, 'loc').split('/').at(-1))));
  }
  assert.deepEqual(found.sort(), rows.map((row) => row.product).sort());
  assert.equal((await big.stop()).status, 0);
});

test('the feed has the twenty newest comments, and is well-formed whatever they contain', async () => {
  const stored = (await server.walk(product, { limit: 100 })).flatMap((page) => page.comments);
  for (const query of [{}, { rating: [4, 5] }, { language: ['de', 'en'], rating: 5 }, { language: 'xx' }]) {
    const answer = (await server.get(`${self()}/comments.atom${queryString(query)}`)).expect(200);
    assert.match(answer.headers['content-type'], /^application\/atom\+xml/);
    const feed = parseXml(answer.text);
    assert.deepEqual([feed.name, feed.attributes.xmlns], ['feed', 'http://www.w3.org/2005/Atom']);
    const links = Object.fromEntries(childrenOf(feed, 'link').map(({ attributes }) => [attributes.rel, attributes.href]));
    assert.deepEqual(links, { self: `${origin}${self()}/comments.atom${queryString(query)}`, alternate: `${origin}${self()}${queryString(query)}` });
    assert.deepEqual([textOf(feed, 'id'), textOf(feed, 'title')], [links.self, `Reviews of ${product}`]);
    const wanted = expected(stored, query).slice(0, 20);
    assert.equal(textOf(feed, 'updated'), wanted[0]?.created_at ?? '1970-01-01T00:00:00.000Z');
    assert.deepEqual(childrenOf(feed, 'entry').map((entry) => [textOf(entry, 'id'), textOf(entry, 'updated'), textOf(entry, 'content')]), wanted.map(({ id, created_at, text }) => [origin + commentPath(id), created_at, text]));
  }
});

/** A server of its own whose shop is in India. `feed(product, query)`: what its feed says, {updated, entries}. */
async function indianShop() {
  const shopFile = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(shopFile, '[shop]\nzone = "Asia/Kolkata"\nlists = "public"\n');
  const own = await serveWithToken({ tokens: await newToken({ scopes: 'admin' }), args: ['--public-url', origin, '--shop', shopFile] });
  own.feed = async (name, query = {}) => {
    const feed = parseXml((await own.get(`/products/${name}/comments.atom${queryString(query)}`)).expect(200).text);
    const entries = childrenOf(feed, 'entry').map((entry) => ({ id: textOf(entry, 'id').slice(-26), published: textOf(entry, 'published'), updated: textOf(entry, 'updated'), text: textOf(entry, 'content') }));
    return { updated: textOf(feed, 'updated'), entries };
  };
  return own;
}

test('an entry tells when its comment was edited or replied to last, and comes first then', async () => {
  const own = await indianShop();
  const older = await own.add('changed', { rating: 5, text: 'Old', created_at: '2024-03-01T20:00:00Z' });
  await own.add('changed', { rating: 5, text: 'New', created_at: '2024-03-02T20:00:00Z' });
  const [old, young] = ['2024-03-02T01:30:00.000+05:30', '2024-03-03T01:30:00.000+05:30'];
  const times = ({ entries }) => entries.map(({ published, updated }) => [published, updated]);
  const first = await own.feed('changed');
  assert.deepEqual([first.updated, times(first)], [young, [[young, young], [old, old]]]);

  (await own.put(`/v1/comments/${older.id}/reply`, { text: 'Thank you.' })).expect(201);
  const { reply } = (await own.get(`/v1/comments/${older.id}`)).json;
  const replied = await own.feed('changed');
  assert.deepEqual(times(replied), [[old, replied.updated], [young, young]]);
  assert.ok(Date.parse(replied.updated) >= Date.parse(reply.created_at), 'the newest change is that of the feed');
  assert.match(replied.updated, /\+05:30$/);

  (await own.patch(`/v1/comments/${older.id}`, { text: 'Older' })).expect(200);
  const edited = await own.feed('changed');
  assert.deepEqual(times(edited), [[old, edited.updated], [young, young]]);
  assert.ok(Date.parse(edited.updated) > Date.parse(replied.updated));
  assert.match(edited.entries[0].text, /^Older/);
  await own.stop();
});

test('the feed of all has what was published late or changed, of its filter', async () => {
  const own = await indianShop();
  const held = (await own.post('/v1/products/late/comments', { rating: 1, language: 'de', text: 'Zu spät', status: 'pending' })).expect(202, 201).json;
  const first = await own.add('first', { rating: 5, language: 'en', text: 'First' });
  for (let i = 0; i < 21; ++i) await own.add(`p${i}`, { rating: 4, language: 'en', text: `${i}` });
  const ofAll = async (query) => {
    const feed = parseXml((await own.get(`/comments.atom${queryString(query)}`)).expect(200).text);
    return { updated: textOf(feed, 'updated'), entries: childrenOf(feed, 'entry').map((entry) => ({ id: textOf(entry, 'id').slice(-26), title: textOf(entry, 'title'), updated: textOf(entry, 'updated') })) };
  };
  const ids = async (query) => (await ofAll(query)).entries.map(({ id }) => id);
  assert.equal((await ids()).length, 20);
  (await own.patch(`/v1/comments/${held.id}`, { status: 'published' })).expect(200);
  (await own.patch(`/v1/comments/${first.id}`, { text: 'Second thoughts' })).expect(200);
  const { updated, entries } = await ofAll();
  assert.deepEqual(entries.slice(0, 2).map(({ id }) => id), [first.id, held.id]);
  assert.equal(updated, entries[0].updated);
  assert.match(entries[1].title, /^late: /);
  assert.equal(entries.length, 22);
  assert.deepEqual(await ids({ language: 'de' }), [held.id]);
  assert.deepEqual(await ids({ q: 'thoughts' }), [first.id]);
  assert.ok(!(await ids({ rating: 4 })).includes(first.id));
  (await own.delete(`/v1/comments/${held.id}`)).expect(204);
  assert.ok(!(await ids()).includes(held.id));
  await own.stop();
});

test('a comment that is published after twenty newer ones is in the feeds of its filters', async () => {
  const own = await indianShop();
  const held = (await own.post('/v1/products/late/comments', { rating: 1, language: 'de', text: 'Zu spät', status: 'pending' })).expect(202, 201).json;
  for (let i = 0; i < 21; ++i) await own.add('late', { rating: 5, language: 'en', text: `${i}` });
  const ids = async (query) => (await own.feed('late', query)).entries.map(({ id }) => id);
  assert.ok(!(await ids()).includes(held.id));
  (await own.patch(`/v1/comments/${held.id}`, { status: 'published' })).expect(200);
  const { updated, entries } = await own.feed('late');
  assert.deepEqual([entries.length, entries[0].id, entries[0].updated], [21, held.id, updated]);
  assert.ok(Date.parse(updated) > Date.parse(entries[0].published));
  assert.equal((await ids({ language: 'de' })).at(0), held.id);
  assert.deepEqual((await ids({ rating: [1, 2] })), [held.id]);
  for (const query of [{ language: 'en' }, { rating: 5 }]) assert.ok(!(await ids(query)).includes(held.id), JSON.stringify(query));
  (await own.patch(`/v1/comments/${held.id}`, { status: 'rejected', reason: 'spam' })).expect(200);
  assert.ok(!(await ids()).includes(held.id));
  await own.stop();
});

test('a feed gives hostile texts unchanged, but for characters that XML forbids', async () => {
  const feed = parseXml((await server.get('/products/hostile/comments.atom')).expect(200).text);
  const [entry, bare] = childrenOf(feed, 'entry');
  const replaced = (text) => text.replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  assert.equal(textOf(entry, 'title'), replaced(`1 star: ${hostile} \ufffe title \uffff`));
  assert.equal(textOf(entry, 'content'), replaced(`${hostile}\n\tsecond line \ufffe`));
  assert.deepEqual(childrenOf(entry, 'content')[0].attributes, { type: 'text', 'xml:lang': 'en' });
  assert.equal(textOf(childrenOf(entry, 'author')[0], 'name'), hostile);
  assert.deepEqual([textOf(bare, 'title'), textOf(childrenOf(bare, 'author')[0], 'name'), textOf(bare, 'content')], ['5 stars', 'Anonymous', '']);
  const [{ href }] = childrenOf(entry, 'link').map(({ attributes }) => attributes);
  const { location } = (await server.get(href.slice(origin.length))).expect(302).headers;
  const [path, anchor] = location.split('#');
  assert.ok((await page(path)).includes(`id="${anchor}"`), `${href} leads to the comment`);
  parseXml(await page(`${self(awkward)}/comments.atom`));
});

test('--public-url takes a scheme, a host and a plain path', async () => {
  for (const url of ['shop.example', 'ftp://shop.example', 'https://shop.example/', 'https://shop.example/a?b', '']) {
    const result = await run(['serve', '--store', newStore(), '--demo', '--listen', '127.0.0.1:0', '--public-url', url], { timeout: 10_000 });
    assert.equal(result.status, 2, `${url}: ${result.stderr}`);
    assert.match(result.stderr, /public-url/);
  }
});
