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

test('an address that is written otherwise leaves no page of another language', async () => {
  for (const path of ['/', html, `${html}/comments.atom`]) {
    (await server.get(`${path}?ui=%64e&x=1`, { 'Accept-Language': 'de' })).expect(200);
    const { text } = (await server.get(`${path}?ui=de`, { 'Accept-Language': 'de' })).expect(200);
    assert.match(text, /<html lang="de"|<title>Bewertungen zu lamp/, path);
    assert.match(text, /ui=de/, `the links of ${path} stay in the language`);
  }
});

test('the tag of a compressed comment is good for If-Match', async () => {
  const { id } = await server.add('long', { language: 'en', rating: 5, text: 'It fits. '.repeat(300) });
  const { headers } = (await encoded(commentPath(id), 'gzip')).expect(200);
  assert.match(headers.etag, /-gzip"$/);
  (await server.patch(commentPath(id), { rating: 4 }, { 'If-Match': headers.etag })).expect(200);
  (await server.patch(commentPath(id), { rating: 3 }, { 'If-Match': headers.etag })).problem('precondition-failed');
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
