// Invitations, export and erasure by command, over a store and beside a server.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, commentsPath, exportRows, importRows, mustRun, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const good = { rating: 5, title: 'Fits', text: 'Well made' };
const invited = (server, product, ticket) => {
  const body = Buffer.from(JSON.stringify(good));
  return server.request('POST', commentsPath(product), { body, headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, Invitation: ticket } });
};
const tokenFile = (text) => {
  const file = join(temporaryDirectory(), 'token');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
};

test('quire invite prints a link for each customer, which the server takes', async () => {
  const server = await serveCustomers();
  const ids = await mustRun(['invite', '42', '--customer', '-', '--store', server.store], { input: 'ann\n\nbob\n' });
  const tickets = ids.stdout.trim().split('\n');
  assert.equal(tickets.length, 2);
  for (const ticket of tickets) (await invited(server, '42', ticket)).expect(201);
  const { stdout } = await mustRun(['invite', '4 2', '--customer', 'ann', '--name', 'Ann', '--days', '3', '--public-url', 'https://shop.example', '--store', server.store]);
  assert.match(stdout, /^https:\/\/shop\.example\/products\/4%202\/review\?ticket=[\w-]+\n$/);
  const beside = ['--server', server.url, '--token-file', tokenFile(server.tokens.admin)];
  const [{ ticket, product, ends }] = JSON.parse((await mustRun(['invite', '43', '--customer', 'ann', '--json', ...beside])).stdout).invitations;
  assert.deepEqual([product, typeof ends], ['43', 'string']);
  (await invited(server, '43', ticket)).expect(201);
  const linked = await mustRun(['invite', '44', '--customer', 'ann', '--public-url', 'https://shop.example', ...beside]);
  assert.match(linked.stdout, /^https:\/\/shop\.example\/products\/44\/review\?ticket=[\w-]+\n$/);
  const several = await mustRun(['invite', '45', '4/6', '--customer', '1077', '--public-url', 'https://shop.example', ...beside]);
  const [, path] = /^https:\/\/shop\.example(\/review\?ticket=[\w-]+)\n$/.exec(several.stdout);
  assert.ok(path.length <= 90, path);
  for (const product of ['45', '4/6']) (await invited(server, product, path.split('=')[1])).expect(201);
  const refused = await run(['invite', '43', '--customer', 'ann', '--server', server.url, '--token-file', tokenFile(server.tokens.edit)]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /lacks the scope "invite"/);
  assert.equal((await run(['invite', '43', '--customer', 'x'.repeat(129), '--store', server.store])).status, 2);
  await server.stop();
});

test('what is kept of a customer is exported and erased', async () => {
  const audit = join(temporaryDirectory(), 'audit.log');
  const server = await serveCustomers({ writing: 'who = "customers"\nonce = true\n', args: ['--audit-log', audit] });
  const admin = bearer(server.tokens.admin);
  const own = await server.add('42', { ...good, text: 'of ann' }, server.as('ann'));
  const other = await server.add('42', { ...good, text: 'of bob' }, server.as('bob'));
  (await server.post(`${commentPath(other.id)}/reports`, { reason: 'spam' }, server.as('ann'))).expect(202);
  (await server.post(`${commentPath(other.id)}/reports`, { reason: 'spam' }, server.as('ann'))).expect(202);
  const kept = (await server.post('/v1/customers/export', { customer: 'ann' }, admin)).expect(200);
  const { comments, reports } = kept.json;
  assert.deepEqual(comments.map(({ text, status }) => [text, status]), [['of ann', 'published']]);
  assert.deepEqual(reports.map(({ comment, reason }) => [comment, reason]), [[other.id, 'spam']]);
  const lines = (await mustRun(['customer', 'export', 'ann', '--server', server.url, '--token-file', tokenFile(server.tokens.admin)])).stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines, [comments[0], { report: reports[0] }]);
  const part = bearer(server.tokens.partAdmin);
  for (const deed of ['export', 'erase']) (await server.post(`/v1/customers/${deed}`, { customer: 'ann' }, part)).problem('forbidden');
  (await server.post('/v1/customers/erase', { customer: 'ann', more: 1 }, admin)).problem('invalid-comment');
  (await server.post('/v1/customers/erase', { customer: 'ann' }, server.as('ann'))).problem('forbidden');
  const receipt = (await server.post('/v1/customers/erase', { customer: 'ann' }, admin)).expect(200).json;
  assert.deepEqual([receipt.removed.comments, receipt.removed.reports, receipt.emptied], [1, 1, 0]);
  assert.ok(receipt.remains.length > 0);
  (await server.get(commentPath(own.id))).problem('not-found');
  (await server.get(commentPath(other.id))).expect(200);
  assert.equal((await server.post('/v1/customers/export', { customer: 'ann' }, admin)).expect(200).text, '{"comments":[],"reports":[],"votes":[]}');
  await server.add('42', good, server.as('ann'));
  await server.stop();
  const line = JSON.parse(readFileSync(audit, 'utf8').trim().split('\n').at(-1));
  assert.deepEqual([line.action, line.comments, line.customer.length], ['erase', 1, 43]);
  const given = await mustRun(['customer', 'export', 'ann', '--store', server.store]);
  assert.equal(given.stdout.trim().split('\n').length, 1);
  const erased = await mustRun(['customer', 'erase', '-', '--keep-ratings', '--store', server.store], { input: 'ann\n' });
  assert.match(erased.stdout, /^removed: 0 comments, 0 reports, 0 votes, 0 answers, 0 tickets\nemptied: 1\n/);
  assert.equal((await mustRun(['customer', 'export', 'ann', '--store', server.store])).stdout, '');
});

