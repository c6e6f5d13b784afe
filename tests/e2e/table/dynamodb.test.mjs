// A DynamoDB table as the store, from its making to the end of its service: by the command line, over HTTP, by two servers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, exportRows, idsOf, importRows, mustRun, run, serveWithToken } from '../support/harness.mjs';
import { expected, pick, ratings, seeded, sorts, subsets } from '../support/data.mjs';
import { call, indexes, projected, scan, storeAt } from '../support/dynamodb.mjs';
import { until } from '../support/project.mjs';
import { recount, recountLeaders, sameFigures } from '../support/recount.mjs';
import { startDynamoDbAlone } from '../support/servers/servers.mjs';

const comments = new Map(); // as they should be, by id
let database;
let store;
let server;

before(async () => {
  database = await startDynamoDbAlone(); // a test stops it
  store = storeAt(database.endpoint);
  await mustRun(['table', 'create', '--store', store]);
  const { stdout } = await mustRun(['generate', '--comments', '500', '--products', '6', '--seed', '131', '--stdout']);
  for (const line of stdout.trim().split('\n')) comments.set(JSON.parse(line).id, JSON.parse(line));
  await importRows(store, [...comments.values()]);
  server = await serveWithToken({ store });
});
after(async () => { await server?.stop(); await database?.stop(); });

const products = () => [...new Set([...comments.values()].map((comment) => comment.product))];
const of = (product) => [...comments.values()].filter((comment) => comment.product === product);
const largest = () => products().sort((a, b) => of(b).length - of(a).length)[0];
const statisticsPath = (product) => `/v1/products/${encodeURIComponent(product)}/statistics`;
const shownUnder = async (product, query, id) => idsOf(await server.walk(product, query)).includes(id);

test('table create makes the table of the design, once', async () => {
  const { Table: table } = await call(database.endpoint, 'DescribeTable', { TableName: 'quire' });
  const keys = (schema) => schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);
  assert.deepEqual(keys(table.KeySchema), ['HASH PK', 'RANGE SK']);
  assert.deepEqual(table.AttributeDefinitions.filter(({ AttributeType }) => AttributeType !== 'S'), []);
  assert.deepEqual(Object.fromEntries(table.GlobalSecondaryIndexes.map((index) => [index.IndexName, keys(index.KeySchema)])),
    Object.fromEntries(Object.entries(indexes).map(([name, attribute]) => [name, [`HASH ${attribute}`, 'RANGE GSISK']])));
  for (const { Projection } of table.GlobalSecondaryIndexes) {
    assert.deepEqual([Projection.ProjectionType, Projection.NonKeyAttributes.sort()], ['INCLUDE', [...projected].sort()]);
  }
  assert.equal(table.StreamSpecification?.StreamViewType, 'NEW_AND_OLD_IMAGES');
  await mustRun(['table', 'create', '--store', store]);
  assert.equal((await exportRows(store)).length, 500, 'making it again leaves what is in it');
});

test('the export gives back what was imported, and a second import adds nothing', async () => {
  const sorted = (rows) => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(sorted(await exportRows(store)), sorted([...comments.values()]));
  const items = await scan(database.endpoint);
  await importRows(store, [...comments.values()]);
  assert.deepEqual(await scan(database.endpoint), items);
  const product = largest();
  assert.deepEqual(sorted(await exportRows(store, '--product', product)), sorted(of(product)));
});

test('every product is walked both ways, under filters and sorts', async () => {
  const random = seeded(132);
  for (const product of products()) {
    for (const sort of sorts) {
      const query = { sort, rating: pick(random, subsets(ratings)), language: random() < 0.5 ? [] : [pick(random, of(product)).language], limit: 7 };
      const name = `${product} ${JSON.stringify(query)}`;
      const all = expected(of(product), query);
      const forward = await server.walk(product, query);
      assert.deepEqual(forward.flatMap((page) => page.comments), all, name);
      for (const page of forward) assert.equal(page.total, all.length, name);
      assert.deepEqual(idsOf((await server.walkBack(product, query, forward.at(-1))).reverse()), idsOf(forward), `${name}, back`);
    }
  }
});

test('the command line shows what the server shows', async () => {
  const product = largest();
  const query = { language: 'en', rating: [4, 5], limit: 10 };
  const flags = ['--store', store, '--json', product, '--language', 'en', '--rating', '4', '--rating', '5', '--limit', '10'];
  const first = await server.page(product, query);
  assert.deepEqual(JSON.parse((await mustRun(['page', ...flags])).stdout), first);
  const second = await server.page(product, { ...query, after: first.page.next });
  assert.deepEqual(JSON.parse((await mustRun(['page', ...flags, '--after', first.page.next])).stdout), second, 'a cursor of the server opens in another process');
  const { stdout } = await mustRun(['page', product, '--store', store, '--pages', 'redis://me:s3cret@127.0.0.1:1/0']);
  assert.match(stdout, /^next: \S+ page [^\n]* --after \S+$/m);
  assert.doesNotMatch(stdout, /s3cret/, 'no password in the command for the next page');
  const told = async (...args) => JSON.parse((await mustRun([...args, '--store', store, '--json'])).stdout);
  sameFigures(await told('statistics', product), recount(product, of(product)), 'statistics');
  sameFigures(await told('leaderboard'), recountLeaders([...comments.values()]), 'leaderboard');
});

