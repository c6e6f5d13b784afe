// The limits on what may be posted: bodies, and names of products. Those of single fields are tested in tests/model.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, serve } from './support/harness.mjs';

const path = commentsPath('limits');
let server;
before(async () => { server = await serve(); });
after(() => server?.stop());

const refused = async (fields, errors = Object.keys(fields)) => (await server.post(path, { rating: 3, ...fields })).problem('invalid-comment', { errors });

test('unknown fields are refused by name, and every wrong field has its message', async () => {
  await refused({ ratng: 5 });
  await refused({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
  await refused({ product: 'other' });
  await refused({ rating: 9, author: 'x'.repeat(101), language: 'E', bogus: 1 });
  await refused({ '__proto__x': 1 });
});

test('a body of 256 KiB is read, one byte more is too large', async () => {
  const body = (bytes) => '{"rating":5}'.padEnd(bytes, ' ');
  (await server.post(path, body(262_144))).expect(201);
  (await server.post(path, body(262_145))).problem('payload-too-large');
  (await server.get('/healthz')).expect(200);
});

test('a chunked body is read, and has the same limit', async () => {
  const send = (body) => server.request('POST', path, { body, headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } });
  assert.equal((await send('{"rating":4,"text":"in chunks"}')).expect(201).json.text, 'in chunks');
  (await send('{"rating":5}'.padEnd(262_145, ' '))).problem('payload-too-large');
});

test('a product may be any text of 1 to 256 bytes', async () => {
  const names = ['42', 'a/b', 'a#b', 'a?b&c=d', 'ü', '漢字 😀', '100%', '%2F', 'a b', 'a+b', '../..', "'\"<b>", 'PRODUCT#42/en/5', 'x'.repeat(256), '漢'.repeat(85) + 'x'];
  for (const product of names) {
    const { id } = await server.add(product, { rating: 5, language: 'en' });
    const page = await server.page(product);
    assert.deepEqual(page.comments.map((comment) => [comment.id, comment.product]), [[id, product]], `product ${JSON.stringify(product.slice(0, 30))}`);
    (await server.get(`/products/${encodeURIComponent(product)}`)).expect(200);
  }
  for (const product of ['x'.repeat(257), '漢'.repeat(86)]) {
    (await server.get(commentsPath(product))).problem('invalid-parameter', { parameter: 'product' });
    (await server.post(commentsPath(product), { rating: 5 })).problem('invalid-parameter', { parameter: 'product' });
  }
  (await server.get('/v1/products//comments')).expect(400, 404);
});

test('percent-encoding that is invalid, or is not UTF-8, is refused', async () => {
  for (const product of ['%', '%4', '%zz', '%ff', '%c3', '%c0%af', '%ed%a0%80']) (await server.get(`/v1/products/${product}/comments`)).expect(400);
  for (const value of ['%', '%zz', '%ff']) (await server.get(`/v1/products/p/comments?language=${value}`)).expect(400);
  for (const name of ['%', '%ff', '%00', '', '=']) (await server.get(`/v1/products/p/comments?${name}=1`)).expect(400);
});
