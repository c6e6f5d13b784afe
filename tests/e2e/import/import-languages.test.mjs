// A product has at most 200 languages: an import rejects the rows beyond, by file and through a server, and so do posts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commentsPath, newStore, newToken, run, serveWithToken, temporaryDirectory } from '../support/harness.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { importInto, row } from './imports.mjs';

const most = 200;
const regions = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a) => [...'ABCDEFGHIJ'].map((b) => a + b)).filter((region) => region !== 'DD'); // which stands for DE
const languages = regions.map((region) => `en-Latn-${region}`);
const rowsOf = (product, from, to, more = {}) => languages.slice(from, to).map((language, at) => row(product, from + at, { language, ...more }));
const lines = (rows) => rows.map((one) => JSON.stringify(one)).join('\n');
const told = (added, rejected) => new RegExp(`^${added} added, 0 known, 0 differing, 0 updated, 0 removed here, ${rejected} rejected`, 'm');

test('a file has 200 languages of a product, of which the store may have some', async () => {
  const store = newStore();
  const rejects = join(temporaryDirectory(), 'rejects.jsonl');
  const bring = async (rows) => run(['import', '--store', store, '--rejects', rejects, '-'], { input: lines(rows) });
  const first = await bring([...rowsOf('babel', 0, 150), ...rowsOf('other', 0, 250)]);
  assert.equal(first.status, 3, first.stderr);
  assert.match(first.stdout + first.stderr, told(350, 50));
  const second = await bring([...rowsOf('babel', 140, 255, { rating: 2, title: 'Again' }), ...rowsOf('babel', 0, 1, { title: 'Known' })]);
  assert.equal(second.status, 3);
  assert.match(second.stdout + second.stderr, told(61, 55));
  assert.match(second.stderr, /^-:61: .*200 languages already/m);
  assert.equal(readFileSync(rejects, 'utf8').trim().split('\n').length, 55);
  assert.match(second.stderr, /language/);
});

test('through a server, and posts, alike', async () => {
  const server = await serveWithToken({ tokens: await newToken({ scopes: 'import,post,edit' }) });
  after(() => server.stop());
  const { summary, refusals } = await importInto(server, rowsOf('babel', 0, 203));
  assert.deepEqual([summary.added, summary.rejected], [most, 3]);
  assert.deepEqual(refusals.map((one) => one.line), [201, 202, 203]);
  const post = (language) => server.post(commentsPath('babel'), { language, rating: 4, text: 'x' });
  assert.deepEqual(Object.keys((await post(languages[220])).problem('invalid-comment').errors), ['language']);
  (await post(languages[3])).expect(201);
  assert.equal((await server.page('babel')).total, most + 1);
});

test('many posts at once do not bring more', async () => {
  const server = await serveWithToken({ args: ['--posts-per-minute-client', '1000000', '--posts-per-minute-product', '1000000'] });
  after(() => server.stop());
  const answers = await Promise.all(languages.slice(0, 240).map((language) => server.post(commentsPath('babel'), { language, rating: 4, text: 'x' })));
  const statuses = Map.groupBy ? Map.groupBy(answers, (one) => one.status) : new Map([201, 422].map((status) => [status, answers.filter((one) => one.status === status)]));
  assert.deepEqual([statuses.get(201).length, statuses.get(422).length], [most, 40]);
});

test('on a table, too', async () => {
  const database = await startDynamoDb();
  after(() => database.stop());
  const store = storeAt(database.endpoint, 'languages');
  assert.equal((await run(['table', 'create', '--store', store])).status, 0);
  const file = await run(['import', '--store', store, '-'], { input: lines(rowsOf('babel', 0, 205)) });
  assert.equal(file.status, 3, file.stderr);
  assert.match(file.stdout + file.stderr, told(most, 5));
  const server = await serveWithToken({ store });
  after(() => server.stop());
  const post = (language) => server.post(commentsPath('babel'), { language, rating: 4, text: 'x' });
  (await post(languages[230])).problem('invalid-comment');
  (await post(languages[7])).expect(201);
});
