// Writes that strangers and the careless send: lost updates, names given twice, encoded bodies, dates in the future, and more than is allowed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, exportRows, newStore, newToken, run, serve, serveWithToken } from '../support/harness.mjs';

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

/** Counts up in the comment's text, as many times as asked, from as many clients at once; none of them may be lost. */
async function countTogether(server, path, clients, times) {
  let refused = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let done = 0; done < times;) {
      const { json, headers } = (await server.get(path)).expect(200);
      const answer = await server.patch(path, { text: String(Number(json.text) + 1) }, { 'If-Match': headers.etag });
      if (answer.status === 200) ++done;
      else if (answer.status === 412) ++refused;
      else answer.expect(503); // too much at once; as good as a refusal
    }
  }));
  return refused;
}

test('of changes to one state at once one is made: no update is lost', async () => {
  const path = commentPath((await server.add('counted', { rating: 5, text: '0' })).id);
  const refused = await countTogether(server, path, 8, 25);
  assert.ok(refused > 0, 'they met');
  assert.equal((await server.get(path)).json.text, '200');
});

test('a name that is given twice is refused, in posts, changes and imports', async () => {
  const path = commentsPath('twice');
  (await server.post(path, '{"rating":5,"rating":1}')).problem('invalid-comment', { errors: ['rating'] });
  (await server.post(path, '{"rating":5,"text":"a","\\u0074ext":"b"}')).problem('invalid-comment', { errors: ['text'] });
  const comment = await server.add('twice', { rating: 5 });
  (await server.patch(commentPath(comment.id), '{"rating":4,"rating":3}')).problem('invalid-comment', { errors: ['rating'] });
  assert.deepEqual((await server.get(commentPath(comment.id))).json, comment);
  const store = newStore();
  const row = '{"product":"a","language":"en","rating":5,"created_at":"2024-01-01T00:00:00Z"';
  const result = await run(['import', '--store', store, '-'], { input: `${row}}\n${row},"product":"b"}\n` });
  assert.equal(result.status, 3);
  assert.match(result.stderr, /-:2: .*product is given twice/);
  assert.equal((await exportRows(store)).length, 1);
});

test('a body that is encoded is refused', async () => {
  const path = commentsPath('encoded');
  for (const coding of ['bogus', 'gzip', 'identity, br']) {
    (await server.post(path, { rating: 5 }, { 'Content-Encoding': coding })).problem('unsupported-encoding');
    const comment = await server.add('encoded too', { rating: 5 });
    (await server.patch(commentPath(comment.id), { rating: 1 }, { 'Content-Encoding': coding })).problem('unsupported-encoding');
  }
  assert.equal((await server.page('encoded')).total, 0);
  (await server.post(path, { rating: 5 }, { 'Content-Encoding': 'Identity' })).expect(201);
});

test('a comment is dated five minutes from now at the latest, so that none stands first for ever', async () => {
  const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
  for (const created_at of ['9999-12-31T23:59:59Z', inMinutes(7), inMinutes(24 * 60)]) {
    (await server.post(commentsPath('dated'), { rating: 5, created_at })).problem('invalid-comment', { errors: ['created_at'] });
  }
  await server.add('dated', { rating: 5, created_at: inMinutes(3) });
  const store = newStore();
  const row = (created_at) => `${JSON.stringify({ product: 'a', language: 'en', rating: 5, created_at })}\n`;
  const result = await run(['import', '--store', store, '-'], { input: row('9999-12-31T23:59:59Z') + row(inMinutes(3)) + row(inMinutes(7)) });
  assert.equal(result.status, 3);
  assert.match(result.stderr, /-:1: .*created_at must not be later than five minutes from now/);
  assert.match(result.stderr, /-:3: .*created_at must not be later than five minutes from now/);
  assert.equal((await exportRows(store)).length, 1);
});

/** Status codes of so many requests, one after the other. */
async function statuses(count, send) {
  const out = [];
  for (let n = 0; n < count; ++n) out.push((await send(n)).status);
  return out;
}

test('changes, removals and wrong tokens are limited for each client', async () => {
  const { file, token } = await newToken();
  const limited = await serve({ token, args: ['--tokens', file, '--posts-per-minute-client', '5'] });
  const comment = await limited.add('limited', { rating: 5 });
  const path = commentPath(comment.id);
  assert.deepEqual(await statuses(3, () => limited.patch(path, { rating: 4 })), [200, 200, 200]);
  (await limited.delete(path)).expect(204);
  for (const send of [() => limited.delete(path), () => limited.patch(path, {}), () => limited.post(commentsPath('limited'), { rating: 5 })]) {
    const refused = await send();
    refused.problem('rate-limited');
    assert.match(refused.headers['retry-after'], /^[1-9]\d*$/);
  }
  const wrong = { Authorization: 'Bearer wrong' };
  const sends = [() => limited.post(commentsPath('limited'), { rating: 5 }, wrong), () => limited.patch(path, {}, wrong), () => limited.delete(path, wrong)];
  assert.deepEqual(await statuses(7, (n) => sends[n % 3]()), [401, 401, 401, 401, 401, 429, 429]);
  await limited.stop();
});

const behindProxy = ['--demo', '--trusted-proxy', '127.0.0.1'];
const from = (address) => ({ 'X-Forwarded-For': address });

test('all addresses of an IPv6 customer are one client', async () => {
  const limited = await serve({ args: [...behindProxy, '--posts-per-minute-client', '3', '--posts-per-minute-product', '1000'] });
  const post = (n, customer = 'aaaa') => limited.post(commentsPath(`p${n}`), { rating: 5 }, from(`2001:db8:${customer}:${n.toString(16)}::1`));
  assert.deepEqual(await statuses(5, (n) => post(n)), [201, 201, 201, 429, 429]);
  (await post(1, 'bbbb')).expect(201);
  await limited.stop();
});

test('one client cannot use up the posts of a product', async () => {
  const limited = await serve({ args: [...behindProxy, '--posts-per-minute-client', '1000', '--posts-per-minute-product', '40'] });
  const post = (address, product = 'hot') => limited.post(commentsPath(product), { rating: 5 }, from(address));
  const stranger = await statuses(40, () => post('192.0.2.1'));
  assert.ok(stranger.filter((status) => status === 201).length <= 12, `${stranger}`);
  (await post('192.0.2.1')).problem('rate-limited');
  (await post('192.0.2.1', 'cold')).expect(201);
  (await post('192.0.2.2')).expect(201);
  await limited.stop();
});
