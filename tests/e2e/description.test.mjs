// Each route is asked in every way in which programs and browsers go wrong; each status and type of an answer is in /openapi.json.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newStore, newToken, serve, serveWithToken, temporaryDirectory } from './support/harness.mjs';
import { signer } from './support/customers.mjs';
import { declare } from './support/facets.mjs';
import { resolve } from './support/schema.mjs';

const product = 'service';
const absent = '01JD5ZK3V8Q6W3N0A9B7C5D2EF';
const shop = signer();
const jwt = shop.sign({ iss: 'shop', aud: 'reviews', sub: 'ann', exp: Math.floor(Date.now() / 1000) + 3600 });
const form = 'application/x-www-form-urlencoded';
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
const servers = {};
let description, narrow;

before(async () => {
  const tokens = await newToken({ scopes: 'admin' });
  narrow = (await newToken({ file: tokens.file, scopes: 'post', args: ['--product', 'other'] })).token;
  const file = join(temporaryDirectory(), 'shop.toml');
  const settings = (who) => `[writing]\nwho = "${who}"\nonce = true\n[votes]\nwho = "customers"\n[[identity]]\nissuer = "shop"\naudience = "reviews"\nalgorithm = "ES256"\nkeys = "jwks.json"\n[feeds]\nchanges = true\n`;
  writeFileSync(join(file, '../jwks.json'), JSON.stringify(shop.keys));
  for (const who of ['customers', 'anyone']) {
    const store = newStore();
    await declare(store);
    const of = join(file, `../${who}.toml`);
    writeFileSync(of, settings(who));
    servers[who] = await serveWithToken({ store, tokens, args: ['--shop', of, '--public-url', 'https://shop.example'] });
    for (let rating = 1; rating <= 5; ++rating) await servers[who].add(product, { rating, language: 'en' });
    (await servers[who].put(`/v1/products/${product}`, { name: 'Service' })).expect(201);
  }
  servers.nobody = await serve({ store: newStore(), args: ['--operations-listen', '127.0.0.1:0'] });
  servers.limited = await serve({ store: newStore(), args: ['--demo', '--posts-per-minute-client', '1'] });
  description = (await servers.customers.get('/openapi.json')).expect(200).json;
});
after(() => Promise.all(Object.values(servers).map((server) => server.stop())));

const bodies = {
  'put /v1/products/{product}': { name: 'Service' },
  'post /v1/products/{product}/comments': { rating: 4 },
  'patch /v1/comments/{id}': { rating: 4 },
  'put /v1/comments/{id}/reply': { text: 'Thank you.' },
  'put /v1/comments/{id}/vote': { vote: 'helpful' },
  'post /v1/comments/{id}/reports': { reason: 'spam' },
  'post /v1/products/{product}/move': { to: 'other' },
  'post /v1/customers/export': { customer: 'nobody' },
  'post /v1/customers/erase': { customer: 'nobody' },
  'post /v1/invitations': { invitations: [{ product, customer: 'ann' }] },
  'post /v1/moderation/decisions': { decisions: [{ id: absent, status: 'published' }] },
  'post /v1/import': { product, rating: 5, language: 'en', created_at: '2024-01-01T00:00:00Z' },
};
const queries = { '/v1/statistics': `product=${product}`, '/v1/me/votes': `comment=${absent}` };

/** A request that the server takes, as {path, query, headers, body}. */
async function right(server, method, path) {
  const id = path.includes('{id}') ? (await server.post('/v1/products/used/comments', { rating: 1 })).json.id ?? absent : '';
  const of = `${method} ${path}`;
  const reads = method === 'get' || method === 'head';
  const customers = path.startsWith('/v1/me/') || path.endsWith('/vote');
  const headers = customers ? { Authorization: `Bearer ${jwt}` } : reads && !path.includes('moderation') && path !== '/v1/changes' ? {} : { Authorization: `Bearer ${server.token}` };
  let body = of in bodies ? JSON.stringify(bodies[of]) : undefined;
  if (/\/(review|report)$/.test(path) && method === 'post') {
    delete headers.Authorization;
    body = new URLSearchParams(path.endsWith('/review') ? { token: jwt } : { reason: 'spam' }).toString();
  }
  if (body) headers['Content-Type'] = /\/(review|report)$/.test(path) ? form : method === 'patch' ? 'application/merge-patch+json' : path === '/v1/import' ? 'application/jsonl' : 'application/json';
  return { path: path.replace('{product}', path.endsWith('/move') ? 'former' : product).replace('{id}', id).replace('{slug}', 'not-found'), query: queries[path] ?? '', headers, body };
}

