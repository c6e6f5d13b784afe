// The articles' own tables, by the mapping that quire table map prints: every page is that of a plain list while their
// programs write, with and without a page index, and costs half a unit a list more than on a table of Quire's own at most.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { idsOf, mustRun, run, serve } from '../support/harness.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { comparePages, facetArguments, facets, found, ids } from '../support/facets.mjs';
import { meanwhile } from '../support/project.mjs';
import { AdoptedStage, product } from '../support/adopted_stage.mjs';
import { FourFullIndexes, FourIndexes, FourWholeIndexes, RandomIds } from './articles_tables.mjs';

const filters = [{}, { language: 'en' }, { rating: 5 }, { rating: [1, 4, 5] }, { language: 'pt-BR', rating: [2, 3] }, { language: ['en', 'de'], rating: 1 }, { rating: [1, 2, 3, 4, 5] }];
let database;

before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

/** A table that a program has filled, and what table map prints of it. */
async function mapped(Program, name, comments = 600) {
  const stage = await AdoptedStage.make(new Program(), name, { database, comments });
  const { stdout } = await mustRun(['table', 'map', storeAt(database.endpoint, name)]);
  writeFileSync(stage.map, stdout);
  return stage;
}

async function served(t, stage, ...args) {
  const server = await serve({ store: stage.store, args: ['--access-log', 'none', ...args] });
  t.after(() => server.stop());
  return server;
}

async function compareWalks(server, stage) {
  for (const sort of ['-created_at', 'created_at']) {
    for (const filter of filters) {
      const what = `${stage.table} ${sort} ${JSON.stringify(filter)}`;
      const pages = await server.walk(product, { ...filter, sort, limit: 20 });
      assert.deepEqual(idsOf(pages), ids(found(stage.comments, filter, sort)), what);
      assert.deepEqual(idsOf((await server.walkBack(product, { ...filter, sort, limit: 20 }, pages.at(-1))).reverse()), idsOf(pages), what);
    }
  }
  for (const sort of ['rating', '-rating']) {
    assert.deepEqual(idsOf(await server.walk(product, { sort, limit: 20 })), ids(found(stage.comments, {}, sort)), sort);
  }
}

for (const Program of [FourIndexes, RandomIds]) {
  test(`${Program.name}: pages are those of a plain list while it writes`, { timeout: 600_000 }, async (t) => {
    const stage = await mapped(Program, Program.name.toLowerCase());
    const cursors = await served(t, stage);
    await stage.writeMany(60);
    await compareWalks(cursors, stage);

    for (const facet of facets) await mustRun([...facetArguments(facet), ...stage.flags]);
    await meanwhile(mustRun(['backfill', ...stage.flags]), async (busy) => { while (busy()) await stage.writeMany(8); });
    const numbered = await served(t, stage, '--pages', stage.pages);
    t.after(() => stage.worker?.child.kill('SIGKILL'));
    await stage.follow(numbered);
    await stage.writeMany(100);
    await stage.caughtUp(numbered);
    await comparePages(numbered, product, stage.comments, 20);
    await compareWalks(numbered, stage);
    const { total } = (await numbered.get(`/v1/products/${encodeURIComponent(product)}/statistics`)).expect(200).json;
    assert.equal(total, stage.comments.length);
    await mustRun(['verify', ...stage.flags]);
  });
}

test('table map finds every index of the articles, and explain names the one that is read', async (t) => {
  const stage = await mapped(FourIndexes, 'explained', 100);
  const printed = readFileSync(stage.map, 'utf8');
  assert.deepEqual([...printed.matchAll(/^name = "(.*)"$/gm)].map(([, name]) => name), ['all', 'byRating', 'byLang', 'byLangAndRating'], printed);
  const server = await served(t, stage);
  const planOf = async (filter) => (await server.page(product, { ...filter, limit: 20, explain: true })).plan;
  for (const [filter, index, lists] of [[{}, 'all', 1], [{ language: 'en' }, 'byLang', 1], [{ rating: [1, 5] }, 'byRating', 2], [{ language: 'en', rating: [1, 5] }, 'byLangAndRating', 2]]) {
    const plan = await planOf(filter);
    assert.deepEqual([plan.index, plan.lists.length], [index, lists], JSON.stringify(plan));
    assert.ok(plan.consumed_capacity > 0);
  }
  // Without the index by both, that by rating is read, and other languages are dropped.
  writeFileSync(stage.map, printed.replace(/\n\[\[index\]\]\nname = "byLangAndRating"\n.*\n/, ''));
  const without = await served(t, stage);
  const { plan } = await without.page(product, { language: 'en', rating: 5, limit: 20, explain: true });
  assert.equal(plan.index, 'byRating', JSON.stringify(plan));
  await compareWalks(without, stage);
});

