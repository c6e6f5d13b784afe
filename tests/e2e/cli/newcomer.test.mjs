// A newcomer's walk: docs/moving.md, typed with a file of 96 reviews as Judge.me exports it, from the file to the page.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRows, mustRun, newStore, serve, temporaryDirectory } from '../support/harness.mjs';
import { judgemeFile, judgemeReviews } from './judgeme.mjs';
import { typeExamples } from '../support/typed.mjs';

const reviews = judgemeReviews(96);
const file = join(temporaryDirectory(), 'reviews.csv');
writeFileSync(file, judgemeFile(reviews));

test('the walk of docs/moving.md, as typed', () => typeExamples('docs/moving.md', { least: 4, before: `cp ${file} .` }));

test('what the file has is in the store and on the page, and nothing about persons', async () => {
  const store = newStore();
  await mustRun(['import', file, '--map', 'judgeme', '--store', store]);
  const rows = new Map((await exportRows(store)).map((row) => [row.attributes.source_id, row]));
  assert.equal(rows.size, 96);
  for (const review of reviews) {
    const row = rows.get(review.metaobject_handle);
    assert.deepEqual([row.product, row.rating, row.author, row.title], [review.product_handle, review.rating, review.reviewer_name, review.title]);
    assert.equal(row.created_at, `${review.review_date.slice(0, 19).replace(' ', 'T')}.000Z`);
    assert.equal(row.reply?.text ?? '', review.reply);
    assert.deepEqual(row.media?.map(({ url }) => url) ?? [], review.picture_urls ? review.picture_urls.replace('http:', 'https:').split(', ') : []);
  }
  assert.doesNotMatch(JSON.stringify([...rows.values()]), /mail\.example|192\.0\.2\.7|Turku|8877/);

  const shop = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(shop, '[shop]\nmedia = ["pics.example"]\n');
  const server = await serve({ store, args: ['--demo', '--shop', shop] });
  const pages = [];
  for (const query of ['', '?page=2', '?page=3', '?page=4']) pages.push((await server.get(`/products/wool-hat${query}`)).expect(200).text);
  const shown = pages.join('');
  const hats = reviews.filter((review) => review.product_handle === 'wool-hat');
  const pictures = new Set(shown.match(/https:\/\/pics\.example\/\d+-[ab]\.jpg/g));
  assert.equal(pictures.size, 2 * hats.filter((review) => review.picture_urls).length);
  for (const { reply } of hats.filter((review) => review.reply)) assert.ok(shown.includes(reply), reply);
  await server.stop();
});
