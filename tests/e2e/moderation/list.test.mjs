// The list of all: comments of all products by time, under every filter as a plain model has them; who may read it, and its feed.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentsPath, exportRows, importRows, newStore, newToken, queryString, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { pick, seed, seeded } from '../support/data.mjs';
import { bearer } from '../support/moderation.mjs';
import { until } from '../support/project.mjs';
import { childrenOf, parseXml, textOf } from '../support/xml.mjs';

const day = 24 * 60 * 60 * 1000;
const begun = Date.UTC(2024, 0, 1);
const random = seeded(seed);
const products = ['a/1', 'a/2', 'b/1', 'b/2', 'c'];
const rows = Array.from({ length: 400 }, (_, n) => {
  const status = pick(random, [{}, {}, {}, { status: 'pending', held_by: 'links' }, { status: 'rejected', reason: 'spam', note: 'Seen.' }]);
  return { product: pick(random, products), rating: 1 + Math.floor(random() * 5), language: pick(random, ['en', 'en', 'de', 'pt-BR', 'und']), author: `Ann ${n}`, title: `Title ${n}`,
    text: pick(random, ['', 'It fits.']), created_at: new Date(begun + n * 7 * 60 * 60 * 1000).toISOString(), ...(random() < 0.3 ? { attributes: { verified: random() < 0.8 } } : {}),
    ...(random() < 0.3 ? { reply: { author: 'Mia', text: 'Thank you.', created_at: '2026-01-01T00:00:00.000Z' } } : {}), ...status };
});

const folder = temporaryDirectory();
const log = join(folder, 'access.log');
const shopFile = join(folder, 'shop.toml');
const store = newStore();
const secrets = {};
let server;
let all; // the rows as the store exports them, newest first
before(async () => {
  await importRows(store, rows);
  const file = join(folder, 'tokens');
  for (const [name, scopes, ...args] of [['moderate', 'moderate'], ['part', 'moderate', '--product', 'a/'], ['post', 'post'], ['admin', 'admin'], ['atom', 'atom'], ['partAtom', 'atom', '--product', 'a/'], ['both', 'atom,post']])
    secrets[name] = (await newToken({ file, scopes, args: ['--name', name, ...args] })).token;
  writeFileSync(shopFile, '[shop]\nname = "Field & Stream"\nlists = "public"\n');
  server = await serve({ store, args: ['--tokens', file, '--shop', shopFile, '--access-log', log, ...unlimited] });
  (await server.put('/v1/products/c', { name: 'Tent & pole' }, bearer(secrets.admin))).expect(201);
  const someone = all_of(await exportRows(store), () => true, 'published').slice(0, 5);
  for (const { id } of someone) (await server.post(`/v1/comments/${id}/reports`, { reason: 'fake' })).expect(202);
  all = await exportRows(store);
});
after(() => server?.stop());

const statusOf = (row) => row.status ?? 'published';

/** The ids that a filter selects, newest first. */
function all_of(exported, wanted, status) {
  const reported = new Set(exported.flatMap(({ report }) => (report ? [report.comment] : [])));
  const has = (row) => !status || (status === 'reported' ? reported.has(row.id) : statusOf(row) === status);
  return exported.filter((row) => row.id && has(row) && wanted(row)).sort((a, b) => (a.id < b.id ? 1 : -1));
}

const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const hasWords = (q, row) => !q || wordsOf(q).every((word) => wordsOf(`${row.title} ${row.text}`).includes(word));
const isVerified = (row) => row.attributes?.verified === true;
function selects(query, row) {
  const one = (values, value) => values === undefined || [values].flat().includes(value);
  const flag = (wanted, is) => wanted === undefined || (wanted === 'true') === is;
  const at = Date.parse(row.created_at);
  return one(query.product, row.product) && one(query.language, row.language) && one(query.rating, row.rating) && flag(query.replied, Boolean(row.reply)) && flag(query.verified, isVerified(row))
    && flag(query.has_text, row.text !== '') && hasWords(query.q, row) && (!query.since || at >= Date.parse(query.since)) && (!query.until || at < Date.parse(query.until));
}

function expected({ status, sort, limit, ...query }, prefix = '') {
  const ids = all_of(all, (row) => selects(query, row) && row.product.startsWith(prefix), status).map(({ id }) => id);
  return sort === 'created_at' ? ids.reverse() : ids;
}

