// The filter form with ten facets, one of them of 200 values, in Chromium: with and without JavaScript, wide and narrow.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exportRows, importRows, newStore, queryString, serve } from './support/harness.mjs';
import { declare, facetRows, facets, found } from './support/facets.mjs';
import { pick, seeded } from './support/data.mjs';
import { apply, fitsWidth, launch, setFilter, showsQuery as shows, visit } from './support/browser.mjs';

const product = 'boots';
const shops = Array.from({ length: 200 }, (_, n) => (n === 7 ? 'shop <b>7</b> & "co"' : `shop ${n}`));
const more = [
  { name: 'shop', type: 'choice', values: shops },
  { name: 'photos', type: 'flag' },
  { name: 'page_count', type: 'number' },
  { name: 'material', type: 'choice' },
  { name: 'very_long_name_of_a_facet_here_x', type: 'tags' },
];
const ten = [...facets, ...more];
const address = (query = {}) => `${server.url}/products/${product}${queryString(query)}`;
const showsQuery = (page, query, what) => shows(page, server, product, query, what);
let server;
let browser;
let comments;

before(async () => {
  const store = newStore();
  await declare(store, ten);
  const random = seeded(5);
  const rows = facetRows(61, 600, product).map((row, n) => ({ ...row, attributes: { ...row.attributes,
    shop: shops[n < 200 ? n : Math.floor(random() ** 3 * 200)], photos: random() < 0.3, page_count: Math.floor(random() * 900),
    material: pick(random, ['leather', 'W'.repeat(100), 'أحمد', '漢字']), very_long_name_of_a_facet_here_x: [pick(random, ['a', 'b'])] } }));
  await importRows(store, rows);
  server = await serve({ store });
  browser = await launch();
  comments = await exportRows(store);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const fold = (page, name) => page.locator(`details[data-facet="${name}"]`);
const unfold = async (page, name) => { if (!(await fold(page, name).evaluate((one) => one.open))) await fold(page, name).locator('summary').click(); };
/** Shows all values of a facet, of which the page has the first ones alone. */
const allValues = async (page, name) => {
  await unfold(page, name);
  const more = fold(page, name).locator('.more');
  if (await more.count() === 0) return;
  await more.click();
  await page.locator('.options-many').first().waitFor({ state: 'attached' });
  await openForm(page); // without script it is folded on a phone
  await fold(page, name).locator('.options-many').waitFor();
  assert.equal(await more.count(), 0);
};
const openForm = async (page) => { const label = page.locator('.reveal-label'); if (await label.isVisible() && !(await page.locator('form#filters').isVisible())) await label.click(); };

/** The counts that the form shows beside the values of a facet. */
const countsShown = (page, name) => page.locator(`input[type="checkbox"][name="${name}"]`).evaluateAll((boxes) => Object.fromEntries(boxes.map((box) => {
  const count = box.closest('label').querySelector('small');
  return [box.value, Number(count.textContent.replaceAll(',', ''))];
})));
const withoutZeros = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

// On a phone choices are sent by a button, and wide pages send each at once.
test('choices that are not sent yet stay where all values of a facet are shown', () => visit(browser, { width: 390 }, async (page) => {
  const boxes = (more = '') => fold(page, 'shop').locator(`input[name="shop"]${more}`);
  const open = async (query) => {
    await page.goto(address(query));
    await openForm(page);
    await unfold(page, 'shop');
  };
  await open();
  const [sent, other] = await boxes().evaluateAll((all) => all.slice(0, 2).map(({ value }) => value));
  await open({ shop: sent });
  await boxes(`[value="${sent}"]`).uncheck();
  await boxes(`[value="${other}"]`).check();
  const before = await boxes().count();
  await allValues(page, 'shop');
  assert.ok(await boxes().count() > before);
  assert.deepEqual(await boxes(':checked').evaluateAll((all) => all.map(({ value }) => value)), [other]);
  await apply(page);
  await showsQuery(page, { shop: other }, 'the choice');
}));

for (const javaScriptEnabled of [true, false]) {
  const mode = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';
  const open = (visitor, size = {}) => visit(browser, { javaScriptEnabled, ...size }, async (page, troubles) => {
    await visitor(page);
    assert.deepEqual(troubles, [], 'nothing went wrong in the page');
  });

  test(`${mode}: choices of several facets, with the counts under the rest of the filter`, { timeout: 60_000 }, () => open(async (page) => {
    await page.goto(address());
    assert.equal(await page.locator('form#filters fieldset').count(), 12, 'language, rating and ten facets');
    for (const facet of ten) await unfold(page, facet.name);
    await setFilter(page, 'size', 'L');
    await apply(page);
    await showsQuery(page, { size: 'L' }, 'a size');
    await setFilter(page, 'verified', 'true');
    await apply(page);
    await showsQuery(page, { size: 'L', verified: 'true' }, 'and a flag');
    await unfold(page, 'tags');
    await setFilter(page, 'tags', 'gift');
    await apply(page);
    const query = { size: 'L', verified: 'true', tags: 'gift' };
    await showsQuery(page, query, 'and a tag');
    const { facets: wanted, total } = await server.page(product, { ...query, facets: 'true' });
    for (const name of ['language', 'rating', 'verified', 'size', 'country', 'tags', 'shop', 'photos', 'material']) {
      if (name !== 'rating') await allValues(page, name);
      assert.deepEqual(withoutZeros(await countsShown(page, name)), wanted[name], `counts of ${name}`);
    }
    assert.equal(await page.locator('#list-heading').textContent(), `${total} of 600 reviews`);
    assert.equal(await fold(page, 'size').locator('.badge').evaluate((badge) => badge.firstChild.textContent), '1');
  }));

  test(`${mode}: a chip for each condition removes it`, { timeout: 60_000 }, () => open(async (page) => {
    const query = { language: 'pt-BR', 'not.country': 'FR & co', 'helpful.min': -3, 'helpful.max': 150, 'tags.all': 'gift', sort: '-helpful', limit: 50 };
    assert.ok(found(comments, { language: 'pt-BR', 'not.country': 'FR & co', 'helpful.min': -3, 'helpful.max': 150, 'tags.all': 'gift' }).length > 0);
    await page.goto(address(query));
    await showsQuery(page, query, 'all conditions');
    const chips = () => page.locator('.chip bdi').allTextContents();
    assert.deepEqual(await chips(), ['Language: Portuguese (Brazil)', 'Country: not FR & co', 'Helpful votes: at least -3', 'Helpful votes: at most 150', 'Topics: also gift']);
    const left = { ...query };
    for (const [name, text] of [['not.country', 'Country: not'], ['helpful.max', 'at most'], ['language', 'Portuguese'], ['tags.all', 'Topics'], ['helpful.min', 'at least']]) {
      await page.locator('.chip', { hasText: text }).click();
      delete left[name];
      await showsQuery(page, left, `without ${name}`);
    }
    assert.deepEqual(await chips(), []);
  }));

  test(`${mode}: bounds of a number, and its order; empty bounds are not in the address`, { timeout: 60_000 }, () => open(async (page) => {
    await page.goto(address({ 'not.size': 'S' }));
    await unfold(page, 'helpful');
    const range = fold(page, 'helpful');
    const { facets: counts } = await server.page(product, { 'not.size': 'S', facets: 'true' });
    assert.match(await range.locator('.range-hint').textContent(), new RegExp(`^${counts.helpful.min} to ${counts.helpful.max}$`));
    await range.getByLabel('From').fill('10');
    await range.getByLabel('From').press('Enter');
    await showsQuery(page, { 'not.size': 'S', 'helpful.min': 10 }, 'from 10; what the form does not show is kept');
    await page.waitForURL((url) => !url.search.includes('helpful.max='));
    await unfold(page, 'helpful');
    await range.getByLabel('to', { exact: true }).fill('60');
    await range.getByLabel('to', { exact: true }).press('Enter');
    await showsQuery(page, { 'not.size': 'S', 'helpful.min': 10, 'helpful.max': 60 }, 'to 60');
    await page.locator('select[name="sort"]').selectOption({ label: 'Most helpful first' });
    await apply(page);
    await showsQuery(page, { 'not.size': 'S', 'helpful.min': 10, 'helpful.max': 60, sort: '-helpful' }, 'most helpful first');
    await page.locator('a[rel~="next"]:visible').first().click();
    await showsQuery(page, { 'not.size': 'S', 'helpful.min': 10, 'helpful.max': 60, sort: '-helpful', page: 2 }, 'its second page');
  }));

  test(`${mode}: at 390 pixels ten facets fit, and everything works`, { timeout: 60_000 }, () => open(async (page) => {
    await page.goto(address({ size: 'L', 'not.country': 'FR & co', material: 'W'.repeat(100) }));
    await fitsWidth(page, 390);
    await page.goto(address());
    await openForm(page);
    for (const facet of ten) await unfold(page, facet.name);
    await allValues(page, 'shop');
    await openForm(page);
    await fitsWidth(page, 390);
    const height = await fold(page, 'shop').locator('.options').evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(height <= 330, `200 values take ${height} pixels`);
    for (const facet of ten.slice(3)) if (await fold(page, facet.name).evaluate((one) => one.open)) await fold(page, facet.name).locator('summary').click();
    const whole = await page.locator('form#filters').evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(whole < 2200, `the folded form takes ${whole} pixels`);
    await allValues(page, 'shop');
    await openForm(page);
    await page.locator('input[name="shop"][value="shop 3"]').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await showsQuery(page, { shop: 'shop 3' }, 'one of 200');
    await fitsWidth(page, 390);
  }, { width: 390, height: 800 }));
}

test('the most frequent of 200 values come first, and a field finds values', { timeout: 60_000 }, () => visit(browser, {}, async (page, troubles) => {
  await page.goto(address());
  await unfold(page, 'shop');
  assert.equal(Object.values(await countsShown(page, 'shop')).length, 6, 'the others come when they are asked for');
  await allValues(page, 'shop');
  const counts = Object.values(await countsShown(page, 'shop'));
  assert.equal(counts.length, 200);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
  await page.getByLabel('Search in Shop').fill('<B>7');
  assert.deepEqual(await fold(page, 'shop').locator('.options label:visible bdi').allTextContents(), ['shop <b>7</b> & "co"']);
  await page.getByLabel('Search in Shop').press('Enter');
  assert.equal(page.url(), address(), 'Enter sends nothing');
  await fold(page, 'shop').locator('.options label:visible input').check();
  await showsQuery(page, { shop: shops[7] }, 'a found value');
  assert.equal(await fold(page, 'shop').evaluate((one) => one.open), true, 'the facet stays open');
  assert.deepEqual(troubles, [], 'nothing went wrong in the page');
}));

test('pages under a facet are not for search engines', async () => {
  for (const query of [{ size: 'L' }, { 'not.size': 'L' }, { 'helpful.min': 3 }, { sort: '-helpful' }, { skip: 3 }]) {
    const { text } = (await server.get(`/products/${product}${queryString(query)}`)).expect(200);
    assert.match(text, /<meta name="robots" content="noindex, follow">/, queryString(query));
    assert.match(text, new RegExp(`<link rel="canonical" href="${server.url}/products/${product}">`), queryString(query));
  }
  const links = [...(await server.get(`/products/${product}?size=L`)).text.matchAll(/<a class="chip" rel="([^"]*)"/g)];
  assert.deepEqual(links.map(([, rel]) => rel), ['nofollow']);
});
