// The table and the pages of the article on page numbers: a random id and the time are the key, an index is by product and time; and beside
// the table a sorted set in Redis gives the one key before a page, from which the index is queried. Another program than Quire fills both.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './dynamodb.mjs';

const table = 'articles';
const index = 'byProduct';
const minutes = (time) => time.slice(0, 16).replace('T', ' ');
const keyOf = (row) => ({ PK: { S: createHash('sha256').update(row.created_at).digest('hex').slice(0, 12) }, SK: { S: minutes(row.created_at) }, PK2: { S: row.product } });
const itemOf = (row) => ({
  ...keyOf(row), lang: { S: row.language }, stars: { N: String(row.rating) },
  author: { S: row.author ?? '' }, title: { S: row.title ?? '' }, text: { S: row.text ?? '' },
});

const mapping = `[comment]
product = { attribute = "PK2" }
created_at = { attribute = "SK", format = "2021-08-25 13:00" }
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
  writeFileSync(sorted, `${mapping}\n[[index]]\nname = "${index}"\n`);
  writeFileSync(keyed, mapping);
  const keys = (partition) => [{ AttributeName: partition, KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }];
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: 'S' });
  await call(endpoint, 'CreateTable', {
    TableName: table, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: ['PK', 'SK', 'PK2'].map(attribute), KeySchema: keys('PK'),
    GlobalSecondaryIndexes: [{ IndexName: index, KeySchema: keys('PK2'), Projection: { ProjectionType: 'ALL' } }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  while ((await call(endpoint, 'DescribeTable', { TableName: table })).Table.TableStatus !== 'ACTIVE') await sleep(20);
  const rows = readRows(rowsFile);
  const batches = Array.from({ length: Math.ceil(rows.length / 25) }, (_, at) => rows.slice(25 * at, 25 * at + 25));
  await inTurns(batches.map((some) => () => call(endpoint, 'BatchWriteItem', { RequestItems: { [table]: some.map((row) => ({ PutRequest: { Item: itemOf(row) } })) } })), 4);
  return table;
}

const readRows = (file) => readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

/** Rows of a file whose times differ in their minutes: the article's keys are no finer, and DynamoDB orders equal ones as it likes. */
export function keepOneAMinute(file, count) {
  const seen = new Set();
  const kept = readRows(file).map(({ id, ...row }) => ({ ...row, created_at: `${row.created_at.slice(0, 16)}:00.000Z` }))
    .filter(({ created_at }) => !seen.has(created_at) && seen.add(created_at)).slice(0, count);
  writeFileSync(file, `${kept.map((row) => JSON.stringify(row)).join('\n')}\n`);
  return kept.length;
}

/** Fills the sorted set of each product of the file. `redis`: of connect(). */
export async function fillSets(redis, rowsFile) {
  for (const row of readRows(rowsFile)) await redis.send('ZADD', row.product, Date.parse(row.created_at) / 1000, keyOf(row).PK.S);
}

/** A page in the article's way, newest first: {texts, units, requests}. */
export async function readPage(endpoint, redis, product, number, rows = 20) {
  const query = {
    TableName: table, IndexName: index, Limit: rows, ScanIndexForward: false, ReturnConsumedCapacity: 'TOTAL',
    KeyConditionExpression: 'PK2 = :product', ExpressionAttributeValues: { ':product': { S: product } },
  };
  if (number > 1) {
    const before = (number - 1) * rows - 1;
    const [id, time] = await redis.send('ZREVRANGE', product, before, before, 'WITHSCORES');
    query.ExclusiveStartKey = { PK: { S: id }, PK2: { S: product }, SK: { S: minutes(new Date(Number(time) * 1000).toISOString()) } };
  }
  const { Items, ConsumedCapacity } = await call(endpoint, 'Query', query);
  return { texts: Items.map(({ text }) => text.S), units: ConsumedCapacity.CapacityUnits, requests: 1 };
}
