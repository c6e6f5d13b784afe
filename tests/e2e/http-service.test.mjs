// The other routes: description, problems, health, metrics, HTML pages. And all answers conform to the description.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, newStore, newToken, problems, serveWithToken, temporaryDirectory } from './support/harness.mjs';
import { signer } from './support/customers.mjs';
import { declare } from './support/facets.mjs';
import { departures, resolve } from './support/schema.mjs';

const product = 'service';
const hostile = '<script>window.hostile = 1</script><img src=x onerror=alert(1)>"\'&amp;';
const shop = signer();
const jwt = shop.sign({ iss: 'shop', aud: 'reviews', sub: 'ann', exp: Math.floor(Date.now() / 1000) + 3600 });
const customer = { Authorization: `Bearer ${jwt}` };
let server;
let description;
before(async () => {
  const store = newStore();
  await declare(store);
  const file = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(file, '[shop]\nlists = "public"\n[writing]\nwho = "customers"\nonce = true\n[votes]\nwho = "customers"\n[[identity]]\nissuer = "shop"\naudience = "reviews"\nalgorithm = "ES256"\nkeys = "jwks.json"\n[feeds]\nchanges = true\ngoogle = true\n');
  writeFileSync(join(file, '../jwks.json'), JSON.stringify(shop.keys));
  server = await serveWithToken({ store, tokens: await newToken({ scopes: 'admin' }), args: ['--shop', file] });
  await server.add(product, { rating: 5, language: 'en', author: hostile, title: hostile, text: hostile });
  for (let rating = 1; rating <= 5; ++rating) await server.add(product, { rating });
  (await server.put(`/v1/products/${product}`, { name: 'Service' })).expect(201);
  description = (await server.get('/openapi.json')).expect(200).json;
});
after(() => server?.stop());

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
const isPage = (item) => 'text/html' in (item.get?.responses['200']?.content ?? {});

/** The described path with existing values; with a new comment each time, because DELETE removes it. */
async function concrete(path) {
  const id = path.includes('{id}') ? (await server.add('used up', { rating: 1 })).id : '';
  let query = path === '/v1/statistics' ? `?product=${product}` : ''; // this route needs a parameter, as does the next
  if (path === '/v1/comments') query = '?status=published'; // the status that anyone may read
  if (path === '/v1/me/votes') query = '?comment=01JD5ZK3V8Q6W3N0A9B7C5D2EF';
  if (path.endsWith('/review')) query = `?ticket=${await ticket()}`;
  return path.replace('{product}', path.endsWith('/move') ? 'left' : product).replace('{id}', id).replace('{slug}', 'not-found') + query;
}

async function ticket() {
  return (await server.post('/v1/invitations', { invitations: [{ product, customer: 'ann' }] })).expect(201).json.invitations[0].ticket;
}

/** Reads of moderators and of customers need a token. */
const headersOf = (path) => {
  if (path.startsWith('/v1/me/') || path.endsWith('/vote')) return customer;
  return path.startsWith('/v1/moderation/') || path === '/v1/changes' ? { Authorization: `Bearer ${server.token}` } : {};
};

/** The name by which a decision of this moment is taken back. */
async function undo() {
  const { id } = await server.add('used up', { rating: 1 });
  return (await server.post('/v1/moderation/decisions', { decisions: [{ id, status: 'rejected', reason: 'spam' }] })).expect(200).json.undo;
}

async function bodyOf(path) {
  if (/^\/v1\/products\/[^/]+$/.test(path)) return { name: 'Service' };
  if (path.endsWith('/move')) return { to: product };
  if (path.endsWith('/undo')) return { undo: await undo() };
  if (path.endsWith('/reply')) return { text: 'Thank you.' };
  if (path.endsWith('/vote')) return { vote: 'helpful' };
  if (path.endsWith('/reports')) return { reason: 'spam' };
  if (path.startsWith('/v1/customers/')) return { customer: 'nobody' };
  if (path.endsWith('/invitations')) return { invitations: [{ product, customer: 'ann' }] };
  return path.endsWith('/decisions') ? { decisions: [{ id: '01JD5ZK3V8Q6W3N0A9B7C5D2EF', status: 'published' }] } : { rating: 4 };
}

