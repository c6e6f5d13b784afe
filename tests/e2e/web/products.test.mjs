// What a shop tells of its products: over HTTP, by commands, and wherever a product is named. The structured data against Google's rules.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentsPath, mustRun, mustVerify, newStore, newToken, run, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';

const lamp = { name: 'Desk "lamp" <b>', url: 'https://shop.example/p/42', image: 'https://img.shop.example/42.jpg', brand: 'Lumen', gtin: '4006381333931', mpn: 'M-1', sku: 'L-42' };
const html = { Accept: 'text/html' };
const folder = temporaryDirectory();
const store = newStore();
const shop = join(folder, 'shop.toml');
const tokenFile = join(folder, 'token');
let server;
let tokens;

before(async () => {
  writeFileSync(shop, '[shop]\nname = "Field & Stream"\nproduct_url = "https://shop.example/by-id/{product}"\nmedia = ["img.shop.example"]\n[writing]\nwho = "anyone"\n[moderation]\nhold = "all"\n');
  const file = join(folder, 'tokens');
  const made = async (scopes, ...args) => (await newToken({ file, scopes, args: ['--name', scopes.replace(',', '-') + args.length, ...args] })).token;
  tokens = { products: await made('products'), part: await made('products', '--product', 'shop-a/'), post: await made('post'), moderate: await made('post,moderate') };
  writeFileSync(tokenFile, `${tokens.products}\n`);
  server = await serve({ store, token: tokens.moderate, args: ['--tokens', file, '--shop', shop, '--public-url', 'https://reviews.example', ...unlimited] });
});
after(() => server?.stop());

