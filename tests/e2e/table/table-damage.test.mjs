// Items of other programs in the table: Quire takes each item it understands, and a damaged item costs only itself. `quire verify`
// names the damaged items and sets them aside.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commentPath, commentsPath, idsOf, importRows, run, start } from '../support/harness.mjs';
import { expected, pagesOf, ratings, sampleRows, seeded, sorts } from '../support/data.mjs';
import { startDynamoDb } from '../support/dynamodb.mjs';
import { backends } from '../support/servers/backends.mjs';
import { damages, get, itemOf, misplacements, put, ulid, understood } from '../support/foreign.mjs';
import { Runtime, records } from '../support/lambda.mjs';
import { Stage, until } from '../support/project.mjs';
import { recount, sameFigures } from '../support/recount.mjs';
import { parseXml } from '../support/xml.mjs';

const product = 'shop/1 (größe)';
const other = 'other';
const time = Date.UTC(2025, 0, 1);
const ends = [];
let database;

const goodOf = (number, name = product) => ({ id: ulid(time + number * 1000, number), product: name, language: number % 3 ? 'en' : 'de', rating: number % 5 + 1, author: '', title: `Title ${number}`, text: 'good', created_at: new Date(time + number * 1000).toISOString() });
const ordered = ({ id, product: name, language, rating, created_at, author, title, text }) => ({ id, product: name, language, rating, created_at, author, title, text });

/** Puts good comments, every form that Quire understands and every damage in turn, with several of each damage in a row. */
async function fill(table, comments) {
  const bad = [];
  let number = 0;
  const next = () => ({ ...goodOf(++number), language: 'en', rating: 5, title: 'damaged' });
  const add = async (comment, item = itemOf(comment)) => {
    comments.set(comment.id, ordered(comment));
    await put(database.endpoint, table, item);
  };
  for (const [changes, told] of Object.values(understood)) {
    const good = next();
    await add({ ...good, ...told }, { ...itemOf(good), ...changes });
  }
  for (const [name, [damage, reason]] of Object.entries(damages)) {
    await add(goodOf(++number));
    for (let n = 0; n < 4; ++n) {
      const item = damage(itemOf(next()));
      await put(database.endpoint, table, item);
      bad.push({ name, item, reason });
    }
  }
  for (let n = 0; n < 6; ++n) await add(goodOf(++number));
  for (let n = 0; n < 5; ++n) await add(goodOf(n + 500, other));
  await put(database.endpoint, table, { PK: { S: 'MINE' }, SK: { S: 'MINE' }, nested: understood['attributes of its own, nested as deep as the service allows'][0].more });
  return bad;
}

const ofProduct = (comments, name = product) => [...comments.values()].filter((comment) => comment.product === name);

/** Checks that every way to ask for comments gives all good comments and no other. */
async function checkReads(stage, comments, when) {
  const { server } = stage;
  for (const sort of sorts) {
    for (const query of [{ limit: 1 }, { limit: 7 }, { limit: 100 }, { rating: 5, limit: 2 }, { rating: [4, 5], limit: 3 }, { language: 'en', limit: 3 }, { language: 'en', rating: [1, 5], limit: 2 }]) {
      const wanted = expected(ofProduct(comments), { ...query, sort });
      const name = `${when}: ${JSON.stringify({ ...query, sort })}`;
      const pages = await server.walk(product, { ...query, sort });
      assert.deepEqual(pages.flatMap((page) => page.comments), wanted, name);
      for (const page of pages.slice(0, -1)) assert.equal(page.comments.length, query.limit, `${name}: no page is short`);
      assert.deepEqual(idsOf((await server.walkBack(product, { ...query, sort }, pages.at(-1))).reverse()), wanted.map(({ id }) => id), `${name}, back`);
      for (const [at, { page, total }] of pages.entries()) assert.deepEqual([page.numbers_missing, page.number, page.count, total], [undefined, at + 1, pagesOf(wanted.length, query.limit), wanted.length], name);
      for (let number = 1; number <= pages.length; number += 3)
        assert.deepEqual((await server.page(product, { ...query, sort, page: number })).comments, pages[number - 1].comments, `${name}, page ${number}`);
    }
  }
  sameFigures(await stage.statistics(product), recount(product, ofProduct(comments)), when);
  const html = (await server.get(`/products/${encodeURIComponent(product)}`)).expect(200).text;
  assert.ok(html.includes('Title ') && !html.includes('damaged'), when);
  const feed = parseXml((await server.get(`/products/${encodeURIComponent(product)}/comments.atom`)).expect(200).text);
  assert.ok(feed.children.filter(({ name }) => name === 'entry').length > 0, when);
  const sorted = (rows) => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(sorted(await exportOf(stage)), sorted([...comments.values()]), `${when}: export`);
  assert.deepEqual(sorted(await exportOf(stage, '--product', product)), sorted(ofProduct(comments)), `${when}: export of the product`);
  const { stdout } = await stage.mustRun('page', '--json', product, '--rating', '5');
  assert.deepEqual(JSON.parse(stdout).comments, expected(ofProduct(comments), { rating: 5 }).slice(0, 20), `${when}: quire page`);
}

