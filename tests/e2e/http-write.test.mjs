// Writing over HTTP: the round trip of a comment, idempotency keys, demos, rate limits. Who may write is tested in tests/http/application.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, idsOf, newStore, newToken, run, serve, serveWithToken, unlimited } from './support/harness.mjs';

let server;
before(async () => { server = await serveWithToken({ tokens: await newToken({ scopes: 'post,edit,import' }) }); });
after(() => server?.stop());

const shownUnder = async (product, query, id) => idsOf(await server.walk(product, query)).includes(id);

test('post, read, change, delete', async () => {
  const product = 'round trip';
  const sent = { language: 'en', rating: 5, author: 'Ann', title: 'Fits', text: 'Line one\n\tline two 漢字 😀 "quoted" \\ </script>' };
  const answer = (await server.post(commentsPath(product), sent)).expect(201);
  const comment = answer.json;
  const { id, created_at, ...rest } = comment;
  assert.deepEqual(rest, { product, ...sent });
  assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, `created_at is now: ${created_at}`);
  assert.equal(new URL(answer.headers.location, server.url).pathname, commentPath(id));
  assert.deepEqual((await server.get(commentPath(id))).expect(200).json, comment);
  assert.equal((await server.page(product, { language: 'en', rating: 5 })).total, 1);

  const changed = (await server.patch(commentPath(id), { rating: 2, language: 'de', title: null })).expect(200).json;
  assert.deepEqual(changed, { ...comment, rating: 2, language: 'de', title: '' });
  assert.deepEqual((await server.get(commentPath(id))).expect(200).json, changed);
  for (const [query, there] of [[{}, true], [{ language: 'en' }, false], [{ rating: 5 }, false], [{ language: 'de' }, true], [{ rating: 2 }, true], [{ language: 'de', rating: 2 }, true], [{ language: 'en', rating: 5 }, false]]) {
    assert.equal(await shownUnder(product, query, id), there, `shown under ${JSON.stringify(query)}`);
    assert.equal((await server.page(product, query)).total, there ? 1 : 0, `total under ${JSON.stringify(query)}`);
  }

  const gone = (await server.delete(commentPath(id))).expect(204);
  assert.equal(gone.bytes.length, 0);
  (await server.delete(commentPath(id))).problem('not-found');
  (await server.get(commentPath(id))).problem('not-found');
  (await server.patch(commentPath(id), { rating: 1 })).problem('not-found');
  assert.equal((await server.page(product)).total, 0);
});

test('a write changes the ETag of the pages and the comment it touches', async () => {
  const product = 'tags';
  const { id } = await server.add(product, { rating: 3 });
  const tags = async () => Promise.all([commentsPath(product), commentPath(id)].map(async (path) => (await server.get(path)).headers.etag));
  const before_ = await tags();
  (await server.patch(commentPath(id), { text: 'now with a text' })).expect(200);
  (await tags()).forEach((tag, index) => assert.notEqual(tag, before_[index]));
});

test('fields that a post leaves out have their defaults', async () => {
  const comment = await server.add('defaults', { rating: 4 });
  assert.deepEqual({ ...comment, id: '', created_at: '' }, { id: '', product: 'defaults', language: 'und', rating: 4, created_at: '', author: '', title: '', text: '' });
});

test('attributes are kept, given back, changed singly and removed', async () => {
  const product = 'attributes';
  const attributes = { helpful: 8, size: 'M "é"', tags: ['gift', 'for Ann'], verified: true, lowest: -9007199254740991 };
  const comment = (await server.post(commentsPath(product), { rating: 5, attributes })).expect(201).json;
  assert.deepEqual(comment.attributes, attributes);
  const answer = (await server.get(commentPath(comment.id))).expect(200);
  assert.deepEqual(answer.json, comment);
  assert.ok(answer.text.endsWith('"attributes":{"helpful":8,"lowest":-9007199254740991,"size":"M \\"é\\"","tags":["gift","for Ann"],"verified":true}}'), answer.text);
  assert.deepEqual((await server.page(product)).comments, [comment]);

  const patch = (attributes) => server.patch(commentPath(comment.id), { attributes });
  const changed = (await patch({ helpful: 9, size: null, color: 'red', none: null })).expect(200).json;
  assert.deepEqual(changed, { ...comment, attributes: { color: 'red', helpful: 9, lowest: -9007199254740991, tags: ['gift', 'for Ann'], verified: true } });
  const tag = (await server.get(commentPath(comment.id))).headers.etag;
  assert.notEqual(tag, answer.headers.etag);
  (await patch({ helpful: 9 })).expect(200);
  assert.equal((await server.get(commentPath(comment.id))).headers.etag, tag, 'nothing has changed');
  const bare = (await patch(null)).expect(200).json;
  assert.equal('attributes' in bare, false);
  assert.equal('attributes' in (await server.add(product, { rating: 4, attributes: {} })), false);
});

