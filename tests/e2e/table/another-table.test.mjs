// A page index numbers the table that it was built for: not another one, nor one that was made again under the same name.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { makeReviews } from '../support/adopted.mjs';
import { commentsPath, importRows, mustRun, mustVerify, run, serve, start, temporaryDirectory } from '../support/harness.mjs';
import { until } from '../support/project.mjs';

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

const rows = (name, count) => Array.from({ length: count }, (_, n) => ({ product: 'shoe', rating: 5, text: `${name} ${n}`, created_at: new Date(1.7e12 + n * 1000).toISOString() }));

/** A table with comments. */
async function made(name, count) {
  const store = `${storeAt(database.endpoint, name)}&statistics=stream`;
  await mustRun(['table', 'create', '--store', store]);
  await importRows(store, rows(name, count));
  return store;
}

/** What a server says of the table's first page, which it gives by cursor at least. */
async function firstPage(store, pages, wanted) {
  const server = await serve({ store, args: ['--pages', pages, '--access-log', 'none'] });
  const page = await server.page('shoe', { limit: 5 });
  assert.equal((await server.walk('shoe', { limit: 5 })).flatMap(({ comments }) => comments).length, wanted, 'pages by cursor are right');
  const statistics = (await server.get('/v1/products/shoe/statistics')).expect(200).json;
  await server.stop();
  return { ...page.page, total: page.total, as_of: statistics.as_of };
}

/** Follows the table until its pages have numbers. */
async function followed(store, pages) {
  const worker = start(['project', '--store', store, '--pages', pages, '--poll', '100']);
  const server = await serve({ store, args: ['--pages', pages, '--access-log', 'none'] });
  await until('pages have numbers', async () => (await server.page('shoe', { limit: 5 })).page.number === 1);
  const { page, total } = await server.page('shoe', { limit: 5 });
  await server.stop();
  worker.child.kill('SIGTERM');
  assert.equal((await worker.ended).status, 0);
  return { ...page, total };
}

test('an index of one table does not number another, and backfill builds it anew', async () => {
  const [one, two] = [await made('one', 12), await made('two', 23)];
  const pages = `lmdb:${join(temporaryDirectory(), 'pages')}`;
  await mustRun(['backfill', '--store', one, '--pages', pages]);
  assert.equal((await followed(one, pages)).count, 3);
  const there = await firstPage(two, pages, 23);
  assert.match(there.numbers_missing, /not built for this table/);
  assert.deepEqual([there.number, there.count], [undefined, undefined]);
  assert.equal((await run(['page', 'shoe', '--page', '2', '--store', two, '--pages', pages])).status, 1);
  await mustRun(['backfill', '--store', two, '--pages', pages]);
  const back = await followed(two, pages);
  assert.deepEqual([back.count, back.total], [5, 23]);
  await mustVerify(two, 'after the build');
});

test('a table that was made again under its name has neither the numbers nor the statistics of the old one', async () => {
  const store = await made('again', 12);
  const pages = `lmdb:${join(temporaryDirectory(), 'pages')}`;
  await mustRun(['backfill', '--store', store, '--pages', pages]);
  assert.equal((await followed(store, pages)).count, 3);
  const kept = await call(database.endpoint, 'Query', { TableName: 'again', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'PROJECTION#statistics' } } });
  await call(database.endpoint, 'DeleteTable', { TableName: 'again' });
  await made('again', 23);
  // A restore brings the marks of the statistics back.
  for (const Item of kept.Items) await call(database.endpoint, 'PutItem', { TableName: 'again', Item });
  const there = await firstPage(store, pages, 23);
  assert.match(there.numbers_missing, /not built for this table/);
  assert.equal(there.as_of ?? null, null, 'the statistics follow a stream that is gone');
  await mustRun(['backfill', '--store', store, '--pages', pages]);
  const back = await followed(store, pages);
  assert.deepEqual([back.count, back.total], [5, 23]);
  await mustVerify(store, 'after the build');
});

test('of a table that others made again, too', async () => {
  await makeReviews(database.endpoint, 'theirs');
  const map = join(temporaryDirectory(), 'map.toml');
  writeFileSync(map, (await mustRun(['table', 'map', storeAt(database.endpoint, 'theirs')])).stdout.replace(/\n\[\[index\]\][^]*/, ''));
  const store = `${storeAt(database.endpoint, 'theirs')}&map=${map}`;
  const directory = join(temporaryDirectory(), 'pages');
  const pages = `lmdb:${directory}`;
  const flags = ['--store', store, '--pages', pages];
  await mustRun(['backfill', ...flags]);
  const productOf = async () => JSON.parse((await mustRun(['export', ...flags])).stdout.split('\n')[0]).product;
  const product = await productOf();
  await call(database.endpoint, 'DeleteTable', { TableName: 'theirs' });
  await makeReviews(database.endpoint, 'theirs');
  const server = await serve({ store, args: ['--pages', pages, '--access-log', 'none'] });
  assert.match((await server.get(commentsPath(product))).expect(503).json.detail, /not built for this table.*run quire backfill/);
  await server.stop();
  assert.doesNotMatch((await mustRun(['backfill', ...flags])).stdout, /is built/);
  const again = await serve({ store, args: ['--pages', pages, '--access-log', 'none'] });
  assert.doesNotMatch((await again.get(commentsPath(product))).text, /not built for this table/);
  await again.stop();
  rmSync(directory, { recursive: true });
});
