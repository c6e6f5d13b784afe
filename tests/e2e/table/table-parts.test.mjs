// Lists of a hot product lie in parts, declared and changed while servers run: every page stays right.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, idsOf, importRows, mustRun, mustVerify, run, serveWithToken } from '../support/harness.mjs';
import { expected, languages, pick, randomQuery, ratings, seeded } from '../support/data.mjs';
import { call, scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';

const random = seeded(20261122);
const comments = new Map();
let database;
let store;
let servers;

before(async () => {
  database = await startDynamoDb();
  store = storeAt(database.endpoint);
  await mustRun(['table', 'create', '--store', store]);
  servers = [await serveWithToken({ store })];
  servers.push(await serveWithToken({ store, tokens: servers[0].tokens }));
});
after(async () => { await Promise.all(servers.map((server) => server.stop())); await database?.stop(); });

async function write() {
  const server = pick(random, servers);
  const old = random() < 0.3 ? pick(random, [...comments.values()]) : undefined;
  if (!old) {
    const comment = await server.add('hot', { language: pick(random, languages), rating: pick(random, ratings) });
    comments.set(comment.id, comment);
  } else if (random() < 0.5) {
    comments.set(old.id, (await server.patch(commentPath(old.id), { rating: pick(random, ratings) })).expect(200).json);
  } else {
    comments.set(old.id, (await server.patch(commentPath(old.id), { text: `${random()}` })).expect(200).json);
  }
}

/** Every page under a filter, by either server, both ways. */
async function walk() {
  const query = randomQuery(random, 9);
  const wanted = expected([...comments.values()], query).map(({ id }) => id);
  assert.deepEqual(idsOf(await pick(random, servers).walk('hot', query)), wanted, JSON.stringify(query));
}

const lists = async (attribute) => new Set((await scan(database.endpoint)).filter((item) => item.PK.startsWith('COMMENT#')).map((item) => item[attribute]));
const declared = async () => JSON.parse((await mustRun(['table', 'parts', '--json', '--store', store])).stdout).parts;

test('without a declaration there are no parts', async () => {
  assert.deepEqual(await declared(), []);
  for (let n = 0; n < 30; ++n) await write();
  assert.deepEqual(await lists('GSI4PK'), new Set(['PRODUCT#hot']));
  await walk();
});

test('parts are declared while servers write and read, and no page lacks a comment', async () => {
  let waiting = true;
  const told = mustRun(['table', 'parts', '4', '--product', 'hot', '--index', 'all', '--index', 'byRating', '--store', store]).finally(() => { waiting = false; });
  for (; waiting; await sleep(100)) {
    await write();
    await walk();
  }
  assert.match((await told).stdout, /product hot +byRating +4 written, +4 read/);
  const end = Date.now() + 30_000; // servers learn of it within six seconds
  while ((await lists('GSI4PK')).size < 4) {
    assert.ok(Date.now() < end, 'new comments go into the parts');
    await write();
    await walk();
  }
  assert.deepEqual([...await lists('GSI2PK')].filter((list) => list.includes('#part')), [], 'byLang was not declared');
  for (let n = 0; n < 10; ++n) await walk();
});

test('the plan names the parts, and what they cost', async () => {
  const { plan } = await servers[0].page('hot', { rating: 5, limit: 3, explain: true });
  const chosen = plan.index === 'byRating' ? '/5' : '';
  assert.deepEqual(plan.lists, ['', '#part1', '#part2', '#part3'].map((part) => `PRODUCT#hot${chosen}${part}`), JSON.stringify(plan));
  assert.match(plan.summary, / in 4 parts/);
  assert.ok(plan.estimated_cost >= 2, 'four queries of half a unit or more');
});

test('fewer parts are for new comments; those that are there are found, and verify has no complaint', async () => {
  await mustRun(['table', 'parts', '1', '--product', 'hot', '--store', store]);
  assert.deepEqual((await declared()).find(({ index }) => index === 'all'), { index: 'all', written: 1, read: 4, product: 'hot' });
  for (let n = 0; n < 5; ++n) await write();
  await walk();
  await mustVerify(store, 'with comments in four parts');
});

test('a comment in a part that nobody reads is named, and repaired', async () => {
  const [comment] = comments.values();
  const key = { PK: { S: `COMMENT#${comment.id}` }, SK: { S: `COMMENT#${comment.id}` } };
  await call(database.endpoint, 'UpdateItem', { TableName: 'quire', Key: key, UpdateExpression: 'SET GSI4PK = :p', ExpressionAttributeValues: { ':p': { S: 'PRODUCT#hot#part9' } } });
  const found = await run(['verify', '--store', store]);
  assert.equal(found.status, 3);
  assert.match(found.stdout, new RegExp(`${comment.id}.*GSI4PK is .*part9`));
  await run(['verify', '--repair', '--store', store]);
  await mustVerify(store, 'after the repair');
  await walk();
});

test('an import goes into the parts; what is no declaration is refused', async () => {
  await call(database.endpoint, 'UpdateItem', { TableName: 'quire', Key: { PK: { S: 'PARTS' }, SK: { S: 'PARTS' } }, UpdateExpression: 'SET #p = :p ADD version :v', ExpressionAttributeNames: { '#p': 'parts' }, ExpressionAttributeValues: { ':p': { S: '[{"index":"byLang","written":3,"read":3},{"product":"hot","index":"all","written":1,"read":4},{"product":"hot","index":"byRating","written":1,"read":4}]' }, ':v': { N: '1' } } });
  const rows = Array.from({ length: 60 }, (_, n) => ({ product: 'other', language: 'en', rating: 5, created_at: new Date(1.7e12 + n).toISOString(), author: '', title: '', text: `${n}` }));
  await importRows(store, rows);
  assert.equal([...await lists('GSI2PK')].filter((list) => list.startsWith('PRODUCT#other/en')).length, 3);
  const [all, hot] = ['--all-products', ['--product', 'hot']];
  const before = await declared();
  for (const wrong of [['2'], ['2', '--product', ''], ['2', all, ...hot], hot, ['0', all], ['17', all], ['2', all, '--index', 'none'], ['2', '--product', 'x'.repeat(257)]]) {
    const refused = await run(['table', 'parts', ...wrong, '--store', store]);
    assert.ok(refused.status === 2 || refused.status === 1, `${wrong}: ${refused.status}`);
    assert.notEqual(refused.stderr, '');
  }
  assert.deepEqual(await declared(), before);
});
