// What pages tell search engines: one address each, titles, structured data, caching. Sitemap and feed are in feeds.test.mjs.

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

/** Encodes all but RFC 3986's unreserved characters, as the server does in addresses. */
const self = (name = product) => `/products/${encodeURIComponent(name).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
const html = async (path) => (await server.get(path)).expect(200).text;
const unescaped = (text) => text?.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]);
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, one]) => unescaped(one));
const canonical = (text) => all(text, /<link rel="canonical" href="([^"]*)">/g);
const robots = (text) => all(text, /<meta name="robots" content="([^"]*)">/g);
const title = (text) => all(text, /<title>([^<]*)<\/title>/g)[0];
const data = (text) => [...text.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)].map(([, one]) => JSON.parse(one));

test('page=1 redirects to the address without page, and keeps filter, limit and sort', async () => {
  const kept = { '': '', 'rating=5&language=en': '?language=en&rating=5', 'limit=7&sort=-rating': '?limit=7&sort=-rating', 'language=de&language=en&sort=created_at': '?language=de&language=en&sort=created_at', 'limit=20&sort=-created_at': '', 'explain=true&rating=5': '?rating=5&explain=true' };
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

test('each page without filter has its own canonical address, its number in the title and its neighbours in the head', async () => {
  const pages = Math.ceil(130 / 20);
  for (let number = 1; number <= pages; ++number) {
    const text = await html(self() + (number > 1 ? `?page=${number}` : ''));
    const address = (to) => (to > 1 ? `${self()}?page=${to}` : self());
    assert.deepEqual(canonical(text), [origin + address(number)]);
    assert.deepEqual(robots(text), [], 'may be indexed');
    assert.equal(title(text), `Reviews of ${product}${number > 1 ? ` – page ${number}` : ''} – Quire`);
    const beside = (rel) => all(text, new RegExp(`<link rel="${rel}" href="([^"]*)">`, 'g')).map((href) => (href.startsWith('?') ? self() + href : href));
    assert.deepEqual(beside('prev'), number > 1 ? [address(number - 1)] : []);
    assert.deepEqual(beside('next'), number < pages ? [address(number + 1)] : []);
    assert.deepEqual(all(text, /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]*)">/g), [`${self()}/comments.atom`]);
  }
  const { page } = await server.page(product);
  assert.deepEqual(canonical(await html(`${self()}?after=${page.next}`)), [`${origin}${self()}?page=2`], 'a page reached by cursor names its number');
});

test('each filter and sort has a title of its own', async () => {
  const titles = { 'rating=5': '5 stars', 'rating=5&language=en': 'Language: English, 5 stars', 'not.rating=1': 'Rating: not 1 star', 'sort=created_at': 'Oldest first',
    'sort=-rating&rating=4&page=2&limit=5': '4 stars – Highest rated – page 2' };
  for (const [query, wanted] of Object.entries(titles)) assert.equal(title(await html(`${self()}?${query}`)), `Reviews of ${product} – ${wanted} – Quire`);
  const many = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'fi'].map((one) => `language=${one}`).join('&');
  assert.match(title(await html(`${self()}?${many}`)), / Language: Portuguese and 2 more – Quire$/);
  const [{ id, title: ofComment, rating }] = (await server.page(product)).comments;
  assert.equal(title(await html(`/comments/${id}`)), `${ofComment || (rating === 1 ? '1 star' : `${rating} stars`)} – review of ${product} – Quire`);
});

test('pages under a filter or in another sort are not to be indexed, and name the page without filter', async () => {
  for (const query of ['rating=5', 'language=en', 'sort=created_at', 'sort=-rating', 'limit=50', 'rating=5&page=2', 'limit=7&sort=rating&page=3']) {
    const text = await html(`${self()}?${query}`);
    assert.deepEqual([robots(text), canonical(text), data(text)], [['noindex, follow'], [origin + self()], []], query);
  }
});

