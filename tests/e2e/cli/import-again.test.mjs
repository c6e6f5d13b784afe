// A later file of the same system: what is known, what differs, and what was removed here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportRows, importRows, mustRun, mustVerify, newStore } from '../support/harness.mjs';

const id = (number) => `01JD4Q4Z7VTSV4RRFFQ69G5F0${number}`;
const row = (number, members = {}) => ({ id: id(number), product: 'p', rating: 4, text: 'Fits', attributes: { source_id: `r${number}` }, ...members });
const counted = async (store, rows, ...args) => {
  const { stdout, stderr } = await importRows(store, rows, { args: ['--json', ...args] });
  const { added, known, differing, updated, removed_here: removed, rejected } = JSON.parse(stdout);
  return { counts: [added, known, differing, updated, removed, rejected], stderr };
};
const one = async (store, number) => (await exportRows(store)).find((each) => each.id === id(number));

test('a row whose comment is there is known or differs, and changes it by --update', async () => {
  const store = newStore();
  assert.deepEqual((await counted(store, [row(1), row(2, { author: 'Ann', language: 'en' })])).counts, [2, 0, 0, 0, 0, 0]);
  const later = [row(1), row(2, { rating: 5, attributes: { source_id: 'r2', size: 'L' } }), row(3)];
  const { counts, stderr } = await counted(store, later);
  assert.deepEqual(counts, [1, 1, 1, 0, 0, 0]);
  assert.match(stderr, new RegExp(`^${id(2)} differs from the comment that is there$`, 'm'));
  assert.equal((await one(store, 2)).rating, 4);
  assert.deepEqual((await counted(store, later, '--update')).counts, [0, 2, 0, 1, 0, 0]);
  const changed = await one(store, 2);
  assert.deepEqual([changed.rating, changed.author, changed.language, changed.attributes.size], [5, 'Ann', 'en', 'L'], 'what the row lacks stays');
  assert.deepEqual((await counted(store, later, '--update')).counts, [0, 3, 0, 0, 0, 0]);
  await mustVerify(store, 'after an update');
});

test('a removed comment stays away, also by its export, until it is taken again', async () => {
  const store = newStore();
  await importRows(store, [row(1), row(2, { attributes: {} })]);
  for (const number of [1, 2]) await mustRun(['delete', id(number), '--store', store]);
  const rows = [row(1), row(2, { attributes: {} })];
  assert.deepEqual((await counted(store, rows, '--update')).counts, [1, 0, 0, 0, 1, 0], 'what has no source comes back');
  assert.deepEqual((await exportRows(store)).filter((each) => each.removed), [{ removed: id(1) }]);
  const copy = newStore();
  await importRows(copy, await exportRows(store));
  assert.deepEqual(await exportRows(copy), await exportRows(store));
  assert.deepEqual((await counted(copy, rows)).counts, [0, 1, 0, 0, 1, 0]);
  assert.deepEqual((await counted(copy, rows, '--again')).counts, [1, 1, 0, 0, 0, 0]);
  assert.equal((await exportRows(copy)).length, 2, 'nothing tells any more that it was removed');
  await mustVerify(copy, 'after it was taken again');
});

test('a customer who was erased does not come back with a later file', async () => {
  const store = newStore();
  const rows = [row(1, { customer_id: '1077', author: 'Ann' }), row(2, { customer_id: '1077', author: 'Ann' })];
  await importRows(store, [rows[0]]);
  await mustRun(['customer', 'erase', '1077', '--keep-ratings', '--store', store]);
  await importRows(store, [rows[1]]);
  await mustRun(['customer', 'erase', '1077', '--store', store]);
  assert.deepEqual((await counted(store, rows, '--update')).counts, [0, 0, 0, 0, 2, 0]);
  const left = await one(store, 1);
  assert.deepEqual([left.rating, left.author ?? '', left.text ?? ''], [4, '', '']);
});
