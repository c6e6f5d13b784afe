// quire table map and table describe on tables that others made; what says that a table has no stream; a list by their mapping.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeReviews } from '../support/adopted.mjs';
import { idsOf } from '../support/client.mjs';
import { call, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { mustRun, run, serve, temporaryDirectory } from '../support/harness.mjs';

const noStream = /The table has no stream, so no page index can follow it\./g;
let database;

before(async () => {
  database = await startDynamoDb();
  await makeReviews(database.endpoint, 'streamed');
  await makeReviews(database.endpoint, 'unstreamed', null);
});
after(() => database?.stop());

const at = (table, map) => `${storeAt(database.endpoint, table)}${map ? `&map=${map}` : ''}`;

/** A mapping of the tables, in a file. */
async function mappingFile(change = (text) => text) {
  const map = join(temporaryDirectory(), 'reviews.toml');
  const { stdout } = await mustRun(['table', 'map', at('streamed')]);
  writeFileSync(map, change(stdout));
  return map;
}

test('table map finds a table by its name where the store is', async () => {
  const store = at('streamed', 'none.toml');
  const wanted = (await mustRun(['table', 'map', at('streamed')])).stdout;
  assert.match(wanted, /3 of them are comments/);
  const ways = [
    [['streamed'], { QUIRE_STORE: store }],
    [['streamed', '--store', at('elsewhere')], {}],
    [['dynamodb:streamed'], { QUIRE_STORE: store }],
    [[at('streamed')], { QUIRE_STORE: 'dynamodb:elsewhere?region=us-east-1&endpoint=http://127.0.0.1:1' }],
    [[], { QUIRE_STORE: store }],
    [[at('streamed')], { QUIRE_STORE: 'lmdb:elsewhere' }],
  ];
  for (const [args, env] of ways) {
    const { status, stdout, stderr } = await run(['table', 'map', ...args], { env });
    assert.deepEqual([status, stdout], [0, wanted], `${args} ${JSON.stringify(env)} ${stderr}`);
  }
});

test('table map takes neither ids nor times for what all comments begin with', async () => {
  const { stdout } = await mustRun(['table', 'map', at('streamed')]);
  assert.match(stdout, /^when = \{ attribute = "SK", begins = "REVIEW#" \}$/m);
  assert.match(stdout, /^product = \{ attribute = "PK", pattern = "PRODUCT#\{product\}" \}$/m);
});

test('table map writes its file when the mapping is complete, and never over another', async () => {
  const folder = temporaryDirectory();
  const file = join(folder, 'reviews.toml');
  const failed = await run(['table', 'map', at('nowhere'), '--output', file]);
  assert.deepEqual([failed.status, failed.stdout, existsSync(file)], [1, '', false], failed.stderr);
  assert.match(failed.stderr, /is not there/);

  const written = await mustRun(['table', 'map', at('unstreamed'), '--output', file]);
  const text = (await mustRun(['table', 'map', at('unstreamed')])).stdout;
  assert.equal(readFileSync(file, 'utf8'), text);
  assert.equal(written.stdout, `${text.slice(0, text.indexOf('\n\n') + 1).replaceAll(/^# /gm, '')}The mapping is in ${file}.\n`, 'the remarks are seen');

  const again = await run(['table', 'map', at('streamed'), '--output', file]);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /reviews\.toml.*exists.*another name/);
  assert.equal(readFileSync(file, 'utf8'), text, 'what its owner may have changed is kept');
  assert.deepEqual(readdirSync(folder), ['reviews.toml']);

  const astray = await run(['table', 'map', at('streamed'), '--output', join(folder, 'none', 'reviews.toml')]);
  assert.equal(astray.status, 1);
  assert.match(astray.stderr, /No such file or directory/);
});

test('table describe compares a table with its mapping', async () => {
  const describe = (table, map, ...args) => run(['table', 'describe', '--store', at(table, map), ...args]);
  const map = await mappingFile();
  const fits = await describe('streamed', map);
  assert.equal(fits.status, 0, fits.stdout + fits.stderr);
  assert.match(fits.stdout, /^table +streamed\n/);
  assert.match(fits.stderr, /^The table's stream has new images: /);
  assert.doesNotMatch(fits.stdout, /expire|byLang/, "nothing that Quire's own tables need");
  const json = JSON.parse((await describe('streamed', map, '--json')).stdout);
  assert.deepEqual([json.table, json.differences, json.notes.length], ['streamed', [], 1]);

  const lacking = await describe('streamed', await mappingFile((text) => text.replace('[[index]]', '[[index]]\nname = "gone"')));
  assert.equal(lacking.status, 3);
  assert.match(lacking.stdout, /The table has no global index gone\./);
  const missing = await describe('streamed', join(temporaryDirectory(), 'none.toml'));
  assert.equal(missing.status, 3);
  assert.match(missing.stdout, /^table +streamed\n[^]*none\.toml/);
  const unknown = await describe('nowhere', map);
  assert.equal(unknown.status, 1);
});

test('a table without a stream is told so first and once', async () => {
  const map = await mappingFile();
  const flags = ['--store', at('unstreamed', map), '--pages', `lmdb:${join(temporaryDirectory(), 'pages')}`];
  for (const [command, first] of [
    [['table', 'map', at('unstreamed')], /^# The table has no stream/],
    [['table', 'describe', ...flags.slice(0, 2)], /^table[^]*\nThe table has no stream/],
    [['backfill', ...flags], /^quire: The table has no stream/],
    [['project', '--listen', '127.0.0.1:0', ...flags], /^quire: The table has no stream/],
    [['verify', ...flags], /^quire: The table has no stream/],
  ]) {
    const { status, stdout, stderr } = await run(command, { timeout: 20_000 });
    const said = stdout + stderr;
    assert.match(said, first, command[0]);
    assert.equal(said.match(noStream).length, 1, said);
    assert.match(said, /aws dynamodb update-table --table-name unstreamed /);
    if (command[0] !== 'table') assert.equal(status, 2, `${command[0]}: ${said}`);
  }
});

// The table has them by the names of their writers, a list by their ids: so a page ends where a moment does, or reads it whole.
test('of comments of one moment each is on one page', async () => {
  const time = '2024-11-22T12:00:00Z';
  const put = (at, user) => call(database.endpoint, 'PutItem', { TableName: 'streamed', Item: {
    PK: { S: 'PRODUCT#crowd' }, SK: { S: `REVIEW#${at}#${user}` }, lang: { S: 'en' }, stars: { N: '4' }, user: { S: user }, headline: { S: 'Fits' }, body: { S: 'It fits.' }, verified: { BOOL: true } } });
  const others = ['2024-11-21T12:00:00Z', '2024-11-23T12:00:00Z'];
  await Promise.all([...Array.from({ length: 60 }, (none, i) => put(time, `user-${i}`)), ...others.map((at) => put(at, 'alone'))]);
  const server = await serve({ store: at('streamed', await mappingFile()) });
  const all = (await server.page('crowd', { limit: 100 })).comments.map(({ id }) => id);
  assert.equal(new Set(all).size, 62);
  assert.deepEqual(all, [...all].sort().reverse());
  for (const limit of [7, 20, 61]) {
    assert.deepEqual(idsOf(await server.walk('crowd', { limit })), all, `pages of ${limit}`);
    assert.deepEqual(idsOf(await server.walk('crowd', { limit, sort: 'created_at' })), [...all].reverse(), `pages of ${limit}, oldest first`);
  }
  await server.stop();
});
