// A product leaves its comments to another one: by a program and by command; where its addresses lead; what is sent for it afterwards.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, exportRows, importRows, mustRun, mustVerify, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const move = (server, from, to, headers = bearer(server.tokens.admin)) => server.post(`/v1/products/${encodeURIComponent(from)}/move`, { to }, headers);
const moved = async (server, from, to) => (await move(server, from, to)).expect(200).json;
const invited = (server, product, ticket) => server.post(commentsPath(product), { rating: 5, text: 'Well made.' }, { Authorization: '', Invitation: ticket });
const invite = async (server, ...products) => (await server.post('/v1/invitations', { invitations: [{ products, customer: 'zoe' }] }, bearer(server.tokens.admin))).expect(201).json.invitations[0].ticket;

let server;
const audit = join(temporaryDirectory(), 'audit.log');
before(async () => { server = await serveCustomers({ args: ['--audit-log', audit], writing: 'who = "customers"\nonce = true\n' }); });
after(() => server.stop());

test('every address of a product that has moved leads to the same of its successor', async () => {
  const { id } = await server.add('old 1/2', { rating: 4, title: 'Fits', text: 'Well.', language: 'en' });
  await server.add('new', { rating: 2 });
  const page = '/products/old%201%2F2';
  (await server.get(page)).expect(200); // the page cache has it
  assert.deepEqual(await moved(server, 'old 1/2', 'new'), { to: 'new', comments: 1, more: false });
  for (const of of [page, `${page}/fragment`, `${page}/review`, `${page}/comments.atom`, `/v1${page}`, `/v1${page}/comments`, `/v1${page}/statistics`]) {
    for (const query of ['', '?rating=4&text=a%20b']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = (await server.request(method, of + query)).expect(308);
        assert.equal(answer.headers.location, of.replace('old%201%2F2', 'new') + query);
        assert.equal(answer.headers['cache-control'], 'no-cache');
      }
    }
  }
  assert.equal((await server.get(page, { Origin: 'https://elsewhere.example' })).status, 308);
  assert.equal((await server.page('new')).total, 2);
  const { ratings } = (await server.get('/v1/products/new/statistics')).expect(200).json;
  const { products } = (await server.get('/v1/statistics?product=old%201%2F2&product=new')).expect(200).json;
  assert.deepEqual(products.map(({ product, total, ratings: each }) => [product, total, each]), [['old 1/2', 2, ratings], ['new', 2, ratings]]);
  const comment = (await server.get(commentPath(id))).expect(200).json;
  assert.deepEqual([comment.product, comment.title], ['new', 'Fits']);
});

test('what is sent for it is taken for the successor', async () => {
  await server.add('a', { rating: 5 }, server.as('ann'));
  const first = await server.add('b', { rating: 1 }, server.as('ann'));
  const tickets = { used: await invite(server, 'a'), fresh: await invite(server, 'a') };
  const made = (await invited(server, 'a', tickets.used)).expect(201).json;
  const key = { 'Idempotency-Key': 'one' };
  const posted = await server.add('a', { rating: 3 }, key);
  await moved(server, 'a', 'b');
  assert.equal((await server.add('a', { rating: 3 }, key)).id, posted.id, 'the same post again');
  assert.equal((await server.add('a', { rating: 2 })).product, 'b');
  for (const bought of ['a', 'b'])
    assert.equal((await server.post(commentsPath('a'), { rating: 5 }, server.as(`buyer of ${bought}`, { purchases: [bought] }))).expect(201).json.attributes.verified, true, bought);
  assert.equal((await server.post(commentsPath('b'), { rating: 5 }, server.as('who bought a', { purchases: ['a'] }))).expect(201).json.attributes.verified, true, 'at the successor');
  (await server.post(commentsPath('a'), { rating: 5 }, server.as('ann'))).problem('already-written');
  (await server.post(commentsPath('b'), { rating: 5 }, server.as('ann'))).problem('already-written');
  (await server.delete(commentPath(first.id), bearer(server.tokens.edit))).expect(204);
  (await server.post(commentsPath('b'), { rating: 5 }, server.as('ann'))).problem('already-written');
  for (const product of ['a', 'b']) assert.equal((await invited(server, product, tickets.used)).problem('already-written').comment, made.id);
  (await server.delete(commentPath(made.id), bearer(server.tokens.edit))).expect(204);
  assert.match((await server.get(`/products/b/review?ticket=${tickets.fresh}`)).expect(200).text, /<form/);
  assert.equal((await invited(server, 'b', tickets.fresh)).expect(201).json.product, 'b', 'an invitation to the former product');
  (await server.put('/v1/products/a', { name: 'Lamp' }, bearer(server.tokens.admin))).problem('forbidden');
});

