// Who wrote a comment: kept, exported, imported, copied and checked, and never shown.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRows, importRows, mustRun, newStore, run, temporaryDirectory } from '../support/harness.mjs';

const ann = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const bob = 'BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const row = (n, more) => ({ product: `p${n % 2}`, language: 'en', rating: 1 + (n % 5), created_at: `2024-11-20T12:00:0${n}.000Z`, author: 'Ann', title: 'Fits', text: `number ${n}`, ...more });
const rows = [row(1, { customer: ann }), row(2, { customer: bob, status: 'pending', held_by: 'links' }), row(3), row(4, { customer: ann, status: 'rejected', reason: 'spam' }), row(5, { customer: bob })];

const customersOf = (exported) => exported.map(({ text, customer }) => [text, customer ?? null]).sort();

test('an export has the customer of each comment, and an import takes it', async () => {
  const store = newStore();
  await importRows(store, rows);
  const exported = await exportRows(store);
  assert.deepEqual(customersOf(exported), customersOf(rows));
  assert.deepEqual(customersOf(await exportRows(store, '--product', 'p1')), customersOf(rows.filter((each) => each.product === 'p1')));
  const other = newStore();
  await importRows(other, exported);
  assert.deepEqual(await exportRows(other), exported);
  const again = await importRows(other, exported);
  assert.match(again.stdout, /^0 added, 5 known, 0 differing/);
});

test('rows that differ by their customer alone are two comments', async () => {
  const store = newStore();
  await importRows(store, [row(1, { customer: ann }), row(1, { customer: bob }), row(1)]);
  assert.equal((await exportRows(store)).length, 3);
});

test('a customer that is no hash is refused', async () => {
  const store = newStore();
  for (const customer of ['', 'ann', `${ann}A`, ann.slice(1), `${ann.slice(0, 42)}9`, 7]) {
    const { status, stderr } = await run(['import', '--store', store, '-'], { input: `${JSON.stringify(row(1, { customer }))}\n` });
    assert.equal(status, 3, JSON.stringify(customer));
    assert.match(stderr, /customer/);
  }
});

test('no answer to visitors has the customer', async () => {
  const store = newStore();
  await importRows(store, rows);
  const [{ id }] = await exportRows(store);
  for (const args of [['page', 'p1', '--json'], ['page', 'p1'], ['get', id, '--json'], ['statistics', 'p1', '--json']]) {
    const { stdout } = await mustRun([...args, '--store', store]);
    assert.ok(!stdout.includes('customer') && !stdout.includes(ann), `${args.join(' ')}\n${stdout}`);
  }
  assert.match((await mustRun(['get', id, '--store', store])).stdout, new RegExp(`customer +${ann}`));
});

test('a backup, a compacted and a repaired store keep the customers', async () => {
  const store = newStore();
  await importRows(store, rows);
  const exported = await exportRows(store);
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', store]);
  await mustRun(['compact', '--store', store]);
  await mustRun(['verify', '--repair', '--store', store]);
  for (const each of [store, `lmdb:${copy}`]) {
    assert.deepEqual(await exportRows(each), exported);
    assert.match((await mustRun(['verify', '--store', each])).stdout, /5 comments, 0 differences/);
  }
});
