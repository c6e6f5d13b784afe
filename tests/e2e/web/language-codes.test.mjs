// A language has one value and one label, under whichever code it comes in.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { idsOf, importRows, mustRun, newStore, run, serve } from '../support/harness.mjs';

const names = { he: ['iw', 'HE', 'heb'], id: ['in', 'ind'], yi: ['ji'], ro: ['mo', 'rum', 'ron'], de: ['deu', 'ger'], en: ['eng'], 'en-GB': ['en-UK', 'en_uk'], fr: ['fre'], und: ['und'] };

test('posts, imports and filters', async () => {
  const server = await serve();
  const store = newStore();
  for (const [language, others] of Object.entries(names)) {
    const all = [language, ...others];
    for (const name of all) assert.equal((await server.add(language, { rating: 5, language: name })).language, language, name);
    for (const name of all) assert.equal((await server.page(language, { language: name })).total, all.length, name);
    assert.deepEqual((await server.get(`/v1/products/${language}/statistics`)).json.languages, { [language]: all.length });
  }
  const rows = Object.values(names).flat().map((language, at) => ({ product: 'p', rating: 5, language, created_at: `2026-01-01T00:00:${String(at).padStart(2, '0')}Z` }));
  await importRows(store, rows);
  const page = JSON.parse((await mustRun(['page', 'p', '--language', 'fre', '--json', '--store', store])).stdout);
  assert.deepEqual(page.comments.map(({ language }) => language), ['fr']);
  const refused = (await server.post('/v1/products/p/comments', { rating: 5, language: 'de-1996' })).problem('invalid-comment');
  assert.match(JSON.stringify(refused.errors), /language, script and region/);
  await server.stop();
});

test('an item of a table under an old code is read, and named as misplaced', async () => {
  const database = await startDynamoDb();
  after(() => database.stop());
  const store = storeAt(database.endpoint, 'codes');
  await mustRun(['table', 'create', '--store', store]);
  const server = await serve({ store });
  const { id } = await server.add('p', { rating: 5, language: 'he' });
  const key = `COMMENT#${id}`;
  await call(database.endpoint, 'UpdateItem', { TableName: 'codes', Key: { PK: { S: key }, SK: { S: key } }, UpdateExpression: 'SET #l = :l, GSI2PK = :g, GSIPK = :h',
    ExpressionAttributeNames: { '#l': 'language' }, ExpressionAttributeValues: { ':l': { S: 'iw' }, ':g': { S: 'PRODUCT#p/iw' }, ':h': { S: 'PRODUCT#p/iw/5' } } });
  assert.deepEqual((await server.page('p')).comments.map(({ language }) => language), ['he']);
  const found = await run(['verify', '--store', store]);
  assert.equal(found.status, 3);
  assert.match(found.stdout, /GSI2PK is "PRODUCT#p\/iw", and must be "PRODUCT#p\/he"/);
  await run(['verify', '--repair', '--store', store]);
  for (const language of ['iw', 'he']) assert.deepEqual(idsOf(await server.page('p', { language })), [id]);
  await server.stop();
});