const address = (product) => `/v1/products/${encodeURIComponent(product)}`;
const put = (product, facts, token = tokens.products) => server.request('PUT', address(product), { headers: { ...bearer(token), 'Content-Type': 'application/json' }, body: JSON.stringify(facts) });
const remove = (product, token = tokens.products) => server.delete(address(product), bearer(token));
const add = (product, comment = {}) => server.add(product, { language: 'en', rating: 5, author: 'Ann', title: 'Fits', text: 'Light.', ...comment });
const page = async (path) => (await server.get(path, html)).expect(200).text;
const data = (text) => [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map((match) => JSON.parse(match[1]));

test('facts are put, read, changed and removed', async () => {
  (await server.get(address('a'))).problem('not-found');
  assert.deepEqual((await put('a', lamp)).expect(201).json, { product: 'a', ...lamp });
  const answer = (await server.get(address('a'))).expect(200);
  assert.deepEqual(answer.json, { product: 'a', ...lamp });
  (await server.get(address('a'), { 'If-None-Match': answer.headers.etag })).expect(304);
  assert.deepEqual((await put('a', answer.json)).expect(200).json, answer.json, 'an answer can be sent back');
  assert.match((await put('a', { product: 'b', name: 'Lamp' })).problem('invalid-comment').errors.product, /another product/);
  assert.deepEqual((await put('a', { name: 'Lamp' })).expect(200).json, { product: 'a', name: 'Lamp' });
  assert.deepEqual((await server.get(address('a'))).expect(200).json, { product: 'a', name: 'Lamp' });
  (await remove('a')).expect(204);
  (await server.get(address('a'))).problem('not-found');
  (await remove('a')).problem('not-found');
  const fault = (await put('a', { name: '', gtin: '1', colour: 'red' })).problem('invalid-comment');
  assert.deepEqual(Object.keys(fault.errors).sort(), ['colour', 'gtin', 'name']);
});

test('facts are changed on the condition that a request names', async () => {
  const send = (method, headers, facts) => server.request(method, address('if'), { headers: { ...bearer(tokens.products), ...(facts && { 'Content-Type': 'application/json' }), ...headers }, body: facts && JSON.stringify(facts) });
  (await send('PUT', { 'If-Match': '*' }, lamp)).problem('precondition-failed');
  const first = (await send('PUT', { 'If-None-Match': '*' }, lamp)).expect(201).headers.etag;
  (await send('PUT', { 'If-None-Match': '*' }, lamp)).problem('precondition-failed');
  assert.equal((await server.get(address('if'))).headers.etag, first);
  const second = (await send('PUT', { 'If-Match': first }, { name: 'Second' })).expect(200).headers.etag;
  (await send('PUT', { 'If-Match': first }, { name: 'Third' })).problem('precondition-failed');
  (await send('DELETE', { 'If-Match': first })).problem('precondition-failed');
  (await send('PUT', { 'If-Match': 'first' }, lamp)).problem('invalid-parameter');
  (await send('PUT', { 'If-None-Match': first }, lamp)).problem('invalid-parameter');
  (await send('DELETE', { 'If-None-Match': '*' })).problem('invalid-parameter');
  assert.equal((await server.get(address('if'))).json.name, 'Second');
  (await send('DELETE', { 'If-Match': `${first}, ${second}` })).expect(204);
});

test('a shop tells facts of many products within a minute, and a guesser of tokens has to wait', async () => {
  const file = join(folder, 'limited');
  const { token } = await newToken({ file, scopes: 'products' });
  const limited = await serve({ store: newStore(), args: ['--tokens', file] });
  try {
    const tell = (n, sent) => limited.request('PUT', `/v1/products/${n}`, { headers: { ...bearer(sent), 'Content-Type': 'application/json' }, body: '{"name":"Lamp"}' });
    for (let n = 0; n < 80; ++n) (await tell(n, token)).expect(201);
    let refused = 0;
    while ((await tell('x', 'guess')).status === 401 && refused < 200) ++refused;
    assert.ok(refused > 0 && refused < 200, `${refused} guesses`);
    (await tell('x', 'guess')).problem('rate-limited');
  } finally {
    await limited.stop();
  }
});

test('only a token of the scope tells facts, and only of its products', async () => {
  (await put('a', lamp, tokens.post)).problem('forbidden');
  (await put('a', lamp, 'none')).problem('unauthorized');
  (await put('a', lamp, tokens.part)).problem('forbidden');
  (await remove('a', tokens.part)).problem('forbidden');
  (await put('shop-a/1', lamp, tokens.part)).expect(201);
  (await remove('shop-a/1', tokens.part)).expect(204);
});

test('a product with facts and without comments has a page, and is listed', async () => {
  (await server.get('/products/new', html)).expect(404);
  (await put('new', { name: 'New lamp' })).expect(201);
  const text = await page('/products/new');
  assert.match(text, /<h1>Reviews of <bdi>New lamp<\/bdi><\/h1>/);
  assert.match(text, /No reviews yet\./);
  assert.deepEqual(data(text), []);
  assert.match(await page('/'), />New lamp</);
  assert.match((await server.get('/sitemap.xml')).expect(200).text, /products\/new</);
  (await server.get('/products/new/comments.atom')).expect(200);
  (await remove('new')).expect(204);
  (await server.get('/products/new', html)).expect(404);
  assert.doesNotMatch(await page('/'), />New lamp</);
});

test('the name stands wherever the product is named', async () => {
  const { id } = await add('42');
  await add('42', { rating: 1, author: '' });
  assert.match(await page('/products/42'), /<h1>Reviews of <bdi>42<\/bdi><\/h1>/);
  (await put('42', lamp)).expect(201);
  const escaped = 'Desk &quot;lamp&quot; &lt;b&gt;';
  for (const path of ['/products/42', '/products/42?rating=5', `/comments/${id}`]) {
    const text = await page(path);
    assert.ok(text.includes(`<bdi>${escaped}</bdi></h1>`), path);
    assert.match(text, /<title>[^<]*Desk &quot;lamp&quot; &lt;b&gt;[^<]* – Field &amp; Stream<\/title>/);
    assert.ok(text.includes(`href="${lamp.url}"`), `${path} leads to the shop's page`);
  }
  for (const path of ['/', '/?by=average', '/?by=five_star']) assert.ok((await page(path)).includes(`href="/products/42"><bdi>${escaped}</bdi>`), path);
  assert.ok((await server.get('/products/42/comments.atom')).expect(200).text.includes(`Reviews of ${escaped} – Field &amp; Stream</title>`));
  const [leader] = (await server.get('/v1/leaderboard')).expect(200).json.products;
  assert.deepEqual([leader.product, leader.name, leader.url], ['42', lamp.name, lamp.url]);
});

test('a page shows the brand, and the picture of a host of the shop', async () => {
  await add('seen');
  (await put('seen', lamp)).expect(201);
  for (const path of ['/products/seen', '/']) {
    const text = await page(path);
    assert.match(text, /<[^>]* class="product-brand"[^>]*>(<bdi>)?Lumen</, path);
    assert.match(text, /<img class="product-image" src="https:\/\/img\.shop\.example\/42\.jpg"/, path);
  }
  const { headers } = await server.get('/products/seen', html);
  assert.match(headers['content-security-policy'], /img-src 'self' https:\/\/img\.shop\.example/);
  (await put('seen', { ...lamp, image: 'https://elsewhere.example/42.jpg' })).expect(200);
  const text = await page('/products/seen');
  assert.doesNotMatch(text, /product-image/, 'a browser would not load it');
  assert.equal(data(text)[0].image, 'https://elsewhere.example/42.jpg');
});

const shown = async (query) => [...(await page(`/${query}`)).matchAll(/<a [^>]*href="\/products\/([^"?]*)"><bdi>/g)].map(([, id]) => id);

test('the list of products is by name and finds names, and ids as well', async () => {
  const names = [['z-1', 'apple 10'], ['z-2', 'Apple 9'], ['a-1', 'Zebra lamp'], ['z-3', 'Écran large']];
  for (const [id, name] of names) (await put(id, { name, ...(id === 'z-1' && { brand: 'Orchard' }) })).expect(201);
  const all = await shown('');
  assert.deepEqual(all.filter((id) => /^[az]-\d$/.test(id)), ['z-2', 'z-1', 'z-3', 'a-1'], 'by name');
  assert.deepEqual(await shown('?find=ecran'), ['z-3'], 'case and accents aside');
  assert.deepEqual(await shown('?find=apple'), ['z-2', 'z-1']);
  assert.deepEqual(await shown('?find=zebra'), ['a-1']);
  assert.deepEqual(await shown('?find=BRA'), ['a-1'], 'within a name');
  assert.deepEqual(await shown('?find=large+%C3%A9cran'), ['z-3'], 'each word, in any order');
  assert.deepEqual(await shown('?find=orchard+apple'), ['z-1'], 'of name and brand');
  (await put('a-2', { name: 'Bag of Zebra', brand: 'Apple' })).expect(201);
  assert.deepEqual(await shown('?find=zebra'), ['a-1', 'a-2'], 'names that begin so come first');
  assert.deepEqual(await shown('?find=apple'), ['z-2', 'z-1', 'a-2'], 'then other names, then brands');
  assert.deepEqual(await shown('?find=apple&after=z-1'), ['a-2']);
  assert.equal((await server.get('/?find=apple&after=gone', html)).expect(302).headers.location, '/?find=apple', 'a product that is gone has no place');
  assert.equal((await server.get('/?find=apple&after=a-2', html)).expect(302).headers.location, '/?find=apple');
  (await remove('a-2')).expect(204);
  assert.match(await page('/?find=apple+lamp'), /<p class="none">No products for “apple lamp”<\/p>/);
  assert.deepEqual(await shown('?find=a-1'), ['a-1']);
  assert.match(await page('/?find=apple&after=z-2'), /<title>[^<]*Apple 9/);
  assert.deepEqual(await shown('?find=apple&after=z-2'), ['z-1']);
  for (const [id] of names) (await remove(id)).expect(204);
  assert.match(await page('/'), /<label for="find">Find a product</);
});

test('products that are found are by name, or by their ratings', async () => {
  const ratings = { 'o-1': [3, 4], 'o-2': [5], 'o-3': [5, 5], 'o-4': [] };
  for (const [id, each] of Object.entries(ratings)) {
    (await put(id, { name: `Orderly ${id}` })).expect(201);
    for (const rating of each) await add(id, { rating });
  }
  assert.deepEqual(await shown('?find=orderly'), ['o-1', 'o-2', 'o-3', 'o-4']);
  assert.deepEqual(await shown('?find=orderly&by=average'), ['o-3', 'o-1', 'o-2', 'o-4'], 'one rating is little');
  assert.deepEqual(await shown('?find=orderly&by=five_star'), ['o-3', 'o-2', 'o-1', 'o-4']);
  const found = await page('/?find=orderly&by=average');
  assert.match(found, /<a class="order" href="\/\?find=orderly&amp;by=average" aria-current="true">Best rated</);
  assert.match(found, /<a class="order" href="\/\?find=orderly">By name</);
  assert.match(found, /Ranked by rating and number of reviews/);
  assert.match(await page('/?find=orderly&by=five_star'), /2 with five stars/);
  assert.deepEqual([...found.matchAll(/"product-rank">(\d+)\./g)].map(([, rank]) => rank), ['1', '2', '3', '4']);
  assert.doesNotMatch(await page('/?find=o-1'), /class="order"/, 'one has no order');
  (await server.get('/?find=orderly&by=name', html)).expect(400);
  (await server.get('/?by=average&after=o-1', html)).expect(400);
  for (const id of Object.keys(ratings)) (await remove(id)).expect(204);
});

test('of many products the list finds ids, and says so', async () => {
  const many = newStore();
  const rows = join(folder, 'many.jsonl');
  writeFileSync(rows, Array.from({ length: 501 }, (_, n) => `{"product":"p${n}","name":"Lamp ${n}"}\n`).join(''));
  await mustRun(['import', '--store', many, '--products', rows]);
  const big = await serve({ store: many });
  assert.match((await big.get('/?ui=de', html)).expect(200).text, /<label for="find">Produkt-ID beginnt mit</);
  assert.match((await big.get('/?find=Lamp', html)).expect(200).text, /Upper and lower case differ/);
  assert.doesNotMatch((await big.get('/?find=p', html)).expect(200).text, /class="order"/, 'a page of them has no order but theirs');
  assert.equal((await big.get('/?find=p&by=average', html)).expect(302).headers.location, '/?find=p');
  await big.stop();
});

test('the form, the fragment and the queue of moderators name the product', async () => {
  (await put('named', { name: 'Named lamp' })).expect(201);
  assert.match(await page('/products/named/review'), /<h1>Your review of <bdi>Named lamp<\/bdi><\/h1>/);
  await add('named');
  const [product] = data(await page('/products/named/fragment?jsonld=true'));
  assert.equal(product.name, 'Named lamp');
  (await put('named', { name: 'Named lamp', url: 'https://shop.example/named' })).expect(200);
  for (const base of ['', '&base=/p/named']) assert.equal(data(await page(`/products/named/fragment?jsonld=true${base}`))[0].url, 'https://shop.example/named', base);
  (await server.post(commentsPath('named'), { language: 'en', rating: 1, author: 'Eve', title: 'Held', text: 'Waits.' }, bearer(tokens.post))).expect(202);
  const signedIn = (await server.request('POST', '/moderation/session', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `token=${tokens.moderate}` })).expect(303);
  const queue = await server.get('/moderation', { Cookie: signedIn.headers['set-cookie'][0].split(';')[0] });
  assert.match(queue.expect(200).text, /product=named"><bdi>Named lamp<\/bdi>/);
});

test('the structured data keeps to Google\'s rules for products and reviews', async () => {
  await add('rules', { author: '', rating: 2, title: '', text: '</script><script>alert(1)' });
  for (let n = 0; n < 30; ++n) await add('rules', { author: `Writer ${n}`, rating: 1 + (n % 5) });
  (await put('rules', lamp)).expect(201);
  const text = await page('/products/rules');
  const [product, ...more] = data(text);
  assert.deepEqual(more, [], 'one item, and no list');
  assert.equal(product['@type'], 'Product');
  assert.deepEqual([product.name, product.url, product.image, product.gtin, product.mpn, product.sku], [lamp.name, lamp.url, lamp.image, lamp.gtin, lamp.mpn, lamp.sku]);
  assert.deepEqual(product.brand, { '@type': 'Brand', name: lamp.brand });
  const { aggregateRating, review } = product;
  assert.ok(aggregateRating.ratingCount === 31 && /^\d\.\d+$/.test(String(aggregateRating.ratingValue)));
  assert.ok(aggregateRating.ratingValue >= aggregateRating.worstRating && aggregateRating.ratingValue <= aggregateRating.bestRating);
  assert.ok(review.length > 0);
  const visible = text.slice(text.indexOf('<main'));
  for (const each of review) {
    assert.ok(each.author.name.length > 0 && each.author.name.length < 100);
    assert.ok(each.reviewRating.ratingValue >= 1 && each.reviewRating.ratingValue <= 5);
    assert.ok(!Number.isNaN(Date.parse(each.datePublished)));
    for (const part of [each.author.name, each.name, each.reviewBody]) if (part) assert.ok(visible.includes(part.replaceAll('<', '&lt;').replaceAll('>', '&gt;')), `what is marked up is seen: ${part}`);
  }
  (await put('rules', { ...lamp, gtin: [lamp.gtin, '96385074'], mpn: [lamp.mpn], sku: ['S', 'L'] })).expect(200);
  const [variants] = data(await page('/products/rules'));
  assert.deepEqual([variants.gtin, variants.mpn, variants.sku], [[lamp.gtin, '96385074'], lamp.mpn, ['S', 'L']]);
  for (const query of ['?rating=5', '?sort=created_at']) assert.deepEqual(data(await page(`/products/rules${query}`)), [], 'of the product as a whole alone');
});

test('a product without a page of its own has that of the shop file', async () => {
  await add('a b', {});
  const [product] = data(await page('/products/a%20b'));
  assert.deepEqual([product.name, product.url], ['a b', 'https://shop.example/by-id/a%20b']);
});

test('quire product asks a server, or the store', async () => {
  const ask = ['--server', server.url, '--token-file', tokenFile];
  assert.equal((await mustRun(['product', 'set', 'by command', '--name', 'Chair', '--gtin', '96385074', ...ask])).stdout, 'product  by command\nname     Chair\ngtin     96385074\n');
  assert.deepEqual((await server.get(address('by command'))).expect(200).json, { product: 'by command', name: 'Chair', gtin: '96385074' });
  assert.deepEqual(JSON.parse((await mustRun(['product', 'get', 'by command', '--json', '--server', server.url])).stdout), { product: 'by command', name: 'Chair', gtin: '96385074' });
  const several = ['--sku', 'C-1', '--sku', 'C-2', ...ask];
  assert.match((await mustRun(['product', 'set', 'by command', '--name', 'Chair', ...several])).stdout, /\nsku      C-1, C-2\n$/);
  assert.deepEqual((await server.get(address('by command'))).expect(200).json.sku, ['C-1', 'C-2']);
  assert.equal((await run(['product', 'set', 'by command', '--name', 'Chair', '--name', 'Table', ...ask])).status, 2);
  const refused = await run(['product', 'set', 'x', '--name', 'Chair', '--gtin', '1', ...ask]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /gtin must have 8, 12, 13 or 14 digits/);
  assert.match((await run(['product', 'get', 'nothing', '--server', server.url])).stderr, /tells nothing of this product/);
  assert.equal((await mustRun(['product', 'remove', 'by command', ...ask])).stdout, 'facts of by command removed\n');
  (await server.get(address('by command'))).problem('not-found');
  assert.match((await run(['product', 'remove', 'by command', ...ask])).stderr, /tells nothing of this product/);
  const front = createServer((request, response) => response.end(request.url.endsWith('/a') ? '{"a":1}' : '<html>')).listen(0, '127.0.0.1');
  await once(front, 'listening');
  for (const args of [['get', 'a'], ['get', 'b'], ['get', 'b', '--json'], ['remove', 'b', '--token-file', tokenFile]]) {
    const answer = await run(['product', ...args, '--server', `http://127.0.0.1:${front.address().port}`]);
    assert.deepEqual([answer.status, answer.stdout], [1, ''], args.join(' '));
    assert.match(answer.stderr, /not as Quire does|no facts of a product/);
  }
  front.close();
  const other = newStore();
  assert.equal((await run(['product', 'set', '42', '--name', ' ', '--store', other])).status, 2);
  assert.match((await run(['product', 'get', '42', '--store', other])).stderr, /no store/, 'a wrong command makes none');
  await mustRun(['product', 'set', '42', '--name', 'Lamp', '--store', other]);
  assert.equal((await mustRun(['product', 'get', '42', '--store', other])).stdout, 'product  42\nname     Lamp\n');
  await mustVerify(other, 'with facts alone');
  const audit = join(folder, 'audit.jsonl');
  await mustRun(['product', 'remove', '42', '--store', other, '--audit-log', audit]);
  assert.match(readFileSync(audit, 'utf8'), /"action":"facts","product":"42"\}/);
  assert.equal((await run(['product', 'get', '42', '--store', other])).status, 1);
});

