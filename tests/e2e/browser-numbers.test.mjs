// The numbered pager and the histogram in Chromium, with and without JavaScript, and on a narrow screen.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idsOf, importRows, newStore, serve } from './support/harness.mjs';
import { sampleRows } from './support/data.mjs';
import { chooseSort, fitsWidth, launch, setFilter, showsQuery as shows, visit, waitForIds } from './support/browser.mjs';

const product = 'lamp & <i>co</i> /#?%';
const address = (query = '') => `${server.url}/products/${encodeURIComponent(product)}${query}`;
const showsQuery = (page, query, what) => shows(page, server, product, query, what);
const crowd = 12_000; // comments of one product: at one a page, as many pages
let server;
let browser;

before(async () => {
  const store = newStore();
  const rows = sampleRows(141, 260, product);
  for (let n = 0; n < crowd; ++n) rows.push({ product: 'crowd', language: 'en', rating: 1 + (n % 5), created_at: new Date(Date.UTC(2024, 0, 1) + n).toISOString() });
  rows.push({ ...rows[0], product: 'W'.repeat(256) });
  await importRows(store, rows);
  server = await serve({ store });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const pager = (page) => page.locator('nav.pager');
const number = (page, text) => pager(page).locator('a.number').filter({ hasText: new RegExp(`^Page ${text}$`) });

/** The text of the pager, with the present number in brackets. */
const numbersShown = (page) => pager(page).locator('ol.numbers > li').evaluateAll((items) => items.map((item) => {
  const own = item.querySelector('.number');
  if (!own) return '…';
  const text = own.lastChild.textContent.trim();
  return own.getAttribute('aria-current') === 'page' ? `[${text}]` : text;
}));

for (const javaScriptEnabled of [true, false]) {
  const mode = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';
  const open = (visitor) => visit(browser, { javaScriptEnabled }, async (page, troubles) => {
    await visitor(page);
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  });

  test(`${mode}: a number, first and last lead to their pages, under the filter`, { timeout: 60_000 }, () => open(async (page) => {
    const query = { rating: [3, 4, 5], sort: 'created_at', limit: 10 };
    const { page: { count } } = await server.page(product, query);
    assert.ok(count > 10, 'the sample has many pages');
    await page.goto(address('?rating=3&rating=4&rating=5&limit=10&sort=created_at'));
    assert.deepEqual(await numbersShown(page), ['[1]', '2', '3', '…', String(count)]);
    await number(page, 3).click();
    await showsQuery(page, { ...query, page: 3 }, 'number 3');
    assert.equal(new URL(page.url()).hash, '#list', 'and begins at the list');
    assert.deepEqual(await numbersShown(page), ['1', '2', '[3]', '4', '5', '…', String(count)]);
    assert.match(await page.locator('.page-text').textContent(), new RegExp(`^Page 3 of ${count}$`));
    await number(page, 5).click();
    await showsQuery(page, { ...query, page: 5 }, 'number 5');
    await pager(page).locator('a:visible', { hasText: 'Last' }).click();
    await showsQuery(page, { ...query, page: count }, 'the last page');
    assert.equal(await pager(page).locator('a[href]', { hasText: /Last|Next/ }).count(), 0, 'nothing follows');
    await pager(page).locator('a[rel~="prev"]').click();
    await showsQuery(page, { ...query, page: count - 1 }, 'the page before the last');
    await pager(page).locator('a:visible', { hasText: 'First' }).click();
    await showsQuery(page, query, 'the first page');
    assert.doesNotMatch(page.url(), /page=/, 'its address has no number');
    assert.equal(await pager(page).locator('a[href]', { hasText: /First|Previous/ }).count(), 0, 'nothing is before it');
    await page.goBack();
    await showsQuery(page, { ...query, page: count - 1 }, 'the browser\'s way back');
  }));

  test(`${mode}: the form jumps to any page and keeps filter, limit and sort`, { timeout: 60_000 }, () => open(async (page) => {
    const query = { language: ['en', 'de'], rating: [4, 5], sort: '-rating', limit: 5 };
    await page.goto(address('?language=en&language=de&rating=4&rating=5&limit=5&sort=-rating&page=2'));
    await showsQuery(page, { ...query, page: 2 }, 'page 2');
    for (const to of [9, 17, 1]) {
      await page.getByLabel('Go to page').fill(String(to));
      await page.getByRole('button', { name: 'Go', exact: true }).click();
      await showsQuery(page, { ...query, page: to }, `page ${to}`);
    }
    const { page: { count } } = await server.page(product, query);
    await page.getByLabel('Go to page').fill(String(count + 1));
    await page.getByLabel('Go to page').press('Enter');
    assert.equal(await page.getByLabel('Go to page').evaluate((field) => field.validity.rangeOverflow), true, 'what is too large is not sent');
    await showsQuery(page, query, 'still the first page');
  }));

  test(`${mode}: a bar of the histogram sets a filter, and a second click removes it`, { timeout: 60_000 }, () => open(async (page) => {
    const bar = (rating) => page.locator(`.bars > li:nth-child(${6 - rating}) > .bar`);
    const pressed = () => page.locator('.bar[aria-current="true"]').evaluateAll((bars) => bars.map((one) => Number(one.querySelector('.bar-rating').textContent)));
    await page.goto(address('?language=en&limit=10&page=3'));
    assert.deepEqual(await pressed(), []);
    await bar(5).click();
    await showsQuery(page, { language: 'en', limit: 10, rating: 5 }, 'five stars, from the first page');
    await bar(2).click();
    await showsQuery(page, { language: 'en', limit: 10, rating: [2, 5] }, 'two or five stars');
    assert.deepEqual(await pressed(), [5, 2]);
    assert.equal(await page.locator('input[name="rating"]:checked').count(), 2, 'as in the form');
    await bar(5).click();
    await showsQuery(page, { language: 'en', limit: 10, rating: 2 }, 'two stars');
    await bar(2).click();
    await showsQuery(page, { language: 'en', limit: 10 }, 'any');
    const { ratings, total } = (await server.get(`/v1/products/${encodeURIComponent(product)}/statistics`)).expect(200).json;
    const told = await page.locator('.bar').evaluateAll((bars) => bars.map((one) => [one.querySelector('.bar-rating').textContent, one.querySelector('.bar-count').lastChild.textContent, `${one.querySelector('progress').value}%`]));
    assert.deepEqual(told, [5, 4, 3, 2, 1].map((rating) => [String(rating), String(ratings[rating]), `${Math.round((ratings[rating] * 100) / total)}%`]));
  }));

  test(`${mode}: by rating, page after page`, { timeout: 60_000 }, () => open(async (page) => {
    await page.goto(address('?limit=40'));
    await chooseSort(page, '-rating');
    const pages = await server.walk(product, { sort: '-rating', limit: 40 });
    for (const [at, each] of pages.entries()) {
      assert.deepEqual(await waitForIds(page, idsOf(each)), idsOf(each), `page ${at + 1}: at ${page.url()}`);
      const stars = await page.locator('article.comment .stars').evaluateAll((drawings) => drawings.map((one) => parseInt(one.getAttribute('aria-label'), 10)));
      assert.deepEqual(stars, each.comments.map((comment) => comment.rating));
      if (each.page.has_next) await page.locator('a[rel~="next"]:visible').click();
    }
  }));

  test(`${mode}: the orders of the products`, { timeout: 60_000 }, () => open(async (page) => {
    const names = () => page.locator('.product-name').allTextContents();
    await page.goto(`${server.url}/`);
    for (const [label, by] of [['Most five-star ratings', 'five_star'], ['Best rated', 'average']]) {
      await page.getByRole('link', { name: label }).click();
      await page.waitForURL(`**/?by=${by}`);
      assert.deepEqual(await names(), (await server.get(`/v1/leaderboard?by=${by}`)).expect(200).json.products.map((leader) => leader.product));
      assert.equal(await page.locator('[aria-current="true"]').textContent(), label);
    }
  }));
}

test('no numbered page scrolls sideways at 390 pixels, and the numbers can be used', { timeout: 60_000 }, () => visit(browser, { width: 390, height: 800 }, async (page, troubles) => {
  const paths = ['/', '/?by=five_star', '/?by=average', `/products/${'W'.repeat(256)}`, `/products/crowd?limit=1&page=${crowd / 2}`, `/products/crowd?limit=1&page=${crowd}`, '/products/crowd?limit=1&page=9999', '/products/crowd?limit=10&page=400&sort=-rating&rating=4&rating=5', '/problems/page-out-of-range'];
  for (const path of paths) {
    await page.goto(server.url + path);
    await fitsWidth(page, 390);
  }
  await page.goto(`${server.url}/products/crowd?limit=1&page=${crowd / 2}`);
  assert.deepEqual(await numbersShown(page), ['1', '…', '5,999', '[6,000]', '6,001', '…', '12,000']);
  await number(page, '6,001').click();
  await shows(page, server, 'crowd', { limit: 1, page: 6001 }, 'the next number on a narrow screen');
  await page.getByLabel('Go to page').fill('11999');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await shows(page, server, 'crowd', { limit: 1, page: 11_999 }, 'a jump on a narrow screen');
  await setFilter(page, 'rating', 5);
  await page.getByRole('button', { name: /apply/i }).click();
  await shows(page, server, 'crowd', { limit: 1, rating: 5 }, 'a filter begins at its first page');
  assert.deepEqual(troubles, [], 'nothing went wrong in the page');
}));

test('a page number past the end gives a page that leads to the last one', { timeout: 60_000 }, () => visit(browser, {}, async (page) => {
  const response = await page.goto(address('?limit=100&page=4'));
  assert.equal(response.status(), 404);
  assert.match(await page.locator('.advice').innerText(), /There are fewer pages/);
  assert.match(await page.locator('.detail').textContent(), /There are 3 pages/);
  await page.getByText('Go to the last page').click();
  await page.waitForURL(address('?limit=100&page=3'));
}));
