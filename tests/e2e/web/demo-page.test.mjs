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
  await page.locator('[value="spam"]').check();
  assert.equal(await mail.isVisible(), false);
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.waitForLoadState();
  assert.equal(await page.locator('.fault').first().evaluate((fault) => fault === document.activeElement), true);
  assert.equal(await mail.isVisible(), true, 'what is wrong is seen');
}));