async function send(method, path) {
  const form = path.includes('/review') ? `token=${jwt}` : path.endsWith('/report') ? 'reason=spam' : undefined;
  if (method === 'post' && form) return server.request('POST', path.split('?')[0], { body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  if (method === 'post') return server.post(path, await bodyOf(path), path === '/v1/import' ? { 'Content-Type': 'application/jsonl' } : {});
  if (method === 'put') return server.put(path, await bodyOf(path), headersOf(path));
  if (method === 'patch') return server.patch(path, { rating: 4 });
  if (method === 'delete' && path.endsWith('/reply')) await server.put(path, await bodyOf(path));
  return method === 'delete' ? server.delete(path, headersOf(path)) : server.request(method.toUpperCase(), path, { headers: headersOf(path) });
}

test('the description refers to what it has, and names each operation once', () => {
  assert.equal(description.openapi.slice(0, 3), '3.1');
  const names = Object.values(description.paths).flatMap((item) => methods.filter((method) => item[method]).map((method) => item[method].operationId));
  assert.deepEqual(names, [...new Set(names)]);
  for (const [, reference] of JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)) resolve(description, reference);
});

// Generators of clients, such as openapi-typescript, make a property with a default a required one.
test('what a request may leave out has no default in its schema', () => {
  const properties = ({ $ref, ...schema }) => ($ref ? properties(resolve(description, $ref)) : Object.entries(schema.properties ?? {}));
  const bodies = Object.values(description.paths).flatMap((item) => methods.flatMap((method) => Object.values(item[method]?.requestBody?.content ?? {})));
  assert.equal(bodies.length, 16);
  for (const { schema } of bodies) {
    const members = properties(schema);
    assert.ok(members.length > 0);
    assert.deepEqual(members.filter(([, member]) => 'default' in member || ('$ref' in member && 'default' in resolve(description, member.$ref))), []);
  }
});

// Else a generated client types each error as JSON or a string.
test('the JSON interface is described as answering JSON alone', () => {
  for (const [path, item] of Object.entries(description.paths).filter(([path]) => path.startsWith('/v1/'))) {
    for (const [status, response] of methods.flatMap((method) => Object.entries(item[method]?.responses ?? {}))) {
      const { content = {} } = response.$ref ? resolve(description, response.$ref) : response;
      for (const type of Object.keys(content)) assert.match(type, ['/v1/import', '/v1/changes'].includes(path) && status === '200' ? /^application\/jsonl$/ : /^application\/(problem\+)?json$/, `${path} ${status}`);
    }
  }
});

test('every described path and method answers; any other method is a 405 that names them', async () => {
  for (const [path, item] of Object.entries(description.paths)) {
    const described = methods.filter((method) => item[method]);
    for (const method of methods) {
      const answer = await send(method, await concrete(path));
      const name = `${method.toUpperCase()} ${path}`;
      if (described.includes(method)) {
        assert.ok(answer.status >= 200 && answer.status < 400, `${name} is described, and answers ${answer.status} ${answer.text.slice(0, 200)}`);
        assert.ok(item[method].responses[answer.status], `${name} answers ${answer.status}, which is not described`);
        if (['get', 'head'].includes(method)) assert.equal('304' in item[method].responses, 'etag' in answer.headers, `${name} takes IfNoneMatch`);
      } else {
        if (isPage(item) || method === 'head') answer.expect(405); // a page may say it as a page, and HEAD has no body
        else answer.problem('method-not-allowed');
        const allowed = (answer.headers.allow ?? '').toLowerCase().split(/\s*,\s*/).filter((one) => one !== 'options');
        assert.deepEqual(allowed.sort(), [...described].sort(), `Allow of ${name}`);
      }
    }
  }
});

test('a path that is not described does not exist', async () => {
  const paths = ['/nowhere', '/v1', '/v1/', '/v1/products', '/v1/products/service', '/v1/products/service/comments/x', '/v1/comments/x/pages', '/products/service/comments', '/sitemap.xml.gz', '/v2/comments/x',
    '/healthzz', '/openapi.yaml', '/problems', '/problems/no-such-problem', '/products', '/index.html', '/.git/config', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/V1/comments/x'];
  for (const path of paths) {
    const known = Object.keys(description.paths).includes(path);
    if (!known) (await server.get(path)).expect(404);
  }
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  for (const path of paths) {
    const answer = (await server.get(path, browser)).expect(404);
    if (path.startsWith('/v1')) {
      assert.match(answer.headers['content-type'], /^application\/problem\+json/, `${path}: the JSON interface tells as JSON`);
      continue;
    }
    assert.match(answer.headers['content-type'], /^text\/html/, `${path}: a browser gets a page`);
    assert.match(answer.text, /<meta name="robots" content="noindex, follow">/);
  }
});

test('each route takes the parameters that are described, and no others', async () => {
  const webPages = ['/', '/products/{product}', '/products/{product}/fragment', '/review', '/products/{product}/review', '/products/{product}/comments.atom', '/comments.atom', '/embed.js', '/feeds/google-reviews.xml', '/feeds/google-reviews.zip', '/sitemap.xml', '/robots.txt', '/comments/{id}', '/comments/{id}/page', '/comments/{id}/report', '/problems/{slug}'];
  for (const [path, item] of Object.entries(description.paths)) {
    for (const method of ['get', 'head'].filter((one) => item[one])) {
      const inQuery = [...item[method].parameters, ...(item.parameters ?? [])].map((one) => (one.$ref ? resolve(description, one.$ref) : one)).filter((one) => one.in === 'query');
      const described = inQuery.filter(({ schema }) => schema.type !== 'object').map(({ name }) => name);
      const takesFacets = described.length < inQuery.length;
      const target = await concrete(path);
      for (const name of ['bogus', 'not.bogus', 'Bogus']) {
        if (webPages.includes(path)) { // they ignore parameters that they do not know
          assert.equal((await server.get(`${target}${target.includes('?') ? '&' : '?'}${name}=1`)).status, (await server.get(target)).status, path);
          continue;
        }
        const { text } = (await server.get(`${target}${target.includes('?') ? '&' : '?'}${name}=1`, headersOf(path))).expect(400);
        assert.match(text, /There is no such parameter here\./, path);
        const taken = /There are:((?: \w+)+)\./.exec(text)?.[1].trim().split(' ') ?? [];
        assert.deepEqual(taken.sort(), described.sort(), `parameters of ${method} ${path}`);
        assert.equal(/quire facet add bogus/.test(text), takesFacets && name !== 'Bogus', `${name} of ${method} ${path} may be a facet`);
      }
    }
  }
});

test('answers conform to their schemas', async () => {
  const attributes = { verified: true, size: 'L', weeks: -3, tags: ['gift', 'fit'], remark: 'no facet' };
  const { id } = await server.add('formed', { rating: 5, language: 'zh-Hant', author: 'Ann', attributes });
  const moderator = { Authorization: `Bearer ${server.token}` };
  const calls = [
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { limit: 2 }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { limit: 2, rating: [1, 5], explain: 'true' }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath('empty'))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { language: 'auto' }))],
    ['/products/{product}', 'get', () => server.get(`/products/${product}?language=auto&page=1`)],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { limit: 500 }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { after: 'x' }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { facets: 'true', skip: 1, 'not.rating': 3, size: 'L', 'helpful.min': 0 }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath('formed', { facets: 'true', sort: '-helpful', language: 'zh-Hant' }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath('empty', { facets: 'true' }))],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5, language: 'pt-BR', attributes: { ...attributes, size: 'M' } })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5, attributes: { size: 'XXXL' } })],
    ['/v1/facets', 'get', () => server.get('/v1/facets')],
    ['/v1/statistics', 'get', () => server.get(`/v1/statistics?product=${product}&product=none`)],
    ['/v1/statistics', 'get', () => server.get('/v1/statistics')],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath(product), { rating: 5 })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath(product), { rating: 9 })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath(product), '{}', { 'Content-Type': 'text/plain' })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath(product), {}, { Authorization: 'Bearer x' })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath(product), ' '.repeat(300_000))],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath(id))],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath('missing'))],
    ['/v1/comments/{id}', 'patch', () => server.patch(commentPath(id), { text: 'x' })],
    ['/v1/comments/{id}', 'patch', () => server.patch(commentPath(id), { rating: 0 })],
    ['/v1/comments/{id}', 'delete', () => server.delete(commentPath('missing'))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { limit: 2, page: 2, sort: '-rating' }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { page: 1000 }))],
    ['/v1/products/{product}/comments', 'get', () => server.get(commentsPath(product, { page: 0 }))],
    ['/v1/comments/{id}/page', 'get', () => server.get(`${commentPath(id)}/page?rating=5&limit=1&sort=rating`)],
    ['/v1/comments/{id}/page', 'get', () => server.get(`${commentPath(id)}/page?rating=4`)],
    ['/v1/comments/{id}/page', 'get', () => server.get(`${commentPath(id)}/page?page=1`)],
    ['/v1/products/{product}/statistics', 'get', () => server.get(`/v1/products/${product}/statistics`)],
    ['/v1/products/{product}/statistics', 'get', () => server.get('/v1/products/empty/statistics?language=en')],
    ['/v1/products/{product}/statistics', 'get', () => server.get(`/v1/products/${product}/statistics?language=EN`)],
    ['/v1/leaderboard', 'get', () => server.get('/v1/leaderboard')],
    ['/v1/leaderboard', 'get', () => server.get('/v1/leaderboard?by=average&language=en&limit=1')],
    ['/v1/leaderboard', 'get', () => server.get('/v1/leaderboard?language=xx')],
    ['/v1/leaderboard', 'get', () => server.get('/v1/leaderboard?limit=0')],
    ['/comments/{id}/page', 'get', () => server.get(`/comments/${id}/page`)],
    ['/comments/{id}/page', 'get', () => server.get('/comments/x/page')],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath('missing'), { Accept: 'text/html' })],
    ['/robots.txt', 'get', () => server.get('/robots.txt')],
    ['/', 'get', () => server.get('/?find=serv')],
    ['/products/{product}/comments.atom', 'get', () => server.get(`/products/${product}/comments.atom`)],
    ['/products/{product}/comments.atom', 'get', () => server.get(`/products/${product}/comments.atom?rating=6`)],
    ['/sitemap.xml', 'get', () => server.get('/sitemap.xml')],
    ['/sitemap.xml', 'get', () => server.get('/sitemap.xml?page=1')],
    ['/', 'get', () => server.get('/?by=average')],
    ['/', 'get', () => server.get('/?by=name')],
    ['/products/{product}', 'get', () => server.get(`/products/${product}?page=1`)],
    ['/products/{product}', 'get', () => server.get(`/products/${product}?page=2&limit=2`)],
    ['/products/{product}', 'get', () => server.get(`/products/${product}?page=1000`)],
    ['/openapi.json', 'get', () => server.get('/openapi.json')],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5, status: 'pending', note: 'Look.' })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5, status: 'rejected' })],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath(id), moderator)],
    ['/v1/comments/{id}/reports', 'post', () => server.post(`${commentPath(id)}/reports`, { reason: 'fake', note: 'I know the author.' })],
    ['/v1/comments/{id}/reports', 'post', () => server.post(`${commentPath(id)}/reports`, { reason: 'rating' })],
    ['/v1/comments/{id}/reports', 'post', () => server.post('/v1/comments/missing/reports', { reason: 'spam' })],
    ['/v1/comments/{id}/reply', 'put', () => server.put(`${commentPath(id)}/reply`, { text: 'Thank you.' })],
    ['/v1/comments/{id}/reply', 'put', () => server.put(`${commentPath(id)}/reply`, { author: 'Mia', text: 'Thank you.' })],
    ['/v1/comments/{id}/reply', 'put', () => server.put(`${commentPath(id)}/reply`, { author: 'Mia' })],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath(id))],
    ['/v1/comments/{id}/reply', 'delete', () => server.delete(`${commentPath(id)}/reply`)],
    ['/v1/comments/{id}/reply', 'delete', () => server.delete(`${commentPath(id)}/reply`)],
    ['/v1/comments/{id}/vote', 'put', () => server.put(`${commentPath(id)}/vote`, { vote: 'helpful' }, customer)],
    ['/v1/comments/{id}/vote', 'put', () => server.put(`${commentPath(id)}/vote`, { vote: 'up' }, customer)],
    ['/v1/comments/{id}/vote', 'put', () => server.put(`${commentPath(id)}/vote`, { vote: 'helpful' })],
    ['/v1/comments/{id}/vote', 'put', () => server.put('/v1/comments/missing/vote', { vote: 'helpful' }, customer)],
    ['/v1/comments/{id}/vote', 'delete', () => server.delete(`${commentPath(id)}/vote`, customer)],
    ...['', '?status=reported', '?status=gone'].map((query) => ['/v1/moderation/comments', 'get', () => server.get(`/v1/moderation/comments${query}`, moderator)]),
    ['/v1/moderation/comments', 'get', () => server.get('/v1/moderation/comments')],
    ...['', '?status=reported', '?status=gone', '?status=published&limit=2&language=zh-Hant', '?after=x'].map((query) => ['/v1/comments', 'get', () => server.get(`/v1/comments${query}`, moderator)]),
    ['/v1/comments', 'get', () => server.get('/v1/comments?status=published&limit=2')],
    ['/v1/comments', 'get', () => server.get('/v1/comments?status=pending')],
    ['/v1/comments', 'get', () => server.get('/v1/comments', { Authorization: 'Bearer x' })],
    ['/comments.atom', 'get', () => server.get('/comments.atom')],
    ['/comments.atom', 'get', () => server.get('/comments.atom?rating=6')],
    ['/comments.atom', 'get', () => server.get('/comments.atom?token=x')],
    ['/v1/moderation/comments', 'get', () => server.get('/v1/moderation/comments', { Authorization: 'Bearer x' })],
    ['/v1/moderation/decisions', 'post', () => server.post('/v1/moderation/decisions', { decisions: [{ id, status: 'rejected', reason: 'spam', note: 'Look.' }, { id: 'x', status: 'published' }] })],
    ['/v1/moderation/decisions', 'post', () => server.post('/v1/moderation/decisions', {})],
    ['/v1/moderation/decisions', 'post', () => server.post('/v1/moderation/decisions', {}, { Authorization: '' })],
    ['/v1/comments/{id}', 'get', () => server.get(commentPath(id), moderator)],
    ['/v1/comments/{id}', 'patch', () => server.patch(commentPath(id), { status: 'published' })],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5 }, customer)],
    ['/v1/products/{product}/comments', 'post', () => server.post(commentsPath('formed'), { rating: 5 }, customer)],
    ['/v1/me/comments', 'get', () => server.get('/v1/me/comments', customer)],
    ['/v1/me/comments', 'get', () => server.get('/v1/me/comments?limit=0', customer)],
    ['/v1/me/comments', 'get', () => server.get('/v1/me/comments')],
    ['/v1/me/votes', 'get', () => server.get(`/v1/me/votes?comment=${id}`, customer)],
    ['/v1/me/votes', 'get', () => server.get('/v1/me/votes', customer)],
    ['/v1/invitations', 'post', () => server.post('/v1/invitations', { invitations: [{ product, customer: 'ann', name: 'Ann' }] })],
    ['/v1/invitations', 'post', () => server.post('/v1/invitations', { invitations: [{ product }] })],
    ['/v1/customers/export', 'post', () => server.post('/v1/customers/export', { customer: 'ann' })],
    ['/v1/customers/export', 'post', () => server.post('/v1/customers/export', { customer: 'ann' }, customer)],
    ['/v1/customers/erase', 'post', () => server.post('/v1/customers/erase', { customer: 'ann', keep_ratings: true })],
    ['/v1/customers/erase', 'post', () => server.post('/v1/customers/erase', {})],
  ];
  for (const [path, method, call] of calls) {
    const answer = await call();
    let response = description.paths[path][method].responses[answer.status];
    assert.ok(response, `${answer.name} answers ${answer.status}, which is not described`);
    if (response.$ref) response = resolve(description, response.$ref);
    const type = answer.headers['content-type']?.split(';')[0];
    const { schema } = response.content?.[type] ?? {};
    assert.equal(Boolean(schema), answer.bytes.length > 0, `${answer.name}: ${answer.status} as ${type} is not described`);
    if (schema) assert.deepEqual(departures(description, schema, /json$/.test(type) ? answer.json : answer.text), [], `${answer.name}: body`);
    const absent = ['Content-Encoding']; // the request accepts none
    if (!answer.name.includes('language=auto')) absent.push('Content-Location');
    if (answer.headers['cache-control'] === 'no-store' || path === '/v1/comments') absent.push('ETag'); // an answer that is not kept needs none
    for (const header of Object.keys(response.headers ?? {}).filter((name) => !absent.includes(name))) assert.ok(answer.headers[header.toLowerCase()], `${answer.name}: ${header} is described, but is not in the ${answer.status}`);
  }
});

