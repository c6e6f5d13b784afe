// Made-up hosts: who may post to a demo, and what pages repeat. And the headers that every answer has for browsers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, importRows, newStore, run, serve, unlimited } from '../support/harness.mjs';
import { sampleRows } from '../support/data.mjs';
import { childrenOf, parseXml, textOf } from '../support/xml.mjs';
import { exchange } from '../support/wire.mjs';

const product = 'lamp';
const store = newStore();
let demo;
before(async () => {
  await importRows(store, sampleRows(7, 45, product));
  demo = await serve({ store });
});
after(() => demo?.stop());

const body = '{"rating":5}';
const post = (target, ...headers) => [`POST ${target} HTTP/1.1`, 'Content-Type: application/json', `Content-Length: ${body.length}`, ...headers, 'Connection: close', '', body].join('\r\n');
const answerTo = async (bytes) => (await exchange(demo.port, bytes)).answers[0];
const statusOf = async (bytes) => (await answerTo(bytes))?.status;

test('a demo accepts posts only if Host is this machine, whatever it begins with', async () => {
  const path = commentsPath('posted');
  const port = demo.port;
  for (const host of ['', ` 127.evil.example:${port}`, ' [::ffff:127.0.0.1]', ' 0.0.0.0', ' 127.1']) assert.equal(await statusOf(post(path, `Host:${host}`)), 403, `Host:${host}`);
  for (const origin of ['null', 'http://localhost:1', `ftp://localhost:${port}`]) assert.equal(await statusOf(post(path, `Host: localhost:${port}`, `Origin: ${origin}`)), 403, origin);
  assert.equal((await demo.page('posted')).total, 0);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '127.9.9.9', '[::1]', 'LOCALHOST']) {
    assert.equal(await statusOf(post(path, `Host: ${host}`)), 201, host);
    assert.equal(await statusOf(post(path, `Host: ${host}`, `Origin: http://${host.toLowerCase()}`)), 201, `${host} and its Origin`);
  }
});

test('an unknown host is on no page, and such a page is not cached', async () => {
  for (const Host of ['evil.example', '127.evil.example', '192.0.2.7', 'localhost.evil.example:80']) {
    for (const query of ['', '?page=2', '?sort=created_at', '?sort=created_at&limit=10']) {
      const page = (await demo.get(`/products/${product}${query}`, { Host })).expect(200);
      assert.doesNotMatch(page.text, /evil|192\.0\.2|rel="canonical"/, `${Host} ${query}`);
      assert.equal(page.headers['cache-control'], 'no-store', `${Host} ${query}`);
    }
    const feed = (await demo.get(`/products/${product}/comments.atom`, { Host })).expect(200);
    assert.doesNotMatch(feed.text, /evil|192\.0\.2/, Host);
    assert.equal(feed.headers['cache-control'], 'no-store');
    (await demo.get('/sitemap.xml', { Host })).problem('not-found');
  }
});

test('pages name the address of --public-url, and caches ask again before they show one', async () => {
  const path = `/products/${product}?sort=created_at`;
  const own = (await demo.get(path)).expect(200);
  assert.equal(own.headers['cache-control'], 'public, max-age=0, must-revalidate');
  assert.match(own.text, new RegExp(`<link rel="canonical" href="${demo.url}/products/${product}">`));
  const named = await serve({ args: ['--demo', '--public-url', 'https://shop.example'], store: await copy() });
  const page = (await named.get(path, { Host: 'evil.example' })).expect(200);
  assert.equal(page.headers['cache-control'], 'public, max-age=0, must-revalidate');
  assert.match(page.text, /<link rel="canonical" href="https:\/\/shop\.example\/products\/lamp">/);
  (await named.get('/sitemap.xml', { Host: 'evil.example' })).expect(200);
  await named.stop();
});

async function copy() {
  const other = newStore();
  await importRows(other, sampleRows(7, 45, product));
  return other;
}

