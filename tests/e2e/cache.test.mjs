// Compressed answers and the page cache, over HTTP: the headers of each coding, and that a read after a write sees it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { commentPath, commentsPath, mustRun, newStore, run, serve, serveWithToken } from './support/harness.mjs';
import { metric } from './support/metrics.mjs';

const product = 'lamp';
const json = commentsPath(product);
const html = `/products/${product}`;
const zstdMagic = 0xfd2fb528;
let server;

before(async () => {
  server = await serveWithToken();
  for (let i = 0; i < 30; ++i) await server.add(product, { language: 'en', rating: 1 + (i % 5), title: `Number ${i}`, text: 'It fits. '.repeat(5), attributes: { size: i % 2 ? 'L' : 'M' } });
});
after(() => server?.stop());

const encoded = (path, coding, headers) => server.get(path, { 'Accept-Encoding': coding, ...headers });

for (const path of [json, html, '/openapi.json', '/', '/metrics']) {
  test(`${path} goes out in the coding that the client takes, twice alike`, async () => {
    for (let round = 0; round < 2; ++round) {
      const plain = (await server.get(path)).expect(200);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(plain.headers.vary, [html, '/'].includes(path) ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding');
      const gzip = (await encoded(path, 'gzip, deflate, br')).expect(200);
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      const text = gunzipSync(gzip.bytes).toString();
      if ([json, '/openapi.json', '/'].includes(path)) assert.equal(text, plain.text); // the others say how things stand
      const zstd = (await encoded(path, 'gzip, deflate, br, zstd')).expect(200);
      assert.equal(zstd.headers['content-encoding'], 'zstd');
      assert.equal(zstd.bytes.readUInt32LE(), zstdMagic);
      for (const answer of [plain, gzip, zstd]) assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
      assert.ok(zstd.bytes.length < plain.bytes.length / 2 && gzip.bytes.length < plain.bytes.length / 2);
    }
  });
}

test('304 and HEAD by coding', async () => {
  for (let round = 0; round < 2; ++round) {
    const tags = {};
    for (const coding of ['identity', 'gzip', 'zstd']) {
      const { headers } = (await encoded(json, coding)).expect(200);
      tags[coding] = headers.etag;
      const unchanged = (await encoded(json, coding, { 'If-None-Match': headers.etag })).expect(304);
      assert.deepEqual([unchanged.headers.etag, unchanged.headers.vary, unchanged.headers['content-encoding']], [headers.etag, 'Accept-Encoding', undefined]);
      const head = await server.request('HEAD', json, { headers: { 'Accept-Encoding': coding } });
      assert.deepEqual([head.headers.etag, head.headers['content-encoding']], [headers.etag, headers['content-encoding']]);
      assert.ok([undefined, headers['content-length']].includes(head.headers['content-length']));
    }
    assert.equal(new Set(Object.values(tags)).size, 3, 'each coding has a tag of its own');
    (await encoded(json, 'gzip', { 'If-None-Match': tags.zstd })).expect(200);
    const weak = (await encoded(html, 'gzip')).headers.etag;
    assert.match(weak, /^W\//);
    (await encoded(html, 'zstd', { 'If-None-Match': weak })).expect(304);
  }
});

test('a short answer is not compressed, nor an error', async () => {
  assert.equal((await encoded('/v1/facets', 'gzip')).expect(200).headers['content-encoding'], undefined);
  assert.equal((await encoded(commentPath('01JD5ZK3V8Q6W3N0A9B7C5D2EF'), 'gzip')).expect(404).headers['content-encoding'], undefined);
});

test('the tag of a compressed comment is good for If-Match', async () => {
  const { id } = await server.add('long', { language: 'en', rating: 5, text: 'It fits. '.repeat(300) });
  const { headers } = (await encoded(commentPath(id), 'gzip')).expect(200);
  assert.match(headers.etag, /-gzip"$/);
  (await server.patch(commentPath(id), { rating: 4 }, { 'If-Match': headers.etag })).expect(200);
  (await server.patch(commentPath(id), { rating: 3 }, { 'If-Match': headers.etag })).problem('precondition-failed');
});

test('a read after a write sees it', async () => {
  const paths = [json, html, `/v1/products/${product}/statistics`, '/v1/leaderboard', '/', `${html}/comments.atom`];
  const states = async () => Promise.all(paths.map(async (path) => (await encoded(path, 'gzip')).expect(200).headers.etag));
  let known = await states();
  const hits = await metric(server, 'quire_cache_hits_total');
  assert.deepEqual(await states(), known);
  assert.equal(await metric(server, 'quire_cache_hits_total'), hits + paths.length);
  const { id } = await server.add(product, { language: 'de', rating: 5, title: 'New' });
  const changed = async (but = []) => {
    const present = await states();
    paths.forEach((path, i) => assert.equal(present[i] === known[i], but.includes(path), path));
    known = present;
  };
  await changed();
  (await server.patch(commentPath(id), { text: 'Only the text is another one' })).expect(200);
  await changed(['/v1/leaderboard', '/']);
  (await server.delete(commentPath(id))).expect(204);
  await changed();
});

test('a facet that another process declares is there at once', async () => {
  const filtered = commentsPath(product, { size: 'L' });
  for (let round = 0; round < 2; ++round) (await encoded(filtered, 'gzip')).expect(400);
  const before = (await encoded(html, 'gzip')).headers.etag;
  await mustRun(['facet', 'add', 'size', '--type', 'choice', '--store', server.store]);
  assert.equal((await server.get(filtered)).expect(200).json.total, 15);
  assert.notEqual((await encoded(html, 'gzip')).headers.etag, before);
});

test('the size is an option, 0 is off', async () => {
  const off = await serve({ store: newStore(), args: ['--cache', '0', '--demo'] });
  for (let round = 0; round < 2; ++round) (await off.get(json)).expect(200);
  assert.equal(await metric(off, 'quire_cache_hits_total'), 0);
  assert.equal(await metric(off, 'quire_cache_misses_total'), 0);
  await off.stop();
  const wrong = await run(['serve', '--store', newStore(), '--cache', 'much']);
  assert.equal(wrong.status, 2);
  assert.ok(await metric(server, 'quire_cache_bytes') > 0);
});