test('the lists of products have canonical addresses, and what was searched for has none', async () => {
  for (const path of ['/', '/?by=average', '/?by=five_star', '/?after=a'])
    assert.deepEqual(canonical(await html(`${path}${path === '/' ? '?' : '&'}utm_source=mail`)), [origin + path], path);
  assert.deepEqual(canonical(await html('/?find=a')), []);
});

test('a page number past the end is a 404 with a page that says so', async () => {
  for (const query of ['page=8', 'page=9223372036854775807', 'rating=5&page=100']) {
    const answer = (await server.get(`${self()}?${query}`)).expect(404);
    assert.match(answer.headers['content-type'], /^text\/html/);
    assert.match(answer.text, /There are \d+ pages/);
    assert.deepEqual([robots(answer.text), canonical(answer.text)], [['noindex, follow'], []]);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
  for (const query of ['page=0', 'page=x', 'page=9223372036854775808', 'page=2&after=x']) assert.match((await server.get(`${self()}?${query}`)).expect(400).headers['content-type'], /^text\/html/);
});

/** A comment as schema.org's Review. */
function reviewOf({ rating, author, created_at, language, title: name, text }) {
  const review = { '@type': 'Review', reviewRating: { '@type': 'Rating', ratingValue: rating }, author: { '@type': 'Person', name: author || 'Anonymous' }, datePublished: created_at };
  if (language !== 'und') review.inLanguage = language;
  if (name) review.name = name;
  if (text) review.reviewBody = text;
  return review;
}

test('the structured data has rating, count and reviews, and no name can end its element', async () => {
  for (const [name, query] of [[product, ''], [product, '?page=3'], [breaking, '']]) {
    const text = await html(self(name) + query);
    const { total, average } = (await server.get(`/v1${self(name)}/statistics`)).expect(200).json;
    assert.equal(data(text).length, 1, name);
    const [{ aggregateRating, review, ...about }] = data(text);
    const { comments } = await server.page(name, query ? { page: 3 } : {});
    assert.deepEqual(review, comments.slice(0, 3).map(reviewOf), 'the first comments of this page');
    assert.deepEqual(about, { '@context': 'https://schema.org', '@type': 'Product', name, url: origin + self(name) });
    const { ratingValue, ...rest } = aggregateRating;
    assert.deepEqual(rest, { '@type': 'AggregateRating', ratingCount: total, bestRating: 5, worstRating: 1 });
    assert.ok(Math.abs(ratingValue - average) < 0.0056, `${ratingValue} is the average, ${average}`);
    assert.doesNotMatch(text, /<script>window\.hostile|<!-- &/, 'nothing came of the name');
    assert.equal(text.match(/<script/g).length, 2, 'the data, and the script of the page');
    assert.match(all(text, /<meta name="description" content="([^"]*)">/g)[0], new RegExp(`^${total} reviews of [^]*: ${average.toFixed(1)} out of 5`));
  }
});

test('caches ask again before they show a page, whatever its sort: a comment on it may have been rejected', async () => {
  const { page } = await server.page(product, { sort: 'created_at' });
  for (const query of ['', '?page=2', '?sort=rating', '?sort=created_at', '?sort=created_at&page=6', '?sort=created_at&rating=5', `?sort=created_at&after=${page.next}`])
    assert.equal((await server.get(self() + query)).expect(200).headers['cache-control'], 'public, max-age=0, must-revalidate', query);
});

test('every cacheable answer has an ETag, and is a 304 for a client that has it', async () => {
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

test('a page says how it was found when it is asked to', async () => {
  const plan = /<details class="technical"/;
  assert.doesNotMatch(await html(self()), plan);
  assert.doesNotMatch(await html(`${self()}?explain=false`), plan);
  for (const query of ['explain=true', 'rating=5&explain=true&page=2']) assert.match(await html(`${self()}?${query}`), plan);
});

test('robots.txt names the sitemap', async () => {
  const { text, headers } = (await server.get('/robots.txt')).expect(200);
  assert.match(headers['content-type'], /^text\/plain/);
  assert.equal(text, `User-agent: *\nDisallow: /v1/\nDisallow: /comments/\n\nSitemap: ${origin}/sitemap.xml\n`);
});

test('the permanent address of a comment leads to the page that it is on now', async () => {
  const comments = (await server.walk(product, { limit: 20 })).map((page) => page.comments);
  for (const at of [0, 1, comments.length - 1]) {
    for (const { id } of [comments[at][0], comments[at].at(-1)]) {
      for (const ask of [server.get, server.head]) {
        const { headers } = (await ask.call(server, `/comments/${id}/page`)).expect(302);
        assert.deepEqual([headers.location, headers['cache-control']], [`${self()}${at ? `?page=${at + 1}` : ''}#c-${id}`, 'no-store']);
      }
      assert.ok((await html(`${self()}${at ? `?page=${at + 1}` : ''}`)).includes(`id="c-${id}"`));
    }
  }
  for (const path of ['/comments/x/page', '/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF/page']) assert.match((await server.get(path)).expect(404).headers['content-type'], /^text\/html/);
});

test('the list of products in the order of the leaderboard is the leaderboard', async () => {
  const names = (text) => all(text, /<a class="product-name" href="([^"]*)">/g).map((href) => decodeURIComponent(href.slice('/products/'.length)));
  assert.deepEqual(names(await html('/')), [breaking, product]);
  for (const by of ['five_star', 'average']) {
    const { products } = (await server.get(`/v1/leaderboard?by=${by}&limit=100`)).expect(200).json;
    assert.deepEqual(names(await html(`/?by=${by}`)), products.map((leader) => leader.product), by);
  }
  assert.deepEqual(names(await html('/?find=lamp')), [product]);
  assert.deepEqual(names(await html(`/?find=${encodeURIComponent(product)}`)), [product]);
  assert.deepEqual(names(await html('/?find=')), [breaking, product]);
  assert.deepEqual(names(await html('/?find=LAMP')), ['lamp & co/é'], 'upper and lower case are the same');
  const none = await html('/?find=Lump');
  assert.deepEqual([robots(none), title(none)], [['noindex, follow'], 'Products with “Lump” – Quire']);
  assert.match(none, /<p class="none">No products for “Lump”<\/p>/);
  assert.deepEqual(names(none.slice(none.indexOf('<h2 class="suggested">Best rated products</h2>'))), names(await html('/?by=average')).slice(0, 6), 'others are offered');
  for (const query of ['by=', 'by=name', 'by=average&after=x', 'by=average&by=five_star', `find=${'x'.repeat(257)}`, 'after=']) (await server.get(`/?${query}`)).expect(400);
});

const counter = async (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await server.get('/metrics')).expect(200).text)[1]);