test('a feed without a known address has ids without a host and relative links', async () => {
  const feed = parseXml((await demo.get(`/products/${product}/comments.atom?rating=5&rating=4`, { Host: 'evil.example' })).expect(200).text);
  assert.match(textOf(feed, 'id'), /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const entries = childrenOf(feed, 'entry');
  const ids = entries.map((entry) => textOf(entry, 'id'));
  assert.ok(ids.length > 5);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^urn:uuid:[0-9a-f-]{36}$/);
  for (const { attributes } of [...childrenOf(feed, 'link'), ...entries.flatMap((entry) => childrenOf(entry, 'link'))]) {
    const found = (await demo.get(attributes.href.replace(/#.*/, ''), { Host: 'evil.example' })).expect(200, 302);
    if (found.status === 302) assert.match(found.headers.location, /^\/products\/[^/]/, 'a permanent address leads on without a host');
  }
  const other = parseXml((await demo.get(`/products/${product}/comments.atom`, { Host: 'evil.example' })).expect(200).text);
  assert.notEqual(textOf(other, 'id'), textOf(feed, 'id'));
});

const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; img-src 'self'; frame-ancestors 'none'";
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

test('every answer has its security headers', async () => {
  const [{ id }] = (await demo.page(product)).comments;
  const html = (await demo.get(`/products/${product}`)).expect(200);
  const style = /href="(\/static\/[^"]*\.css)"/.exec(html.text)[1];
  const answers = [html, await demo.get('/'), await demo.get('/products/lamp?page=99'), await demo.get('/products/lamp', { 'If-None-Match': html.headers.etag }), await demo.head('/products/lamp'),
    await demo.get('/products/lamp?page=1'), await demo.get('/problems/nothing'),
    await demo.get(commentsPath(product)), await demo.get(commentPath(id)), await demo.get(commentsPath(product), { 'If-None-Match': '*' }), await demo.get('/nowhere'), await demo.request('PUT', '/'),
    await demo.post(commentsPath(product), { rating: 5 }), await demo.post(commentsPath(product), { rating: 9 }), await demo.delete(commentPath(id)),
    await demo.get(style), await demo.get(`/products/${product}/comments.atom`), await demo.get('/sitemap.xml'), await demo.get('/healthz'), await demo.get('/readyz'), await demo.get('/metrics'), await demo.get('/openapi.json')];
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 201, 301, 304, 401, 404, 405, 422]));
  const pages = new Set(answers.slice(0, 5));
  for (const answer of answers) {
    const isPage = pages.has(answer) || answer.headers['content-type']?.startsWith('text/html');
    const name = `${answer.name} ${answer.status}`;
    assert.equal(answer.headers['content-security-policy'], isPage ? pagePolicy : dataPolicy, name);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', name);
    assert.equal(answer.headers['referrer-policy'], isPage ? 'strict-origin-when-cross-origin' : 'no-referrer', name);
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin', name);
  }
  for (const bytes of ['no request at all\r\n\r\n', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    const answer = await answerTo(bytes);
    assert.equal(answer.headers['content-security-policy'], dataPolicy, answer.status);
  }
});

test('operators may have an address of their own; then the public one does not answer them', async () => {
  const server = await serve({ args: ['--demo', '--operations-listen', '127.0.0.1:0', ...unlimited] });
  const operations = /operations at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(server.output)[1];
  const ask = async (path, init) => fetch(operations + path, init);
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await ask(path)).status, 200, path);
    assert.equal((await ask(path, { method: 'HEAD' })).status, 200, path);
    assert.equal((await ask(path, { method: 'POST' })).status, 405, path);
    (await server.get(path)).problem('not-found');
  }
  for (let posts = 1; posts <= 20; ++posts) { // an answer is counted before its client has it
    await server.add('counted', { rating: 5 });
    const metrics = await (await ask('/metrics')).text();
    assert.match(metrics, new RegExp(`quire_http_requests_total\\{route="POST /v1/products/\\{product\\}/comments",status="2xx"\\} ${posts}\n`));
  }
  for (const path of ['/', '/v1/leaderboard', '/products/counted', '/metrics/']) assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask('/healthz')).headers.get('content-security-policy'), dataPolicy);
  assert.equal((await server.stop()).status, 0);
  await assert.rejects(ask('/healthz'), 'it stops with the server');
  const taken = await run(['serve', '--store', newStore(), '--demo', '--listen', '127.0.0.1:0', '--operations-listen', `127.0.0.1:${demo.port}`], { timeout: 10_000 });
  assert.equal(taken.status, 1);
  assert.match(taken.stderr, new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${demo.port}`));
  const wrong = await run(['serve', '--store', newStore(), '--operations-listen', 'nowhere'], { timeout: 10_000 });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--operations-listen takes ADDRESS:PORT/);
});
