// Words on the web page: the field, the marks, the offers of an empty page; without script.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore, serve } from '../support/harness.mjs';
import { until } from '../support/project.mjs';

const product = 'jacket';
const row = (n, more) => ({ product, language: 'en', author: 'Ann', created_at: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(), ...more });
const rows = [
  row(1, { rating: 1, title: 'Zipper <broke>', text: 'The zippers & buttons broke.' }),
  ...Array.from({ length: 30 }, (_, n) => row(10 + n, { rating: 5, title: 'Warm', text: `A good zipper, number ${n}.` })),
  ...Array.from({ length: 3 }, (_, n) => row(50 + n, { rating: 4, title: '', text: 'The pocket is small.' })),
];
let server;
before(async () => {
  const store = newStore();
  await importRows(store, rows);
  await mustRun(['words', 'add', '--store', store]);
  server = await serve({ store });
  await until('the words are there', async () => (await page('q=zipper')).status === 200);
});
after(() => server?.stop());

const page = (query = '', headers) => server.get(`/products/${product}${query && `?${query}`}`, headers);
const shown = async (query, headers) => (await page(query, headers)).expect(200).text;
const plain = (html) => html.replaceAll('&amp;', '&');

test('the page has a field that belongs to the form of filters', async () => {
  const html = await shown();
  assert.match(html, /<input id="q" type="search" name="q" form="filters" value="" maxlength="200" placeholder="Search in the reviews" aria-label="Search in the reviews">/);
  assert.match(html, /<button class="go" form="filters">Search<\/button>/);
  assert.doesNotMatch(html, /<mark>/);
  assert.match(await shown('q=%22zipper%22'), /name="q" form="filters" value="&quot;zipper&quot;"/);
});

test('words are marked, and kept by pages, filters and sorts', async () => {
  const html = plain(await shown('q=zipper'));
  assert.match(html, />A good <mark>zipper<\/mark>, number 29\.</);
  assert.match(html, /href="\?q=zipper&page=2"/);
  assert.match(html, /href="\?rating=5&q=zipper"/, 'the bars of the summary');
  assert.match(html, /<h2 id="list-heading">31 of 34 reviews<\/h2>/);
  assert.match(html, /<a class="chip" rel="nofollow" href="\/products\/jacket"><span class="sr">Remove <\/span><bdi>“zipper”<\/bdi>/);
  assert.match(html, /<title>Reviews of jacket – “zipper” – /);
  assert.match(plain(await shown('q=broke&rating=1')), /<mark>Zipper<\/mark>|&lt;<mark>broke<\/mark>&gt;/);
});

test('a page of words is not for search engines, and names the list as canonical', async () => {
  const html = await shown('q=zipper');
  assert.match(html, /<meta name="robots" content="noindex, follow">/);
  assert.doesNotMatch(html, /application\/ld\+json/);
  assert.equal((await server.get(`/products/${product}/fragment?q=zipper`)).expect(200).headers['x-robots-tag'], 'noindex');
});

test('an empty field is no question', async () => {
  const answer = (await page('q=&rating=5&sort=-created_at')).expect(301);
  assert.equal(answer.headers.location, `/products/${product}?rating=5`);
});

test('where no comment has all words, each is offered alone, with its number', async () => {
  const html = plain(await shown('q=pocket+zipper+nowhere'));
  assert.match(html, /<p class="empty-title">No review has all of these words\.<\/p>/);
  assert.match(html, /href="\?q=pocket"><bdi>pocket<\/bdi> <small>3<\/small>/);
  assert.match(html, /href="\?q=zipper"><bdi>zipper<\/bdi> <small>31<\/small>/);
  assert.doesNotMatch(html, /<bdi>nowhere<\/bdi> <small>/);
  assert.match(html, /<a href="\/products\/jacket">See all reviews<\/a>/);
  const filtered = plain(await shown('q=pocket+zipper&rating=4'));
  assert.match(filtered, /href="\?rating=4&q=pocket"><bdi>pocket<\/bdi> <small>3<\/small>/, 'under the same filter');
  assert.match(filtered, /No review matches these filters\./);
  assert.match(await shown('q=pocket&rating=5'), /<nav class="topics" aria-labelledby="fewer">\s*<a [^>]*href="\?q=pocket"><bdi>Without 5 stars<\/bdi> <small>3<\/small><\/a>\s*<a [^>]*href="\?rating=5"><bdi>Without “pocket”<\/bdi> <small>30<\/small>/);
  assert.match(await shown('q=nowhere'), /No review has this word\./);
  const kept = await shown('q=nowhere&sort=-rating');
  assert.match(kept, /<div class="side" hidden>[^]*<option value="-rating" selected>/, 'nothing is there to filter or sort; the next question has the same order');
  assert.match(await shown('q=zipper'), /<div class="side">/);
});

test('each language has the texts', async () => {
  const seen = new Set();
  for (const ui of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ja', 'ar']) {
    const html = await shown(`q=nowhere+never&ui=${ui}`);
    seen.add(/placeholder="([^"]+)" aria-label="\1"/.exec(html)[1]);
    assert.match(html, new RegExp(`<html lang="${ui}" dir="${ui === 'ar' ? 'rtl' : 'ltr'}">`));
  }
  assert.equal(seen.size, 10);
});

test('a store without an index has no field, and says so where words are asked for', async () => {
  const bare = await serve();
  try {
    for (const rating of [1, 5]) await bare.add(product, { rating, title: 'Zipper' });
    assert.doesNotMatch((await bare.get(`/products/${product}`)).expect(200).text, /name="q"/);
    (await bare.get(`/products/${product}?q=zipper`, { Accept: 'text/html' })).expect(400);
  } finally {
    await bare.stop();
  }
});
