// What pages of other origins may do: the shop's may ask the interface and frame a product's page; a stranger's may not.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';

const good = { rating: 5, title: 'Fits', text: 'Well made' };
let browser, shop, stranger, server;

before(async () => {
  [browser, shop, stranger] = await Promise.all([launch(), site({ '/': '<!doctype html><title>Shop</title>' }), site({ '/': '<!doctype html><title>Stranger</title>' })]);
  server = await serveCustomers({ more: embedOf('https://shop.example', shop.origin) });
  await server.add('42', good);
});
after(async () => { await browser.close(); await server.stop(); });

const preflight = (path, method, origin = shop.origin) => server.request('OPTIONS', path, { headers: { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': 'authorization,content-type' } });
const cors = ({ headers }) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const exposed = 'ETag, Link, Location, X-Total-Count, Retry-After';

test('the shop\'s origin may read all that is public, from the page cache, too', async () => {
  const [{ id }] = (await server.page('42')).comments;
  const paths = [commentsPath('42'), commentPath(id), `${commentPath(id)}/page`, '/v1/products/42/statistics', '/v1/statistics?product=42', '/v1/facets', '/v1/leaderboard',
    '/', '/products/42', '/products/42/comments.atom', `/comments/${id}`, '/openapi.json', '/problems/not-found'];
  for (const path of paths) {
    for (const origin of [shop.origin, 'https://shop.example', shop.origin]) {
      const answer = (await server.get(path, { Origin: origin })).expect(200);
      assert.deepEqual(cors(answer), { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }, path);
      assert.match(answer.headers.vary, /\bOrigin\b/, path);
    }
    for (const headers of [{}, { Origin: stranger.origin }, { Origin: 'null' }, { Origin: `${shop.origin}.evil.example` }, { Origin: shop.origin.toUpperCase() }]) {
      const answer = (await server.get(path, headers)).expect(200);
      assert.deepEqual(cors(answer), {}, `${path} ${headers.Origin}`);
      assert.match(answer.headers.vary, /\bOrigin\b/, path);
    }
  }
  const same = (await server.get('/products/42', { Origin: shop.origin })).headers.etag;
  const known = (await server.get('/products/42', { Origin: shop.origin, 'If-None-Match': same })).expect(304);
  assert.equal(known.headers['access-control-allow-origin'], shop.origin);
});

test('what is not public is told to no script of another origin', async () => {
  for (const path of ['/moderation', '/v1/moderation/comments', '/metrics', '/healthz', '/readyz']) {
    const answer = await server.get(path, { Origin: shop.origin, ...server.moderator });
    assert.deepEqual(cors(answer), {}, path);
    assert.doesNotMatch(answer.headers.vary ?? '', /Origin/, path);
  }
  const own = await server.get('/v1/me/comments', { Origin: stranger.origin, ...server.as('ann') });
  assert.deepEqual(cors(own), {});
});

test('a preflight is answered for the shop\'s origins and what is open to them', async () => {
  const answer = (await preflight(commentsPath('42'), 'POST')).expect(204);
  assert.deepEqual(cors(answer), { 'access-control-allow-origin': shop.origin, 'access-control-allow-methods': 'GET, HEAD, POST', 'access-control-max-age': '600',
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, Invitation' });
  assert.equal(answer.headers.vary, 'Origin');
  assert.equal((await preflight('/v1/comments/x', 'DELETE')).expect(204).headers['access-control-allow-methods'], 'GET, HEAD, PATCH, DELETE');
  assert.equal((await preflight('/v1/comments/x/reports', 'POST')).expect(204).headers['access-control-allow-methods'], 'POST');
  for (const path of ['/v1/moderation/decisions', '/v1/invitations', '/v1/customers/erase', '/moderation/decisions', '/metrics', '/nowhere'])
    assert.deepEqual(cors((await preflight(path, 'POST')).expect(404, 405)), {}, path);
  for (const origin of [stranger.origin, 'null', 'https://shop.example.evil'])
    assert.deepEqual(cors((await preflight(commentsPath('42'), 'POST', origin)).expect(405)), {}, origin);
  (await server.request('OPTIONS', commentsPath('42'), { headers: { Origin: shop.origin } })).problem('method-not-allowed');
});

test('refusals can be read by the shop\'s scripts', async () => {
  const refused = await server.post(commentsPath('42'), { rating: 9 }, { Origin: shop.origin });
  refused.problem('invalid-comment');
  assert.equal(refused.headers['access-control-allow-origin'], shop.origin);
  const unknown = await server.request('POST', commentsPath('42'), { headers: { Origin: shop.origin, 'Content-Type': 'application/json', 'Content-Length': '0' } });
  unknown.problem('unauthorized');
  assert.equal(unknown.headers['access-control-allow-origin'], shop.origin);
});

/** What a page of this origin can do by fetch. */
async function tryAs(origin) {
  let done;
  await visit(browser, {}, async (page) => {
    await page.goto(`${origin}/`);
    done = await page.evaluate(async ([url, token]) => {
      const result = async (path, init) => { try { const { status } = await fetch(url + path, init); return status; } catch { return 'refused'; } };
      const body = '{"rating":5}';
      const json = { 'Content-Type': 'application/json' };
      return [await result('/v1/products/42/comments'), await result('/v1/products/42/comments', { method: 'POST', body, headers: { ...json, Authorization: `Bearer ${token}` } }),
        await result('/v1/me/comments', { headers: { Authorization: `Bearer ${token}` } }), await result('/moderation'), await result('/metrics'), await result('/v1/moderation/decisions', { method: 'POST', body, headers: json })];
    }, [server.url, server.tokenOf('ann')]);
  });
  return done;
}

test('in a browser, scripts of the shop read and write, and a stranger\'s do neither', async () => {
  const total = (await server.page('42')).total;
  assert.deepEqual(await tryAs(stranger.origin), ['refused', 'refused', 'refused', 'refused', 'refused', 'refused']);
  assert.equal((await server.page('42')).total, total);
  assert.deepEqual(await tryAs(shop.origin), [200, 201, 200, 'refused', 'refused', 'refused']);
  assert.equal((await server.page('42')).total, total + 1);
});

test('pages of the shop may frame a product\'s page, and nobody anything else', async () => {
  const policy = async (path) => /frame-ancestors ([^;]*)$/.exec((await server.get(path)).headers['content-security-policy'])[1];
  assert.equal(await policy('/products/42'), `https://shop.example ${shop.origin}`);
  for (const path of ['/', '/moderation', '/problems/not-found', '/v1/facets', '/nowhere']) assert.equal(await policy(path), "'none'", path);
  const framed = async (origin, path) => {
    let text;
    await visit(browser, {}, async (page) => {
      await page.goto(`${origin}/`);
      text = await page.evaluate(([url]) => new Promise((done) => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.addEventListener('load', () => done());
        frame.src = url;
      }), [server.url + path]).then(async () => page.frames()[1].evaluate(() => document.body.innerText).catch(() => ''));
    });
    return text;
  };
  assert.match(await framed(shop.origin, '/products/42'), /Well made/);
  assert.doesNotMatch(await framed(stranger.origin, '/products/42'), /Well made/);
  assert.doesNotMatch(await framed(shop.origin, '/moderation'), /Sign in/);
});
