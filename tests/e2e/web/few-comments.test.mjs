// A product's first comments: filters appear when there is something to filter, and the page says where to write.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore, serve, temporaryDirectory } from '../support/harness.mjs';
import { declare } from '../support/facets.mjs';

const link = 'https://shop.example/account/reviews?product={product}';
// Of 5 to 1 stars.
const ratings = { thirds: [1, 1, 1, 0, 0], sixths: [1, 2, 1, 1, 1], sevenths: [1, 1, 1, 2, 2], nearly: [398, 1, 1, 0, 0], rare: [295, 1, 1, 1, 1], most: [250, 249, 1, 0, 0] };
let folder;
let server;

const row = (product, more, attributes = {}) => ({ product, language: 'en', rating: 5, created_at: '2024-11-20T12:00:00.000Z', author: '', title: '', text: 'x',
  attributes: { country: 'DE', verified: true, size: 'L', helpful: 3, ...attributes }, ...more });

before(async () => {
  folder = temporaryDirectory();
  writeFileSync(join(folder, 'shop.toml'), `[writing]\nwho = "customers"\nlink = "${link}"\n`);
  const store = newStore();
  await declare(store);
  await importRows(store, [
    row('one'), row('same'), row('same', { title: 'another' }),
    row('two', { rating: 4, language: 'de' }), row('two', {}, { verified: false, helpful: 4 }),
    row('a/b ü'),
    ...Object.entries(ratings).flatMap(([product, counts]) => counts.flatMap((count, i) => Array.from({ length: count }, (unused, n) => row(product, { rating: 5 - i, title: `${n}` })))),
    ...[4, 4, 4, 5].map((rating, n) => row('many', { rating, language: rating === 4 ? 'de' : 'en', title: `${n}` }, { size: rating === 4 ? 'M' : 'L' })),
  ]);
  await mustRun(['product', 'set', 'bare', '--name', 'Desk lamp', '--store', store]);
  server = await serve({ store, args: ['--shop', join(folder, 'shop.toml')] });
});
after(() => server?.stop());

const page = async (path) => (await server.get(path, { Accept: 'text/html' })).expect(200).text;
// What a page offers to filter by.
const groups = (text) => [...text.matchAll(/data-facet="([^"]*)"/g)].map((each) => each[1]).concat(/name="rating" value/.test(text) ? ['rating'] : []).sort();

test('one comment is neither filtered nor sorted', async () => {
  for (const path of ['/products/one', '/products/one/fragment']) {
    const text = await page(path);
    assert.doesNotMatch(text, /<form class="filters"/, path);
    assert.match(text, /class="comment"/, path);
  }
});

test('a group is there where a choice changes the list', async () => {
  const same = await page('/products/same');
  assert.deepEqual(groups(same), []);
  assert.match(same, /<select id="sort"/);
  assert.deepEqual(groups(await page('/products/two')), ['helpful', 'language', 'rating', 'verified']);
});

test('the shares of the ratings add up to 100 percent, and none that has comments is 0', async () => {
  const shares = async (product) => [...(await page(`/products/${product}`)).matchAll(/<progress value="(\d+)"/g)].map(([, share]) => Number(share));
  for (const [product, counts] of Object.entries(ratings)) {
    const found = await shares(product), all = counts.reduce((sum, count) => sum + count);
    assert.equal(found.reduce((sum, share) => sum + share), 100, `${product}: ${found}`);
    found.forEach((share, i) => {
      assert.equal(share > 0, counts[i] > 0, `${product}: ${found}`);
      assert.ok(Math.abs(share - 100 * counts[i] / all) < 5, `${product}: ${found}`);
    });
  }
  assert.deepEqual(await shares('thirds'), [33, 33, 34, 0, 0]);
  assert.deepEqual(await shares('rare'), [96, 1, 1, 1, 1]);
  assert.deepEqual(await shares('one'), [100, 0, 0, 0, 0]);
});

test('a condition can be taken back, also where it leaves one comment or none', async () => {
  assert.deepEqual(groups(await page('/products/two?language=de')), ['language']);
  assert.deepEqual(groups(await page('/products/one?size=S')), ['size']);
  assert.deepEqual(groups(await page('/products/same?verified=true')), ['verified']);
});

test('the shop\'s customers are sent where they write', async () => {
  const href = (product) => `href="${link.replace('{product}', product)}" target="_top"`;
  for (const path of ['/products/one', '/products/one/fragment', '/products/a%2Fb%20%C3%BC'])
    assert.ok((await page(path)).includes(href(path.includes('one') ? 'one' : 'a%2Fb%20%C3%BC')), path);
  const closed = (await server.get('/products/new/review', { Accept: 'text/html' })).expect(403).text;
  assert.ok(closed.includes(href('new')));
});