for (const Program of [FourWholeIndexes, FourFullIndexes]) test(`a page costs half a unit a list more than on a table of our own, at most (${Program.name})`, async (t) => {
  const stage = await mapped(Program, Program.name.toLowerCase());
  const theirs = await served(t, stage);
  const store = storeAt(database.endpoint, `own${Program.name}`);
  await mustRun(['table', 'create', '--store', store]);
  await mustRun(['import', '-', '--store', store], { input: stage.comments.map(({ id, number, attributes, ...row }) => JSON.stringify(row)).join('\n') });
  const ours = await serve({ store, args: ['--access-log', 'none'] });
  t.after(() => ours.stop());
  for (const filter of filters) {
    const page = (server) => server.page(product, { ...filter, limit: 20, explain: true });
    await page(ours); // it learns the counts, which their table does not have
    const [own, adopted] = await Promise.all([ours, theirs].map(page));
    const times = [own, adopted].map(({ comments }) => comments.map(({ created_at }) => created_at));
    assert.deepEqual(times[1], times[0]);
    const more = adopted.plan.consumed_capacity - own.plan.consumed_capacity;
    t.diagnostic(`${JSON.stringify(filter)}: ${own.plan.consumed_capacity} units on a table of our own, ${adopted.plan.consumed_capacity} on theirs`);
    // Without counts each list is read, and a query costs half a unit at least.
    assert.ok(more <= 0.5 * adopted.plan.lists.length, `${JSON.stringify(filter)}: ${more} more`);
  }
});

test('an item in the list of another language is damaged for pages of lists', async () => {
  const stage = await mapped(FourIndexes, 'misplaced', 50);
  const [row] = stage.comments;
  const put = stage.program.item(row);
  stage.program.item = () => ({ ...put, GSI2PK: { S: 'PRODUCT#other/en' } });
  await stage.program.put(row);
  await mustRun(['backfill', ...stage.flags]);
  const { status, stdout } = await run(['verify', ...stage.flags]);
  assert.equal(status, 3);
  assert.match(stdout, /Its GSI2PK is not PRODUCT#größe 42\/.*, as its fields say: pages by \[\[index\]\] leave it out\./);
});

test('table describe says what an index lacks, and what a page costs therefore', async () => {
  const lacking = await mapped(FourIndexes, 'lacking', 20), full = await mapped(FourFullIndexes, 'full', 20);
  const notesOf = async (stage) => (await run(['table', 'describe', '--store', stage.store])).stderr;
  assert.match(await notesOf(lacking), /^The index all lacks .*text, title, user.*: a page reads each of its comments from the table/m);
  assert.doesNotMatch(await notesOf(full), /lacks/);
});

test('pages come by cursor while the page index is not built', async (t) => {
  const stage = await mapped(FourIndexes, 'unbuilt', 100);
  const server = await served(t, stage, '--pages', stage.pages);
  await compareWalks(server, stage);
  assert.match((await server.page(product)).page.numbers_missing, /The page index is empty: run quire backfill\./);
  await expectNoCounts(server);
});

test('without a page index nothing is counted, and no zero says that there are no comments', async (t) => {
  await expectNoCounts(await served(t, await mapped(FourIndexes, 'uncounted', 30)));
});

async function expectNoCounts(server) {
  const path = `/v1/products/${encodeURIComponent(product)}/comments`;
  for (const query of ['', '?facets=true', '?facets=true&rating=5', '?language=en&facets=true']) {
    const answer = (await server.get(path + query)).expect(200);
    assert.deepEqual([answer.json.total, answer.json.facets, answer.headers['x-total-count']], [undefined, undefined, undefined], query);
    assert.equal(!!answer.json.facets_missing, query.includes('facets'), answer.json.facets_missing);
  }
  for (const query of ['', '?rating=5']) {
    const { text } = (await server.get(`/products/${encodeURIComponent(product)}${query}`)).expect(200);
    assert.doesNotMatch(text, /\b0 comments|of 0\b/, query);
    assert.equal(text.includes('noindex'), query !== '', query);
  }
}
