// The command line on a store in use: backup while it serves, verify and its repair; and pages by number.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, run, serve, serveWithToken, temporaryDirectory } from '../support/harness.mjs';
import { expected, pagesOf, sampleRows, sorts } from '../support/data.mjs';

test('page gives any page by number, in every sort, as the server does', async () => {
  const store = newStore();
  await importRows(store, sampleRows(151, 90, 'pages'));
  const all = await exportRows(store);
  const server = await serve({ store });
  for (const sort of sorts) {
    for (const page of [1, 4, 7]) {
      const query = { language: ['en', 'de'], sort, limit: 9, page };
      const { stdout } = await mustRun(['page', 'pages', '--store', store, '--language', 'en', '--language', 'de', '--sort', sort, '--limit', '9', '--page', String(page), '--json']);
      assert.equal(stdout.trimEnd(), (await server.get(`/v1/products/pages/comments?language=en&language=de&sort=${sort}&limit=9&page=${page}`)).expect(200).text, `page ${page} by ${sort}`);
      assert.deepEqual(idsOf(JSON.parse(stdout)), expected(all, query).slice((page - 1) * 9, page * 9).map((row) => row.id));
    }
  }
  await server.stop();
  const count = pagesOf(all.length, 20);
  assert.match((await mustRun(['page', 'pages', '--store', store, '--page', String(count)])).stdout, new RegExp(`\\n10 of 90, page ${count} of ${count}\\n`));
  assert.match((await mustRun(['page', 'pages', '--store', store, '--sort=-rating', '--limit', '1'])).stdout, / 5 .*\n1 of 90, page 1 of 90\n/);
  assert.match((await mustRun(['explain', 'pages', '--store', store, '--sort', 'rating', '--page', '3'])).stdout, /\nblocks +\d+ looked at/);
});

test('a page that cannot be is a failure or wrong usage, and says why', async () => {
  const store = newStore();
  await importRows(store, sampleRows(152, 30, 'p'));
  const { page } = JSON.parse((await mustRun(['page', 'p', '--store', store, '--json'])).stdout);
  const past = await run(['page', 'p', '--store', store, '--page', '3']);
  assert.deepEqual([past.status, past.stdout], [1, '']);
  assert.match(past.stderr, /\b2 pages\b/);
  for (const args of [['--page', '0'], ['--page', 'x'], ['--page', '1.5'], ['--page', '1', '--after', page.next], ['--sort', '--page', '1']]) {
    const result = await run(['page', 'p', '--store', store, ...args]);
    assert.deepEqual([result.status, result.stdout], [2, ''], `page p ${args.join(' ')}: ${result.stderr}`);
    assert.ok(result.stderr.trim(), `page p ${args.join(' ')} says what is wrong`);
  }
  for (const page of ['-1', '99999999999999999999999', '-18446744073709551615']) {
    const outside = await run(['page', 'p', '--store', store, '--page', page]);
    assert.equal(outside.status, 2);
    assert.equal(outside.stdout, '', `there is no page ${page}`);
  }
});

test('a backup made while the server takes posts holds all that was there when it began, and serves', { timeout: 120_000 }, async () => {
  const store = newStore();
  await importRows(store, sampleRows(153, 20_000, (random) => `p ${Math.floor(random() * 5)}`));
  const server = await serveWithToken({ store });
  const posted = new Map();
  let posting = true;
  const post = async (writer) => {
    for (let n = 0; posting; ++n) {
      const comment = await server.add('p 0', { rating: 1 + (n % 5), title: `writer ${writer}, ${n}` });
      posted.set(comment.id, comment);
      if (n % 3 === 2) (await server.patch(commentPath(comment.id), { rating: 1 + ((n + 1) % 5) })).expect(200);
    }
  };
  const writers = [1, 2, 3].map(post);
  const copies = [];
  try {
    while (posted.size < 50) await new Promise((done) => setTimeout(done, 5)); // so that there is something to hold
    for (const name of ['first', 'second/within']) {
      const known = [...posted.keys()];
      const directory = join(temporaryDirectory(), name);
      const { stdout } = await mustRun(['backup', directory, '--store', store]);
      assert.ok(stdout.includes(directory), 'it says where the copy is');
      copies.push({ store: `lmdb:${directory}`, known, since: posted.size });
    }
  } finally {
    posting = false;
    await Promise.all(writers);
  }
  const { page: { next } } = await server.page('p 1', { limit: 5 });
  for (const copy of copies) {
    await mustVerify(copy.store, 'of a copy');
    const rows = new Map((await exportRows(copy.store, '--product', 'p 0')).map((row) => [row.id, row]));
    assert.deepEqual(copy.known.filter((id) => !rows.has(id)), [], 'what was acknowledged before the copy began is in it');
    for (const [id, row] of rows) if (row.title.startsWith('writer')) assert.equal(row.title, posted.get(id)?.title, 'nothing is in it that was not posted');
    const second = await serve({ store: copy.store });
    assert.deepEqual(await second.page('p 1', { limit: 5, after: next }), await server.page('p 1', { limit: 5, after: next }), 'a cursor of the one is a cursor of the other');
    assert.deepEqual(await second.page('p 2', { page: 7, sort: '-rating' }), await server.page('p 2', { page: 7, sort: '-rating' }));
    const before = (await server.page('p 3')).total;
    await second.add('p 3', { rating: 1 });
    assert.deepEqual([(await server.page('p 3')).total, (await second.page('p 3')).total], [before, before + 1], 'the copy is a store of its own');
    assert.equal((await second.stop()).status, 0);
  }
  assert.equal((await server.stop()).status, 0);
  await mustVerify(store, 'after the backups');
});