// The rows of an export, whose status says whether damaged items are left out.
async function exportOf(stage, ...args) {
  const { status, stdout, stderr } = await run(['export', '--store', stage.store, ...args]);
  assert.equal(status, /^quire: \d+ damaged rows? (is|are) left out/m.test(stderr) ? 3 : 0, stderr.slice(-500));
  assert.equal(status === 3, /warning: Item ".*" is damaged/.test(stderr), stderr.slice(-500));
  return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

const counted = (stage, comments) => until('all good comments are counted', async () =>
  (await stage.statistics(product)).total === ofProduct(comments).length && (await stage.server.page(product)).total === ofProduct(comments).length,
async () => JSON.stringify([(await stage.statistics(product)).total, (await stage.server.page(product)).total, ofProduct(comments).length]));

const begin = async (table, index) => {
  const stage = await Stage.make({ test: { after: (end) => ends.push(end) }, database, table, index, random: seeded(1) });
  stage.products = [product, other];
  return stage;
};

async function itemsOfOthers() {
  const stage = await begin('damaged', await backends.SQLite());
  const worker = stage.work('--listen', '127.0.0.1:0'); // no backfill: the table is new and empty
  await stage.serve();
  await stage.numbersBack();
  const comments = new Map();
  const bad = await fill(stage.table, comments);
  await counted(stage, comments);
  await checkReads(stage, comments, 'beside damaged items');

  // One by one.
  const { endpoint } = database;
  const { server } = stage;
  for (const { name, item } of bad) {
    const id = /^COMMENT#(\w{26})$/.exec(item.PK.S)?.[1];
    if (!id || id !== id.toUpperCase()) continue;
    const wanted = /damaged in the table/;
    assert.match((await server.get(commentPath(id))).problem('not-found').detail, wanted, name);
    assert.match((await server.patch(commentPath(id), { rating: 1 })).problem('not-found').detail, wanted, name);
    assert.deepEqual(await get(endpoint, stage.table, item), Object.fromEntries(Object.entries(item).filter(([, value]) => value)), `${name}: left as it was`);
  }
  const metric = async () => Number(/^quire_table_damaged_items_total (\S+)$/m.exec((await server.get('/metrics')).expect(200).text)[1]);
  const before_ = await metric();
  await server.page(product);
  assert.ok((await metric()) > before_);
  const ofWorker = await (await fetch(`${worker.url()}/metrics`)).text();
  assert.match(ofWorker, /^quire_table_damaged_items_total [1-9]/m, 'the worker counts those that it reads in the stream');
  for (const { item } of bad) {
    const lines = server.process.text('stderr').split('\n').filter((line) => line.includes(`Item ${JSON.stringify(item.PK.S)} `));
    assert.equal(lines.length, 1, `logged once: ${item.PK.S}\n${lines.join('\n')}`);
  }

  // A comment that becomes damaged is gone, and is back when it is repaired.
  const [victim] = expected(ofProduct(comments)).slice(3);
  await put(endpoint, stage.table, { ...itemOf(victim), data: { S: '{' } });
  comments.delete(victim.id);
  await counted(stage, comments);
  await checkReads(stage, comments, 'one more is damaged');
  await put(endpoint, stage.table, itemOf(victim));
  comments.set(victim.id, victim);
  await counted(stage, comments);

  // A damaged comment can be deleted with its text.
  const doomed = bad.find(({ name }) => name === 'rating 9');
  (await server.delete(commentPath(doomed.item.GSISK.S))).expect(204);
  assert.equal(await get(endpoint, stage.table, doomed.item), undefined);
  (await server.delete(commentPath(doomed.item.GSISK.S))).expect(404);
  bad.splice(bad.indexOf(doomed), 1);

  // Quire's own writes on items of others.
  const [own, foreign] = expected(ofProduct(comments), { rating: 5 }).filter(({ text }) => text !== 'good');
  await put(endpoint, stage.table, { ...await get(endpoint, stage.table, itemOf(own)), mine: { S: 'kept' }, data: undefined });
  comments.set(own.id, (await server.patch(commentPath(own.id), { rating: 1, title: 'Changed' })).expect(200).json);
  assert.equal((await get(endpoint, stage.table, itemOf(own))).mine.S, 'kept');
  (await server.delete(commentPath(foreign.id))).expect(204);
  comments.delete(foreign.id);
  await counted(stage, comments);

  // Import goes on beside them.
  const rows = sampleRows(7, 30, product);
  await importRows(stage.store, rows);
  for (const row of await exportOf(stage)) comments.set(row.id, row);
  assert.equal(ofProduct(comments, product).filter(({ text }) => text.includes('#')).length, 30);
  await counted(stage, comments);

  // Found, named, set aside.
  const found = await stage.run('verify');
  assert.equal(found.status, 3, found.stderr);
  const lines = found.stdout.trim().split('\n');
  for (const { name, item, reason } of bad) {
    const line = lines.find((one) => one.startsWith(`Item ${JSON.stringify(item.PK.S)} is damaged: `));
    assert.match(line ?? found.stdout, reason, name);
  }
  assert.equal(lines.at(-1), `${comments.size} comments, ${bad.length} differences`);
  await stage.mustRun('backfill', '--again');
  await stage.caughtUp('after a backfill');
  await counted(stage, comments);
  const repaired = await stage.run('verify', '--repair');
  assert.equal(repaired.status, 3, repaired.stdout + repaired.stderr);
  assert.match(repaired.stderr, new RegExp(`^${bad.length} damaged items are set aside`, 'm'));
  for (const { name, item } of bad)
    assert.ok(repaired.stderr.includes(`set aside: Item ${JSON.stringify(item.PK.S)} is damaged: `), `${name}\n${repaired.stderr}`);
  await stage.mustRun('verify');
  for (const { name, item } of bad) {
    const is = await get(endpoint, stage.table, item);
    const { aside, ...rest } = is;
    assert.match(aside.S, /./, name);
    const names = ['GSIPK', 'GSI2PK', 'GSI3PK', 'GSI4PK', 'GSISK'];
    for (const each of names) assert.equal(is[each], undefined, name);
    const back = Object.fromEntries(Object.entries(rest).map(([each, value]) => [each.replace(/^aside_/, ''), value]));
    assert.deepEqual(back, Object.fromEntries(Object.entries(item).filter(([, value]) => value)), `${name} can be put back`);
  }
  await checkReads(stage, comments, 'after the repair');
  assert.equal((await server.get(commentsPath(other))).expect(200).json.total, 5);
  await worker.stop();
  await stage.end();
}

async function commentsInWrongLists() {
  const stage = await begin('misplaced', await backends.LMDB());
  const worker = stage.work();
  await stage.serve();
  await stage.numbersBack();
  const comments = new Map();
  const wrong = [];
  let number = 0;
  for (const [name, [misplace, attributes]] of Object.entries(misplacements)) {
    const comment = { ...goodOf(++number), language: 'en', rating: 5 };
    const item = misplace(itemOf(comment));
    comments.set(comment.id, { ...ordered(comment), rating: Number(item.rating.N) });
    await put(database.endpoint, stage.table, item);
    wrong.push({ name, item, attributes });
    const beside = goodOf(++number);
    comments.set(beside.id, ordered(beside));
    await put(database.endpoint, stage.table, itemOf(beside));
  }
  await until('all are counted', async () => (await stage.statistics(product)).total === comments.size);
  // No page shows a comment that the filter excludes, and no page fails.
  for (const sort of sorts) {
    for (const rating of ratings) for (const comment of (await stage.server.walk(product, { rating, sort, limit: 2 })).flatMap((page) => page.comments)) assert.equal(comment.rating, rating);
    for (const language of ['en', 'de']) for (const comment of (await stage.server.walk(product, { language, sort, limit: 2 })).flatMap((page) => page.comments)) assert.equal(comment.language, language);
  }
  const found = await stage.run('verify');
  assert.equal(found.status, 3, found.stderr);
  const lines = found.stdout.trim().split('\n');
  for (const { name, item, attributes } of wrong) {
    const line = lines.find((one) => one.startsWith(`Item ${JSON.stringify(item.PK.S)} lies in other lists than its own: `));
    assert.ok(line, `${name}: ${found.stdout}`);
    for (const attribute of attributes) assert.match(line, new RegExp(` ${attribute} is `), name);
  }
  assert.equal(lines.at(-1), `${comments.size} comments, ${wrong.length} differences`);
  const repaired = await stage.run('verify', '--repair');
  assert.equal(repaired.status, 0, repaired.stdout + repaired.stderr);
  await stage.mustRun('verify');
  await checkReads(stage, comments, 'after the repair');
  for (const { name, item } of wrong) assert.deepEqual(await get(database.endpoint, stage.table, item), itemOf(comments.get(item.PK.S.slice(8))), name);
  await worker.stop();
  await stage.end();
}

async function aFunctionAndABackfill() {
  const stage = await begin('bylambda', await backends.LMDB());
  const comments = new Map();
  await fill(stage.table, comments);
  await stage.mustRun('backfill', '--lambda');
  await stage.serve();
  const runtime = await Runtime.listen();
  const lambda = start(['lambda', ...stage.flags], { env: { ...stage.env, AWS_LAMBDA_RUNTIME_API: runtime.address } });
  ends.push(() => { runtime.close(); lambda.child.kill('SIGKILL'); });
  const [victim] = expected(ofProduct(comments));
  await put(database.endpoint, stage.table, { ...itemOf(victim), rating: { N: '9' } });
  comments.delete(victim.id);
  const last = { ...goodOf(900), rating: 3 };
  await put(database.endpoint, stage.table, itemOf(last));
  comments.set(last.id, ordered(last));
  const all = [];
  for await (const record of records(database.endpoint, stage.table)) all.push(record);
  for (; all.length; all.splice(0, 100)) assert.deepEqual(await runtime.invoke({ Records: all.slice(0, 100) }), { outcome: 'response', answer: { batchItemFailures: [] } });
  await runtime.invoke({});
  assert.ok(lambda.text('stderr').includes(victim.id), lambda.text('stderr'));
  await counted(stage, comments);
  await checkReads(stage, comments, 'kept by a function');
  await stage.end();
}

async function anItemWithoutAProduct() {
  const stage = await begin('misnamed', await backends.LMDB());
  const worker = stage.work();
  await stage.serve('--public-url', 'https://shop.example', '--cache', '0');
  await stage.numbersBack();
  const comments = new Map();
  for (let n = 1; n <= 6; ++n) {
    const comment = { ...goodOf(n, n % 2 ? product : other), rating: 5 };
    comments.set(comment.id, ordered(comment));
    await put(database.endpoint, stage.table, itemOf(comment));
  }
  await counted(stage, comments);
  const { server } = stage;
  await until('the registry has both', async () => (await server.get('/sitemap.xml')).text.split('<loc>').length === 3);
  const asked = ['/', '/?find=shop', '/?by=five_star', '/?by=average', '/sitemap.xml', '/v1/leaderboard', '/v1/leaderboard?by=average', '/v1/leaderboard?language=en&limit=1'];
  const answers = async () => Promise.all(asked.map(async (path) => (await server.get(path)).expect(200).text.replace(/<p class="as-of">.*<\/p>\n|"as_of":("[^"]*"|null)/g, '')));
  const counter = async () => Number(/^quire_table_damaged_items_total (\S+)$/m.exec((await server.get('/metrics')).expect(200).text)[1]);
  const before_ = await answers();

  const names = ['.', '..', ' \n', 'a\x01', 'x'.repeat(257), 'ü'.repeat(512)];
  const registered = names.map((name) => ({ PK: { S: 'PRODUCTS' }, SK: { S: name } }));
  const leaders = ['PRODUCT#..', 'PRODUCT#', 'PRODUCT#%0A', `PRODUCT#${'%C3%BC'.repeat(300)}`, `PRODUCT#${'ü'.repeat(900)}`, 'PRODUCT#%6Fther', 'MINE'].flatMap((PK) => [
    { PK: { S: PK }, SK: { S: 'S' }, GSIPK: { S: 'LEADERS' }, GSISK: { S: '000000000009' }, count_5: { N: '9' }, count_total: { N: '9' } },
    { PK: { S: PK }, SK: { S: 'S#en' }, GSIPK: { S: 'LEADERS#en' }, GSISK: { S: '000000000009' }, count_5: { N: '9' }, count_total: { N: '9' } },
    { PK: { S: PK }, SK: { S: 'A' }, GSIPK: { S: 'AVERAGE' }, GSISK: { S: '5.0000' } }]);
  for (const item of [...registered, ...leaders]) await put(database.endpoint, stage.table, item);
  assert.deepEqual(await answers(), before_);
  const damaged = await counter();
  assert.ok(damaged >= registered.length + leaders.length, `${damaged}`);
  assert.match(server.process.text('stderr'), /Item "PRODUCTS \.\." is damaged: It is in the list of products, and names no product\./);

  const found = await stage.run('verify');
  assert.equal(found.status, 3, found.stderr);
  for (const { PK, SK } of [...registered, ...leaders]) assert.ok(found.stdout.includes(`Item ${JSON.stringify(`${PK.S} ${SK.S}`)} is damaged: `), `${PK.S} ${SK.S}: ${found.stdout}`);
  assert.equal(found.stdout.trim().split('\n').at(-1), `6 comments, ${registered.length + leaders.length} differences`);
  await stage.mustRun('backfill', '--again');
  await stage.caughtUp('after a backfill');
  const repaired = await stage.run('verify', '--repair');
  assert.equal(repaired.status, 3, repaired.stdout + repaired.stderr);
  await stage.mustRun('verify');
  const since = await counter();
  assert.deepEqual(await answers(), before_);
  assert.equal(await counter(), since, 'what was set aside is passed over silently');
  await worker.stop();
  await stage.end();
}

describe('beside damaged items', { concurrency: 2 }, () => {
  before(async () => { database = await startDynamoDb(); });
  after(async () => { for (const end of ends) await end(); await database?.stop(); });
  test('items of others: pages, counts, numbers, feeds and exports have what is good, verify names the rest and sets it aside', itemsOfOthers);
  test('comments in wrong lists are named by verify, and put into their own', commentsInWrongLists);
  test('a function and a backfill get past damaged items', aFunctionAndABackfill);
  test('an item that names no product costs itself alone: product list, sitemap, leaderboard', anItemWithoutAProduct);
});
