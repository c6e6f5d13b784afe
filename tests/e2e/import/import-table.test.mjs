// POST /v1/import on a table: as on an embedded store. On a table that others made it is refused, and nothing is written.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exportRows, mustRun, mustVerify, newStore, newToken, run, serveWithToken, temporaryDirectory } from '../support/harness.mjs';
import { makeReviews } from '../support/adopted.mjs';
import { scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { importInto, lineOf, row } from './imports.mjs';

const counts = (some) => ({ added: 0, known: 0, differing: 0, updated: 0, removed_here: 0, rejected: 0, ...some });
const member = (id) => ({ id, attributes: { source_id: id } });

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

async function servedTable(name, scopes) {
  const store = storeAt(database.endpoint, name);
  await mustRun(['table', 'create', '--store', store]);
  return serveWithToken({ store, tokens: await newToken({ scopes }) });
}

test('rows are added, known, differing, updated and refused as by an embedded store, and the export is the same', async () => {
  const own = await serveWithToken({ tokens: await newToken({ scopes: 'import,edit' }) });
  const table = await servedTable('imported', 'import,edit');
  const first = Array.from({ length: 300 }, (_, n) => row(`p${n % 3}`, n));
  first.push(
    row('p0', 400, { reply: { text: 'Thank you', created_at: '2024-02-01T00:00:00Z' } }), row('p0', 401, { status: 'pending' }), row('p1', 402, { status: 'rejected', reason: 'spam' }),
    row('p1', 403, { media: [{ url: 'https://pics.example/a.jpg' }] }), row('p2', 404, { rating: 9 }), 'no JSON', first[7],
  );
  const ids = async (server) => (await exportRows(server.store)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const server of [own, table]) {
    const answer = await importInto(server, first);
    assert.deepEqual(answer.summary, counts({ added: 305, rejected: 2 }));
    assert.deepEqual(answer.refusals.map(({ line }) => line), [305, 306]);
    assert.deepEqual((await importInto(server, first)).summary, counts({ known: 305, rejected: 2 }));
    assert.equal((await server.page('p0')).total, 101);
  }
  const stored = await ids(own);
  assert.deepEqual((await ids(table)).map(({ id, product, text, status }) => [id, product, text, status]), stored.map(({ id, product, text, status }) => [id, product, text, status]));
  const changed = stored.filter(({ product }) => product === 'p0').map(({ created_at, ...one }) => ({ ...one, created_at, text: 'Changed' }));
  for (const server of [own, table]) {
    assert.deepEqual((await importInto(server, changed)).summary, counts({ differing: changed.length }));
    assert.deepEqual((await importInto(server, changed, { query: '?update=true' })).summary, counts({ updated: changed.length }));
  }
  const kept = async (server) => (await ids(server)).map(({ held_at: since, ...one }) => one); // since when each store holds it
  assert.deepEqual(await kept(table), await kept(own), 'replies and pictures included');
  for (const server of [own, table]) {
    await server.stop();
    await mustVerify(server.store, 'after the imports');
  }
});

test('what was removed from a table stays away, unless it is taken again', async () => {
  const table = await servedTable('removed', 'import,edit');
  const sent = [row('gone', 1, member('a-1')), row('gone', 2, member('a-2'))].map(({ id, ...one }) => one);
  assert.deepEqual((await importInto(table, sent)).summary, counts({ added: 2 }));
  const [{ id }] = (await table.page('gone')).comments;
  await mustRun(['delete', '--store', table.store, id]);
  assert.deepEqual((await importInto(table, sent)).summary, counts({ known: 1, removed_here: 1 }));
  assert.deepEqual((await importInto(table, sent, { query: '?again=true' })).summary, counts({ added: 1, known: 1 }));
  await table.stop();
});

test('a prefix of products and --server hold on a table, too', async () => {
  const store = storeAt(database.endpoint, 'prefix');
  await mustRun(['table', 'create', '--store', store]);
  const table = await serveWithToken({ store, tokens: await newToken({ scopes: 'import', args: ['--product', 'shop-a/'] }) });
  const token = join(temporaryDirectory(), 'token');
  writeFileSync(token, table.token);
  const { status, stdout, stderr } = await run(['import', '-', '--server', table.url, '--token-file', token, '--json'], { input: [row('shop-a/1', 1), row('shop-b/1', 2)].map(lineOf).join('') });
  assert.deepEqual([status, JSON.parse(stdout)], [3, counts({ added: 1, rejected: 1 })], stderr);
  await table.stop();
});

test('a table that others made is refused in one answer, and stays as it was', async () => {
  await makeReviews(database.endpoint, 'others');
  const mapping = join(temporaryDirectory(), 'mapping.toml');
  const store = storeAt(database.endpoint, 'others');
  writeFileSync(mapping, (await mustRun(['table', 'map', store])).stdout);
  const before = await scan(database.endpoint, 'others');
  const server = await serveWithToken({ store: `${store}&map=${mapping}`, tokens: await newToken({ scopes: 'import' }) });
  const answer = await importInto(server, [row('shoe-1', 1), row('shoe-1', 2)]);
  assert.equal(answer.summary, undefined, answer.text);
  assert.equal(answer.problem?.type, '/problems/forbidden', answer.text);
  assert.match(answer.problem.detail, /made|others|never writ|read/);
  assert.deepEqual(await scan(database.endpoint, 'others'), before);
  await server.stop();
});
