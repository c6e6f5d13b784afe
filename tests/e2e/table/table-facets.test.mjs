// Facets of a table beside an lmdb: page index: filters, sorts, pages, counts and places compared with a plain model;
// what an index that lacks a facet does; changes through the stream.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exportRows, idsOf, importRows, mustRun, newToken, queryString, run, serve, start, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { seeded } from '../support/data.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { comparePages, declare, facetRows, facets, found, ids, randomFilter, sorts } from '../support/facets.mjs';
import { pagesAsOf, until } from '../support/project.mjs';

const product = 'shoes';
const pages = `lmdb:${join(temporaryDirectory(), 'pages')}`;
let database, store, flags, worker, server, comments;

before(async () => {
  database = await startDynamoDb();
  store = `${storeAt(database.endpoint, 'facets')}&statistics=stream`;
  flags = ['--store', store, '--pages', pages];
  await mustRun(['table', 'create', '--store', store]);
  await declare(store);
  await importRows(store, facetRows(51, 300, product));
  await mustRun(['backfill', ...flags]);
  const built = Date.now();
  worker = start(['project', ...flags, '--poll', '100']);
  const { file, token } = await newToken();
  server = await serve({ store, token, args: ['--pages', pages, '--tokens', file, '--access-log', 'none', '--cache', '0', ...unlimited] });
  await until('the index is in step', async () => (await pagesAsOf(server)) > built);
  comments = await exportRows(store);
});
after(async () => {
  worker?.child.kill('SIGKILL');
  await server?.stop();
  await database?.stop();
});

test('random filters, sorts and pages are those of the plain model', { timeout: 240_000 }, () => comparePages(server, product, comments, 20));

test('walks by cursor give each comment once, in both directions', { timeout: 120_000 }, async () => {
  const random = seeded(7);
  for (const sort of sorts) {
    const filter = randomFilter(random);
    const wanted = ids(found(comments, filter, sort));
    const walked = await server.walk(product, { ...filter, sort, limit: 23 });
    assert.deepEqual(idsOf(walked), wanted, `${sort} ${queryString(filter)}`);
    const back = await server.walkBack(product, { ...filter, sort, limit: 23 }, walked.at(-1));
    assert.deepEqual(idsOf(back.reverse()), wanted, `back ${sort} ${queryString(filter)}`);
  }
});

test('comments that lie close together are read from a list, others by id', { timeout: 120_000 }, async () => {
  const close = (await server.page(product, { 'not.country': 'Atlantis', explain: true })).plan;
  assert.match(close.summary, /^bitmap: .*, documents from PRODUCT#shoes, 20 entries, cost /);
  assert.match(close.alternatives[0].summary, /^documents 20 by id, cost 10\.0$/);
  assert.ok(close.consumed_capacity < 10, `${close.consumed_capacity}`);
  const apart = (await server.page(product, { 'not.country': 'Atlantis', sort: '-helpful', explain: true })).plan;
  assert.ok(apart.consumed_capacity >= 10, `${apart.consumed_capacity}`);
});

test('a changed attribute comes through the stream', { timeout: 120_000 }, async () => {
  const one = comments.find((comment) => comment.attributes.helpful !== undefined);
  const filter = { 'helpful.min': 100_000 };
  assert.equal((await server.page(product, filter)).total, 0);
  (await server.patch(`/v1/comments/${one.id}`, { attributes: { helpful: 100_001 } })).expect(200);
  await until('the index has the vote', async () => (await server.page(product, filter)).total === 1);
  assert.deepEqual(idsOf(await server.page(product, filter)), [one.id]);
  comments = await exportRows(store);
});

test('verify compares all facets', { timeout: 120_000 }, async () => {
  const { status, stdout, stderr } = await run(['verify', ...flags]);
  assert.equal(status, 0, `${stdout}\n${stderr}`);
});

test('a facet that the index lacks is filtered without numbers until backfill builds it', { timeout: 120_000 }, async () => {
  await declare(store, [{ name: 'remark', type: 'choice' }]);
  const filter = { remark: 'no facet', limit: 10 };
  await until('the server knows the facet', async () => (await server.get(`/v1/products/${product}/comments${queryString(filter)}`)).status === 200);
  const page = await server.page(product, filter);
  assert.deepEqual(idsOf(page), ids(found(comments, {}, '-created_at').slice(0, 10)));
  assert.equal(page.page.number, undefined);
  assert.match(page.page.numbers_missing, /does not hold the facet remark yet\. Run quire backfill/);
  await mustRun(['backfill', ...flags]);
  await until('the numbers come back', async () => (await server.page(product, filter)).total === comments.length);
  await mustRun(['facet', 'drop', 'remark', '--store', store]);
  assert.equal((await run(['facet', 'drop', 'remark', '--store', store])).status !== 0, true);
});

test('the facets are those of the table', async () => {
  const { json } = (await server.get('/v1/facets')).expect(200);
  assert.deepEqual(json.facets.slice(2, 7).map(({ name, type }) => ({ name, type })), facets.map(({ name, type }) => ({ name, type })));
});