test('a backup goes into a new or an empty directory; what is there already is left alone', async () => {
  const store = newStore();
  await importRows(store, sampleRows(154, 20, 'p'));
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'empty'));
  await mustRun(['backup', join(directory, 'empty'), '--store', store]);
  assert.deepEqual(await exportRows(`lmdb:${join(directory, 'empty')}`), await exportRows(store));
  mkdirSync(join(directory, 'taken'));
  writeFileSync(join(directory, 'taken', 'data.mdb'), 'of somebody else');
  writeFileSync(join(directory, 'file'), 'a file');
  const own = store.slice('lmdb:'.length);
  const size = statSync(join(own, 'data.mdb')).size;
  for (const target of [join(directory, 'taken'), join(directory, 'empty'), own, join(directory, 'file'), join(directory, 'file', 'within')]) {
    const result = await run(['backup', target, '--store', store]);
    assert.equal(result.status, 1, `${target}: ${result.stdout}${result.stderr}`);
    assert.ok(result.stderr.includes(target), `the message names ${target}: ${result.stderr}`);
  }
  assert.deepEqual(readdirSync(join(directory, 'taken')), ['data.mdb']);
  assert.equal(readFileSync(join(directory, 'taken', 'data.mdb'), 'utf8'), 'of somebody else');
  assert.equal(readFileSync(join(directory, 'file'), 'utf8'), 'a file');
  assert.equal(statSync(join(own, 'data.mdb')).size, size);
  for (const kept of [store, `lmdb:${join(directory, 'empty')}`]) await mustVerify(kept, 'after refused backups');
  const absent = await run(['backup', join(directory, 'new'), '--store', newStore()]);
  assert.equal(absent.status, 1);
  assert.ok(!existsSync(join(directory, 'new')), 'of a store that is not there nothing is made');
  assert.equal((await run(['backup', '--store', store])).status, 2);
});

test('verify --repair finds nothing to do on an intact store, and changes nothing', async () => {
  const store = newStore();
  await importRows(store, sampleRows(155, 200, (random) => `p ${Math.floor(random() * 3)}`));
  const file = join(store.slice('lmdb:'.length), 'data.mdb');
  const bytes = readFileSync(file);
  const { stdout, stderr } = await mustRun(['verify', '--repair', '--store', store]);
  assert.deepEqual([stdout, stderr], ['200 comments, 0 differences\n', '']);
  assert.deepEqual(JSON.parse((await mustRun(['verify', '--repair', '--store', store, '--json'])).stdout), { comments: 200, differences: 0, reports: [] });
  assert.ok(bytes.equals(readFileSync(file)), 'not a byte is another');
});

test('verify --repair beside a server only reads, and the server goes on', async () => {
  const server = await serveWithToken();
  for (let n = 1; n <= 12; ++n) {
    const { id } = await server.add('beside', { rating: 1 + (n % 5) });
    if (n % 4 === 0) (await server.patch(commentPath(id), { rating: 3, language: 'de' })).expect(200);
    const { stdout } = await mustRun(['verify', '--repair', '--store', server.store]);
    assert.equal(stdout, `${n} comment${n === 1 ? '' : 's'}, 0 differences\n`);
  }
  assert.equal((await server.page('beside')).total, 12);
  assert.equal((await server.stop()).status, 0);
});
