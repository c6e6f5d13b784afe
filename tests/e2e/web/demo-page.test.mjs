// The demo in a browser: its own pictures are shown, and the link that works once opens the queue.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from '../support/browser.mjs';
import { linksOf, startDemo } from './demo.mjs';
import { newStore } from '../support/harness.mjs';

let demo, browser, ways;
before(async () => {
  [demo, browser] = await Promise.all([startDemo(newStore()), launch()]);
  ways = await linksOf(demo);
});
after(async () => { await browser.close(); await demo.stop(); });

test('a browser sees the pictures and moderates', () => visit(browser, { width: 390, height: 800 }, async (page, troubles) => {
  await page.goto(demo.url + ways.product);
  const broken = await page.locator('img').evaluateAll((images) => Promise.all(images.map(async (image) => { image.loading = 'eager'; await image.decode(); return image.naturalWidth > 0; })));
  assert.ok(broken.length > 0 && broken.every(Boolean));
  await page.goto(demo.url + ways.moderation);
  await page.getByRole('button', { name: 'Moderate the demo' }).click();
  await page.waitForURL(/\/moderation$/);
  assert.equal(await page.locator('.queued').count(), 10);
  assert.deepEqual(troubles, []);
}));

test('a picture opens above the page, and by itself in its colours', () => visit(browser, {}, async (page, troubles) => {
  await page.goto(demo.url + ways.product);
  const { href, address } = await page.locator('.pictures a').first().evaluate((link) => ({ href: link.href, address: location.href }));
  for (const close of [() => page.keyboard.press('Escape'), () => page.keyboard.press('Enter'), () => page.mouse.click(5, 5)]) {
    await page.locator('.pictures a').first().press('Enter');
    assert.equal(await page.locator('dialog[open] img').evaluate((picture) => picture.src), href);
    await close();
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement.href), href, 'the focus is where it was');
  }
  assert.equal(page.url(), address);
  const opened = await page.goto(href);
  assert.match(opened.headers()['content-security-policy'], /default-src 'none'/);
  assert.deepEqual(troubles, [], 'and its style is refused by no policy');
}));

test('the keys of arrows show the other pictures of a comment', () => visit(browser, {}, async (page) => {
  await page.goto(`${demo.url + ways.product}?has_media=true`);
  const links = page.locator('.pictures:has(li:nth-child(2))').first().locator('a');
  const hrefs = await links.evaluateAll((all) => all.map(({ href }) => href));
  await links.first().press('Enter');
  const shown = () => page.locator('dialog[open] img').evaluate(({ src }) => src);
  for (const [key, at] of [['ArrowLeft', 0], ['ArrowRight', 1], ['ArrowLeft', 0]]) {
    await page.keyboard.press(key);
    assert.equal(await shown(), hrefs[at], key);
  }
}));

test('filters that are unfolded stay so, and a bar that would find nothing leads nowhere', () => visit(browser, {}, async (page) => {
  await page.goto(demo.url + ways.product);
  const folds = page.locator('.fold');
  const open = () => folds.evaluateAll((all) => all.filter((fold) => fold.open).map(({ dataset }) => dataset.facet));
  for (const at of [0, 1]) await folds.nth(at).locator('summary').click();
  const before = await open();
  assert.equal(before.length, 2);
  await Promise.all([page.waitForURL(/rating=4/), page.locator('[name=rating][value="4"]').check()]);
  await page.waitForFunction((count) => document.querySelectorAll('.fold[open]').length === count, before.length);
  assert.deepEqual(await open(), before);
  await page.goto(`${demo.url + ways.product}?q=daughter`);
  const left = await page.locator('[name=rating]').evaluateAll((boxes) => boxes.filter((box) => !box.closest('.zero')).map(({ value }) => value));
  const leads = await page.locator('.bar[href] .bar-rating').allTextContents();
  assert.ok(left.length < 5);
  assert.deepEqual(leads.map((text) => text.trim()), left);
  await page.goto(`${demo.url + ways.product}?q=nowheretobefound`);
  assert.equal(await page.locator('.bar[href]').count(), 0);
}));

test('a fault goes when it is mended, and a product that nobody knows has a way to others', () => visit(browser, {}, async (page) => {
  await page.goto(demo.url + ways.form);
  await page.locator('.write .apply').click();
  await page.locator('#rating-fault').waitFor();
  await page.locator('.rate-star').nth(2).click();
  assert.equal(await page.locator('.write .fault').count(), 0);
  assert.equal((await page.goto(`${demo.url}/products/unknown-thing`)).status(), 404);
  await page.locator('.find-product [name=find]').fill('tent');
  await page.keyboard.press('Enter');
  await page.waitForURL(/find=tent/);
}));

test('a pointer over the stars of the form shows the choice, and a notice is asked of what is unlawful alone', () => visit(browser, {}, async (page) => {
  await page.goto(demo.url + ways.form);
  const stars = page.locator('.rate-star');
  const filled = () => stars.evaluateAll((all) => all.map((star) => (getComputedStyle(star.querySelector('svg')).fill === 'none' ? '.' : '*')).join(''));
  await stars.nth(3).hover();
  assert.equal(await filled(), '****.');
  await stars.nth(4).click();
  await stars.nth(1).hover();
  assert.equal(await filled(), '**...');
  await page.mouse.move(1, 1);
  assert.equal(await filled(), '*****');
  await page.goto(demo.url + ways.product);
  await page.getByRole('link', { name: /^Report/ }).first().click();
  const mail = page.locator('[name="mail"]');
  assert.equal(await mail.isVisible(), false);
  await page.locator('[value="unlawful"]').check();
  assert.equal(await mail.isVisible(), true);
  await mail.fill('ann');
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.waitForLoadState();
  assert.equal(await page.locator('.fault').first().evaluate((fault) => fault === document.activeElement), true);
  assert.equal(await mail.isVisible(), true, 'what is wrong is seen');
  await page.locator('[value="spam"]').check();
  assert.equal(await mail.inputValue(), 'ann', 'which counts with no other reason');
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.locator('.told.done').waitFor();
  const id = new URL(page.url()).pathname.split('/')[2];
  await page.locator('.ways .apply').click();
  await page.waitForURL(/\/products\//);
  assert.equal(await page.locator(`#c-${id}`).count(), 1, 'back to where the comment stands');
}));
