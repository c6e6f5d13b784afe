// Servers of DynamoDB's protocol for tests, and a bare client that looks behind Quire's back.
// They end with the test process, however that ends, as everything that harness.mjs starts.

import { spawn } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { here } from './harness.mjs';

// Every quire that a test starts later finds these keys. The servers check no signature.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });

const children = new Set();
const cleanUp = () => { for (const child of children) child.kill('SIGKILL'); };
process.on('exit', cleanUp);
after(cleanUp);

/** The store's address for quire. */
export const storeAt = (endpoint, table = 'quire') => `dynamodb:${table}?region=eu-west-1&endpoint=${endpoint}`;

/** Amazon's own server. It has everything that Quire uses. */
export const startDynamoDb = () => start('amplify-dynamodb-simulator/emulator', 'java',
  // The two -XX options halve the start's time.
  ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-inMemory', '-sharedDb', '-disableTelemetry', '-port']);

/** A server that is independent of Amazon's. It has neither transactions nor streams. */
export const startDynalite = () => start('dynalite', process.execPath,
  ['cli.js', '--createTableMs', '0', '--deleteTableMs', '0', '--updateTableMs', '0', '--host', '127.0.0.1', '--port']);

/** Starts a server of an npm package; `args` wants the port at its end. Gives {endpoint, stop()}. */
async function start(directory, command, args) {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // setpriv ends the server also when this process is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args, String(port)], { cwd: join(here, 'node_modules', directory), stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { printed += chunk; });
  const ended = new Promise((done) => {
    child.once('error', (error) => { printed += error.message; done(); });
    child.once('close', done);
  }).then(() => { children.delete(child); });
  const stop = () => { child.kill('SIGKILL'); return ended; };
  for (const deadline = Date.now() + 60_000; !(await answers(endpoint)); await sleep(50)) {
    if (Date.now() < deadline && children.has(child)) continue;
    await stop();
    throw new Error(`${directory} ${Date.now() < deadline ? 'ended at its start' : 'does not answer'}; it printed: ${printed}`);
  }
  return { endpoint, stop };
}

const answers = (endpoint) => call(endpoint, 'ListTables').then(() => true, () => false);

/** A port outside the range of outgoing connections: within the range, a connection to a port without a listener can connect to itself. */
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const server = net.createServer();
    const free = await new Promise((done) => { server.once('error', () => done(false)); server.listen(port, () => done(true)); });
    await new Promise((done) => { server.close(done); });
    if (free) return port;
  }
}

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

async function ask(endpoint, target, operation, body = {}) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `${target}.${operation}`,
      'X-Amz-Date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      Authorization: 'AWS4-HMAC-SHA256 Credential=test/20240101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
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
