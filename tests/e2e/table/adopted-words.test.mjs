// The words of a mapping's language on a table that others made: which items are seen, and as what.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTable } from '../support/adopted.mjs';
import { call, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { commentsPath, mustRun, run, serve, start, temporaryDirectory } from '../support/harness.mjs';
import { until } from '../support/project.mjs';

const TableName = 'words';
const directory = temporaryDirectory();
let database;

const mapping = `[comment]
when = [{ attribute = "SK", begins = ["REVIEW#", "OLD#"] }, { attribute = "kind", not = "draft" }, { attribute = "SK", not = "OLD#" }]
product = { attribute = ["sku", "PK"], pattern = ["SKU-{product}", "PRODUCT#{product}"] }
created_at = { attribute = "SK", pattern = ["REVIEW#{created_at}#{rest}", "OLD#{created_at}"], format = ["iso8601", "epoch"] }
rating = { attribute = ["stars", "grade"], values = { good = 5, poor = 1, 4 = 4, 3 = 3 } }
author = { attribute = ["nick", "profile.name"], default = "Someone" }
title = { attribute = "headline", values = { "(none)" = "" } }
text = { attribute = "body", html = true }
status = { attribute = "state", values = { ok = "published", true = "published", spam = "rejected:spam", "*" = "pending" }, default = "published" }

[reply]
text = { attribute = "answer.text" }

[attributes]
verified = { attribute = "bought", type = "flag" }
`;

const put = (sk, Item) => call(database.endpoint, 'PutItem', { TableName, Item: { PK: { S: 'PRODUCT#shoe' }, SK: { S: sk }, body: { S: sk }, ...Item } });
const s = (text) => ({ S: text });

before(async () => {
  database = await startDynamoDb();
  await createTable(database.endpoint, TableName, 'NEW_IMAGE', { PK: 'S', SK: 'S' }, ['PK', 'SK']);
  await put('REVIEW#2024-11-20T12:01:00Z#1', { stars: { N: '4' }, state: s('ok'), nick: s('Ann'), bought: { BOOL: true }, body: s('Warm<br>&amp; dry'), answer: { M: { text: s('Thank you') } } });
  await put('REVIEW#2024-11-21T12:01:00Z#2', { stars: { N: '3' }, nick: s(' '), profile: { M: { name: s('Bob') } }, headline: s('(none)') });
  await put('OLD#1732300000', { PK: s('OLD'), sku: s('SKU-shoe'), grade: s('good'), state: { BOOL: true }, bought: { BOOL: false } });
  await put('REVIEW#2024-11-23T12:01:00Z#4', { stars: { N: '3' }, state: s('new') });
  await put('REVIEW#2024-11-23T12:02:00Z#5', { grade: s('poor'), state: s('spam') });
  await put('REVIEW#2024-11-23T12:03:00Z#6', { stars: { N: '3' }, state: s('ok'), kind: s('draft') });
  await put('ORDER#7', { stars: { N: '3' }, state: s('ok') });
});
after(() => database?.stop());

/** The flags of a mapping, in a file and with a page index of its own. */
function flagsOf(name, text) {
  const map = join(directory, `${name}.toml`);
  writeFileSync(map, text);
  return ['--store', `${storeAt(database.endpoint, TableName)}&map=${map}`, '--pages', `lmdb:${join(directory, name)}`];
}

/** Runs a worker until the call ends. */
async function followed(flags, call) {
  await mustRun(['backfill', ...flags]);
  const worker = start(['project', ...flags, '--poll', '50']);
  try {
    await call();
  } finally {
    worker.child.kill('SIGKILL');
  }
}

const seen = ({ created_at, rating, author, title, text, attributes, reply }) => [created_at.slice(0, 10), rating, author, title ?? '', text, attributes?.verified, reply?.text];

test('items of two programs are comments by one mapping, and change with their words', async (t) => {
  const flags = flagsOf('both', mapping);
  await followed(flags, async () => {
    const server = await serve({ store: flags[1], args: ['--pages', flags[3], '--access-log', 'none'] });
    t.after(() => server.stop());
    const total = (wanted) => until(`there are ${wanted}`, async () => (await server.get(commentsPath('shoe'))).json?.total === wanted);
    await total(3);
    const { comments } = await server.page('shoe', {});
    assert.deepEqual(comments.map(seen), [
      ['2024-11-22', 5, 'Someone', '', 'OLD#1732300000', undefined, undefined],
      ['2024-11-21', 3, 'Bob', '', 'REVIEW#2024-11-21T12:01:00Z#2', undefined, undefined],
      ['2024-11-20', 4, 'Ann', '', 'Warm\n& dry', true, 'Thank you'],
    ]);
    await mustRun(['verify', ...flags]);
    await put('REVIEW#2024-11-23T12:01:00Z#4', { stars: { N: '3' }, state: s('ok') });
    await total(4);
    await put('REVIEW#2024-11-21T12:01:00Z#2', { stars: { N: '3' }, state: s('spam') });
    await put('OLD#1732300000', { PK: s('OLD'), sku: s('SKU-shoe'), grade: s('good'), kind: s('draft') });
    await total(2);
    await mustRun(['verify', ...flags]);
  });
});

test('a word that is not listed hides its item, and verify names both', async () => {
  const strict = flagsOf('strict', mapping.replace(', "*" = "pending"', '').replace('poor = 1, ', ''));
  await put('REVIEW#2024-11-24T12:00:00Z#8', { stars: { N: '3' }, state: s('held') });
  await put('REVIEW#2024-11-24T12:01:00Z#9', { grade: s('poor'), state: s('ok') });
  const rows = (await run(['export', ...strict])).stdout;
  assert.match(rows, /#4"/);
  assert.doesNotMatch(rows, /#8"|#9"/);
  await followed(strict, async () => {
    const { status, stdout } = await run(['verify', ...strict]);
    assert.equal(status, 3);
    assert.match(stdout, /#8.*The status is a word that its values do not list: "held"\./);
    assert.match(stdout, /#9.*The rating is a word that its values do not list: "poor"\./);
    assert.match(stdout, /\b2 differences/);
  });
});

test('words that no table can have are refused with their lines', async () => {
  const refused = async (text, words) => {
    const { status, stderr } = await run(['export', ...flagsOf('refused', text)]);
    assert.notEqual(status, 0);
    assert.match(stderr, words);
  };
  await refused(mapping.replace('[reply]\n', '[reply]\nof = "parent"\n'), /refused\.toml:12: of is of quire import/);
  await refused(mapping.replace('title =', 'customer = { attribute = "buyer" }\ntitle ='), /refused\.toml:7: customer is of quire import/);
  await refused(`${mapping}\n[[index]]\nkey = { attribute = "PK", pattern = "PRODUCT#{product}" }\n`, /refused\.toml:4: .*several patterns, several formats.*--pages/);
});