test('an import keeps the hash of customer_id', async () => {
  const store = newStore();
  const row = { product: '42', rating: 5, created_at: '2024-11-20T12:01:00Z' };
  await importRows(store, [{ ...row, customer_id: 'ann' }, { ...row, text: 'of nobody' }]);
  const [{ customer }] = (await exportRows(store)).filter((each) => each.customer);
  assert.match(customer, /^[\w-]{43}$/);
  assert.equal((await mustRun(['customer', 'export', 'ann', '--store', store])).stdout.trim().split('\n').length, 1);
  await importRows(store, [{ ...row, customer_id: 'ann', customer }], { status: 3 });
  await importRows(store, [{ ...row, customer_id: '' }], { status: 3 });
  await importRows(store, [{ ...row, customer_id: 'x'.repeat(129) }], { status: 3 });
});

test('an import takes what customers wrote by their key alone', async () => {
  const store = newStore();
  const server = await serveCustomers({ store });
  for (const customer of ['ann', 'bob']) await server.add('42', good, server.as(customer));
  await server.add('43', good, server.as('ann'));
  await server.stop();
  const key = join(store.slice('lmdb:'.length), 'customer-key');
  for (const args of [[], ['--product', '43']]) {
    const { stdout } = await mustRun(['export', '--store', store, ...args]);
    const [first, ...rows] = stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.match(first.customer_key, /^[0-9a-f]{32}$/);
    assert.ok(!readFileSync(key, 'utf8').includes(first.customer_key), 'it is not the key');
    assert.ok(rows.length > 0 && rows.every((row) => row.customer), 'and is told once');
    const input = stdout;
    const importInto = (to, ...more) => run(['import', '--store', to, '-', ...more], { input });
    const refusedBy = async (to, reason, ...more) => {
      const { status, stderr } = await importInto(to, ...more);
      assert.equal(status, 3, stderr);
      assert.match(stderr, reason);
      assert.match(stderr, /--new-customers takes such rows/);
      assert.deepEqual((await exportRows(to)).filter((row) => row.customer && row.author !== 'Eve'), []);
    };
    // There is no key; then another one is made by a server.
    const fresh = newStore();
    await refusedBy(fresh, /is not here\. Copy the file customer-key/);
    const other = await serveCustomers({ store: fresh });
    await other.add('42', { ...good, author: 'Eve' }, other.as('eve'));
    await other.stop();
    await refusedBy(fresh, /keeps its customers by another key/);
    // The key is there, or is named.
    const restored = newStore(), named = newStore();
    await mustRun(['import', '--store', restored, '-'], { input: '' });
    copyFileSync(key, join(restored.slice('lmdb:'.length), 'customer-key'));
    for (const [to, more] of [[restored, []], [named, ['--customer-key', key]]]) {
      assert.equal((await importInto(to, ...more)).status, 0);
      assert.equal((await mustRun(['export', '--store', to])).stdout, stdout);
      const kept = await mustRun(['customer', 'export', 'ann', '--store', to, ...more]);
      assert.equal(kept.stdout.trim().split('\n').length, rows.filter((row) => row.customer === rows.at(-1).customer).length);
    }
    // Rows without the line tell no key, in a second file neither.
    const bare = join(temporaryDirectory(), 'bare.jsonl'), whole = join(temporaryDirectory(), 'whole.jsonl');
    writeFileSync(whole, stdout);
    writeFileSync(bare, stdout.slice(stdout.indexOf('\n') + 1));
    const two = await run(['import', '--store', restored, whole, bare]);
    assert.equal(two.status, 3);
    assert.match(two.stderr, /bare\.jsonl:1: customer: no line \{"customer_key": …\} before this row/);
    // To go on all the same is a decision.
    const anyway = newStore();
    assert.equal((await run(['import', '--store', anyway, bare, '--new-customers'])).status, 0);
    assert.equal((await exportRows(anyway)).length, rows.length);
  }
});

test('the key of customers is made once, for its owner alone, and a backup has it', async () => {
  const store = newStore();
  const server = await serveCustomers({ store });
  await server.add('42', good, server.as('ann'));
  await server.stop();
  const directory = store.slice('lmdb:'.length);
  const key = join(directory, 'customer-key');
  assert.equal(statSync(key).mode & 0o777, 0o600);
  assert.match(readFileSync(key, 'utf8'), /^[0-9a-f]{64}\n$/);
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', store]);
  assert.equal(readFileSync(join(copy, 'customer-key'), 'utf8'), readFileSync(key, 'utf8'));
  const elsewhere = join(temporaryDirectory(), 'key');
  const other = ['customer', 'export', 'ann', '--store', store, '--customer-key', elsewhere];
  for (const command of [other, ['customer', 'erase', 'ann', ...other.slice(3)]]) {
    const none = await run(command);
    assert.deepEqual([none.status, none.stdout, existsSync(elsewhere)], [1, '', false], 'no key is made');
    assert.match(none.stderr, /There is no file .* with the key of customers\. .*--customer-key FILE/);
  }
  writeFileSync(elsewhere, `${'7'.repeat(64)}\n`, { mode: 0o600 });
  for (const command of [other, ['customer', 'erase', 'ann', ...other.slice(3)], ['serve', '--listen', '127.0.0.1:0', ...other.slice(3)]]) {
    const wrong = await run(command);
    assert.deepEqual([wrong.status, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /is not the one by which this store keeps its customers/);
  }
  writeFileSync(elsewhere, readFileSync(key));
  assert.equal((await mustRun(other)).stdout.trim().split('\n').length, 1);
});
