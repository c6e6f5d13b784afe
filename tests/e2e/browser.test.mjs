// The web page in Chromium, with and without JavaScript: filters, order and pages show the comments that the interface gives.
// Its page numbers and its histogram are in browser-numbers.test.mjs.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idsOf, importRows, newStore, serve } from './support/harness.mjs';
import { sampleRows } from './support/data.mjs';
import { apply, chooseSort, fitsWidth, launch, setFilter, shownIds, showsQuery as shows, visit, waitForIds } from './support/browser.mjs';

const product = 'shoes & <b>"boots"</b> /#?%';
const hostile = '<script>window.hostile = 1</script><img src="nowhere.png" onerror="window.hostile = 2"><a href="javascript:window.hostile=3">x</a>';
const address = (query = '') => `${server.url}/products/${encodeURIComponent(product)}${query}`;
let server;
let browser;

before(async () => {
  const store = newStore();
  const rows = sampleRows(81, 130, product);
  rows.push({ ...rows[0], product: 'hostile', created_at: '2024-01-01T00:00:00Z', author: hostile.slice(0, 100), title: hostile, text: `${hostile}\nsecond line` });
  rows.push({ ...rows[0], product: 'hostile', author: 'W'.repeat(100), title: 'W'.repeat(300), text: `${'W'.repeat(3000)} https://example.org/${'x'.repeat(500)}` });
  rows.push({ ...rows[0], product: 'hostile', author: '', title: '', text: '' });
  await importRows(store, rows);
  server = await serve({ store });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const showsQuery = (page, query, what) => shows(page, server, product, query, what);

for (const javaScriptEnabled of [true, false]) {
  const mode = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';

  test(`${mode}: filters and order`, { timeout: 60_000 }, () => visit(browser, { javaScriptEnabled }, async (page, troubles) => {
    await page.goto(address());
    await showsQuery(page, {}, 'no filter');
    await setFilter(page, 'rating', 5);
    await setFilter(page, 'rating', 1);
    await apply(page);
    await showsQuery(page, { rating: [1, 5] }, 'two ratings');
    await setFilter(page, 'language', 'en');
    await apply(page);
    await showsQuery(page, { rating: [1, 5], language: 'en' }, 'two ratings and a language');
    for (const [name, value, on] of [['rating', '5', true], ['rating', '4', false], ['language', 'en', true], ['language', 'de', false]]) {
      assert.equal(await page.locator(`input[name="${name}"][value="${value}"]`).first().isChecked(), on, `${name} ${value} after applying`);
    }
    await chooseSort(page, 'created_at');
    await showsQuery(page, { rating: [1, 5], language: 'en', sort: 'created_at' }, 'oldest first');
    for (const sort of ['-rating', 'rating']) {
      await chooseSort(page, sort);
      await showsQuery(page, { rating: [1, 5], language: 'en', sort }, `by ${sort}`);
      await page.goBack();
      await showsQuery(page, { rating: [1, 5], language: 'en', sort: 'created_at' }, `back from ${sort}`);
    }
    await page.goBack();
    await showsQuery(page, { rating: [1, 5], language: 'en' }, 'the browser\'s way back');
    await page.goForward();
    await showsQuery(page, { rating: [1, 5], language: 'en', sort: 'created_at' }, 'and forward again');
    await setFilter(page, 'rating', 5, false);
    await setFilter(page, 'rating', 1, false);
    await setFilter(page, 'language', 'en', false);
    await apply(page);
    await showsQuery(page, { sort: 'created_at' }, 'filters taken back, the order kept');
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  }));

  test(`${mode}: next to the end, previous to the start`, { timeout: 60_000 }, () => visit(browser, { javaScriptEnabled }, async (page, troubles) => {
    const query = { rating: [4, 5], limit: 15 };
    const pages = await server.walk(product, query);
    assert.ok(pages.length >= 4, 'the sample has several pages');
    await page.goto(address('?rating=4&rating=5&limit=15'));
    const turn = async (rel, from, to) => {
      await page.locator(`a[rel~="${rel}"]:visible`).first().click();
      assert.deepEqual(await waitForIds(page, idsOf(pages[to])), idsOf(pages[to]), `${rel} from page ${from} to page ${to}: at ${page.url()}`);
    };
    assert.deepEqual(await waitForIds(page, idsOf(pages[0])), idsOf(pages[0]), 'the first page');
    assert.equal(await page.locator('a[rel~="prev"]').count(), 0, 'no way back from the first page');
    for (let at = 0; at + 1 < pages.length; ++at) await turn('next', at, at + 1);
    assert.equal(await page.locator('a[rel~="next"]').count(), 0, 'no way on from the last page');
    for (let at = pages.length - 1; at > 0; --at) await turn('prev', at, at - 1);
    assert.equal(await page.locator('a[rel~="prev"]').count(), 0, 'back at the first page');
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  }));

  test(`${mode}: from the list of products to a product, whatever its name`, { timeout: 60_000 }, () => visit(browser, { javaScriptEnabled }, async (page, troubles) => {
    await page.goto(`${server.url}/`);
    await page.locator('a', { hasText: product }).first().click();
    await showsQuery(page, {}, 'the product\'s page');
    assert.equal(await page.locator('b', { hasText: 'boots' }).count(), 0, 'a name is no markup');
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  }));

  test(`${mode}: hostile comments are shown as text`, { timeout: 60_000 }, () => visit(browser, { javaScriptEnabled }, async (page, troubles) => {
    await page.goto(`${server.url}/products/hostile`);
    assert.equal((await shownIds(page)).length, 3);
    const article = page.locator('article.comment', { hasText: 'second line' });
    const text = (await article.textContent()).replaceAll(/\s+/g, ' ');
    assert.ok(text.split(hostile).length - 1 >= 2, `title and text are shown as they were written: ${text}`);
    assert.equal(await page.locator('article script, article img[src="nowhere.png"], article [onerror], article a[href^="javascript"]').count(), 0, 'no element came of it');
    if (javaScriptEnabled) assert.equal(await page.evaluate(() => window.hostile), undefined, 'nothing ran');
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  }));
}

test('no page scrolls sideways at 390 pixels, and everything still works', { timeout: 60_000 }, () => visit(browser, { width: 390, height: 800 }, async (page, troubles) => {
  const paths = ['/', `/products/${encodeURIComponent(product)}`, '/products/hostile', '/problems/cursor-mismatch', `/products/${encodeURIComponent(product)}?rating=5&language=en&limit=5`];
  for (const path of paths) {
    await page.goto(server.url + path);
    await fitsWidth(page, 390);
  }
  await page.goto(address());
  await setFilter(page, 'rating', 5);
  await apply(page);
  await showsQuery(page, { rating: 5 }, 'a filter on a narrow screen');
  assert.deepEqual(troubles, [], 'nothing went wrong in the page');
}));

for (const javaScriptEnabled of [true, false]) {
  test(`on a phone the filters unfold by the keyboard, and a screen reader is told, ${javaScriptEnabled ? 'with' : 'without'} script`, { timeout: 60_000 }, () => visit(browser, { width: 390, height: 800, javaScriptEnabled }, async (page) => {
    await page.goto(address());
    const reader = await page.context().newCDPSession(page);
    const told = async () => {
      const { nodes } = await reader.send('Accessibility.getFullAXTree');
      const node = nodes.find(({ name, role, ignored }) => !ignored && name?.value === 'Filter and sort' && role.value !== 'form');
      return [node.role.value, node.properties.find((each) => each.name === 'expanded')?.value.value];
    };
    const form = page.locator('form#filters');
    for (const open of [false, true, false]) {
      assert.deepEqual(await told(), ['DisclosureTriangle', open]);
      assert.equal(await form.isVisible(), open);
      await page.locator('.reveal-label').press('Enter');
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.ok(await form.isVisible());
    assert.equal(await page.locator('.reveal-label').isVisible(), false, 'beside the list the form needs none');
  }));
}

test('a wrong address gives a page that says so', { timeout: 60_000 }, () => visit(browser, {}, async (page) => {
  const response = await page.goto(address('?rating=9'));
  assert.equal(response.status(), 400);
  assert.match(await page.locator('.advice').innerText(), /Something in the address is wrong/);
  assert.equal(await page.locator('.detail').isVisible(), false, 'visitors need no details');
  await page.getByText('Technical details').click();
  assert.match(await page.locator('.detail').innerText(), /rating/, 'the page names the parameter');
  await page.getByText('See all reviews').click();
  await page.waitForURL(address());
}));

test('a comment has an address that leads to it, and so do addresses from before it moved', { timeout: 60_000 }, () => visit(browser, {}, async (page, troubles) => {
  const [first, , third] = await server.walk(product, { limit: 20 });
  const { id } = third.comments[7];
  await page.goto(address(`#c-${id}`)); // where it stood once
  await page.waitForURL(`${server.url}/**?page=3#c-${id}`);
  const article = page.locator(`#c-${id}`);
  await article.waitFor();
  assert.equal(await article.locator('a').first().getAttribute('href'), `/comments/${id}/page`);
  await page.goto(address());
  await page.locator(`#c-${first.comments[3].id} a`).first().click();
  await page.waitForURL(`${address()}#c-${first.comments[3].id}`);
  assert.deepEqual(troubles, [], 'nothing went wrong in the page');
}));

test('a long text is cut, and is whole on a page of its own', { timeout: 60_000 }, () => visit(browser, { width: 390, height: 800 }, async (page, troubles) => {
  await page.goto(`${server.url}/products/hostile`);
  const article = page.locator('article.comment', { hasText: 'WWW' });
  const cut = (await article.locator('> div').textContent()).trim();
  assert.equal(cut, `${'W'.repeat(700)} …`);
  assert.equal(await page.getByText('Read full review').count(), 1, 'short texts are there whole');
  const whole = `${'W'.repeat(3000)} https://example.org/${'x'.repeat(500)}`;
  const alone = await article.getByText('Read full review').getAttribute('href');
  await article.getByText('Read full review').click();
  await article.getByText('https://example.org/').waitFor();
  assert.equal((await article.locator('> div').textContent()).trim(), whole, 'it unfolds where it stands');
  assert.deepEqual([await page.getByText('Read full review').count(), (await shownIds(page)).length], [0, 3]);
  await page.goto(server.url + alone); // as the link does without the script
  await page.getByText('See it among all reviews').waitFor();
  assert.equal((await page.locator('.comment > div').textContent()).trim(), whole);
  assert.equal((await shownIds(page)).length, 1);
  assert.equal(await page.locator('meta[name="robots"]').getAttribute('content'), 'noindex, follow');
  await fitsWidth(page, 390);
  await page.getByText('See it among all reviews').click();
  await page.locator('article').nth(2).waitFor();
  assert.match(page.url(), /\/products\/hostile#c-/);
  for (const id of ['x', '01JD5ZK3V8Q6W3N0A9B7C5D2EF']) assert.equal((await server.get(`/comments/${id}`)).status, 404);
  assert.deepEqual(troubles, [], 'nothing went wrong in the page');
}));
