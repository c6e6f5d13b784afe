// Tables that others made: pages by number, filters, sorts and counts are those of a sorted scan, while their programs
// write; and Quire writes nothing there. QUIRE_ADOPTED_COMMENTS: how many comments each table has;
// QUIRE_ADOPTED_FILE: from which file they are, instead of made ones.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { idsOf, mustRun, run, serve, start, temporaryDirectory } from '../support/harness.mjs';
import { call, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { comparePages, facetArguments, facets, filterWithWords, found, ids } from '../support/facets.mjs';
import { meanwhile } from '../support/project.mjs';
import { Runtime, records } from '../support/lambda.mjs';
import { Article, Electro, Sdk } from '../support/adopted.mjs';
import { FaultProxy } from '../support/fault_proxy.mjs';
import { AdoptedStage, product } from '../support/adopted_stage.mjs';

const count = Number(process.env.QUIRE_ADOPTED_COMMENTS ?? 1000);
const directory = temporaryDirectory();
let database;
let proxy; // counts what Quire asks for

before(async () => { database = await startDynamoDb(); proxy = await FaultProxy.start(database.endpoint); });
after(() => database?.stop());

const make = (program, table, comments) => AdoptedStage.make(program, table, { database, through: proxy.endpoint, comments });

/** The table's items, to the byte. */
const itemsOf = async (table) => {
  const items = [];
  for (let start, first = true; first || start; first = false) {
    const page = await call(database.endpoint, 'Scan', { TableName: table, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) });
    items.push(...page.Items.map((item) => JSON.stringify(Object.entries(item).sort())));
    start = page.LastEvaluatedKey;
  }
  return items.sort();
};

for (const Program of [Article, Electro, Sdk]) {
  test(`${Program.name}: pages are those of a sorted scan while it writes`, { timeout: 600_000 }, async (t) => {
    const program = new Program();
    const stage = await make(program, Program.name.toLowerCase(), count);
    await Promise.all(facets.map((facet) => mustRun([...facetArguments(facet), ...stage.flags])));
    await mustRun(['words', 'add', ...stage.flags]);
    const killed = start(['backfill', ...stage.flags, '--segments', '3']);
    setTimeout(() => killed.child.kill('SIGKILL'), 200);
    await killed.ended;
    await meanwhile(mustRun(['backfill', ...stage.flags, '--segments', '3']), async (busy) => { while (busy()) await stage.writeMany(8); });
    const server = await serve({ store: stage.store, args: ['--pages', stage.pages, '--access-log', 'none'] });
    t.after(async () => { stage.worker?.child.kill('SIGKILL'); await server.stop(); });
    await stage.follow(server);
    await meanwhile(stage.writeMany(200), async () => { await sleep(200); stage.worker.child.kill('SIGKILL'); });
    await stage.follow(server);
    const left = await itemsOf(stage.table);
    await stage.caughtUp(server);
    await comparePages(server, product, stage.comments, 30);
    await comparePages(server, product, stage.comments, 15, filterWithWords);

    const wanted = found(stage.comments, {}, '-created_at');
    const pages = await server.walk(product, { limit: 90 });
    assert.deepEqual(idsOf(pages), ids(wanted));
    const [{ number, attributes: { remark, ...attributes }, ...first }] = wanted;
    const [shown] = pages[0].comments;
    if (shown.attributes) shown.attributes.tags?.sort();
    attributes.tags?.sort();
    assert.deepEqual(shown, { ...first, ...(Object.keys(attributes).length && { attributes }) });
    assert.deepEqual((await server.get(`/v1/comments/${first.id}`)).expect(200).json.title, first.title);
    assert.equal((await server.get(`/v1/products/${encodeURIComponent(product)}/statistics`)).expect(200).json.total, wanted.length);
    assert.equal(JSON.parse((await mustRun(['get', first.id, '--json', ...stage.flags])).stdout).id, first.id);
    const exported = (await mustRun(['export', '--product', product, ...stage.flags])).stdout.trim().split('\n').map((line) => JSON.parse(line).id);
    assert.deepEqual(exported, ids(found(stage.comments, {}, 'created_at')));
    const page = `/products/${encodeURIComponent(product)}`;
    for (const path of ['/', page, `${page}/comments.atom`, '/sitemap.xml', '/readyz']) (await server.get(path)).expect(200);
    (await server.get('/v1/comments/01JD4Q4Z6V9GWZSJDFV53EDCY2')).expect(404);
    (await server.get('/v1/leaderboard')).expect(503);

    await mustRun(['verify', ...stage.flags]);
    assert.deepEqual(await itemsOf(stage.table), left, 'the items are untouched');

    // The index no longer learns what is written: what is gone or changed is passed over.
    stage.worker.child.kill('SIGKILL');
    await stage.worker.ended;
    const fives = found(stage.comments, { rating: 5 });
    for (const { id, ...row } of fives.slice(3, 9)) await program.remove(row);
    for (const { id, ...row } of fives.slice(30, 40)) await program.put({ ...row, rating: 1 });
    const still = [...fives.slice(0, 3), ...fives.slice(9, 30), ...fives.slice(40)];
    assert.deepEqual(idsOf(await server.walk(product, { rating: 5, limit: 7 })), ids(still));
    const second = await server.page(product, { rating: 5, limit: 7, page: 2 });
    assert.deepEqual(idsOf(second), ids(fives.slice(9, 14)), 'a page by number is shorter by what is gone');
  });
}