test('the examples in the description conform to it', () => {
  const check = (node, at) => {
    if (node === null || typeof node !== 'object') return;
    if (node.schema) {
      const examples = [...('example' in node ? [node.example] : []), ...Object.values(node.examples ?? {}).map((example) => example.value)];
      for (const example of examples) assert.deepEqual(departures(description, node.schema, example), [], `example at ${at}`);
    }
    for (const [key, member] of Object.entries(node)) check(member, `${at}/${key}`);
  };
  check(description, '#');
});

test('every problem has a page at its type that explains it', async () => {
  assert.ok(problems.size > 0);
  for (const [slug, { title }] of problems) {
    const page = (await server.get(`/problems/${slug}`)).expect(200);
    assert.match(page.headers['content-type'], /^text\/html/);
    assert.ok(page.text.includes(title), `the page of ${slug} has its title`);
  }
  for (const answer of [await server.get('/nowhere'), await server.get(commentsPath(product, { bogus: 1 })), await server.request('PUT', '/')]) {
    (await server.get(new URL(answer.json.type, server.url).pathname)).expect(200);
  }
});

test('health, readiness and metrics', async () => {
  for (const path of ['/healthz', '/readyz']) (await server.get(path)).expect(200);
  const metrics = (await server.get('/metrics')).expect(200);
  assert.match(metrics.headers['content-type'], /^text\/plain/);
  assert.match(metrics.text, /^quire_\w+(\{[^}]*\})? [0-9.e+-]+$/m);
  for (const line of metrics.text.split('\n')) {
    assert.match(line, /^$|^# (HELP|TYPE) [a-zA-Z_:][\w:]* .+|^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="([^"\\\n]|\\.)*",?)*\})? (-?[0-9.e+-]+|[+-]Inf|NaN)( \d+)?$/, 'a line of metrics');
  }
});

