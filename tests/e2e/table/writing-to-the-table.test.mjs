// The JavaScript of docs/writing-to-the-table.md, run as it stands there: Quire shows, counts and numbers what it writes, changes and deletes.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, here, root } from '../support/harness.mjs';
import { seeded } from '../support/data.mjs';
import { call, scan, startDynamoDb } from '../support/dynamodb.mjs';
import { backends } from '../support/servers/backends.mjs';
import { Stage, until } from '../support/project.mjs';
import { recount, sameFigures } from '../support/recount.mjs';

const product = "it's größe/42 (new)!*";
const examples = mkdtempSync(join(here, 'node_modules', '.examples-')); // where its imports find the packages
const ends = [() => rmSync(examples, { recursive: true })];
let database, stage, aws, entity;

/** Blocks of code that begin with the name of a file. */
function extract(language, comment) {
  const text = readFileSync(join(root, 'docs/writing-to-the-table.md'), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n${comment} (\\S+)\\n([^]*?)^\`\`\`$`, 'gm'))];
  return new Map(blocks.map(([, name, code]) => [name, code]));
}

before(async () => {
  for (const [name, code] of extract('js', '//')) writeFileSync(join(examples, name), code);
  database = await startDynamoDb();
  Object.assign(process.env, { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: database.endpoint });
  [aws, entity] = [await import(join(examples, 'comments.mjs')), await import(join(examples, 'entity.mjs'))];
  stage = await Stage.make({ test: { after: (end) => ends.push(end) }, database, table: 'comments', index: await backends.SQLite(), random: seeded(1) });
  stage.products = [product];
  stage.work();
  await stage.serve();
  await stage.numbersBack();
});
after(async () => { for (const end of ends) end(); await database?.stop(); });

/** Pages, counts and numbers are those of these comments, newest first. */
async function check(comments, when) {
  const { server } = stage;
  const numbered = async () => { const { page, total } = await server.page(product, { limit: 2 }); return total === comments.length && page.count === Math.max(1, Math.ceil(total / 2)); };
  await until(`${when}: it is numbered and counted`, async () => (await numbered()) && (await stage.statistics(product)).total === comments.length);
  await until(`${when}: statistics are a recount`, async () => {
    try { sameFigures(await stage.statistics(product), recount(product, comments), when); return true; } catch { return false; }
  }, async () => JSON.stringify(await stage.statistics(product)));
  const pages = await server.walk(product, { limit: 2 });
  assert.deepEqual(pages.flatMap((page) => page.comments), comments, when);
  for (const [at] of pages.entries()) assert.deepEqual((await server.page(product, { limit: 2, page: at + 1 })).comments, pages[at].comments, when);
  for (const { id, language, rating } of comments) {
    const { number } = (await server.get(`${commentPath(id)}/page?language=${language}&rating=${rating}`)).expect(200).json;
    assert.equal(number, 1, when);
  }
  for (const rating of [1, 2, 3, 4, 5]) {
    const ids = (list) => list.map(({ id }) => id);
    assert.deepEqual(ids((await server.page(product, { rating })).comments), ids(comments.filter((one) => one.rating === rating)), `${when}, rated ${rating}`);
  }
  await stage.mustRun('verify');
}

const shown = async (id) => (await stage.server.get(commentPath(id))).expect(200).json;

test('comments that are put by the AWS SDK', async () => {
  const first = await aws.post({ product, language: 'en', rating: 5, author: 'Ann', title: 'Fits', text: 'Warm\nand dry' });
  const second = await aws.post({ product, language: 'de', rating: 2 });
  assert.deepEqual(await shown(first), { id: first, product, language: 'en', rating: 5, created_at: (await shown(first)).created_at, author: 'Ann', title: 'Fits', text: 'Warm\nand dry' });
  await check([await shown(second), await shown(first)], 'put');
  await aws.change(first, { rating: 1, title: 'Too small' });
  await aws.change(second, { language: 'fr' });
  const changed = await shown(first);
  assert.deepEqual([changed.rating, changed.title, changed.text], [1, 'Too small', 'Warm\nand dry']);
  await check([await shown(second), changed], 'changed');
  (await stage.server.patch(commentPath(first), { rating: 4 })).expect(200);
  await aws.change(first, { text: 'after Quire' });
  const both = await shown(first);
  assert.deepEqual([both.rating, both.text], [4, 'after Quire']);
  await aws.remove(second);
  await check([both], 'deleted');
  await aws.remove(first);
  await check([], 'all deleted');
});

