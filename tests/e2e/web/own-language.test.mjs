// A product's page that begins with the comments in the visitor's languages, and what leads to the others.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';

const html = { Accept: 'text/html' };
const product = 'lamp';
let server, browser, shop;
before(async () => {
  [browser, shop] = await Promise.all([launch(), site()]);
  const file = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(file, `${embedOf(shop.origin)}visitor_language = true\n`);
  const store = newStore();
  await mustRun(['facet', 'add', 'helpful', '--type', 'number', '--store', store]);
  const row = (n, language, rating, of = product) => ({ product: of, language, rating, author: 'Ann', title: `T${n} ${language}`, text: 'x', created_at: new Date(Date.UTC(2024, 1, 1) - n * 60_000).toISOString() });
  await importRows(store, [
    ...Array.from({ length: 60 }, (unused, n) => row(n, ['en', 'de', 'fr'][n % 3], n < 50 ? 5 : 1)), row(70, 'ja', 3), row(1, 'en', 4, 'one'),
    ...[5, 1].map((rating, n) => ({ ...row(n, 'en', rating, 'voted'), attributes: { helpful: n + 1 } })),
    ...[['de', 5, 9], ['en', 5, 1], ['pt', 5, 2], ['de', 1, 4], ['en', 1]].map(([language, rating, helpful], n) => ({ ...row(n, language, rating, 'several'), ...(helpful && { attributes: { helpful } }) })),
    ...['first', 'second'].flatMap((product, other) => [5, 5, 1, 1].map((rating, n) => ({ ...row(n, 'en', rating, product), ...(n === 1 + 2 * other && { attributes: { helpful: 3 } }) })))]);
  server = await serve({ store, args: ['--shop', file, ...unlimited] });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const ask = (path, language) => server.get(path, { ...html, ...(language && { 'Accept-Language': language }) });
const languagesOf = (text) => [...new Set([...text.matchAll(/<h3[^>]*>T\d+ (\w+)</g)].map((each) => each[1]))].sort();
const canonical = (text) => /<link rel="canonical" href="([^"]*)">/.exec(text)[1];
const switchOf = (text) => /class="own-language">.*?href="([^"]*)"/.exec(text)?.[1].replace(/^\?/, '/products/lamp?');

test('the visitor\'s languages come first, with a link to all; the canonical address stays', async () => {
  const own = (await ask('/products/lamp', 'de-AT, de;q=0.8')).expect(200);
  assert.deepEqual(languagesOf(own.text), ['de']);
  assert.equal(switchOf(own.text), '/products/lamp?language=*');
  assert.equal(own.headers['content-location'], '/products/lamp?language=de');
  assert.match(own.headers.vary, /Accept-Language/);
  assert.equal(canonical(own.text), `${server.url}/products/lamp`);
  assert.doesNotMatch(own.text, /noindex/);
  assert.match(own.text, /"ratingCount":61/, 'the ratings are of all comments');
  const all = (await ask(switchOf(own.text), 'de')).expect(200);
  assert.deepEqual(languagesOf(all.text), ['de', 'en', 'fr']);
  assert.equal(switchOf(all.text), undefined);
  assert.equal(canonical(all.text), `${server.url}/products/lamp`);
  assert.deepEqual(languagesOf((await ask('/products/lamp', 'de, fr')).expect(200).text), ['de', 'fr']);
});

test('all comments are shown to who names no language of the product, and where it has no other', async () => {
  for (const language of [undefined, '*', 'sv']) {
    const page = (await ask('/products/lamp', language)).expect(200);
    assert.deepEqual(languagesOf(page.text), ['de', 'en', 'fr'], language);
    assert.equal(switchOf(page.text), undefined);
    assert.equal(page.headers['content-location'], '/products/lamp?language=%2A');
  }
  const one = (await ask('/products/one', 'en')).expect(200);
  assert.equal(switchOf(one.text), undefined);
  assert.doesNotMatch(one.text, /class="chip"/);
});

test('an address with a filter, an order or a page shows what it says', async () => {
  for (const query of ['?page=2', '?rating=5', '?sort=created_at', '?language=*', '?limit=30', '?language=*&rating=5']) {
    const all = (await ask(`/products/lamp${query}`)).expect(200);
    const own = (await ask(`/products/lamp${query}`, 'de;q=0.9, ar;q=0.1')).expect(200);
    assert.ok(languagesOf(own.text).length > 1, query);
    assert.deepEqual(languagesOf(own.text), languagesOf(all.text), query);
  }
  assert.equal((await ask('/products/lamp?page=1', 'de')).status, 301);
  assert.equal((await ask('/products/lamp?page=1', 'de')).headers.location, '/products/lamp?language=*');
  assert.deepEqual((await server.page(product, { language: '*' })).total, 61);
});

