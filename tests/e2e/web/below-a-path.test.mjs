// A server whose public URL has a path: every address that it gives is below it, and it answers nowhere else.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { commentsPath, importRows, newStore, run } from '../support/harness.mjs';
import { sampleRows } from '../support/data.mjs';
import { serveShop } from '../support/moderation.mjs';

const path = '/reviews';
const origin = 'https://shop.example';
const product = 'lamp 1';
const page = `${path}/products/${encodeURIComponent(product)}`;
const comments = path + commentsPath(product);
const store = newStore();
let server;
before(async () => {
  await importRows(store, sampleRows(9, 130, product));
  server = await serveShop({ store, args: ['--public-url', origin + path] });
});
after(() => server?.stop());

/** The addresses in a page's links and forms. Those that begin with # or ? stay on the page. */
const addresses = (html) => [...html.matchAll(/ (?:href|src|action)="([^"#?][^"]*)"/g)].map(([, one]) => one.replaceAll('&amp;', '&').replace(/#.*/, ''));
const isBelow = (address) => address.startsWith(`${path}/`) || address.startsWith(`${origin}${path}/`);

test('every link and form of every page is below the path, and leads to a page', async () => {
  const id = (await server.get(comments)).expect(200).json.comments[0].id;
  const seen = new Set();
  for (const start of [`${path}/`, `${path}/?by=average`, `${path}/?find=l`, page, `${page}?rating=5&page=2&limit=5&explain=true`, `${page}?page=999`, `${path}/comments/${id}`, `${path}/problems/not-found`,
    `${path}/moderation`, `${path}/nothing`]) {
    const answer = await server.get(start, { Accept: 'text/html' });
    assert.match(answer.headers['content-type'], /^text\/html/, start);
    const found = addresses(answer.text);
    assert.ok(found.length > 3, start);
    for (const address of found) {
      assert.ok(isBelow(address), `${address} of ${start}`);
      if (!/\/moderation\//.test(address)) seen.add(address.replace(origin, ''));
    }
  }
  for (const address of seen) {
    const { status } = await server.get(address);
    assert.ok(status === 200 || status === 302, `${address}: ${status}`);
  }
});

test('addresses in headers, feeds and JSON are below the path', async () => {
  const list = (await server.get(`${comments}?limit=5`)).expect(200);
  const links = [...list.headers.link.matchAll(/<([^>]+)>/g)].map(([, one]) => one);
  assert.ok(links.length >= 3);
  for (const link of links) {
    assert.ok(isBelow(link), link);
    (await server.get(link)).expect(200);
  }
  const posted = (await server.post(comments, { language: 'en', rating: 5, text: 'Fine' })).expect(201);
  assert.equal(posted.headers.location, `${path}/v1/comments/${posted.json.id}`);
  const { href } = (await server.get(`${posted.headers.location}/page`)).expect(200).json;
  assert.ok(isBelow(href), href);
  assert.equal((await server.get(`${page}?page=1`)).expect(301).headers.location, page);
  assert.equal((await server.get(`${page}/`)).expect(308).headers.location, page);
  assert.equal((await server.get(`${path}?find=l`)).expect(308).headers.location, `${path}/?find=l`);
  assert.ok(isBelow((await server.get(`${path}/comments/${posted.json.id}/page`)).expect(302).headers.location));
  assert.ok(isBelow((await server.get(`${comments}?language=auto`, { 'Accept-Language': 'en' })).expect(200).headers['content-location']));
  for (const [document, least] of [[`${page}/comments.atom`, 4], [`${path}/sitemap.xml`, 1]]) {
    const { text } = (await server.get(document)).expect(200);
    const found = [...text.matchAll(/(?: href="|<loc>)([^"<]+)/g)].map(([, one]) => one);
    assert.ok(found.length >= least);
    for (const address of found) assert.ok(address.startsWith(`${origin}${path}/`), address);
  }
  assert.match((await server.get(`${path}/robots.txt`)).expect(200).text, /^Disallow: \/reviews\/v1\/\nDisallow: \/reviews\/comments\/$[^]*^Sitemap: https:\/\/shop\.example\/reviews\/sitemap\.xml$/m);
  assert.deepEqual((await server.get(`${path}/openapi.json`)).expect(200).json.servers, [{ url: path }]);
});

test('problems are explained below the path, wherever they arise', async () => {
  const type = (slug) => `${path}/problems/${slug}`;
  assert.equal((await server.get(`${comments}?page=999`)).expect(404).json.type, type('page-out-of-range'));
  assert.equal((await server.post(comments, { rating: 9 })).expect(422).json.type, type('invalid-comment'));
  assert.equal((await server.post(comments, {}, { Authorization: 'Bearer none' })).expect(401).json.type, type('unauthorized'));
  assert.equal((await server.get('/elsewhere')).expect(404).json.type, type('not-found'));
  assert.equal((await server.get(`${path}/x`, { 'X-Long': 'x'.repeat(17_000) })).expect(431).json.type, type('payload-too-large'));
  const decided = (await server.post(`${path}/v1/moderation/decisions`, { decisions: [{ id: 'x', status: 'published' }] }, server.moderator)).expect(200).json;
  assert.ok(decided.decisions[0].problem.type.startsWith(`${path}/problems/`));
});

test('nothing is served outside of the path but health and metrics, which are at both places', async () => {
  for (const address of ['/', '/products/lamp%201', '/v1/facets', '/openapi.json', '/reviewsx/', '/Reviews/']) (await server.get(address)).expect(404);
  for (const address of ['/healthz', '/readyz', '/metrics']) {
    (await server.get(address)).expect(200);
    (await server.get(path + address)).expect(200);
  }
});

test('a moderator signs in below the path, with a cookie for it alone', async () => {
  const signedIn = (await server.post(`${path}/moderation/session`, `token=${server.tokens.moderate}`, { 'Content-Type': 'application/x-www-form-urlencoded' })).expect(303);
  assert.equal(signedIn.headers.location, `${path}/moderation`);
  assert.match(signedIn.headers['set-cookie'][0], /; Path=\/reviews\/moderation; .*; Secure$/);
  const queue = (await server.get(`${path}/moderation`, { Cookie: signedIn.headers['set-cookie'][0].split(';')[0] })).expect(200).text;
  for (const address of addresses(queue)) assert.ok(isBelow(address), address);
});

test('commands ask a server below a path, and refuse a URL that is none', async () => {
  writeFileSync(`${server.folder}/token`, server.tokens.moderate);
  const asked = await run(['queue', '--server', server.url + path, '--token-file', `${server.folder}/token`, '--json']);
  assert.equal(asked.status, 0, asked.stderr);
  for (const args of [['serve', '--public-url', `${origin}/`], ['serve', '--public-url', `${origin}/a//b`], ['queue', '--token-file', `${server.folder}/token`, '--server', `${server.url}/`]])
    assert.notEqual((await run(args)).status, 0, args.join(' '));
});