test('web pages ignore what advertisements add to an address, in links and in the page cache, too', async () => {
  const plain = await html(`${self()}?rating=5&limit=7`);
  const misses = await counter('quire_cache_misses_total');
  for (let i = 0; i < 30; ++i) {
    const tagged = (await server.get(`${self()}?utm_source=mail&rating=5&fbclid=${i}&limit=7&gclid=a%26b`)).expect(200);
    assert.equal(tagged.text, plain);
  }
  assert.ok(await counter('quire_cache_misses_total') <= misses + 1, 'they are one page of the cache');
  assert.equal(await html(`/?utm_source=x`), await html('/'));
  (await server.get(`${self()}?ratng=5`)).expect(200);
  (await server.get(`${self()}?rating=9&utm_source=x`)).expect(400);
  assert.equal((await server.get(`${self()}?utm_source=x&page=1`)).expect(301).headers.location, self());
  (await server.get(`/v1${self()}/comments?utm_source=x`)).expect(400); // a misspelt filter never shows everything
});

test('web pages are there however the query of a link is written', async () => {
  const plain = await html(`${self()}?rating=5`);
  const raw = ['a|b', '{x}', '^', '`', '\\', '"', '<x>', '[0]', '%', '50%', '%zz', '%u2019', '%ff', '%00', 'caf\u00e9', '\u{1f600}', 'x#there'];
  for (const value of raw) {
    const sent = Buffer.from(`?rating=5&utm_campaign=${value}`).toString('latin1'); // the very bytes
    assert.equal(await html(self() + sent), plain, value);
    for (const path of ['/', '/problems/internal', '/sitemap.xml', `${self()}/comments.atom`]) (await server.get(path + sent)).expect(200);
  }
  const moved = (await server.get(`${self()}/?utm=|\u00c3\u00a9%&rating=5`)).expect(308);
  assert.equal(moved.headers.location, `${self()}?utm=%7C%C3%A9%25&rating=5`);
  const unknown = (await server.get(`/v1${self()}/comments?a|b=%`)).expect(400);
  assert.equal(unknown.json.parameter, 'a|b');
  assert.equal((await server.get(`/v1${self()}/comments?rating=%`)).expect(400).json.parameter, 'rating');
});

