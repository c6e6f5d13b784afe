// What is a customer's own: limits, idempotency keys, reports; and changes of who signs.

import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, commentsPath, serve, temporaryDirectory } from '../support/harness.mjs';
import { serveShop } from '../support/moderation.mjs';
import { serveCustomers, signer } from '../support/customers.mjs';

const good = { rating: 5, title: 'Fits' };

test('limits count by customer beside those by address', async () => {
  const server = await serveCustomers({ args: ['--posts-per-minute-client', '3', '--trusted-proxy', '127.0.0.0/8'] });
  const from = (address, id) => server.post(commentsPath(`p${address}`), good, { ...server.as(id), 'X-Forwarded-For': `192.0.2.${address}` });
  for (let address = 1; address <= 3; ++address) (await from(address, 'ann')).expect(201);
  (await from(4, 'ann')).problem('rate-limited');
  const { id } = (await from(4, 'bob')).expect(201).json;
  const report = (address, who) => server.post(`${commentPath(id)}/reports`, { reason: 'spam' }, { ...server.as(who), 'X-Forwarded-For': `192.0.2.${address}` });
  for (let address = 5; address <= 7; ++address) (await report(address, 'cy')).expect(202);
  (await report(8, 'cy')).problem('rate-limited');
  (await report(8, 'di')).expect(202);
  await server.stop();
});

test('an idempotency key belongs to its customer', async () => {
  const server = await serveCustomers({ writing: 'who = "customers"\nonce = true\n' });
  const post = (id, claims, body = good) => server.post(commentsPath('42'), body, { ...server.as(id, claims), 'Idempotency-Key': 'one' });
  const first = (await post('ann')).expect(201).json;
  assert.deepEqual((await post('ann')).expect(201).json, first);
  assert.deepEqual((await post('ann', { name: 'Ann', purchases: ['42'] })).expect(201).json, first, 'a later token tells more');
  (await post('ann', {}, { ...good, rating: 1 })).problem('idempotency-conflict');
  assert.notEqual((await post('bob')).expect(201).json.id, first.id);
  await server.stop();
});

test('a customer reports a comment once, from whatever address', async () => {
  const server = await serveCustomers({ more: '[moderation]\nreports = 2\n', args: ['--trusted-proxy', '127.0.0.0/8'] });
  const { id } = await server.add('42', good);
  const report = (who, address) => server.post(`${commentPath(id)}/reports`, { reason: 'spam' }, { ...server.as(who), 'X-Forwarded-For': address });
  for (const address of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) (await report('ann', address)).expect(202);
  (await server.get(commentPath(id))).expect(200);
  (await server.post(`${commentPath(id)}/reports`, { reason: 'spam' }, server.as('bob', { exp: 1 }))).problem('unauthorized');
  (await report('bob', '192.0.2.1')).expect(202);
  (await server.get(commentPath(id))).problem('not-found');
  await server.stop();
});

test('the audit log names the customer by the hash', async () => {
  const audit = join(temporaryDirectory(), 'audit.log');
  const server = await serveCustomers({ args: ['--audit-log', audit] });
  const { id } = await server.add('42', good, server.as('ann'));
  (await server.delete(commentPath(id), server.as('ann'))).expect(204);
  await server.stop();
  const line = JSON.parse(readFileSync(audit, 'utf8'));
  assert.match(line.token, /^customer:[\w-]{43}$/);
});

test('another key set counts soon, and the old keys no more', async () => {
  const server = await serveCustomers();
  (await server.post(commentsPath('42'), good, server.as('ann'))).expect(201);
  const next = signer({ kid: 'b' });
  const claims = { iss: 'https://shop.example', aud: 'reviews', sub: 'ann', exp: Math.floor(Date.now() / 1000) + 60 };
  const by = (token) => server.post(commentsPath('42'), good, { Authorization: `Bearer ${token}` });
  (await by(next.sign(claims))).problem('unauthorized');
  writeFileSync(join(server.folder, 'new.json'), JSON.stringify(next.keys));
  renameSync(join(server.folder, 'new.json'), join(server.folder, 'jwks.json'));
  for (const deadline = Date.now() + 20_000; (await by(next.sign(claims))).status !== 201;) assert.ok(Date.now() < deadline, 'the new key counts');
  (await server.post(commentsPath('42'), good, server.as('ann'))).problem('unauthorized');
  await server.stop();
});

test('without a shop file nobody signs, and nobody is invited', async () => {
  const server = await serveShop({ shop: '' });
  const token = signer().sign({ iss: 'x', aud: 'reviews', sub: 'ann', exp: Math.floor(Date.now() / 1000) + 60 });
  (await server.post(commentsPath('42'), good, { Authorization: `Bearer ${token}` })).problem('unauthorized');
  await server.stop();
  const demo = await serve();
  (await demo.post(commentsPath('42'), good)).expect(201);
  (await demo.post(commentsPath('42'), good, { Invitation: 'x' })).problem('unauthorized');
  await demo.stop();
});
