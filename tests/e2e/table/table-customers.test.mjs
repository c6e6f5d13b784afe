// Customers write through two servers on one table, which share the key of customers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bearer } from '../support/moderation.mjs';
import { serveTable } from '../support/customers.mjs';
import { commentPath, commentsPath, mustRun, run } from '../support/harness.mjs';
import { scan } from '../support/dynamodb.mjs';

const good = { rating: 5, title: 'Fits', text: 'of ann' };
const { database, store, server, other, stop } = await serveTable({ writing: 'who = "customers"\nonce = true\nedit_days = 1\n' });
after(stop);

test('the servers of a table share the key: a customer of one is known to the other', async () => {
  const first = await server.add('42', good, server.as('ann', { name: 'Ann' }));
  assert.equal((await other.post(commentsPath('42'), good, server.as('ann'))).problem('already-written').comment, first.id);
  assert.deepEqual((await other.get('/v1/me/comments', server.as('ann'))).expect(200).json.comments.map(({ id }) => id), [first.id]);
  assert.equal((await other.patch(commentPath(first.id), { rating: 4 }, server.as('ann'))).expect(200).json.rating, 4);
  (await other.patch(commentPath(first.id), { rating: 1 }, server.as('bob'))).problem('forbidden');
  assert.equal((await scan(database.endpoint)).filter(({ PK }) => PK === 'CUSTOMER-KEY').length, 1);
});

test('a ticket of one server makes one comment at any', async () => {
  const { stdout } = await mustRun(['invite', '43', '--customer', 'bob', '--store', store]);
  const send = (to) => to.request('POST', commentsPath('43'), { body: JSON.stringify(good), headers: { 'Content-Type': 'application/json', 'Content-Length': JSON.stringify(good).length, Invitation: stdout.trim() } });
  const answers = await Promise.all([server, other, server, other].map(send));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
});

test('after an erasure no item has the customer, the name or the text', async () => {
  const receipt = (await server.post('/v1/customers/erase', { customer: 'ann' }, bearer(server.tokens.admin))).expect(200).json;
  assert.equal(receipt.removed.comments, 1);
  const items = JSON.stringify(await scan(database.endpoint));
  assert.equal(items.includes('Ann') || items.includes('"ann"'), false);
  assert.equal(items.includes('of ann'), true, 'that of bob is kept');
  const verified = await run(['verify', '--store', store]);
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
});