test('a chain leads to its end, and a circle is a conflict', async () => {
  await server.add('one', { rating: 1 });
  await moved(server, 'one', 'two');
  await moved(server, 'two', 'three');
  assert.equal((await server.get('/products/one')).expect(308).headers.location, '/products/three');
  assert.match((await move(server, 'three', 'one')).problem('moved').detail, /lead to each other/);
  assert.match((await move(server, 'one', 'four')).problem('moved').detail, /has moved to product three already/);
  assert.deepEqual(await moved(server, 'one', 'two'), { to: 'two', comments: 0, more: false });
  (await move(server, 'one', 'one')).problem('invalid-parameter');
  for (const body of [{}, { to: 3 }, { to: 'x', from: 'y' }, []])
    (await server.post('/v1/products/three/move', body, bearer(server.tokens.admin))).problem('invalid-comment');
  const lines = readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ action, product }) => action === 'move' && product === 'one');
  assert.deepEqual(lines.map(({ to, comments }) => [to, comments]), [['two', 1], ['two', 0]]);
});

test("the prefix of a token covers both products", async () => {
  const part = bearer(server.tokens.partAdmin);
  await server.add('shop-a/1', { rating: 5 });
  (await move(server, 'shop-a/1', 'shop-b/1', part)).problem('forbidden');
  (await move(server, 'shop-b/1', 'shop-a/1', part)).problem('forbidden');
  (await move(server, 'shop-a/1', 'shop-a/2', bearer(server.tokens.edit))).problem('forbidden');
  (await move(server, 'shop-a/1', 'shop-a/2', part)).expect(200);
  (await server.post(commentsPath('shop-a/1'), { rating: 5 }, part)).expect(201);
  (await move(server, 'shop-a/2', 'shop-b/1')).expect(200);
  (await server.post(commentsPath('shop-a/1'), { rating: 5 }, part)).problem('forbidden');
  const invites = (product) => server.post('/v1/invitations', { invitations: [{ product, customer: 'zoe' }] }, part);
  (await invites('shop-a/3')).expect(201);
  for (const product of ['shop-a/1', 'shop-a/2', 'shop-b/1']) (await invites(product)).problem('forbidden');
  const row = `${JSON.stringify({ product: 'shop-a/1', rating: 5, language: 'en', created_at: '2024-01-01T00:00:00Z' })}\n`;
  const { added, rejected } = (await server.post('/v1/import', row, { ...part, 'Content-Type': 'application/jsonl' })).expect(200).text.trim().split('\n').map((line) => JSON.parse(line)).at(-1);
  assert.deepEqual([added, rejected], [0, 1]);
});

test('by command, over a store and beside a server; a file that is imported again adds nothing', async () => {
  const store = newStore();
  const rows = Array.from({ length: 30 }, (_, i) => ({ product: i % 2 ? 'p' : 'q', rating: 1 + (i % 5), language: 'en', text: `Number ${i}.`, created_at: '2024-01-01T00:00:00Z', ...(i % 3 ? {} : { status: 'pending' }) }));
  await importRows(store, rows);
  assert.equal((await mustRun(['product', 'move', 'p', 'q', '--store', store])).stdout, '15 comments moved: p is q now\n');
  const again = await importRows(store, rows);
  assert.match(again.stdout, /^0 added, 30 already there|0 added/);
  assert.deepEqual([...new Set((await exportRows(store)).map(({ product }) => product))], ['q']);
  assert.deepEqual(JSON.parse((await mustRun(['product', 'move', 'p', 'q', '--json', '--store', store])).stdout), { to: 'q', comments: 0 });
  const refused = await run(['product', 'move', 'q', 'p', '--store', store]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /lead to each other/);
  await mustVerify(store, 'after the move');
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', store]);
  assert.equal((await run(['product', 'move', 'q', 'p', '--store', `lmdb:${copy}`])).status, 1, 'a backup has the successors');
  const token = join(temporaryDirectory(), 'token');
  writeFileSync(token, `${server.tokens.admin}\n`, { mode: 0o600 });
  await server.add('r', { rating: 5 });
  assert.equal((await mustRun(['product', 'move', 'r', 's', '--server', server.url, '--token-file', token])).stdout, '1 comment moved: r is s now\n');
  assert.match((await run(['product', 'move', 's', 'r', '--server', server.url, '--token-file', token])).stderr, /lead to each other/);
});

test('the store of the server is in order after all moves', () => mustVerify(server.store, 'after all moves'));
