// Facets on the command line: declared, listed, dropped; filters, sorts and counts; generated attributes. Kills are in disk.test.mjs.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { exportRows, importRows, mustRun, newStore, run, serve, temporaryDirectory } from '../support/harness.mjs';
import { countsOf, declare, facetRows, facets, found } from '../support/facets.mjs';

const product = 'shoes';
const json = async (args) => JSON.parse((await mustRun([...args, '--json'])).stdout);

test('page, explain and statistics take filters, sorts, skip and counts', async () => {
  const store = newStore();
  await declare(store);
  await importRows(store, facetRows(71, 200, product));
  const rows = await exportRows(store);
  const filter = { size: ['L', 'M'], 'not.tags': 'gift', 'helpful.min': -3, language: 'en' };
  const asked = ['--filter', 'size=L', '--filter', 'not.tags=gift', '--filter', 'helpful.min=-3', '--filter', 'size=M', '--language', 'en', '--store', store];
  const wanted = found(rows, filter, '-helpful');
  assert.ok(wanted.length > 8);
  const page = await json(['page', product, ...asked, '--sort', '-helpful', '--skip', '3', '--limit', '4', '--facets']);
  assert.deepEqual(page.comments.map(({ id }) => id), wanted.slice(3, 7).map(({ id }) => id));
  assert.deepEqual([page.total, page.facets], [wanted.length, countsOf(rows, filter)]);
  const { stdout } = await mustRun(['page', product, ...asked, '--facets', '--limit', '1']);
  const { verified } = countsOf(rows, filter);
  assert.match(stdout, new RegExp(`^verified: false ${verified.false}, true ${verified.true}, `, 'm'));
  assert.match(stdout, /^helpful: -?\d+ to \d+, \d+ comments$/m);
  assert.equal((await json(['statistics', product, ...asked])).total, wanted.length);
  const explained = (await mustRun(['explain', product, ...asked])).stdout;
  assert.match(explained, /^bitmap: .*size L M/m);
  assert.match(explained, /^blocks +\d+ looked at, \d+ skipped$/m);
  for (const wrong of ['size', 'size=XXXL', 'Size=L', 'colour=red', 'helpful.min=x', '=']) {
    const refused = await run(['page', product, '--filter', wrong, '--store', store]);
    assert.equal(refused.status, 2, `${wrong}: ${refused.stderr}`);
  }
  assert.match((await run(['page', product, '--filter', 'colour=red', '--store', store])).stderr, /no facet colour.*quire facet/s);
  assert.equal((await run(['page', product, '--sort', '-colour', '--store', store])).status, 2);
});

test('an empty value among several is refused, and no option that follows is taken for a value', async () => {
  const store = newStore();
  const cwd = temporaryDirectory();
  for (const values of [[','], ['', '--json'], ['S,,M'], ['S,'], [',S'], ['S', '--values', ',']]) {
    const { status, stderr } = await run(['facet', 'add', 'size', '--type', 'choice', '--values', ...values, '--store', store], { cwd });
    assert.deepEqual([status, /--values: ".*" has an empty value/.test(stderr)], [2, true], `${values}: ${stderr}`);
  }
  for (const args of [['--values=,', '--store', store], ['--store', store, '--values', ',']])
    assert.equal((await run(['facet', 'add', 'size', '--type', 'choice', ...args], { cwd })).status, 2);
  assert.deepEqual(readdirSync(cwd), [], 'no other store was made');
  const { stdout } = await mustRun(['facet', 'add', 'size', '--type', 'choice', '--values', 'S,M', '--values', 'L', '--store', store], { cwd });
  assert.match(stdout, /S, M, L$/m);
});

test('what cannot be declared is refused with a reason', async () => {
  const store = newStore();
  await declare(store, facets.slice(0, 2));
  for (const wrong of [['rating', '--type', 'number'], ['page', '--type', 'flag'], ['Size', '--type', 'flag'], ['a-b', '--type', 'flag'], ['verified', '--type', 'number'], ['size', '--type', 'choice'], ['x', '--type', 'flag', '--values', 'a,b'], ['x'], ['x', '--type', 'text']]) {
    const refused = await run(['facet', 'add', ...wrong, '--store', store]);
    assert.equal(refused.status, 2, `${wrong}: ${refused.stderr}`);
    assert.ok(refused.stderr.length > 10);
  }
  assert.equal((await run(['facet', 'drop', 'colour', '--store', store])).status, 1);
  assert.notEqual((await run(['facet', 'drop', 'rating', '--store', store])).status, 0);
  assert.equal((await run(['facet', 'list', '--store', newStore()])).status, 1, 'there is no store');
  const { stdout } = await mustRun(['facet', 'list', '--store', store]);
  assert.equal(stdout, 'language              choice  ready\nrating                number  ready\nverified              flag    ready\nsize                  choice  ready  S, M, L, XL\n');
});

test('beside a server a wrong declaration is refused just so', async () => {
  const store = newStore();
  await declare(store, facets.slice(0, 1));
  const server = await serve({ store });
  try {
    const refused = await run(['facet', 'add', 'verified', '--type', 'number', '--store', store]);
    assert.equal(refused.status, 2, refused.stderr);
    assert.equal((await run(['facet', 'drop', 'colour', '--store', store])).status, 1);
    await mustRun(['facet', 'drop', 'verified', '--store', store]);
  } finally {
    await server.stop();
  }
});

test('generated attributes are repeatable, and change nothing else', async () => {
  const [plain, first, again] = await Promise.all([[], ['--facets'], ['--facets']].map((args) => mustRun(['generate', '--comments', '500', '--stdout', '--seed', '3', ...args])));
  assert.equal(first.stdout, again.stdout);
  const rows = first.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ attributes, ...row }) => row), plain.stdout.trim().split('\n').map((line) => JSON.parse(line)));
  const values = (name) => new Set(rows.flatMap(({ attributes }) => attributes[name] ?? []));
  assert.deepEqual([...values('size')].sort(), ['L', 'M', 'S', 'XL', 'XS', 'XXL']);
  assert.ok(values('country').size > 20 && values('country').size <= 50);
  const store = newStore();
  await mustRun(['generate', '--comments', '500', '--seed', '3', '--facets', '--store', store]);
  assert.deepEqual((await json(['facet', 'list', '--store', store])).facets.slice(2).map(({ name, type, state }) => [name, type, state]),
    [['verified', 'flag', 'ready'], ['size', 'choice', 'ready'], ['country', 'choice', 'ready'], ['tags', 'tags', 'ready'], ['helpful', 'number', 'ready']]);
});

test('a row that does not fit a facet is rejected', async () => {
  const store = newStore();
  await declare(store);
  const rows = facetRows(72, 4, product);
  rows[1].attributes.size = 'huge';
  rows[2].attributes.helpful = 'many';
  const { stderr } = await importRows(store, rows, { status: 3 });
  assert.match(stderr, /-:2: .*size/);
  assert.match(stderr, /-:3: .*helpful/);
  assert.equal((await exportRows(store)).length, 2);
});