test('a page tells how it was found and what it cost', async () => {
  const product = largest();
  const list = `PRODUCT#${encodeURIComponent(product)}`;
  const key = (attribute, partition, id) => ({ PK: { S: `COMMENT#${id}` }, SK: { S: `COMMENT#${id}` }, [attribute]: { S: partition }, GSISK: { S: id } });
  for (const [query, index] of [[{ language: 'en', rating: 5 }, 'byLangAndRating'], [{ language: 'en' }, 'byLang'], [{ rating: 5 }, 'byRating'], [{}, 'all'], [{ language: 'en', rating: [1, 2, 5] }]]) {
    const first = await server.page(product, { ...query, limit: 3 });
    const [before_, edge] = idsOf(first).slice(-2);
    const { plan, comments: shown } = await server.page(product, { ...query, limit: 3, after: first.page.next, explain: true });
    const name = `${JSON.stringify(query)}: ${JSON.stringify(plan)}`;
    assert.equal(plan.index, index ?? plan.index, name);
    const start = plan.start[plan.lists[0]].GSISK.S;
    assert.ok(start >= edge && start < before_, `${name}: from the edge ${edge}, or just before it`);
    assert.deepEqual(plan.start, Object.fromEntries(plan.lists.map((one) => [one, key(indexes[plan.index], one, start)])), name);
    for (const one of plan.lists) assert.ok(one.startsWith(list), name);
    assert.ok(plan.consumed_capacity > 0 && plan.estimated_cost > 0 && plan.requests >= plan.lists.length && plan.read >= shown.length, name);
  }
  const { stdout } = await mustRun(['explain', product, '--store', store, '--rating', '1', '--rating', '5']);
  assert.ok(stdout.includes(list), stdout);
  assert.match(stdout, /[1-9]\d*\.\d consumed|0\.[1-9] consumed/);
});

test('statistics and leaderboard are what a recount gives', async () => {
  // Quire cannot know what other programs write, so it promises no time.
  assert.ok(!('as_of' in (await server.get(statisticsPath(largest()))).expect(200).json));
  assert.ok(!('as_of' in (await server.get('/v1/leaderboard')).expect(200).json));
  for (const product of products()) sameFigures((await server.get(statisticsPath(product))).expect(200).json, recount(product, of(product)), product);
  for (const limit of [1, 3, 10]) sameFigures((await server.get(`/v1/leaderboard?limit=${limit}`)).expect(200).json, recountLeaders([...comments.values()], { limit }), `leaders, ${limit}`);
});

test('a comment moves between lists when it is changed, and is gone when it is deleted', async () => {
  const product = largest();
  const { id } = await server.add(product, { language: 'en', rating: 5, title: 'Fits' });
  const stored = async () => (await scan(database.endpoint)).filter((item) => item.PK === `COMMENT#${id}`);
  const list = `PRODUCT#${encodeURIComponent(product)}`;
  assert.equal((await stored())[0].GSIPK, `${list}/en/5`);
  const changed = (await server.patch(commentPath(id), { rating: 2, language: 'de' })).expect(200).json;
  comments.set(id, changed);
  assert.deepEqual((await stored()).map((item) => [item.GSIPK, item.GSI2PK, item.GSI3PK, item.GSI4PK, item.GSISK]), [[`${list}/de/2`, `${list}/de`, `${list}/2`, list, id]]);
  for (const [query, there] of [[{}, true], [{ language: 'en' }, false], [{ rating: 5 }, false], [{ language: 'de', rating: 2 }, true], [{ language: 'en', rating: 5 }, false]]) {
    assert.equal(await shownUnder(product, query, id), there, `shown under ${JSON.stringify(query)}`);
  }
  sameFigures((await server.get(statisticsPath(product))).json, recount(product, of(product)), 'after the change');
  (await server.delete(commentPath(id))).expect(204);
  comments.delete(id);
  (await server.delete(commentPath(id))).problem('not-found');
  (await server.get(commentPath(id))).problem('not-found');
  assert.deepEqual(await stored(), []);
  assert.equal(await shownUnder(product, {}, id), false);
  sameFigures((await server.get(statisticsPath(product))).json, recount(product, of(product)), 'after the deletion');
});

