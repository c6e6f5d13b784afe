// Words in an lmdb: page index beside a table: pages, totals, counts, statistics and places under `q` compared with a plain model, after
// writes, edits and removals beside workers that are killed; how the index comes by its words, and loses them.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath, exportRows, idsOf, importRows, mustRun, newToken, queryString, run, serve, start, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { pagesOf, pick, seed, seeded } from '../support/data.mjs';
import { call, scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { pagesAsOf, until } from '../support/project.mjs';

const product = 'jacket';
const table = 'words';
const pages = `lmdb:${join(temporaryDirectory(), 'pages')}`;
// Each word with forms that have its English stem.
const forms = { zipper: ['zipper', 'Zippers', 'ZIPPER'], break: ['break', 'breaks', 'breaking'], pocket: ['pocket', 'pockets'], cafe: ['café', 'Cafés', 'cafe'], warm: ['warm', 'warmed', 'WARMS'] };
const names = Object.keys(forms);
const random = seeded(seed);
const words = (most) => Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, names));
const written = (some) => some.map((name) => pick(random, forms[name])).join(pick(random, [' ', ', ', ' 😀 ', '\n']));
const row = (n) => ({ rating: 1 + Math.floor(random() * 5), language: 'en', title: written(words(2)), text: written(words(4)), created_at: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000).toISOString() });

let database, store, flags, worker, server;
const comments = new Map(); // as they must be, by id
let lastWrite = Date.now();

const work = () => { worker = start(['project', ...flags, '--poll', '100']); };
const inStep = (when) => until(`the index is in step ${when}`, async () => (await pagesAsOf(server)) > lastWrite);
const ask = (query) => server.get(commentsPath(product, query));

before(async () => {
  database = await startDynamoDb();
  store = `${storeAt(database.endpoint, table)}&statistics=stream`;
  flags = ['--store', store, '--pages', pages];
  await mustRun(['table', 'create', '--store', store]);
  await importRows(store, Array.from({ length: 200 }, (_, n) => ({ product, ...row(n) })));
  await mustRun(['backfill', ...flags]);
  work();
  const { file, token } = await newToken();
  server = await serve({ store, token, args: ['--pages', pages, '--tokens', file, '--access-log', 'none', '--cache', '0', ...unlimited] });
  lastWrite = Date.now();
  for (const comment of await exportRows(store)) if (comment.id) comments.set(comment.id, comment);
  await inStep('at first');
});
after(async () => {
  worker?.child.kill('SIGKILL');
  await server?.stop();
  await database?.stop();
});

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const stems = new Map(names.flatMap((name) => forms[name].map((form) => [plain(form), name])));
const wordsOf = ({ title, text }) => new Set([...`${title ?? ''} ${text ?? ''}`.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => stems.get(plain(word))));
const found = (sought, { rating, sort = '-created_at' } = {}) => {
  const some = [...comments.values()].filter((comment) => sought.every((name) => wordsOf(comment).has(name)) && (!rating || comment.rating === rating));
  const newer = (a, b) => (a.id < b.id ? 1 : -1);
  const orders = { '-created_at': newer, created_at: (a, b) => -newer(a, b), rating: (a, b) => a.rating - b.rating || newer(a, b), '-rating': (a, b) => b.rating - a.rating || newer(a, b) };
  return some.sort(orders[sort]).map(({ id }) => id);
};
const asked = (sought) => sought.map((name) => pick(random, forms[name])).join(' ');

async function compare(when, questions) {
  await inStep(when);
  for (let i = 0; i < questions; ++i) {
    const sought = [...new Set([pick(random, names), ...words(2)])];
    const rating = pick(random, [undefined, undefined, 1, 5]);
    const sort = pick(random, ['-created_at', 'created_at', 'rating', '-rating']);
    const wanted = found(sought, { rating, sort });
    const limit = 5 + Math.floor(random() * 20);
    const query = { q: asked(sought), limit, sort, ...(rating && { rating }) };
    const name = `${queryString(query)} ${when}`;
    const count = Math.max(1, pagesOf(wanted.length, limit));
    const walked = await server.walk(product, query);
    assert.deepEqual(idsOf(walked), wanted, name);
    for (let number = 1; number <= count; ++number) {
      const page = await server.page(product, { ...query, page: number });
      assert.deepEqual([idsOf(page), page.total, page.page.count], [wanted.slice((number - 1) * limit, number * limit), wanted.length, count], name);
    }
    const { facets } = await server.page(product, { ...query, facets: true });
    const ratings = [1, 2, 3, 4, 5].map((stars) => [stars, found(sought, { rating: stars }).length]).filter(([, some]) => some > 0);
    assert.deepEqual(facets.rating, Object.fromEntries(ratings), name);
    const { json } = (await server.get(`/v1/products/${product}/statistics${queryString({ q: query.q, ...(rating && { rating }) })}`)).expect(200);
    assert.equal(json.total, wanted.length, name);
    if (wanted.length === 0) continue;
    const place = pick(random, wanted);
    const { json: on } = (await server.get(`/v1/comments/${place}/page${queryString(query)}`)).expect(200);
    assert.equal(on.number, 1 + Math.floor(wanted.indexOf(place) / limit), name);
  }
}

