// An export has all that moderators know, and an import takes it back: the export of the new store is the same, byte by byte.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commentPath, commentsPath, importRows, mustRun, mustVerify, newStore, run } from '../support/harness.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { bearer, linked, serveShop } from '../support/moderation.mjs';

const exported = async (store, ...args) => (await mustRun(['export', '--store', store, ...args])).stdout;
const imported = (store, text) => mustRun(['import', '--store', store, '-'], { input: text });
let database;
after(() => database?.stop());

/** Fills a store with comments of each status, with and without reason, note, rule and reports; by way of a server. */
async function fill(store) {
  const server = await serveShop({ store, shop: '[moderation]\nhold = "rules"\nlinks = true\nreports = 3\n', args: ['--trusted-proxy', '127.0.0.1'] });
  const admin = bearer(server.tokens.admin);
  let person = 0;
  const report = async (id, note = '') => (await server.post(`${commentPath(id)}/reports`, { reason: 'fake', note }, { Authorization: '', 'X-Forwarded-For': `192.0.2.${++person}` })).expect(202);
  const post = async (comment, headers, product = 'p') => (await server.post(commentsPath(product), { rating: 5, text: 'Fits.', ...comment }, headers)).expect(201, 202).json.id;
  const decide = (id, decision) => server.decide([{ id, ...decision }]);
  for (const product of ['p', 'q/ü']) {
    await post({ attributes: { size: 'L' } }, undefined, product); // plain
    await post({ note: 'Known "to" us.\nSince 2019.' }, admin, product); // a note alone
    await post({ status: 'rejected', reason: 'spam', note: 'Again.' }, admin, product);
    await post({ status: 'pending', note: 'Ask counsel.' }, admin, product);
    await post(linked(), undefined, product);
    await decide(await post(linked(), undefined, product), { status: 'published' });
    await decide(await post(linked(), undefined, product), { status: 'published', note: 'It is their own shop.' });
    await decide(await post(linked(), undefined, product), { status: 'rejected', reason: 'unlawful' });
    const open = await post({}, undefined, product);
    await report(open, 'Never\tbought.');
    await report(open);
    const answered = await post({}, undefined, product);
    await report(answered);
    await decide(answered, { status: 'published', note: 'Bought.' });
    const again = await post({}, undefined, product);
    for (let i = 0; i < 3; ++i) await report(again);
    await decide(again, { status: 'published' });
    await report(again, 'Once more.');
    const held = await post({}, undefined, product);
    for (let i = 0; i < 3; ++i) await report(held);
    const rejected = await post({}, undefined, product);
    await report(rejected);
    await decide(rejected, { status: 'rejected', reason: 'fake', note: 'As they say.' });
  }
  await server.stop();
}

/** What moderators see of a store. */
async function queues(store) {
  const server = await serveShop({ store, shop: null });
  const seen = {};
  for (const status of ['pending', 'rejected', 'reported']) seen[status] = (await server.queue(`?status=${status}&limit=100`)).comments;
  await server.stop();
  return seen;
}

test('an export, imported, gives the same export, and the same queues', async () => {
  const store = newStore();
  await fill(store);
  const text = await exported(store);
  for (const member of ['"note":"Known', '"decided":true', '"answered":true', '"held_by":"links"', '"held_by":"reports"', '"reason":"unlawful"']) assert.ok(text.includes(member), member);
  const copy = newStore();
  assert.match((await imported(copy, text)).stdout, /^26 added, 0 known, 0 differing, 0 updated, 0 removed here, 0 rejected/);
  assert.equal(await exported(copy), text);
  assert.deepEqual(await queues(copy), await queues(store));
  assert.match((await imported(copy, text)).stdout, /^0 added, 26 known, 0 differing/);
  assert.equal(await exported(copy), text, 'once more changes nothing');
  for (const product of ['p', 'q/ü']) assert.equal(await exported(copy, '--product', product), await exported(store, '--product', product));
  const only = newStore();
  await imported(only, await exported(store, '--product', 'q/ü'));
  assert.equal(await exported(only), await exported(store, '--product', 'q/ü'), 'a product by itself');
  for (const each of [store, copy, only]) await mustVerify(each, 'after export and import');
  // What a moderator published, no number of reports holds.
  const server = await serveShop({ store: copy, shop: '[moderation]\nreports = 1\n' });
  const { id } = JSON.parse(text.split('\n').find((line) => line.includes('It is their own shop.')));
  (await server.post(`${commentPath(id)}/reports`, { reason: 'fake' }, { Authorization: '' })).expect(202);
  (await server.get(commentPath(id))).expect(200);
  await server.stop();
});