test('two servers on one table: cursors, idempotency keys and comments of one hold at the other', async () => {
  const twin = await serveWithToken({ store, tokens: server.tokens }); // a key belongs to its token
  const product = largest();
  const first = await server.page(product, { limit: 9 });
  assert.deepEqual(await twin.page(product, { limit: 9, after: first.page.next }), await server.page(product, { limit: 9, after: first.page.next }));
  const body = { rating: 4, text: 'once' };
  const posts = await Promise.all([server, twin, server, twin].map((one) => one.post(commentsPath(product), body, { 'Idempotency-Key': 'by two' })));
  assert.equal(new Set(posts.map((answer) => answer.expect(201).json.id)).size, 1);
  const { json } = posts[0];
  comments.set(json.id, json);
  (await twin.post(commentsPath(product), { rating: 3 }, { 'Idempotency-Key': 'by two' })).problem('idempotency-conflict');
  for (const one of [server, twin]) assert.deepEqual((await one.get(commentPath(json.id))).expect(200).json, json);
  await Promise.all(Array.from({ length: 12 }, async (_, n) => { // both count the same product at once
    const comment = await (n % 2 ? server : twin).add('both', { rating: 1 + (n % 5), language: 'en' });
    comments.set(comment.id, comment);
  }));
  const fresh = await serveWithToken({ store });
  sameFigures((await fresh.get(statisticsPath('both'))).json, recount('both', of('both')), 'counted by two');
  await fresh.stop();
  await twin.stop();
});

test('four servers post to one product without a pause: each gets on, and all is counted', async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(() => serveWithToken({ store, tokens: server.tokens })));
  await Promise.all(servers.flatMap((one) => [1, 2, 3, 4, 5].map(async (rating) => {
    for (const language of ['en', 'de', 'en']) {
      const { json } = (await one.post(commentsPath('hot'), { language, rating }, { 'Idempotency-Key': `${one.url} ${rating} ${language}` })).expect(201);
      comments.set(json.id, json);
    }
  })));
  assert.equal(of('hot').length, 4 * 5 * 2, 'a key that is used again gives the first comment');
  const fresh = await serveWithToken({ store });
  sameFigures((await fresh.get(statisticsPath('hot'))).json, recount('hot', of('hot')), 'counted by four');
  await Promise.all([fresh, ...servers].map((each) => each.stop()));
});

test('skip-empty: lists that young counts call empty are not asked; own writes are seen at once, those of others in time', async () => {
  const skipping = () => serveWithToken({ store: `${store}&skip-empty=5`, tokens: server.tokens });
  const [one, twin] = await Promise.all([skipping(), skipping()]);
  const add = async (language, rating) => {
    const comment = await one.add('few', { language, rating });
    comments.set(comment.id, comment);
    return comment.id;
  };
  await add('en', 5);
  const found = (by) => by.page('few', { language: 'de', rating: [1, 2], explain: true });
  const skipped = await found(twin);
  assert.deepEqual([skipped.plan.requests, skipped.plan.lists, skipped.plan.skipped], [0, [], ['PRODUCT#few/de/1', 'PRODUCT#few/de/2']], JSON.stringify(skipped.plan));
  assert.ok(skipped.plan.counts_age_ms <= 5000 && /2 empty \d\.\d s ago/.test(skipped.plan.summary), JSON.stringify(skipped.plan));
  const id = await add('de', 1);
  const own = await found(one);
  assert.deepEqual([idsOf(own), own.plan.skipped, own.plan.counts_age_ms], [[id], [], undefined]);
  await until('the other server shows it', async () => idsOf(await found(twin)).includes(id));
  await Promise.all([one.stop(), twin.stop()]);
});

test('without a page index there are cursors, and no numbers past the first page', async () => {
  const product = largest();
  const first = await server.page(product, { page: 1, limit: 5 });
  assert.deepEqual(idsOf(first), idsOf(await server.page(product, { limit: 5 })));
  const { detail } = (await server.get(commentsPath(product, { page: 2, limit: 5 }))).problem('backend-unavailable');
  assert.match(detail, /page index/);
  assert.match(detail, /after/, 'it says what to do instead');
  const { status, stderr } = await run(['page', product, '--store', store, '--page', '2']);
  assert.equal(status, 1);
  assert.match(stderr, /page index/);
});

test('the pages for people work', async () => {
  const answer = (await server.get(`/products/${encodeURIComponent(largest())}`)).expect(200);
  assert.match(answer.headers['content-type'], /^text\/html/);
  for (const path of ['/', '/sitemap.xml', `/products/${encodeURIComponent(largest())}/comments.atom`]) (await server.get(path)).expect(200);
});

test('a table or a service that is not there is told', async () => {
  const { status, stderr } = await run(['page', '42', '--store', storeAt(database.endpoint, 'nowhere')]);
  assert.equal(status, 1);
  assert.match(stderr, /table create/);
  (await server.get('/readyz')).expect(200);
  await database.stop();
  (await server.get('/readyz')).expect(503);
  (await server.get('/healthz')).expect(200);
  const page = await server.get(commentsPath('of no interest so far'));
  page.problem('backend-unavailable');
  assert.match(page.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  (await server.post(commentsPath('42'), { rating: 5 })).problem('backend-unavailable');
});
