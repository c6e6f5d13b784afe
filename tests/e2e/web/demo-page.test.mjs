// The demo in a browser: its own pictures are shown, and the link that works once opens the queue.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, visit } from '../support/browser.mjs';
import { linksOf, startDemo } from './demo.mjs';
import { newStore } from '../support/harness.mjs';

test('a browser sees the pictures and moderates', async () => {
  const demo = await startDemo(newStore());
  const browser = await launch();
  try {
    const ways = await linksOf(demo);
    await visit(browser, { width: 390, height: 800 }, async (page, troubles) => {
      await page.goto(demo.url + ways.product);
      const broken = await page.locator('img').evaluateAll((images) => Promise.all(images.map(async (image) => { image.loading = 'eager'; await image.decode(); return image.naturalWidth > 0; })));
      assert.ok(broken.length > 0 && broken.every(Boolean));
      await page.goto(demo.url + ways.moderation);
      await page.getByRole('button', { name: 'Moderate the demo' }).click();
      await page.waitForURL(/\/moderation$/);
      assert.equal(await page.locator('.queued').count(), 10);
      assert.deepEqual(troubles, []);
    });
  } finally {
    await browser.close();
    await demo.stop();
  }
});
