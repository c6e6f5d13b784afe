// Facets over HTTP: filters, counts, sorts, pages and places compared with a plain model; declaring beside the server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exportRows, idsOf, importRows, mustRun, mustVerify, newStore, parseLinks, queryString, serve, serveWithToken } from './support/harness.mjs';
import { pagesOf, seeded } from './support/data.mjs';
import { comparePages, countsOf, declare, facetRows, facets, found, ids, randomFilter, sorts } from './support/facets.mjs';

const product = 'shoes';
let server;
let comments;

before(async () => {
  const store = newStore();
  await declare(store);
  await importRows(store, facetRows(51, 400, product));
  server = await serveWithToken({ store });
  comments = await exportRows(store);
});
after(() => server?.stop());

test('the facets are listed, language and rating first', async () => {
  const { json } = (await server.get('/v1/facets')).expect(200);
  const wanted = [{ name: 'language', type: 'choice' }, { name: 'rating', type: 'number' }, ...facets];
  assert.deepEqual(json.facets, wanted.map((facet) => ({ ...facet, state: 'ready' })));
});

test('attributes come back as they were imported', () => {
  assert.equal(comments.length, 400);
  assert.ok(comments.every((comment) => comment.attributes.remark === 'no facet'));
  assert.ok(comments.some((comment) => comment.language === 'zh-Hant') && comments.some((comment) => comment.language === 'pt-BR'));
});

test('random filters, sorts and pages are those of the plain model', { timeout: 60_000 }, () => comparePages(server, product, comments, 10));

test('a filter may be sent as the object that generated clients write', async () => {
  const plain = await server.page(product, { size: ['M', 'L'], 'not.tags': 'gift', 'helpful.min': 3, language: 'en', limit: 9 });
  const object = await server.page(product, { 'filter[size]': ['M', 'L'], 'filter[not.tags]': 'gift', 'filter[helpful.min]': 3, 'filter[language]': 'en', limit: 9 });
  assert.ok(plain.total > 0);
  assert.deepEqual(object, plain);
  assert.equal((await server.page(product, { 'filter[verified]': true })).total, found(comments, { verified: 'true' }, '-created_at').length);
  for (const name of ['filter', 'filter[]', 'filter[limit]', 'filter[size', 'filter[size][0]', 'filter[page]']) {
    const refused = (await server.get(`/v1/products/${product}/comments${queryString({ [name]: '3' })}`)).expect(400);
    assert.equal(refused.json.parameter, name);
  }
});

test('links keep the whole filter', async () => {
  const filter = { 'not.tags': 'late', 'helpful.min': 0, country: 'FR & co', limit: 2, sort: '-helpful' };
  const { headers } = (await server.get(`/v1/products/${product}/comments${queryString(filter)}`)).expect(200);
  const links = parseLinks(headers.link);
  const wanted = ids(found(comments, { 'not.tags': 'late', 'helpful.min': 0, country: 'FR & co' }, '-helpful'));
  assert.deepEqual(idsOf((await server.get(links.next)).expect(200).json), wanted.slice(2, 4));
  const last = pagesOf(wanted.length, 2);
  assert.deepEqual(idsOf((await server.get(links.last)).expect(200).json), wanted.slice((last - 1) * 2));
  assert.equal(headers['x-total-count'], String(wanted.length));
});

test('statistics under a filter, and of many products', async () => {
  const random = seeded(12);
  for (let round = 0; round < 40; ++round) {
    const filter = randomFilter(random);
    const wanted = found(comments, filter);
    const { json } = (await server.get(`/v1/products/${product}/statistics${queryString(filter)}`)).expect(200);
    assert.equal(json.total, wanted.length, queryString(filter));
    assert.equal(json.last_comment_at, wanted[0]?.created_at ?? null, queryString(filter));
    assert.equal(json.latest_critical?.id, wanted.find((comment) => comment.rating <= 2)?.id, queryString(filter));
    for (let rating = 1; rating <= 5; ++rating) assert.equal(json.ratings[rating], wanted.filter((comment) => comment.rating === rating).length, queryString(filter));
  }
  const own = (await server.get(`/v1/products/${product}/statistics`)).expect(200).json;
  const { products } = (await server.get(`/v1/statistics?product=new&product=${product}&product=a%26b`)).expect(200).json;
  assert.deepEqual(products.map((one) => [one.product, one.total]), [['new', 0], [product, 400], ['a&b', 0]]);
  assert.deepEqual([products[1].average, products[1].ratings], [own.average, own.ratings]);
  (await server.get('/v1/statistics')).problem('invalid-parameter', { parameter: 'product' });
  const many = Array.from({ length: 101 }, (_, n) => `product=${n}`);
  (await server.get(`/v1/statistics?${many.join('&')}`)).problem('invalid-parameter', { parameter: 'product' });
  assert.equal((await server.get(`/v1/statistics?${many.slice(1).join('&')}`)).expect(200).json.products.length, 100);
  (await server.get('/v1/statistics?product=1&language=en')).problem('invalid-parameter', { parameter: 'language' });
});