test('a comment that is changed by the AWS SDK stays in its part of each list in which it stays', async () => {
  const id = await aws.post({ product, language: 'en', rating: 5 });
  const keys = async () => { const [item] = await scan(database.endpoint, 'comments').then((items) => items.filter((item) => item.PK === `COMMENT#${id}`)); return ['GSI4PK', 'GSI2PK', 'GSI3PK', 'GSIPK'].map((key) => item[key]); };
  const [all, byLang, byRating] = await keys();
  const parts = { ':a': { S: `${all}#part3` }, ':l': { S: `${byLang}#part1` }, ':r': { S: `${byRating}#part2` } };
  const key = { PK: { S: `COMMENT#${id}` }, SK: { S: `COMMENT#${id}` } };
  await call(database.endpoint, 'UpdateItem', { TableName: 'comments', Key: key, UpdateExpression: 'SET GSI4PK = :a, GSI2PK = :l, GSI3PK = :r', ExpressionAttributeValues: parts });
  await aws.change(id, { rating: 4 });
  assert.deepEqual(await keys(), [`${all}#part3`, `${byLang}#part1`, `${all}/4`, `${all}/en/4`]);
  await aws.remove(id);
});

test('comments that an ElectroDB entity writes', async () => {
  const first = await entity.post({ product, language: 'en', rating: 5, title: 'Fits', text: 'Warm' });
  const second = await entity.post({ product, language: 'en', rating: 3 });
  await check([await shown(second), await shown(first)], 'put');
  await entity.rate(first, { product, language: 'de', rating: 2 });
  await entity.retitle(first, 'Again');
  const changed = await shown(first);
  assert.deepEqual([changed.language, changed.rating, changed.title, changed.text], ['de', 2, 'Again', 'Warm']);
  await check([await shown(second), changed], 'changed');
  (await stage.server.patch(commentPath(second), { title: 'By Quire', rating: 4 })).expect(200);
  await entity.retitle(second, 'By both');
  const posted = (await stage.server.post(commentsPath(product), { language: 'en', rating: 1, title: 'By HTTP' })).expect(201).json;
  await until('the index has all', async () => (await entity.newest(product, 'en')).length === 2);
  assert.deepEqual((await entity.newest(product, 'en')).map(({ rating, data }) => [rating, data.title]), [[1, 'By HTTP'], [4, 'By both']]);
  await check([posted, await shown(second), changed], 'written by both');
  await entity.remove(first);
  await entity.remove(second);
  await entity.remove(posted.id);
  await check([], 'all deleted');
});

test('a comment that waits for a moderator is seen nowhere, and a change keeps its status', async () => {
  const item = async (id) => (await scan(database.endpoint, 'comments')).find(({ PK }) => PK === `COMMENT#${id}`);
  const shownOne = await shown(await aws.post({ product, language: 'en', rating: 5, text: 'fine' }));
  const id = await aws.post({ product, language: 'en', rating: 1, text: 'doubtful', status: 'pending' });
  await check([shownOne], 'posted as pending');
  (await stage.server.get(commentPath(id))).problem('not-found');
  await aws.change(id, { rating: 2, language: 'de', title: 'Still' });
  const { GSI4PK, GSI2PK, GSI3PK, GSIPK, GSISK, rating, data } = await item(id);
  assert.deepEqual([GSI4PK, GSI2PK, GSI3PK, GSIPK, GSISK, rating], ['STATUS#pending', undefined, undefined, undefined, id, 2]);
  assert.deepEqual(JSON.parse(data), { text: 'doubtful', status: 'pending', product, title: 'Still' });
  await entity.retitle(id, 'Again');
  await assert.rejects(entity.rate(id, { product, language: 'en', rating: 3 }), /is pending/);
  assert.deepEqual(JSON.parse((await item(id)).data), { text: 'doubtful', status: 'pending', product, title: 'Again' });
  await check([shownOne], 'changed');
  // What a program does that knows no status: it puts the keys of lists back.
  const { GSI4PK: all, ...lists } = Object.fromEntries(Object.entries(await item(shownOne.id)).filter(([name]) => name.startsWith('GSI') && name.endsWith('PK')));
  const names = { GSI4PK: all, ...lists };
  await call(database.endpoint, 'UpdateItem', { TableName: 'comments', Key: { PK: { S: `COMMENT#${id}` }, SK: { S: `COMMENT#${id}` } },
    UpdateExpression: `SET ${Object.keys(names).map((name, n) => `${name} = :${n}`)}`, ExpressionAttributeValues: Object.fromEntries(Object.values(names).map((value, n) => [`:${n}`, { S: value }])) });
  assert.deepEqual((await stage.server.page(product, { limit: 10 })).comments, [shownOne]);
  await aws.remove(id);
  await aws.remove(shownOne.id);
  await check([], 'all deleted');
});

test('a comment that is removed takes along the item of its idempotency key', async () => {
  const lingering = async () => (await scan(database.endpoint, 'comments')).filter((item) => JSON.stringify(item).includes('a secret'));
  const post = async () => (await stage.server.post(commentsPath(product), { language: 'en', rating: 5, text: 'a secret' }, { 'Idempotency-Key': 'one' })).expect(201).json;
  const { id } = await post();
  assert.equal((await post()).id, id);
  assert.equal((await lingering()).length, 2);
  (await stage.server.delete(commentPath(id))).expect(204);
  assert.deepEqual(await lingering(), []);
  const again = await post();
  assert.notEqual(again.id, id, 'the key is free again');
  await aws.remove(again.id);
  assert.deepEqual(await lingering(), []);
});