const ask = async (query, headers = bearer(secrets.moderate)) => server.get(`/v1/comments${queryString(query)}`, headers);
const page = async (query, headers) => (await ask(query, headers)).expect(200).json;
const idsOf = (pages) => pages.flatMap(({ comments }) => comments.map(({ id }) => id));

/** All pages along `next`, or from the last one back. */
async function walk(query, headers, [link, parameter] = ['next', 'after'], first) {
  const pages = [first ?? await page(query, headers)];
  while (pages.at(-1).page[link]) {
    assert.ok(pages.length < 1000, 'the walk ends');
    pages.push(await page({ ...query, [parameter]: pages.at(-1).page[link] }, headers));
  }
  return pages;
}

async function check(query, headers, prefix) {
  const said = JSON.stringify(query);
  const pages = await walk(query, headers);
  assert.deepEqual(idsOf(pages), expected(query, prefix), said);
  assert.ok(pages.slice(0, -1).every(({ comments }) => comments.length === (query.limit ?? 20)), `${said}: pages are full`);
  assert.ok(pages.length === 1 || pages.at(-1).comments.length > 0, `${said}: no empty page is promised`);
  const back = await walk(query, headers, ['previous', 'before'], pages.at(-1));
  assert.deepEqual(idsOf(back.reverse()), expected(query, prefix), `${said}, back`);
}

test('under every filter, in both orders and directions, it has what a plain model has', { timeout: 120_000 }, async () => {
  const noon = new Date(begun + 40 * day).toISOString();
  const filters = [{}, { product: 'a/1' }, { product: 'none' }, { language: 'de' }, { language: ['de', 'pt-BR'] }, { rating: [1, 2] }, { replied: 'true' }, { replied: 'false' }, { verified: 'true' }, { verified: 'false' },
    { has_text: 'true' }, { has_text: 'false' }, { q: 'FITS' }, { q: 'title, 17' }, { q: 'fits never' }, { since: '2024-02-01' }, { since: '2024-02-01T13:00+01:00' }, { until: '2024-02-01' }, { since: noon, until: '2024-03-01' }, { since: '2030-01-01' }, { until: '2020-01-01' }];
  for (const status of [undefined, 'published', 'pending', 'rejected', 'reported'])
    for (const filter of filters) await check({ status, limit: status === 'published' ? 20 : 7, sort: pick(random, ['created_at', undefined]), ...filter });
  for (let i = 0; i < 40; ++i) {
    const mixed = Object.assign({}, ...[pick(random, filters), pick(random, filters), pick(random, filters)]);
    await check({ status: pick(random, [undefined, 'published', 'rejected']), limit: 1 + Math.floor(random() * 20), sort: pick(random, ['created_at', '-created_at']), ...mixed });
  }
});

test('a total is there where it costs no scan', async () => {
  assert.equal((await page({ status: 'published' })).total, expected({ status: 'published' }).length);
  assert.equal((await page({})).total, expected({}).length);
  assert.equal((await page({ status: 'published', rating: 1 })).total, undefined);
  assert.equal((await page({ status: 'pending', rating: 1 })).total, expected({ status: 'pending', rating: 1 }).length);
  assert.equal((await page({ status: 'pending', q: 'fits' })).total, undefined, 'words are cut out of each text');
});

test('it tells moderators of decisions and reports, and nobody else', async () => {
  const [row] = all_of(all, () => true, 'rejected');
  const found = (await page({ status: 'rejected', limit: 1 })).comments[0];
  assert.deepEqual([found.id, found.status, found.reason, found.note, found.reports], [row.id, 'rejected', 'spam', 'Seen.', []]);
  const reported = (await ask({ status: 'reported' })).expect(200);
  assert.equal(reported.headers['cache-control'], 'private, no-store');
  assert.ok(reported.json.comments.every(({ etag, reports }) => etag && reports.length === 1));
  const open = (await server.get('/v1/comments?status=published&limit=100')).expect(200);
  assert.equal(open.headers['cache-control'], 'public, max-age=0, must-revalidate');
  const members = new Set(open.json.comments.flatMap((comment) => Object.keys(comment)));
  for (const name of ['status', 'reason', 'note', 'held_by', 'etag', 'reports', 'customer']) assert.ok(!members.has(name), name);
  assert.deepEqual(idsOf([open.json]), expected({ status: 'published' }).slice(0, 100));
  (await server.get('/v1/comments?status=published&limit=100', { 'If-None-Match': open.headers.etag })).expect(304);
});