test('a function of AWS Lambda follows it', async (t) => {
  for (const Program of [Electro, Sdk]) {
    const stage = await make(new Program(), `lambda-${Program.name}`);
    for (const facet of facets) await mustRun([...facetArguments(facet), ...stage.flags]);
    await mustRun(['backfill', ...stage.flags, '--lambda']);
    await stage.writeMany(60);
    const runtime = await Runtime.listen();
    const lambda = start(['lambda', ...stage.flags], { env: { AWS_LAMBDA_RUNTIME_API: runtime.address } });
    t.after(() => { lambda.child.kill('SIGKILL'); runtime.close(); });
    const waiting = [];
    for await (const record of records(database.endpoint, stage.table)) waiting.push(record);
    const invoke = async (some) => assert.deepEqual(await runtime.invoke({ Records: some }), { outcome: 'response', answer: { batchItemFailures: [] } });
    while (waiting.length) await invoke(waiting.splice(0, 50));
    await invoke([]); // moves the time up to which all is applied
    const server = await serve({ store: stage.store, args: ['--pages', stage.pages, '--access-log', 'none'] });
    t.after(() => server.stop());
    await comparePages(server, product, stage.comments, 10);

    // With another mapping, a server takes nothing from this index.
    const other = join(directory, `other-${Program.name}.toml`);
    writeFileSync(other, `${stage.program.mapping}\n# another\n`);
    const another = await serve({ store: stage.store.replace(/map=.*/, `map=${other}`), args: ['--pages', stage.pages, '--access-log', 'none'] });
    t.after(() => another.stop());
    const path = `/v1/products/${encodeURIComponent(product)}/comments`;
    if (stage.program.mapping.includes('[[index]]')) assert.deepEqual(idsOf(await another.walk(product, { limit: 90 })), ids(found(stage.comments, {}, '-created_at')));
    else assert.match((await another.get(path)).expect(503).json.detail, /built under another mapping/);
    assert.match((await another.get(`${path}?page=2`)).expect(503).json.detail, /built under another mapping/);
  }
});

test('a damaged item is left out, counted and named', async () => {
  const stage = await make(Object.assign(new Article(), { view: 'NEW_IMAGE' }), 'damaged');
  await call(database.endpoint, 'PutItem', { TableName: 'damaged', Item: { PK: { S: `PRODUCT#${product}` }, SK: { S: 'yesterday' }, stars: { N: '5' }, title: { S: '' }, text: { S: '' } } });
  await stage.program.put({ ...stage.fresh.pop(), created_at: '2024-11-20T13:01:00+01:00' });
  await mustRun(['backfill', ...stage.flags]);
  stage.worker = start(['project', ...stage.flags, '--poll', '50']);
  try {
    const { status, stdout } = await run(['verify', ...stage.flags]);
    assert.equal(status, 3);
    assert.match(stdout, /yesterday.*The date needs a format/);
    assert.match(stdout, /13:01:00\+01:00.*does not sort by its time/);
  } finally {
    stage.worker.child.kill('SIGKILL');
  }
});

