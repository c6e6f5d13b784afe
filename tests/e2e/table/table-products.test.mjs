// What a shop tells of its products is kept in a table: two servers, commands, damage.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bearer } from '../support/moderation.mjs';
import { mustRun, newToken, run, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { call, scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { until } from '../support/project.mjs';

const folder = temporaryDirectory();
let database, store, servers, token;

before(async () => {
  database = await startDynamoDb();
  store = storeAt(database.endpoint);
  await mustRun(['table', 'create', '--store', store]);
  const file = join(folder, 'tokens');
  ({ token } = await newToken({ file, scopes: 'products' }));
  servers = await Promise.all([1, 2].map(() => serve({ store, args: ['--tokens', file, ...unlimited] })));
});
after(async () => { await Promise.all((servers ?? []).map((server) => server.stop())); await database?.stop(); });

const put = (server, product, facts) => server.request('PUT', `/v1/products/${encodeURIComponent(product)}`, { headers: { ...bearer(token), 'Content-Type': 'application/json' }, body: JSON.stringify(facts) });

test('what one server is told, the other shows', async () => {
  const [one, other] = servers;
  (await put(one, 'a b', { name: 'Lamp', sku: 'L' })).expect(201);
  assert.deepEqual((await other.get('/v1/products/a%20b')).expect(200).json, { product: 'a b', name: 'Lamp', sku: 'L' });
  await until('the other lists it', async () => (await other.get('/', { Accept: 'text/html' })).expect(200).text.includes('<bdi>Lamp</bdi>'));
  assert.match((await other.get('/products/a%20b', { Accept: 'text/html' })).expect(200).text, /<h1>Reviews of <bdi>Lamp</);
  (await put(other, 'a b', { name: 'Desk lamp' })).expect(200);
  (await other.delete('/v1/products/a%20b', bearer(token))).expect(204);
  (await one.get('/v1/products/a%20b')).problem('not-found');
});

test('an import of many is exported again', async () => {
  const rows = Array.from({ length: 120 }, (_, n) => `{"product":"${String(n).padStart(3, '0')}","name":"Product ${n}"}`);
  const file = join(folder, 'products.jsonl');
  writeFileSync(file, [...rows, '{"product":"007","name":"Product 7"}', ''].join('\n'));
  assert.match((await mustRun(['import', '--products', file, '--store', store])).stdout, /^120 added, 1 replaced, 0 rejected/);
  assert.equal((await mustRun(['export', '--products', '--store', store])).stdout, `${rows.join('\n')}\n`);
  assert.equal((await run(['verify', '--store', store])).status, 0);
});

test('facts that lost an index key are found, and get it back', async () => {
  const Key = { PK: { S: 'PRODUCT#008' }, SK: { S: 'FACTS' } };
  await call(database.endpoint, 'UpdateItem', { TableName: 'quire', Key, UpdateExpression: 'REMOVE GSI4PK' });
  assert.match((await run(['verify', '--store', store])).stdout, /PRODUCT#008 FACTS.* GSI4PK is missing, and must be "FACTS"/);
  await run(['verify', '--repair', '--store', store]);
  assert.equal((await run(['verify', '--store', store])).status, 0);
  assert.match((await mustRun(['export', '--products', '--store', store])).stdout, /"008"/);
});

test('damaged facts are left out, named by verify, and set aside by a repair', async () => {
  const [item] = (await scan(database.endpoint)).filter(({ PK, SK }) => PK === 'PRODUCT#007' && SK === 'FACTS');
  assert.ok(item);
  await call(database.endpoint, 'UpdateItem', { TableName: 'quire', Key: { PK: { S: item.PK }, SK: { S: item.SK } }, UpdateExpression: 'SET facts = :bad', ExpressionAttributeValues: { ':bad': { S: '{}' } } });
  (await servers[0].get('/v1/products/007')).problem('not-found');
  const exported = await run(['export', '--products', '--store', store]);
  assert.equal(exported.status, 3);
  assert.match(exported.stderr, /^quire: 1 damaged row is left out; quire verify names each$/m);
  assert.doesNotMatch(exported.stdout, /"007"/);
  const found = await run(['verify', '--store', store]);
  assert.equal(found.status, 3);
  assert.match(found.stdout, /PRODUCT#007 FACTS.*Its facts are not as Quire writes them/);
  assert.equal((await run(['verify', '--repair', '--store', store])).status, 3);
  assert.equal((await run(['verify', '--store', store])).status, 0);
  assert.doesNotMatch((await mustRun(['export', '--products', '--store', store])).stdout, /"007"/);
  (await put(servers[0], '007', { name: 'Seven' })).expect(201);
  assert.equal((await servers[1].get('/v1/products/007')).expect(200).json.name, 'Seven');
});