test('where lists are public anyone reads published comments, and others need the scope moderate', async () => {
  for (const status of ['published', 'pending', 'rejected', 'reported', undefined]) {
    for (const headers of [{}, bearer(secrets.post), bearer(secrets.atom)]) {
      const answer = await ask({ status }, headers);
      if (status === 'published') answer.expect(200);
      else answer.problem('forbidden', { parameter: 'status' });
    }
    (await ask({ status }, bearer('nobody'))).problem('unauthorized');
  }
});

test('a token with a prefix of products has these alone', async () => {
  for (const query of [{}, { status: 'published' }, { status: 'pending', sort: 'created_at', limit: 5 }, { product: 'b/1' }, { rating: [4, 5], status: 'published' }]) await check(query, bearer(secrets.part), 'a/');
});

test('a cursor is for its filter and its direction', async () => {
  const first = await page({ status: 'published', rating: 5, limit: 5 });
  const second = await page({ status: 'published', rating: 5, limit: 9, after: first.page.next });
  assert.deepEqual(idsOf([first, second]), expected({ status: 'published', rating: 5 }).slice(0, 14), 'another limit is no other filter');
  const { next } = first.page;
  for (const other of [{ status: 'pending', rating: 5 }, { rating: 5 }, { status: 'published' }, { status: 'published', rating: 4 }, { status: 'published', rating: 5, product: 'c' }, { status: 'published', rating: 5, sort: 'created_at' },
    { status: 'published', rating: 5, since: '2024-01-01' }, { status: 'published', rating: 5, replied: 'false' }, { status: 'published', rating: 5, q: 'title' }]) (await ask({ ...other, after: next })).problem('cursor-mismatch', { parameter: 'after' });
  (await ask({ status: 'published', rating: 5, before: next })).problem('cursor-mismatch', { parameter: 'before' });
  const { page: ofProduct } = (await server.get(commentsPath('c', { limit: 1 }))).expect(200).json;
  (await ask({ status: 'published', product: 'c', after: ofProduct.next })).problem('cursor-mismatch', { parameter: 'after' });
  (await ask({ after: expected({})[0] })).problem('invalid-cursor', { parameter: 'after' });
  (await ask({ after: next, before: next })).problem('invalid-parameter', { parameter: 'before' });
});

test('a wrong parameter is refused, and named', async () => {
  const wrong = { status: 'any', sort: '-rating', limit: 101, since: 'yesterday', until: '2024-13-01', replied: 'yes', verified: '1', has_text: '', rating: 6, language: 'not a language', bogus: 1, page: 2, helpful: 3 };
  for (const [name, value] of Object.entries(wrong)) (await ask({ [name]: value })).problem('invalid-parameter', { parameter: name });
  (await server.get('/v1/comments?since=2024-01-01&since=2024-01-02', bearer(secrets.moderate))).problem('invalid-parameter', { parameter: 'since' });
});

test('a page passes over a limited number of comments, and says so', async () => {
  const long = newStore();
  const rare = (n) => n === 0 || n === 10_500 || n === 21_000;
  await importRows(long, Array.from({ length: 21_001 }, (_, n) => ({ product: `p${n % 9}`, rating: rare(n) ? 1 : 5, language: 'en', created_at: new Date(begun + n * 1000).toISOString() })));
  const file = join(temporaryDirectory(), 'tokens');
  const { token } = await newToken({ file, scopes: 'moderate' });
  const there = await serve({ store: long, args: ['--tokens', file] });
  const get = async (query) => (await there.get(`/v1/comments?status=published&rating=1${query}`, bearer(token))).expect(200).json;
  const seen = [];
  let early = 0;
  let last;
  for (let query = ''; ;) {
    last = await get(query);
    seen.push(...last.comments.map(({ created_at }) => (Date.parse(created_at) - begun) / 1000));
    assert.equal(last.page.ended_early, last.page.next ? true : undefined);
    early += last.page.ended_early ? 1 : 0;
    if (!last.page.next) break;
    query = `&after=${last.page.next}`;
  }
  assert.deepEqual(seen, [21_000, 10_500, 0]);
  assert.equal(early, 2, '20,998 comments are passed over, at most 10,000 by a page');
  assert.equal((await there.stop()).status, 0);
});