async function write() {
  const kind = random();
  const chosen = pick(random, [...comments.values()]);
  if (kind < 0.4) {
    const { json } = (await server.post(commentsPath(product), row(Math.floor(random() * 8000)))).expect(201);
    comments.set(json.id, json);
  } else if (kind < 0.8) {
    const patch = pick(random, [{ text: written(words(4)) }, { title: written(words(2)) }, { rating: 1 + Math.floor(random() * 5) }]);
    const { json } = (await server.patch(commentPath(chosen.id), patch)).expect(200);
    comments.set(json.id, json);
  } else {
    (await server.delete(commentPath(chosen.id))).expect(204);
    comments.delete(chosen.id);
  }
  lastWrite = Date.now();
}

/** Frees a dead worker's shards at once. */
async function dropLeases() {
  for (const { PK, SK } of await scan(database.endpoint, table))
    if (SK.startsWith('LEASE#')) await call(database.endpoint, 'DeleteItem', { TableName: table, Key: { PK: { S: PK }, SK: { S: SK } } });
}

async function mustVerify() {
  const { status, stdout, stderr } = await run(['verify', ...flags]);
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, new RegExp(`^${comments.size} comments, 0 differences$`, 'm'));
}

const hasField = async () => (await server.get(`/products/${product}`)).expect(200).text.includes('<div class="search"');

test('an index without words says what to do, and backfill builds them', { timeout: 240_000 }, async () => {
  const refused = (await ask({ q: 'zipper' })).problem('invalid-parameter', { parameter: 'q' });
  assert.match(refused.detail, /quire words add, then quire backfill/);
  assert.match((await mustRun(['words', 'list', ...flags])).stdout, /^words {2}none /);
  assert.ok(!await hasField());
  const { stdout, stderr } = await mustRun(['words', 'add', ...flags]);
  assert.match(stdout, /^words {2}building 0 % /);
  assert.match(stderr, /quire backfill builds the page index anew, with words/);
  assert.match((await ask({ q: 'zipper' })).problem('facet-building').detail, /Run quire backfill/);
  assert.match((await run(['words', 'list', '--store', store])).stderr, /--pages lmdb:DIR/);
  await mustRun(['backfill', ...flags]);
  lastWrite = Date.now();
  assert.match((await mustRun(['words', 'list', ...flags])).stdout, /^words {2}ready /);
  await compare('after the build', 4);
  const { plan } = await server.page(product, { q: 'zippers', explain: true });
  assert.match(plan.summary, /^bitmap: words zipper/i);
  const { text } = (await server.get(`/products/${product}?q=zippers`, { headers: { Accept: 'text/html' } })).expect(200);
  assert.match(text, /<mark/);
  assert.ok(await hasField());
  await mustVerify();
});

test('words follow writes, edits and removals beside workers that are killed', { timeout: 400_000 }, async () => {
  for (let round = 0; round < 3; ++round) {
    const writes = (async () => { for (let i = 0; i < 30; ++i) await write(); })();
    await sleep(random() * 1500);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await dropLeases();
    work();
    await writes;
    await compare(`in round ${round}`, 2);
  }
  await mustVerify();
});

test('words are dropped at once', { timeout: 120_000 }, async () => {
  assert.match((await mustRun(['words', 'drop', ...flags])).stdout, /^dropped words$/m);
  assert.match((await ask({ q: 'zipper' })).problem('invalid-parameter', { parameter: 'q' }).detail, /quire words add/);
  assert.ok(!await hasField());
  await write();
  await inStep('without words');
  assert.equal((await server.page(product)).total, comments.size);
  assert.notEqual((await run(['words', 'drop', ...flags])).status, 0);
  await mustVerify();
});