/** The same gone wrong in each way; the others are as right. */
function* wrong(request, method, path) {
  const { query, headers, body } = request;
  const named = (description.paths[path][method].parameters ?? []).map((each) => (each.$ref ? resolve(description, each.$ref) : each));
  const withHeaders = (more) => ({ ...request, headers: { ...headers, ...more } });
  yield request;
  yield withHeaders({ Accept: 'text/html' });
  yield withHeaders({ 'If-None-Match': '*' });
  yield withHeaders({ 'If-Match': '"none"' });
  yield withHeaders({ 'If-Match': 'none' });
  yield withHeaders({ 'If-None-Match': 'none' });
  yield withHeaders({ 'Idempotency-Key': '' });
  yield withHeaders({ 'Accept-Language': 'de,fr;q=0.5' });
  for (const Authorization of ['', 'Basic x', 'Bearer x', `Bearer ${narrow}`, `Bearer ${jwt}`, `Bearer ${jwt}x`, ['Bearer x', 'Bearer y']]) yield withHeaders({ Authorization });
  yield withHeaders({ Invitation: 'x' });
  for (const more of ['bogus=1', 'language=auto', 'limit=0', 'page=1', 'page=999', 'after=x', 'after=zzz&find=serv', 'find=serv', 'find=none', 'find=%00', 'ticket=x', 'fragment=true', 'quire=page%3D999', 'base=//x', '%ff=1'])
    yield { ...request, query: query ? `${query}&${more}` : more };
  for (const { name, in: where, schema = {} } of named) {
    if (where !== 'query' || schema.type === 'object') continue;
    for (const value of ['', 'x', '-1', '2', '%00']) yield { ...request, query: `${name}=${value}` };
  }
  yield { ...request, query: '' };
  for (const id of [absent, 'x', '%FF', 'a'.repeat(300)]) {
    const replaced = path.replace(/\{\w+\}/, id);
    if (replaced !== path) yield { ...request, path: replaced.replace(/\{\w+\}/, 'x') };
  }
  if (!body) return;
  for (const other of ['', '{', '[]', '{}', '{"rating":9}', 'null', '\xff', ' '.repeat(300_000), '['.repeat(3_000)]) yield { ...request, body: other };
  for (const type of ['text/plain', form, 'application/json', 'multipart/form-data; boundary=x', '']) yield withHeaders({ 'Content-Type': type });
  for (const encoding of ['gzip', 'zstd', 'x']) yield withHeaders({ 'Content-Encoding': encoding });
}

/** What of the answer is not described; empty: all is. */
function undescribed(answer, { responses }) {
  let response = responses[answer.status];
  if (!response) return `${answer.status}`;
  if (response.$ref) response = resolve(description, response.$ref);
  const [type] = (answer.headers['content-type'] ?? '').split(';');
  const described = Object.keys(response.content ?? {});
  if (answer.bytes.length > 0 && !described.includes(type)) return `${answer.status} as ${type}`;
  if (answer.bytes.length === 0 && described.length > 0 && !answer.name.startsWith('HEAD')) return `${answer.status} without a body`;
  if ('location' in answer.headers && !('Location' in (response.headers ?? {}))) return `Location of ${answer.status}`;
  return '';
}

test('every answer has a status and a type that are described', { timeout: 300_000 }, async () => {
  const seen = new Set();
  const found = new Map();
  for (const server of Object.values(servers)) {
    for (const [path, item] of Object.entries(description.paths)) {
      for (const method of methods.filter((each) => item[each])) {
        const first = await right(server, method, path);
        const { etag } = await server.request('GET', `${first.path}?${first.query}`, { headers: first.headers }).then(({ headers }) => headers);
        const requests = [...wrong(first, method, path), ...(etag ? [{ ...first, headers: { ...first.headers, 'If-None-Match': etag } }] : [])];
        if (method === 'delete') requests.push(first); // again, for the first asked before it
        for (const { path: at, query, headers, body } of requests) {
          const answer = await server.request(method.toUpperCase(), query ? `${at}?${query}` : at, { headers, body });
          seen.add(`${method} ${path} ${answer.status}`);
          const lacks = undescribed(answer, item[method]);
          if (lacks) found.set(`${method.toUpperCase()} ${path}: ${lacks}`, `${answer.name.slice(0, 100)} ${JSON.stringify(headers).slice(0, 100)} ${answer.text.slice(0, 200)}`);
        }
      }
    }
  }
  assert.deepEqual(Object.fromEntries(found), {});
  assert.ok(seen.size > 250, `${seen.size} kinds of answers were seen`);
});
