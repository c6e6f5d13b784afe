// Every product of a large set of comments, walked forward and back: each comment exactly once, and a second import adds nothing.
// Any of their pages by number is the one that a recount has there.
// Takes a file of real comments where one lies beside the repository, and generated comments otherwise, so that it never does nothing.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { exportRows, idsOf, mustRun, mustVerify, newStore, root, serve, temporaryDirectory } from '../support/harness.mjs';
import { content, expected, pagesOf, pick, ratings, seeded, sorts, subsets } from '../support/data.mjs';

const real = resolve(root, '../shared/data/comments.jsonl.gz');
const realRows = 44_695;

async function source() {
  if (existsSync(real)) return { file: real, rows: realRows };
  console.log(`no file of real comments at ${real}; the walks use generated comments`);
  const file = join(temporaryDirectory(), 'generated.jsonl');
  writeFileSync(file, (await mustRun(['generate', '--comments', '20000', '--products', '300', '--seed', '71', '--stdout'])).stdout);
  return { file, rows: 20_000 };
}

/** Product -> its comments, oldest first. */
function byProduct(rows) {
  const products = new Map();
  for (const row of rows) {
    if (!products.has(row.product)) products.set(row.product, []);
    products.get(row.product).push(row);
  }
  return products;
}

test('a large import, twice, and every product walked both ways', { timeout: 600_000 }, async () => {
  const { file, rows } = await source();
  const store = newStore();
  await mustRun(['import', '--store', store, file]);
  const stored = await exportRows(store);
  assert.equal(stored.length, rows, 'rows after the import');
  await mustRun(['import', '--store', store, file]);
  assert.deepEqual(new Set((await exportRows(store)).map((row) => row.id)), new Set(stored.map((row) => row.id)), 'the second import adds nothing');
  await mustVerify(store, 'after two imports');

  const server = await serve({ store });
  let walked = 0;
  for (const [product, comments] of byProduct(stored)) {
    const ids = comments.map((row) => row.id).sort();
    const limit = Math.min(100, Math.max(1, Math.ceil(ids.length / 50)));
    const forward = await server.walk(product, { limit });
    assert.deepEqual(idsOf(forward), [...ids].reverse(), `${product}: forward`);
    const back = await server.walkBack(product, { limit }, forward.at(-1));
    assert.deepEqual(back.reverse().map(idsOf), forward.map(idsOf), `${product}: back`);
    assert.deepEqual(forward.flatMap((page) => page.comments).map(content).sort(), comments.map(content).sort(), `${product}: what the comments say`);
    walked += ids.length;
  }
  assert.equal(walked, rows, 'the products together have every comment');

  const [largest, comments] = [...byProduct(stored)].sort((a, b) => b[1].length - a[1].length)[0];
  for (const rating of [[1], [1, 2], [3, 5], [1, 3, 4]]) {
    const pages = await server.walk(largest, { rating, limit: 61 });
    const model = comments.filter((row) => rating.includes(row.rating)).map((row) => row.id).sort().reverse();
    assert.deepEqual(idsOf(pages), model, `${largest} with ratings ${rating}`);
    assert.deepEqual(idsOf((await server.walkBack(largest, { rating, limit: 61 }, pages.at(-1))).reverse()), model, `${largest} with ratings ${rating}, back`);
  }
  await checkNumbers(server, byProduct(stored), largest);
  assert.equal((await server.stop()).status, 0);
});

/** Pages at random numbers, under random filters and sorts; every other one of the largest product. */
async function checkNumbers(server, products, largest) {
  const random = seeded(72);
  for (let round = 0; round < 120; ++round) {
    const product = round % 2 ? largest : pick(random, [...products.keys()]);
    const comments = products.get(product);
    const query = { rating: pick(random, subsets(ratings)), language: random() < 0.5 ? [] : [pick(random, comments).language], sort: sorts[(round >> 1) % sorts.length], limit: 1 + Math.floor(random() * 100) };
    const all = expected(comments, query);
    const number = 1 + Math.floor(random() * pagesOf(all.length, query.limit));
    const { total, page, ...shown } = await server.page(product, { ...query, page: number });
    const name = `${product}: page ${number} under ${JSON.stringify(query)}`;
    assert.deepEqual(idsOf(shown), all.slice((number - 1) * query.limit, number * query.limit).map((row) => row.id), name);
    assert.deepEqual([total, page.number, page.count], [all.length, number, pagesOf(all.length, query.limit)], name);
  }
}