test('without a page index, pages come by cursor from the index that the mapping names', async (t) => {
  for (const Program of [Article, Sdk]) {
    const program = new Program();
    const stage = await make(program, `cursor-${Program.name}`);
    const server = await serve({ store: stage.store, args: ['--access-log', 'none'] });
    t.after(() => server.stop());
    for (const sort of ['-created_at', 'created_at']) {
      for (const filter of [{}, { rating: [1, 5] }, { language: 'en', rating: 4 }]) {
        const pages = await server.walk(product, { ...filter, sort, limit: 20 });
        assert.deepEqual(idsOf(pages), ids(found(stage.comments, filter, sort)), `${Program.name} ${sort} ${JSON.stringify(filter)}`);
        assert.deepEqual(idsOf((await server.walkBack(product, { ...filter, sort, limit: 20 }, pages.at(-1))).reverse()), idsOf(pages));
      }
    }
    const { json } = (await server.get(`/v1/products/${encodeURIComponent(product)}/comments?page=2`)).expect(503);
    assert.ok(json.detail.length > 0);
  }
});

test('table map prints a mapping that reads the table', async () => {
  for (const Program of [Article, Electro, Sdk]) {
    const name = `mapped-${Program.name}`;
    const stage = await make(new Program(), name);
    const { stdout } = await mustRun(['table', 'map', storeAt(proxy.endpoint, name)]);
    const map = join(directory, `${name}-printed.toml`);
    writeFileSync(map, stdout);
    const exported = (await mustRun(['export', '--store', `${storeAt(proxy.endpoint, name)}&map=${map}`])).stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(exported.map(({ id }) => id).sort(), ids(stage.comments).sort(), stdout);
    assert.deepEqual(exported.map(({ rating }) => rating).sort(), stage.comments.map(({ rating }) => rating).sort());
    if (Program !== Sdk) continue;
    // What its owner calls a comment finds it, without a page index, too.
    const server = await serve({ store: `${storeAt(proxy.endpoint, name)}&map=${map}`, args: ['--access-log', 'none'] });
    try {
      const [row] = stage.comments;
      const found = (await server.get(`/v1/comments/${encodeURIComponent(`review ${row.number}`)}`)).expect(200).json;
      assert.deepEqual([found.id, found.title, found.attributes.id], [stage.program.idOf(row), row.title, `review ${row.number}`]);
      (await server.get('/v1/comments/review%20none')).expect(404);
    } finally {
      await server.stop();
    }
  }
});

test('what cannot be is refused with what to do', async () => {
  await new Article().make(database.endpoint, 'refused');
  const map = join(directory, 'refused.toml');
  const store = `${storeAt(proxy.endpoint, 'refused')}&map=${map}`;
  const refused = async (text, words, ...args) => {
    writeFileSync(map, text);
    const { status, stderr } = await run([...(args.length ? args : ['export']), '--store', store]);
    assert.notEqual(status, 0);
    assert.match(stderr, words);
  };
  const { mapping } = new Article();
  await refused('', /The mapping .* is empty\. quire table map prints a first one\./);
  await refused(mapping.replace('stars', ''), /refused\.toml:5: /);
  await refused(mapping.replace('[[index]]', '[[index]]\nname = "none"'), /no global index none/);
  await refused(mapping.replace('[[index]]', '[[index]]\nname = "byLang"'), /keys PK2 and SK/);
  await refused(mapping, /keeps its keys/, 'backfill', '--pages', 'redis://127.0.0.1:1/0');
  await refused(mapping, /belongs to other programs/, 'delete', '01JD4Q4Z6V9GWZSJDFV53EDCY2');
});

test('Quire asked for nothing that writes', () => {
  const reading = ['DescribeTable', 'Scan', 'Query', 'GetItem', 'BatchGetItem', 'DescribeStream', 'GetShardIterator', 'GetRecords'];
  const { requests } = proxy;
  assert.deepEqual([...requests.keys()].filter((one) => !reading.includes(one)), []);
  assert.ok(requests.has('GetRecords') && requests.has('BatchGetItem') && requests.has('Query'));
});
