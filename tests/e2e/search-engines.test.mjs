// What search engines see of the pages: one address for each, titles, structured data, what may be cached. Sitemap and feed are in feeds.test.mjs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, importRows, newStore, serve } from './support/harness.mjs';
import { sampleRows } from './support/data.mjs';

const origin = 'https://shop.example';
const product = 'lamp & co/é';
const breaking = '</script><script>window.hostile = 1</script><!-- & \u2028';
const store = newStore();
let server;

before(async () => {
  const rows = sampleRows(131, 130, product);
  rows.push({ ...rows[0], product: breaking, rating: 4 }, { ...rows[0], product: breaking, rating: 3 });
  await importRows(store, rows);
  server = await serve({ store, args: ['--public-url', origin] });
});
after(() => server?.stop());

/** As this service writes addresses: everything but RFC 3986's unreserved characters is encoded. */
const self = (name = product) => `/products/${encodeURIComponent(name).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
const html = async (path) => (await server.get(path)).expect(200).text;
const unescaped = (text) => text?.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]);
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, one]) => unescaped(one));
const canonical = (text) => all(text, /<link rel="canonical" href="([^"]*)">/g);
const robots = (text) => all(text, /<meta name="robots" content="([^"]*)">/g);
const title = (text) => all(text, /<title>([^<]*)<\/title>/g)[0];
const data = (text) => [...text.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)].map(([, one]) => JSON.parse(one));

test('page=1 moves to the bare address for good, and keeps filter, limit and sort', async () => {
  const kept = { '': '', 'rating=5&language=en': '?language=en&rating=5', 'limit=7&sort=-rating': '?limit=7&sort=-rating', 'language=de&language=en&sort=created_at': '?language=de&language=en&sort=created_at', 'limit=20&sort=-created_at': '' };
  for (const [query, address] of Object.entries(kept)) {
    for (const ask of [(path) => server.get(path), (path) => server.head(path)]) {
      const answer = (await ask(`${self()}?${query}${query && '&'}page=1`)).expect(301);
      assert.equal(answer.headers.location, self() + address);
      assert.equal(answer.bytes.length, 0);
    }
    (await server.get(self() + address)).expect(200);
  }
  (await server.get(`/v1${self()}/comments?page=1`)).expect(200); // the JSON interface has no need of it
});

test('each plain page is its own canonical address, with its number in the title and its neighbours in the head', async () => {
  const pages = Math.ceil(130 / 20);
  for (let number = 1; number <= pages; ++number) {
    const text = await html(self() + (number > 1 ? `?page=${number}` : ''));
    const address = (to) => (to > 1 ? `${self()}?page=${to}` : self());
    assert.deepEqual(canonical(text), [origin + address(number)]);
    assert.deepEqual(robots(text), [], 'may be indexed');
    assert.equal(title(text), `Comments on ${product}${number > 1 ? ` – page ${number}` : ''} – Quire`);
    assert.deepEqual(all(text, /<link rel="prev" href="([^"]*)">/g), number > 1 ? [address(number - 1)] : []);
    assert.deepEqual(all(text, /<link rel="next" href="([^"]*)">/g), number < pages ? [address(number + 1)] : []);
    assert.deepEqual(all(text, /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]*)">/g), [`${self()}/comments.atom`]);
  }
  const { page } = await server.page(product);
  assert.deepEqual(canonical(await html(`${self()}?after=${page.next}`)), [`${origin}${self()}?page=2`], 'a page reached by cursor names its number');
});

test('filtered and otherwise sorted views ask to be followed, not indexed, and name the plain page', async () => {
  for (const query of ['rating=5', 'language=en', 'sort=created_at', 'sort=-rating', 'limit=50', 'rating=5&page=2', 'limit=7&sort=rating&page=3']) {
    const text = await html(`${self()}?${query}`);
    assert.deepEqual([robots(text), canonical(text), data(text)], [['noindex, follow'], [origin + self()], []], query);
  }
  for (const path of ['/products/nobody', '/products/nobody?rating=5']) assert.deepEqual(robots(await html(path)), ['noindex, follow'], path);
});

test('a number past the end is a page that says so, with status 404', async () => {
  for (const query of ['page=8', 'page=9223372036854775807', 'rating=5&page=100']) {
    const answer = (await server.get(`${self()}?${query}`)).expect(404);
    assert.match(answer.headers['content-type'], /^text\/html/);
    assert.match(answer.text, /There are \d+ pages/);
    assert.deepEqual([robots(answer.text), canonical(answer.text)], [['noindex, follow'], []]);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
  for (const query of ['page=0', 'page=x', 'page=9223372036854775808', 'page=2&after=x']) assert.match((await server.get(`${self()}?${query}`)).expect(400).headers['content-type'], /^text\/html/);
});

test('the structured data has the rating and the count, and no name can end its element', async () => {
  for (const [name, query] of [[product, ''], [product, '?page=3'], [breaking, '']]) {
    const text = await html(self(name) + query);
    const { total, average } = (await server.get(`/v1${self(name)}/statistics`)).expect(200).json;
    assert.equal(data(text).length, 1, name);
    const [{ aggregateRating, ...about }] = data(text);
    assert.deepEqual(about, { '@context': 'https://schema.org', '@type': 'Product', name, url: origin + self(name) });
    const { ratingValue, ...rest } = aggregateRating;
    assert.deepEqual(rest, { '@type': 'AggregateRating', ratingCount: total, bestRating: 5, worstRating: 1 });
    assert.ok(Math.abs(ratingValue - average) < 0.0056, `${ratingValue} is the average, ${average}`);
    assert.doesNotMatch(text, /<script>window\.hostile|<!-- &/, 'nothing came of the name');
    assert.equal(text.match(/<script/g).length, 2, 'the data, and the script of the page');
    assert.match(all(text, /<meta name="description" content="([^"]*)">/g)[0], new RegExp(`^${total} comments on [^]*: ${average.toFixed(1)} out of 5`));
  }
});

test('full pages counted from the oldest end may be cached for a day, the others are to be revalidated', async () => {
  const { page } = await server.page(product, { sort: 'created_at' });
  const day = 'public, max-age=86400';
  const now = 'public, max-age=0, must-revalidate';
  const cases = { '?sort=created_at': day, '?sort=created_at&page=6': day, '?sort=created_at&page=7': now, '?sort=created_at&limit=65&page=2': now, '?sort=created_at&rating=5': day,
    [`?sort=created_at&after=${page.next}`]: now, '': now, '?page=2': now, '?sort=-rating&page=2': now, '?sort=rating': now };
  for (const [query, wanted] of Object.entries(cases)) assert.equal((await server.get(self() + query)).expect(200).headers['cache-control'], wanted, query);
});

test('whatever can be kept has a tag, and is 304 for whoever holds it', async () => {
  const [{ id }] = (await server.page(product)).comments;
  const paths = [self(), `${self()}?page=2`, `${self()}?sort=created_at&page=2`, `${self()}/comments.atom`, '/sitemap.xml', '/?by=average', `${commentPath(id)}/page`, `/v1${self()}/comments?page=2&sort=rating`, `/v1${self()}/statistics`, '/v1/leaderboard', '/openapi.json'];
  for (const path of paths) {
    const { headers } = (await server.get(path)).expect(200);
    assert.match(headers.etag ?? '', /^(W\/)?"[^"]+"$/, path);
    for (const ask of [server.get, server.head]) {
      const again = (await ask.call(server, path, { 'If-None-Match': headers.etag })).expect(304);
      assert.deepEqual([again.bytes.length, again.headers.etag, again.headers['cache-control']], [0, headers.etag, headers['cache-control']], path);
    }
  }
});

test('the list of products is the leaderboard when asked by its order', async () => {
  const names = (text) => all(text, /<a class="product-name" href="([^"]*)">/g).map((href) => decodeURIComponent(href.slice('/products/'.length)));
  assert.deepEqual(names(await html('/')), [breaking, product]);
  for (const by of ['five_star', 'average']) {
    const { products } = (await server.get(`/v1/leaderboard?by=${by}&limit=100`)).expect(200).json;
    assert.deepEqual(names(await html(`/?by=${by}`)), products.map((leader) => leader.product), by);
  }
  for (const query of ['by=', 'by=name', 'by=average&after=x', 'by=average&by=five_star']) (await server.get(`/?${query}`)).expect(400);
});
