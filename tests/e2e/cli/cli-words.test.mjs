// The index of words on the command line: added, listed and dropped, without a server and beside one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importRows, mustRun, newStore, run, serve } from '../support/harness.mjs';
import { facetRows } from '../support/facets.mjs';

const list = async (store) => JSON.parse((await mustRun(['words', 'list', '--json', '--store', store])).stdout);

test('words are added, listed, verified and dropped', async () => {
  const store = newStore();
  await importRows(store, facetRows(81, 300, 'shoes'));
  assert.equal((await list(store)).state, 'none');
  assert.match((await mustRun(['words', 'list', '--store', store])).stdout, /^words {2}none {2}rules \d+, ICU [\d.]+, Unicode [\d.]+\n$/);
  assert.match((await mustRun(['words', 'add', '--store', store])).stdout, /^words {2}ready {2}\d+ bytes {2}rules /);
  const { state, progress, bytes } = await list(store);
  assert.deepEqual([state, progress], ['ready', 1]);
  assert.ok(bytes > 4096, `${bytes} bytes`);
  assert.match((await mustRun(['verify', '--store', store])).stdout, /^300 comments, 0 differences$/m);
  await mustRun(['words', 'add', '--store', store]);
  assert.equal((await mustRun(['words', 'drop', '--store', store])).stdout, 'dropped words\n');
  assert.equal((await list(store)).state, 'none');
  const again = await run(['words', 'drop', '--store', store]);
  assert.deepEqual([again.status, /no index of words/.test(again.stderr)], [1, true], again.stderr);
});

test('beside a server, too', async () => {
  const store = newStore();
  await importRows(store, facetRows(82, 300, 'shoes'));
  const server = await serve({ store });
  try {
    await mustRun(['words', 'add', '--store', store]);
    assert.equal((await list(store)).state, 'ready');
    await mustRun(['words', 'drop', '--store', store]);
    assert.equal((await list(store)).state, 'none');
  } finally {
    await server.stop();
  }
});

test('a store that keeps none, and one that is not there, are refused with a reason', async () => {
  const table = await run(['words', 'add', '--store', 'dynamodb:comments']);
  assert.notEqual(table.status, 0);
  assert.match(table.stderr, /--pages lmdb:DIR/);
  assert.equal((await run(['words', 'list', '--store', newStore()])).status, 1, 'there is no store');
});