test('the same holds of a table, and between a table and a directory', { timeout: 240_000 }, async () => {
  database = await startDynamoDb();
  const lines = (text) => text.split('\n').sort();
  const [store, copy] = ['first', 'second'].map((name) => storeAt(database.endpoint, name));
  for (const each of [store, copy]) await mustRun(['table', 'create', '--store', each]);
  const directory = newStore();
  await fill(directory);
  const text = await exported(directory);
  await imported(store, text);
  assert.deepEqual(lines(await exported(store)), lines(text));
  await imported(copy, await exported(store));
  assert.deepEqual(lines(await exported(copy)), lines(text));
  for (const product of ['p', 'q/ü']) assert.deepEqual(lines(await exported(copy, '--product', product)), lines(await exported(directory, '--product', product)));
  assert.deepEqual(await queues(copy), await queues(directory));
  const back = newStore();
  await imported(back, await exported(copy));
  assert.deepEqual(lines(await exported(back)), lines(text));
  for (const each of [store, copy, back]) await mustVerify(each, 'after export and import');
  // Written by the table itself.
  const third = storeAt(database.endpoint, 'third');
  await mustRun(['table', 'create', '--store', third]);
  await fill(third);
  await imported(back, await exported(third));
  const all = new Set(lines(await exported(back)));
  for (const line of lines(await exported(third))) assert.ok(all.has(line), line);
});

test('reports are read in any form of JSON', async () => {
  const store = newStore();
  await importRows(store, [{ id: '01JD5ZK3V8Q6W3N0A9B7C5D2EF', product: 'p', rating: 5 }]);
  const person = (digit) => String(digit).repeat(32);
  const rows = [
    `{ "report" : {"note":"", "reason":"spam", "at":"2026-01-01T00:00:00Z", "person":"${person(1)}", "comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF"} }`,
    `\t{"report":{"person":"${person(2)}","comment":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","reason":"f\\u0061ke","at":"2026-01-01T01:00:01+01:00"}}`,
  ];
  assert.match((await importRows(store, rows)).stdout, /^0 added, 0 known, 0 differing, 0 updated, 0 removed here, 0 rejected/);
  assert.deepEqual((await exported(store)).split('\n').filter((line) => line.startsWith('{"report"')).map((line) => JSON.parse(line).report.reason), ['spam', 'fake']);
  const refused = await run(['import', '--store', store, '-'], { input: '{"report":{"reason":"spam"}}\n{"report":1,"product":"p"}\n' });
  assert.equal(refused.status, 3);
  assert.match(refused.stderr, /-:1: .*\n-:2: /);
});

test('a damaged comment that is held is counted as missing', async () => {
  const store = newStore();
  await importRows(store, Array.from({ length: 60 }, (_, n) => ({ product: n % 2 ? 'p' : 'q', rating: 5, created_at: `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`, text: `the text ${n} of them`, status: n % 3 ? 'pending' : 'published' })));
  const before = await exported(store);
  const file = join(store.slice('lmdb:'.length), 'data.mdb');
  const bytes = readFileSync(file);
  for (const text of ['the text 20 of', 'the text 31 of']) {
    let at = bytes.indexOf(text);
    assert.ok(at > 0, text);
    for (; at > 0; at = bytes.indexOf(text, at)) bytes[at] ^= 1; // a page that was split has remains, too
  }
  writeFileSync(file, bytes);
  const { status, stdout, stderr } = await run(['export', '--store', store]);
  assert.equal(status, 3);
  assert.match(stderr, /^quire: 2 damaged rows are left out; quire verify names each$/m);
  assert.equal(stdout, before.split('\n').filter((line) => !/the text (20|31) of/.test(line)).join('\n'));
  // Whose product a damaged comment is of is not known.
  assert.equal((await run(['export', '--store', store, '--product', 'p'])).status, 3);
});