test('the page cache keeps no visitor\'s page for another', async () => {
  for (const path of ['/products/lamp', '/products/lamp?utm=page', '/products/lamp/fragment?base=/p', '/products/lamp?ui=en']) {
    for (let i = 0; i < 3; ++i) {
      for (const [language, wanted] of [['de', ['de']], ['fr', ['fr']], ['sv', ['de', 'en', 'fr']], ['en-GB', ['en']]])
        assert.deepEqual(languagesOf((await ask(path, language)).expect(200).text), wanted, `${path} for ${language}`);
    }
  }
});

test('the newest positive and critical comment are those of the languages shown', async () => {
  const picks = (text) => [...text.matchAll(/class="pick-title"[^>]*>T(\d+) (\w+)</g)].map(([, n, language]) => [Number(n), language]);
  assert.deepEqual(picks((await ask('/products/lamp')).text), [[0, 'en'], [50, 'fr']]);
  assert.deepEqual(picks((await ask('/products/lamp', 'de')).text), [], 'all of one page');
  assert.deepEqual(picks((await ask('/products/lamp', 'de, fr')).text), [[1, 'de'], [50, 'fr']]);
  assert.deepEqual(picks((await ask('/products/lamp?page=2')).text), []);
  assert.deepEqual(picks((await ask('/products/one')).text), []);
  assert.deepEqual(picks((await ask('/products/voted')).text), [[0, 'en'], [1, 'en']], 'those that helped most, of one page, too');
  const languages = (text) => [...text.matchAll(/<section class="pick">.*?<span class="language">(\w+)</gs)].map((each) => each[1]);
  const several = (await ask('/products/several?ui=en')).text;
  assert.deepEqual(picks(several), [[1, 'en'], [3, 'de']], 'in the page\'s language, if one helped');
  assert.deepEqual(languages(several), ['German'], 'that of the page is not named, as in the list');
  assert.deepEqual(picks((await ask('/products/several?ui=pt-BR')).text), [[2, 'pt'], [3, 'de']]);
  assert.deepEqual(picks((await ask('/products/several?ui=fr')).text), [[0, 'de'], [3, 'de']]);
  assert.deepEqual(languages((await ask('/products/voted')).text), [], 'of one language nothing is said');
  const titles = (text) => [...text.matchAll(/<h2>(Most helpful|Newest) (positive|critical)/g)].map((title) => title.slice(1, 3).join(' '));
  const [first, second] = [(await ask('/products/first')).text, (await ask('/products/second')).text];
  assert.deepEqual([picks(first), titles(first)], [[[1, 'en'], [2, 'en']], ['Most helpful positive', 'Newest critical']], 'nobody has voted on a critical one');
  assert.deepEqual([picks(second), titles(second)], [[[0, 'en'], [3, 'en']], ['Newest positive', 'Most helpful critical']]);
});

test('on a phone the first view has the bars of the ratings, until the visitor chooses', async () => {
  await visit(browser, { width: 390, height: 800 }, async (page) => { // its language is en-US
    for (const [query, shown] of [['', true], ['?language=*', true], ['?language=en', false], ['?rating=5', false]]) {
      await page.goto(`${server.url}/products/lamp${query}`);
      assert.equal(await page.locator('.bars').isVisible(), shown, query);
    }
  });
});

test('in a browser, without script and in the element: to all, a filter, back to all', async () => {
  shop.pages['/p'] = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body><quire-comments product="lamp"></quire-comments>`;
  for (const [address, javaScriptEnabled] of [[`${server.url}/products/lamp`, false], [`${server.url}/products/lamp`, true], [`${shop.origin}/p`, true]]) {
    await visit(browser, { javaScriptEnabled }, async (page, troubles) => { // its language is en-US
      const titles = page.locator('article.comment h3');
      await page.goto(address);
      await page.locator('.own-language').waitFor();
      assert.equal(await titles.filter({ hasText: / (de|fr)$/ }).count(), 0);
      await page.locator('.own-language a').click();
      await titles.filter({ hasText: / fr$/ }).first().waitFor();
      assert.equal(await page.locator('.own-language').count(), 0);
      const box = page.locator('input[name="rating"][value="1"]');
      await box.check();
      if (await page.getByRole('button', { name: /apply/i }).first().isVisible()) await page.getByRole('button', { name: /apply/i }).first().click();
      await page.locator('.chip').waitFor();
      assert.equal(await page.locator('.chip').count(), 1, 'of the rating alone');
      await page.locator('.chip').click();
      await page.locator('.chip').waitFor({ state: 'detached' });
      await titles.filter({ hasText: / fr$/ }).first().waitFor();
      assert.deepEqual(troubles, []);
    });
  }
});