test('feeds, the sitemap and robots.txt ignore what they do not know, as web pages do', async () => {
  for (const path of [`${self()}/comments.atom`, '/sitemap.xml', '/robots.txt']) {
    const plain = await html(path);
    assert.equal(await html(`${path}?utm_source=mail&fbclid=1&limit=1`), plain, path);
  }
  assert.equal(await html(`${self()}/comments.atom?rating=5&utm_source=x`), await html(`${self()}/comments.atom?rating=5`));
  (await server.get(`${self()}/comments.atom?rating=9`)).expect(400);
});

test('a page behind the last one is a 404 page that leads to the last one', async () => {
  const beyond = (await server.get(`${self()}?limit=50&page=999`)).expect(404);
  assert.match(beyond.headers['content-type'], /^text\/html/);
  const [last] = all(beyond.text, /<a class="apply" href="([^"]*)">Go to the last page \([\d,]+\)<\/a>/g);
  assert.equal(last, `${self()}?limit=50&page=3`);
  await html(last);
  assert.equal(all((await server.get(`${self(breaking)}?page=2`)).expect(404).text, /<a class="apply" href="([^"]*)">Go to the last page/g)[0], self(breaking));
});

test('a product without comments is a 404 page, and a filter that no comment matches is not', async () => {
  for (const query of ['', '?rating=5', '?page=1', '?page=7', '?skip=3', '?language=auto', '?utm_source=x']) {
    const missing = (await server.get(`/products/nobody${query}`)).expect(404);
    assert.match(missing.headers['content-type'], /^text\/html/);
    assert.match(missing.text, /No comment on this product is here/);
    assert.deepEqual(robots(missing.text), ['noindex, follow']);
    assert.doesNotMatch(missing.text, /Last page/);
    assert.equal((await server.head(`/products/nobody${query}`)).expect(404).bytes.length, 0);
  }
  assert.match(await html(`${self()}?language=xx`), /No review matches these filters/);
  assert.equal((await server.get('/v1/products/nobody/comments')).expect(200).json.comments.length, 0);
  for (const query of ['', '?rating=5', '?utm_source=x']) (await server.get(`/products/nobody/comments.atom${query}`)).expect(404);
  (await server.get(`${self()}/comments.atom?language=xx`)).expect(200);
});

test('a slash at the end of an address leads to the address without it', async () => {
  const moved = (await server.get(`${self()}/?rating=5`)).expect(308);
  assert.equal(moved.headers.location, `${self()}?rating=5`);
  assert.equal((await server.get('/v1/products/p/comments/')).expect(308).headers.location, '/v1/products/p/comments');
  for (const path of ['//shop.example/', '/nowhere/', '/products/']) (await server.get(path)).expect(404);
});

test('what is wrong with an address of the JSON interface is told as JSON, to browsers, too', async () => {
  const missing = (await server.get('/v1/nowhere', { Accept: 'text/html' })).expect(404);
  assert.match(missing.headers['content-type'], /^application\/problem\+json/);
  assert.match((await server.get('/nowhere', { Accept: 'text/html' })).expect(404).headers['content-type'], /^text\/html/);
});