test('a repeated post has the same attributes', async () => {
  const path = commentsPath('attributes again'), key = { 'Idempotency-Key': 'attributes' };
  const sent = { rating: 5, attributes: { size: 'M', tags: ['a', 'b'] } };
  const first = (await server.post(path, sent, key)).expect(201).json;
  assert.deepEqual((await server.post(path, { rating: 5, attributes: { tags: ['a', 'b'], size: 'M' } }, key)).expect(201).json, first);
  (await server.post(path, { ...sent, attributes: { ...sent.attributes, size: 'L' } }, key)).problem('idempotency-conflict');
  (await server.post(path, { rating: 5 }, key)).problem('idempotency-conflict');
});

test('the same key and body give the first answer again, another body is refused', async () => {
  const product = 'keys';
  const body = { rating: 5, text: 'once' };
  const key = { 'Idempotency-Key': 'order-1881' };
  const first = (await server.post(commentsPath(product), body, key)).expect(201);
  const again = (await server.post(commentsPath(product), body, key)).expect(201);
  assert.deepEqual(again.json, first.json);
  assert.equal(again.headers.location, first.headers.location);
  (await server.post(commentsPath(product), { ...body, rating: 4 }, key)).problem('idempotency-conflict');
  assert.equal((await server.page(product)).total, 1);
  (await server.post(commentsPath(product), body, { 'Idempotency-Key': 'order-1882' })).expect(201);
  assert.equal((await server.page(product)).total, 2, 'another key is another comment');
  (await server.post(commentsPath(product), { rating: 9 }, { 'Idempotency-Key': 'order-1883' })).problem('invalid-comment');
  (await server.post(commentsPath(product), { rating: 3 }, { 'Idempotency-Key': 'order-1883' })).expect(201); // a refused post does not use up its key
});

test('one key sent many times at once stores one comment', async () => {
  const product = 'keys at once';
  const answers = await Promise.all(Array.from({ length: 12 }, () => server.post(commentsPath(product), { rating: 2 }, { 'Idempotency-Key': 'at-once' })));
  assert.equal(new Set(answers.map((answer) => answer.expect(201).json.id)).size, 1);
  assert.equal((await server.page(product)).total, 1);
});

test('idempotency keys, comments and cursors survive a restart', async () => {
  const store = newStore();
  const product = 'restart';
  const key = { 'Idempotency-Key': 'before-and-after' };
  const { file, token } = await newToken();
  const start = () => serve({ store, token, args: ['--tokens', file, ...unlimited] });
  const old = await start();
  const first = (await old.post(commentsPath(product), { rating: 5 }, key)).expect(201).json;
  const second = await old.add(product, { rating: 4 });
  const { page } = await old.page(product, { limit: 1 });
  const shown = await old.page(product);
  assert.equal((await old.stop()).status, 0);
  const next = await start();
  assert.deepEqual(await next.page(product), shown);
  assert.deepEqual((await next.post(commentsPath(product), { rating: 5 }, key)).expect(201).json, first);
  const rest = idsOf(await next.page(product, { after: page.next, limit: 1 }));
  assert.deepEqual(rest, [first.id, second.id].sort().slice(0, 1));
  await next.stop();
});

test('--demo accepts anonymous posts, says so, and listens on a loopback address only', async () => {
  const demo = await serve({ args: ['--demo'] });
  (await demo.post(commentsPath('p'), { rating: 5 })).expect(201);
  await demo.says(/demo/i);
  await demo.stop();
  for (const address of ['0.0.0.0:0', '[::]:0']) {
    const result = await run(['serve', '--store', newStore(), '--demo', '--listen', address], { timeout: 10_000 });
    assert.notEqual(result.status, 0, `--demo on ${address} does not start`);
    assert.match(result.stderr, /loopback|demo/i);
  }
});

test('posts are limited per client address, whatever address the client claims', async () => {
  const limited = await serve({ args: ['--demo', '--posts-per-minute-client', '3', '--posts-per-minute-product', '1000000'] });
  const post = (n) => limited.post(commentsPath(`p${n}`), { rating: 5 }, { 'X-Forwarded-For': `203.0.113.${n}`, Forwarded: `for=203.0.113.${n}` });
  for (let n = 0; n < 3; ++n) (await post(n)).expect(201);
  const refused = await post(4);
  refused.problem('rate-limited');
  assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  (await limited.get(commentsPath('p0'))).expect(200);
  await limited.stop();
});

test('posts are limited per product', async () => {
  const limited = await serve({ args: ['--demo', '--posts-per-minute-client', '1000000', '--posts-per-minute-product', '3'] });
  for (let n = 0; n < 3; ++n) (await limited.post(commentsPath('hot'), { rating: 5 })).expect(201);
  const refused = await limited.post(commentsPath('hot'), { rating: 5 });
  refused.problem('rate-limited');
  assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  (await limited.post(commentsPath('cold'), { rating: 5 })).expect(201);
  await limited.stop();
});
