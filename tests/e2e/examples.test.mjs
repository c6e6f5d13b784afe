// The examples of the documents work as typed.
// Only in ./test --all: servers of databases.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { makeReviews } from './support/adopted.mjs';
import { Redis } from './support/servers/backends.mjs';
import { startDynamoDb } from './support/dynamodb.mjs';
import { binary, root } from './support/harness.mjs';
import { examplesOf, matches, typeExamples } from './support/typed.mjs';

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database.stop());

test('those of the README', () => typeExamples('README.md', { least: 8, part: { from: '\n## Examples\n', to: '\n## Figures\n' } }));

test('those of docs/facets.md', () => typeExamples('docs/facets.md'));

test('those of docs/shop.md', () => typeExamples('docs/shop.md', { least: 1 }));

const table = (name) => ({ 'dynamodb:comments': `dynamodb:${name}`, 'region=eu-west-1': `region=eu-west-1&endpoint=${database.endpoint}`, '=…': '=test' });
const filled = 'export QUIRE_LISTEN=127.0.0.1:0; quire generate --comments 20 --products 2 --stdout | gzip > comments.jsonl.gz; quire token new --tokens tokens.txt';

test('those of docs/dynamodb.md', () => typeExamples('docs/dynamodb.md', { least: 5, before: filled, replaced: table('read') }));

test('those of docs/projection.md', async () => {
  const redis = await new Redis().start();
  await typeExamples('docs/projection.md', { before: filled, replaced: { ...table('followed'), 'redis://cache.internal/0': redis.pages } });
});

test('those of docs/lambda.md', async () => {
  const redis = await new Redis().start();
  await typeExamples('docs/lambda.md', {
    least: 3,
    before: `${filled}; quire table create --store 'dynamodb:function?region=eu-west-1&endpoint=${database.endpoint}' > made.txt`,
    replaced: {
      ...table('function'), 'redis://cache.internal/0': redis.pages,
      'tools/package-lambda': `${root}/tools/package-lambda ${binary} quire-lambda-x86_64.zip`,
    },
  });
});

test('those of docs/adopting.md', { timeout: 300_000 }, async () => {
  await makeReviews(database.endpoint, 'reviews');
  await typeExamples('docs/adopting.md', {
    least: 3,
    before: 'export QUIRE_LISTEN=127.0.0.1:0',
    replaced: { 'region=eu-west-1': `region=eu-west-1&endpoint=${database.endpoint}`, 'lmdb:/var/lib/quire/reviews': 'lmdb:pages' },
  });
});

test('shell blocks of other documents are left out for a reason', () => {
  const left = {
    'CONTRIBUTING.md': 'builds', 'docs/moving.md': 'cli/newcomer.test.mjs types it with a file of reviews', 'docs/operating.md': 'packages.test.mjs types it where the package is installed', 'docs/installing.md': 'builds; packages.test.mjs installs likewise', 'docs/performance.md': 'measures for an hour', 'docs/testing.md': 'fuzzes for hours', 'docs/webhooks.md': 'webhooks/owners-day.test.mjs types it with a receiver of its own', 'docs/words.md': 'cli/cli-words.test.mjs and table/table-words.test.mjs type the same',
  };
  const typed = ['README.md', 'docs/adopting.md', 'docs/dynamodb.md', 'docs/facets.md', 'docs/lambda.md', 'docs/projection.md', 'docs/shop.md'];
  const documents = ['.', 'docs', 'docs/formats'].flatMap((folder) => readdirSync(`${root}/${folder}`).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`.replace('./', '')));
  const found = documents.filter((document) => examplesOf(document).length > 0);
  assert.deepEqual(found.sort(), [...typed, ...Object.keys(left)].sort());
});

test('what a document shows is compared', () => {
  assert.ok(matches('{"id":"01J"}\n2 added\n', '{"id":"…"}\n2 added\n'));
  assert.ok(matches('1\n2\n3\n', '…\n3'));
  assert.ok(matches('3\n', '…\n3'));
  const log = '1\n2026-11-25T23:19:04.399Z info: News.\n2\n';
  for (const shown of ['1\n2', '1\n… info: News.\n2']) assert.ok(matches(log, shown), 'the log comes whenever it comes');
  assert.ok(!matches('{"a":1}{"b":1}\n', '{"a":1}\n{"b":1}\n'), 'nor do two answers on one line');
  assert.ok(!matches('{"a":1}', '{"a":1}\n'), 'nor does one whose line does not end');
  assert.ok(!matches('13\n', '…\n3'));
  assert.ok(!matches('2 added', '20 added'));
  assert.ok(!matches('2 added\n', '2 added\n0 rejected\n'));
  assert.ok(!matches('1\n2\n', '1'));
});