const feedAt = (query, headers) => server.get(`/comments.atom${queryString(query)}`, headers);
const titles = (answer) => childrenOf(parseXml(answer.expect(200).text), 'entry').map((entry) => textOf(entry, 'title'));

test('its feed has the newest published comments of all products, and no token in its addresses', async () => {
  const answer = (await feedAt({ token: secrets.atom })).expect(200);
  assert.match(answer.headers['content-type'], /^application\/atom\+xml/);
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  const feed = parseXml(answer.text);
  assert.equal(textOf(feed, 'title'), 'Latest reviews – Field & Stream');
  const links = Object.fromEntries(childrenOf(feed, 'link').map(({ attributes }) => [attributes.rel, attributes.href]));
  assert.deepEqual(links, { self: `${server.url}/comments.atom`, alternate: `${server.url}/` });
  // What was replied to is changed later.
  const wanted = all_of(all, () => true, 'published').slice(0, 20).sort((a, b) => Boolean(b.reply) - Boolean(a.reply));
  const entries = childrenOf(feed, 'entry');
  assert.deepEqual(entries.map((entry) => textOf(entry, 'id')), wanted.map(({ id }) => `${server.url}/v1/comments/${id}`));
  const named = ({ product }) => (product === 'c' ? 'Tent & pole' : product);
  assert.deepEqual(titles(answer), wanted.map((row) => `${named(row)}: ${row.rating} star${row.rating === 1 ? '' : 's'}: ${row.title}`));
  assert.ok(!answer.text.includes(secrets.atom));
  const some = await feedAt({ token: secrets.atom, rating: 5, language: 'de', ui: 'de', utm_source: 'x' });
  assert.equal(textOf(parseXml(some.expect(200).text), 'id'), `${server.url}/comments.atom?language=de&rating=5&ui=de`);
  assert.equal(titles(some).length, Math.min(20, expected({ status: 'published', rating: 5, language: 'de' }).length));
  (await feedAt({ token: secrets.atom, rating: 6 })).problem('invalid-parameter', { parameter: 'rating' });
});

test('a token of the feed with a prefix has the comments of its products alone', async () => {
  const wanted = all_of(all, ({ product }) => product.startsWith('a/'), 'published').slice(0, 20);
  assert.deepEqual(titles(await feedAt({ token: secrets.partAtom })).length, wanted.length);
  assert.ok(titles(await feedAt({ token: secrets.partAtom })).every((title) => title.startsWith('a/')));
});

test('no log has the token of the feed', async () => {
  await feedAt({ token: secrets.atom, rating: 3 });
  await until('the access log has the request', () => readFileSync(log, 'utf8').includes('/comments.atom?token=*&rating=3'));
  for (const secret of Object.values(secrets)) assert.ok(!readFileSync(log, 'utf8').includes(secret) && !server.output.includes(secret));
});

// This changes the shop file, and so stands last.
test('where lists are private, the list needs the scope moderate, and the feed a token for it alone', async () => {
  (await feedAt({})).expect(200);
  writeFileSync(shopFile, '[shop]\nlists = "private"\n');
  await until('lists are private', async () => (await server.get('/v1/comments?status=published')).status === 401);
  for (const status of ['published', 'pending']) {
    (await ask({ status }, {})).problem('unauthorized');
    for (const name of ['post', 'atom']) (await ask({ status }, bearer(secrets[name]))).problem('forbidden');
    for (const name of ['moderate', 'admin']) (await ask({ status }, bearer(secrets[name]))).expect(200);
  }
  (await feedAt({})).problem('unauthorized');
  (await feedAt({}, bearer(secrets.atom))).problem('unauthorized');
  (await feedAt({ token: 'nobody' })).problem('unauthorized');
  for (const name of ['moderate', 'admin', 'both']) (await feedAt({ token: secrets[name] })).problem('forbidden');
  (await feedAt({ token: secrets.atom })).expect(200);
  for (const [method, path] of [['GET', '/v1/moderation/comments'], ['GET', '/v1/comments']]) (await server.request(method, path, { headers: bearer(secrets.atom) })).problem('forbidden');
});
