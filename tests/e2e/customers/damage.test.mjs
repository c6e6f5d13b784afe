// What damage leaves out is told: by answers, by the exit status, and by an erasure.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, scan } from '../support/dynamodb.mjs';
import { serveCustomers, serveTable } from '../support/customers.mjs';
import { commentPath, mustRun, run, serve, unlimited } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';

const shop = { writing: 'who = "customers"\n', more: '[votes]\nwho = "customers"\n' };
const note = 'a note that nobody else writes';
const good = { rating: 5, title: 'Fits', text: 'of ann and of nobody else' };

// Ann's comment, report and vote; Bob's comment, on which both are.
async function fill(server) {
  const own = await server.add('42', good, server.as('ann'));
  const other = await server.add('42', { rating: 1, text: 'of bob' }, server.as('bob'));
  (await server.post(`${commentPath(other.id)}/reports`, { reason: 'spam', note }, server.as('ann'))).expect(202);
  (await server.put(`${commentPath(other.id)}/vote`, { vote: 'helpful' }, server.as('ann'))).expect(200);
  return { own, other };
}

// Flips a bit of each occurrence of a text in a store's file.
function flip(store, text) {
  const file = join(store.slice('lmdb:'.length), 'data.mdb');
  const bytes = readFileSync(file);
  assert.ok(bytes.indexOf(text) > 0, text);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at)) bytes[at] ^= 1;
  writeFileSync(file, bytes);
}

const restarted = (server) => serve({ store: server.store, args: ['--tokens', join(server.folder, 'tokens'), '--shop', join(server.folder, 'shop.toml'), ...unlimited] });

test('of an embedded store', async () => {
  const first = await serveCustomers(shop);
  await fill(first);
  await first.stop();
  flip(first.store, note);
  flip(first.store, good.text);
  const server = await restarted(first);
  const admin = bearer(first.tokens.admin);
  const own = (await server.get('/v1/me/comments', first.as('ann'))).expect(200).json;
  assert.deepEqual(own, { comments: [], missing: 1, page: {} });
  const kept = (await server.post('/v1/customers/export', { customer: 'ann' }, admin)).expect(200).json;
  assert.deepEqual([kept.missing, kept.comments.length, kept.reports.length, kept.votes.length], [2, 0, 0, 1]);
  const refused = (await server.post('/v1/customers/erase', { customer: 'ann' }, admin)).expect(500);
  assert.match(refused.json.detail, /damaged.*What could be erased is\. Run quire verify --repair, then erase again\./);
  await server.stop();
  await oneAfterAnother(first.store);
});

// By commands: what is missing, the erasure, the repair and the erasure after it.
async function oneAfterAnother(store) {
  const exported = await run(['customer', 'export', 'ann', '--store', store]);
  assert.equal(exported.status, 3, exported.stderr);
  assert.match(exported.stderr, /^quire: \d damaged rows? (is|are) left out; quire verify names each$/m);
  assert.equal((await run(['export', '--store', store])).status, 3);
  const erased = await run(['customer', 'erase', 'ann', 'carl', '--store', store]);
  assert.equal(erased.status, 3, erased.stderr);
  assert.match(erased.stderr, /^quire: .*What could be erased is\./m);
  assert.match(erased.stdout, /^removed: 0 comments/m, 'that of the other customer goes on');
  await repaired(store);
}

// `rows`: how many the repair removes.
async function repaired(store, rows = 0) {
  const repair = await run(['verify', '--repair', '--store', store]);
  assert.equal(repair.status, 3, repair.stdout + repair.stderr);
  if (rows > 0) assert.match(repair.stderr, new RegExp(`^${rows} rows? of reports, votes, decisions or customers could not be read: removed$`, 'm'));
  assert.equal((await run(['verify', '--store', store])).status, 0);
  await mustRun(['customer', 'erase', 'ann', '--store', store]);
  assert.equal((await mustRun(['customer', 'export', 'ann', '--store', store])).stdout, '');
  await mustRun(['export', '--store', store]);
}

test('of an embedded store, a report alone: a repair removes it, and an erasure needs no value of it', async () => {
  for (const repairs of [true, false]) {
    const server = await serveCustomers(shop);
    await fill(server);
    await server.stop();
    const { store } = server;
    flip(store, note);
    const exported = await run(['export', '--store', store]);
    assert.equal(exported.status, 3);
    assert.match(exported.stderr, /^quire: 1 damaged row is left out; quire verify names each$/m);
    assert.equal((await run(['customer', 'export', 'ann', '--store', store])).status, 3);
    if (repairs) await repaired(store, 1);
    await mustRun(['customer', 'erase', 'ann', '--store', store]);
    await mustRun(['export', '--store', store]);
  }
});

test('of a table', async () => {
  const { database, store, server, stop } = await serveTable(shop);
  const { own, other } = await fill(server);
  const set = (PK, SK, name, value) => call(database.endpoint, 'UpdateItem', { TableName: 'quire', Key: { PK: { S: PK }, SK: { S: SK } },
    UpdateExpression: 'SET #n = :v', ExpressionAttributeNames: { '#n': name }, ExpressionAttributeValues: { ':v': { S: value } } });
  await set(`COMMENT#${other.id}`, 'REPORTS', 'reports', '[{"person":"?"}]');
  const [vote] = (await scan(database.endpoint)).filter(({ SK }) => SK.startsWith('VOTE#'));
  await set(vote.PK, vote.SK, 'vote', '?');
  await set(`COMMENT#${own.id}`, `COMMENT#${own.id}`, 'data', '[');
  const admin = bearer(server.tokens.admin);
  assert.deepEqual((await server.get('/v1/me/comments', server.as('ann'))).expect(200).json, { comments: [], missing: 1, page: {} });
  const kept = (await server.post('/v1/customers/export', { customer: 'ann' }, admin)).expect(200).json;
  assert.deepEqual([kept.missing, kept.comments.length, kept.reports.length, kept.votes.length], [3, 0, 0, 0]);
  assert.equal((await run(['export', '--store', store])).status, 3);
  assert.equal((await run(['customer', 'export', 'ann', '--store', store])).status, 3);
  const refused = (await server.post('/v1/customers/erase', { customer: 'ann' }, admin)).expect(500);
  assert.match(refused.json.detail, new RegExp(`The reports on comment ${other.id} are damaged, and may name the customer. What could be erased is`));
  assert.equal((await run(['customer', 'erase', 'ann', '--store', store])).status, 3, 'each erasure says so');
  await repaired(store, 1);
  const items = await scan(database.endpoint);
  assert.deepEqual(items.filter(({ SK }) => SK === 'REPORTS' || SK.startsWith('VOTE#')), []);
  await stop();
});