test('the HTML pages: type, language, and nothing of a comment that is markup', async () => {
  const page = (await server.get(`/products/${product}?language=en`)).expect(200);
  for (const answer of [page, await server.get('/'), await server.get('/problems/not-found')]) {
    assert.match(answer.headers['content-type'], /^text\/html; ?charset=utf-8/i, answer.name);
    assert.match(answer.text, /^<!doctype html>\s*<html[^>]* lang=/i, answer.name);
    assert.match(answer.text, /<title>[^<]+<\/title>/, answer.name);
  }
  assert.ok(page.text.includes('&lt;script&gt;window.hostile'), 'the comment is shown, escaped');
  assert.doesNotMatch(page.text, /<script>window\.hostile|<img src=x/, 'no markup from a comment');
  assert.match(page.text, /&amp;amp;/, 'an ampersand in a comment stays one');
});

test('the HTML page shows the comments that the interface gives, under the same parameters', async () => {
  const shown = (text) => [...text.matchAll(/<article class="comment"[^>]* id="c-([^"]+)"/g)].map(([, id]) => id);
  const queries = [{}, { rating: [4, 5] }, { language: 'en' }, { sort: 'created_at', limit: 2 }, { limit: 2 }];
  for (const query of queries) {
    const { comments, page } = await server.page(product, query);
    const path = commentsPath(product, query).replace('/v1', '').replace('/comments', '');
    assert.deepEqual(shown((await server.get(path)).expect(200).text), comments.map((comment) => comment.id), path);
    if (page.next) {
      const next = await server.page(product, { ...query, after: page.next });
      const nextPath = commentsPath(product, { ...query, after: page.next }).replace('/v1', '').replace('/comments', '');
      assert.deepEqual(shown((await server.get(nextPath)).expect(200).text), next.comments.map((comment) => comment.id), nextPath);
    }
  }
  for (const query of ['limit=0', 'rating=9', 'after=x']) (await server.get(`/products/${product}?${query}`)).expect(400);
});