test('a product without comments invites to write the first, at one place', async () => {
  for (const path of ['/products/bare', '/products/bare/fragment']) {
    const text = await page(path);
    const [, empty] = text.split('<div class="empty">');
    assert.match(empty, /^\s*<p class="empty-title">No reviews yet\.<\/p>\s*<p>Do you have this product\? Tell others what it is like\.<\/p>\s*<p class="write-link">/, path);
    assert.equal(text.split(link.replace('{product}', 'bare')).length, 2, path);
    assert.match(text, /<div class="results-head sr">/, path);
    assert.deepEqual([groups(text), /id="sort"/.test(text)], [[], false], path);
  }
});

test('where a filter leaves nothing, the page says which one condition hides how many', async () => {
  const offers = (text) => [...(/<nav class="topics" aria-labelledby="fewer">([^]*?)<\/nav>/.exec(text)?.[1] ?? '').matchAll(/href="([^"]*)"><bdi>([^<]*)<\/bdi> <small>(\d+)/g)].map(([, href, label, count]) => [href.replaceAll('&amp;', '&'), label, Number(count)]);
  assert.deepEqual(offers(await page('/products/many?language=de&rating=1&rating=2')), [['?language=de', 'Without 1 star / 2 stars', 3]], 'without the language there is none either');
  assert.deepEqual(offers(await page('/products/many?language=de&rating=5&sort=-rating')), [['?rating=5&sort=-rating', 'Without Language: German', 1], ['?language=de&sort=-rating', 'Without 5 stars', 3]]);
  const german = /<p id="fewer">Mit weniger Filtern<\/p>\s*<nav class="topics" aria-labelledby="fewer">([^]*?)<\/nav>/.exec(await page('/products/many?size=L&rating=4&language=de&ui=de'))[1];
  assert.match(german, /^\s*<a [^>]*><bdi>Ohne Größe: L<\/bdi> <small>3<\/small><\/a>\s*$/);
  assert.deepEqual(offers(await page('/products/many?rating=1')), [], 'all reviews are offered anyway');
  assert.deepEqual(offers(await page('/products/many?rating=4')), []);
  const passed = await page(`/products/many/fragment?base=/p&quire=${encodeURIComponent('language=de&rating=5')}`);
  assert.deepEqual(offers(passed).map(([href]) => href), ['/p?quire=rating%3D5', '/p?quire=language%3Dde']);
});

test('a page of a product that nobody has reviewed yet invites where people may write', async () => {
  const invites = async (from, path, href, status) => {
    const { text, headers } = (await from.get(path, { Accept: 'text/html' })).expect(status);
    const [, empty] = text.split('<div class="empty">');
    assert.match(empty, /<p class="empty-title">No reviews yet\.<\/p>\s*<p>Do you have this product\?/, path);
    assert.ok(empty.includes(`href="${href}"`), path);
    if (!path.includes('/fragment')) assert.match(text, /<meta name="robots" content="noindex, follow">/, path);
    assert.doesNotMatch(text, /comments\.atom|This page was not found/, path);
    return headers;
  };
  const headers = await invites(server, '/products/unheard', link.replace('{product}', 'unheard'), 404);
  assert.equal(headers.etag, undefined);
  await invites(server, '/products/unheard?rating=5&utm_source=x', link.replace('{product}', 'unheard'), 404);
  await invites(server, '/products/unheard/fragment', link.replace('{product}', 'unheard'), 200);
  (await server.head('/products/unheard')).expect(404);
  (await server.get('/products/unheard/comments.atom')).expect(404);
  writeFileSync(join(folder, 'anyone.toml'), '[writing]\nwho = "anyone"\n');
  const open = await serve({ args: ['--shop', join(folder, 'anyone.toml')] });
  await invites(open, '/products/unheard', '/products/unheard/review', 404);
  await open.stop();
  writeFileSync(join(folder, 'customers.toml'), '[writing]\nwho = "customers"\n');
  const closed = await serve({ args: ['--shop', join(folder, 'customers.toml')] });
  assert.match((await closed.get('/products/unheard', { Accept: 'text/html' })).expect(404).text, /This page was not found/);
  await closed.stop();
});

test('a page that does not exist leads back as the other pages of its product do', async () => {
  const way = /<p class="crumb"><a href="\/" target="_top">Products<\/a> <span aria-hidden="true">·<\/span> <a href="\/products\/same"/;
  assert.match((await server.get('/products/same?page=9', { Accept: 'text/html' })).expect(404).text, way);
});