test('an import takes facts of products, a row each', async () => {
  const other = newStore();
  const file = join(folder, 'products.jsonl');
  const rejects = join(folder, 'rejects.jsonl');
  writeFileSync(file, ['{"product":"1","name":"One"}', '{"product":"2","name":"Two","sku":"T"}', '{"product":"3"}', '{"product":"1","name":"First"}'].join('\n'));
  const imported = await run(['import', file, '--products', '--store', other, '--rejects', rejects]);
  assert.equal(imported.status, 3);
  assert.match(imported.stdout, /^2 added, 1 replaced, 1 rejected/);
  assert.match(imported.stderr, /products.jsonl:3: .*name must not be empty/);
  assert.equal((await mustRun(['product', 'get', '1', '--store', other])).stdout, 'product  1\nname     First\n');
  assert.equal((await mustRun(['export', '--products', '--store', other])).stdout, '{"product":"1","name":"First"}\n{"product":"2","name":"Two","sku":"T"}\n');
  assert.equal((await mustRun(['export', '--products', '--product', '2', '--store', other])).stdout, '{"product":"2","name":"Two","sku":"T"}\n');
  assert.equal((await mustRun(['export', '--store', other])).stdout, '');
  const copy = join(folder, 'copy');
  await mustRun(['backup', copy, '--store', other]);
  assert.match((await mustRun(['product', 'get', '2', '--store', `lmdb:${copy}`])).stdout, /sku {6}T\n/);
});

test('comments and facts of a product go their own ways', async () => {
  const { id } = await add('both');
  (await put('both', { name: 'Both' })).expect(201);
  (await server.get(commentsPath('both'))).expect(200);
  (await remove('both')).expect(204);
  assert.match(await page('/products/both'), /Reviews of <bdi>both<\/bdi>/);
  assert.ok((await page('/products/both')).includes(id));
});
