// Harmful writes: lost updates, and dates in the future.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, exportRows, newStore, run, serveWithToken } from '../support/harness.mjs';

let server;
before(async () => { server = await serveWithToken(); });
after(() => server?.stop());

test('a change is made only to the state that If-Match names', async () => {
  const posted = (await server.post(commentsPath('matched'), { rating: 5, text: 'one' })).expect(201);
  const path = commentPath(posted.json.id);
  const etag = async () => (await server.get(path)).headers.etag;
  const first = await etag();
  assert.equal(posted.headers.etag, first, 'a POST tells it, too');
  const patched = (await server.patch(path, { text: 'two' }, { 'If-Match': first })).expect(200);
  const second = await etag();
  assert.notEqual(second, first);
  assert.equal(patched.headers.etag, second, 'a PATCH tells the new one');
  for (const stale of [first, `"x", ${first}`, '"x"', `W/${second}`]) {
    (await server.patch(path, { text: 'three' }, { 'If-Match': stale })).problem('precondition-failed', { parameter: 'If-Match' });
    (await server.delete(path, { 'If-Match': stale })).problem('precondition-failed', { parameter: 'If-Match' });
  }
  assert.equal((await server.get(path)).json.text, 'two', 'nothing changed');
  for (const none of ['nothing', '', '"a', `${second} ${second}`, `*, ${second}`]) (await server.patch(path, { text: 'x' }, { 'If-Match': none })).problem('invalid-parameter', { parameter: 'If-Match' });
  (await server.patch(path, { text: 'three' }, { 'If-Match': `"x" , ${second}` })).expect(200);
  (await server.patch(path, { text: 'four' }, { 'If-Match': '*' })).expect(200);
  (await server.delete(path, { 'If-Match': await etag() })).expect(204);
  for (const gone of ['*', second]) {
    (await server.patch(path, { text: 'x' }, { 'If-Match': gone })).problem('not-found');
    (await server.delete(path, { 'If-Match': gone })).problem('not-found');
  }
});

test('created_at is at most five minutes ahead, so that no comment stays first for ever', async () => {
  const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
  for (const created_at of ['9999-12-31T23:59:59Z', inMinutes(7), inMinutes(24 * 60)]) {
    (await server.post(commentsPath('dated'), { rating: 5, created_at })).problem('invalid-comment', { errors: ['created_at'] });
  }
  await server.add('dated', { rating: 5, created_at: inMinutes(3) });
  const store = newStore();
  const row = (created_at) => `${JSON.stringify({ product: 'a', language: 'en', rating: 5, created_at })}\n`;
  const result = await run(['import', '--store', store, '-'], { input: row('9999-12-31T23:59:59Z') + row(inMinutes(3)) + row(inMinutes(7)) });
  assert.equal(result.status, 3);
  assert.match(result.stderr, /-:1: .*created_at must not be later than five minutes from now.*\(2 rows\)/);
  assert.equal((await exportRows(store)).length, 1);
});
