// DynamoDB for tests, and a bare client that looks behind Quire's back.

import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endServers, startDynamoDbAlone } from './servers/servers.mjs';

// Every quire that a test starts later finds these keys. The servers check no signature. Amazon's own server has tables
// for each key: so a file of tests has its own on a server that it shares.
const key = `test${process.pid}at${Date.now()}`;
export const keys = { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: 'test' };
Object.assign(process.env, keys);

after(endServers);

/** The store's address for quire. */
export const storeAt = (endpoint, table = 'quire') => `dynamodb:${table}?region=eu-west-1&endpoint=${endpoint}`;

const shared = process.env.QUIRE_TEST_DYNAMODB; // its endpoint

/** Amazon's own server. Files of tests share the one that a run starts. */
export const startDynamoDb = () => (shared ? { endpoint: shared, stop: async () => {} } : startDynamoDbAlone());

/** A refusal of the service, or of a server in front of it. */
export class DynamoDbError extends Error {
  constructor(operation, answer, text) {
    super(`${operation}: status ${answer.status}\n${text.slice(0, 500)}`);
    this.status = answer.status;
    this.text = text;
    this.type = /"__type"\s*:\s*"(?:[^"]*#)?([^"]*)"/.exec(text)?.[1];
  }
}

/** One request; gives the answer's JSON. */
export const call = (endpoint, operation, body) => ask(endpoint, 'DynamoDB_20120810', operation, body);
export const callStreams = (endpoint, operation, body) => ask(endpoint, 'DynamoDBStreams_20120810', operation, body);

// DynamoDB Local gives up where it is busy; the service does not.
const gaveUp = (answer, text) => answer.status === 500 && text.includes('waiting for a lock');

async function ask(endpoint, target, operation, body = {}, tries = 5) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `${target}.${operation}`,
      'X-Amz-Date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      Authorization: `AWS4-HMAC-SHA256 Credential=${key}/20240101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (gaveUp(answer, text) && tries > 1) return ask(endpoint, target, operation, body, tries - 1);
  if (!answer.ok) throw new DynamoDbError(operation, answer, text);
  return JSON.parse(text);
}

/** Each index of the table and the attribute that is its partition key. GSISK is the sort key of all. */
export const indexes = { byLangAndRating: 'GSIPK', byLang: 'GSI2PK', byRating: 'GSI3PK', all: 'GSI4PK' };
export const projected = ['language', 'rating', 'data'];

/** Makes a table with Quire's layout, without Quire. */
export async function createTable(endpoint, table = 'quire') {
  const key = (hash, range) => [{ AttributeName: hash, KeyType: 'HASH' }, { AttributeName: range, KeyType: 'RANGE' }];
  await call(endpoint, 'CreateTable', {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSISK', ...Object.values(indexes)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: key('PK', 'SK'),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, attribute]) => ({
      IndexName, KeySchema: key(attribute, 'GSISK'), Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: projected },
    })),
  });
  while ((await call(endpoint, 'DescribeTable', { TableName: table })).Table.TableStatus !== 'ACTIVE') await sleep(20);
}

/** Every item of a table, strings and numbers as such. */
export async function scan(endpoint, table = 'quire') {
  const items = [];
  let start;
  do {
    const page = await call(endpoint, 'Scan', { TableName: table, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) });
    items.push(...page.Items.map(plain));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

const plain = (item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value.S ?? (value.N === undefined ? value : Number(value.N))]));
