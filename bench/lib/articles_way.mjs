// The table and the pages of the articles: items by product and date, written by another program than Quire; and beside the table a
// sorted set in Redis, which gives the keys of a page, whose items BatchGetItem gets.

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './dynamodb.mjs';
import { Broken } from './processes.mjs';

const table = 'articles';
const key = ({ product, created_at, id }) => ({ PK: { S: `PRODUCT#${product}` }, SK: { S: `${created_at}#${id}` } });
const itemOf = (row) => ({
  ...key(row), lang: { S: row.language }, stars: { N: String(row.rating) },
  author: { S: row.author ?? '' }, title: { S: row.title ?? '' }, text: { S: row.text ?? '' },
});

const mapping = `[comment]
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK", pattern = "{created_at}#{rest}" }
language = { attribute = "lang" }
rating = { attribute = "stars" }
author = { attribute = "author" }
title = { attribute = "title" }
text = { attribute = "text" }
`;

async function inTurns(tasks, atOnce) {
  const left = [...tasks];
  await Promise.all(Array.from({ length: atOnce }, async () => { while (left.length > 0) await left.pop()(); }));
}

/** Makes the table of a file of comments. Writes mappings for Quire: `sorted` names the table as sorted by time, `keyed` does not. Gives the table's name. */
export async function makeTable(endpoint, rowsFile, { sorted, keyed }) {
  writeFileSync(sorted, `${mapping}\n[index]\n`);
  writeFileSync(keyed, mapping);
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: 'S' });
  await call(endpoint, 'CreateTable', {
    TableName: table, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [attribute('PK'), attribute('SK')],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  while ((await call(endpoint, 'DescribeTable', { TableName: table })).Table.TableStatus !== 'ACTIVE') await sleep(20);
  const rows = readRows(rowsFile);
  const batches = Array.from({ length: Math.ceil(rows.length / 25) }, (_, at) => rows.slice(25 * at, 25 * at + 25));
  await inTurns(batches.map((some) => () => call(endpoint, 'BatchWriteItem', { RequestItems: { [table]: some.map((row) => ({ PutRequest: { Item: itemOf(row) } })) } })), 4);
  return table;
}

const readRows = (file) => readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

/** Fills the sorted set of each product of the file. `redis`: of connect(). */
export async function fillSets(redis, rowsFile) {
  for (const row of readRows(rowsFile)) {
    const { PK, SK } = key(row);
    await redis.send('ZADD', encodeURIComponent(PK.S), Date.parse(row.created_at), encodeURIComponent(SK.S));
  }
}

/** A page in the articles' way, newest first: {texts, units, requests, sets: how often Redis was asked}. */
export async function readPage(endpoint, redis, product, number, rows = 20) {
  const list = `PRODUCT#${product}`;
  const first = (number - 1) * rows;
  const sorts = (await redis.send('ZREVRANGE', encodeURIComponent(list), first, first + rows - 1)).map(decodeURIComponent);
  const Keys = sorts.map((SK) => ({ PK: { S: list }, SK: { S: SK } }));
  const { Responses, UnprocessedKeys, ConsumedCapacity } = await call(endpoint, 'BatchGetItem', { RequestItems: { [table]: { Keys } }, ReturnConsumedCapacity: 'TOTAL' });
  if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Broken('DynamoDB Local left keys over');
  const texts = Object.fromEntries(Responses[table].map(({ SK, text }) => [SK.S, text.S]));
  return { texts: sorts.map((SK) => texts[SK]), units: ConsumedCapacity[0].CapacityUnits, requests: 1, sets: 1 };
}