test('what is no facet, or no value of it, is refused by name', async () => {
  const refused = async (query, parameter) => (await server.get(`/v1/products/${product}/comments?${query}`)).problem('invalid-parameter', { parameter });
  for (const name of ['colour', 'not.colour', 'colour.all', 'colour.min']) {
    const { detail } = await refused(`${name}=1`, name);
    assert.match(detail, /There is no such parameter here/);
    assert.match(detail, /quire facet add colour/, 'says how to declare it');
    assert.match(detail, /language rating verified size country tags helpful/, 'names the facets');
  }
  await refused('sort=-colour', 'sort');
  await refused('sort=size', 'sort');
  await refused('size=XXXL', 'size');
  await refused('verified=yes', 'verified');
  await refused('helpful=many', 'helpful');
  await refused('size.min=1', 'size.min');
  await refused('size.all=L', 'size.all');
  await refused('language=engl', 'language');
  await refused('language=pt-', 'language');
  await refused('Size=L', 'Size');
  await refused('page=1&skip=1', 'skip');
  for (const path of ['/v1/products/shoes/statistics', `/v1/comments/${comments[0].id}/page`]) {
    const answer = (await server.get(`${path}?colour=1`)).expect(400);
    assert.match(answer.text, /quire facet add colour/, path);
    (await server.get(`${path}?size=L`)).expect(200, 404);
  }
});

test('a facet is declared, built and dropped while the server answers', { timeout: 120_000 }, async () => {
  const store = newStore();
  await importRows(store, facetRows(52, 3000, product));
  const own = await serve({ store });
  try {
    const rows = await exportRows(store);
    (await own.get(`/v1/products/${product}/comments?size=L`)).problem('invalid-parameter', { parameter: 'size' });
    const { stdout } = await mustRun(['facet', 'add', 'size', '--type', 'choice', '--values', 'S,M,L,XL', '--store', store]);
    assert.match(stdout, /size\s+choice\s+ready\s+S, M, L, XL/);
    const ready = () => own.page(product, { size: 'L', facets: 'true' });
    for (let tries = 0; (await own.get(`/v1/products/${product}/comments?size=L`)).status !== 200 && tries < 50; ++tries) await new Promise((done) => setTimeout(done, 100));
    assert.equal((await ready()).total, found(rows, { size: 'L' }).length);
    assert.deepEqual((await ready()).facets.size, countsOf(rows, {}).size);
    await mustRun(['facet', 'add', 'size', '--type', 'choice', '--values', 'S,M,L,XL', '--store', store]); // again is no error
    await mustRun(['facet', 'add', 'size', '--type', 'flag', '--store', store], { status: 2 });
    await mustRun(['facet', 'drop', 'size', '--store', store]);
    for (let tries = 0; (await own.get(`/v1/products/${product}/comments?size=L`)).status !== 400 && tries < 50; ++tries) await new Promise((done) => setTimeout(done, 100));
    (await own.get(`/v1/products/${product}/comments?size=L`)).problem('invalid-parameter', { parameter: 'size' });
    assert.deepEqual((await own.get('/v1/facets')).json.facets.map(({ name }) => name), ['language', 'rating']);
    assert.equal((await exportRows(store)).filter((row) => row.attributes.size === 'L').length, found(rows, { size: 'L' }).length, 'comments keep their attributes');
  } finally {
    await own.stop();
  }
  await mustVerify(store, 'after adding and dropping a facet');
});
