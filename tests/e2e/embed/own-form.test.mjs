// One's own review in a browser: on the page of an invitation without script on a telephone, and in the element of a page of the shop.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { embedOf, fitsWidth, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { mustRun } from '../support/harness.mjs';

let browser, shop, server;
before(async () => {
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ writing: 'who = "customers"\nonce = true\nedit_days = 30\n', more: `[moderation]\nhold = "rules"\nlinks = true\n${embedOf(shop.origin)}` });
});
after(async () => { await browser.close(); await server.stop(); });

const commentsPath = (product) => `/v1/products/${product}/comments`;
const review = { language: 'en', rating: 4, title: 'Fits', text: 'Well.' };

for (const [ui, width] of [['en', 1280], ['ar', 390], ['de', 390], ['ja', 390]]) {
  test(`an invitation that was used shows, changes and removes its review without script: ${ui}, ${width} px`, async () => {
    const product = `lamp-${ui}`;
    const ticket = (await mustRun(['invite', product, '--customer', 'ann', '--store', server.store])).stdout.trim();
    (await server.post(commentsPath(product), { ...review, text: 'See https://x.example/' }, { Authorization: '', Invitation: ticket })).expect(202);
    await visit(browser, { javaScriptEnabled: false, width }, async (page, troubles) => {
      await page.goto(`${server.url}/products/${product}/review?ticket=${ticket}&ui=${ui}`);
      await fitsWidth(page, width);
      const [change, remove] = [page.locator('details').first(), page.locator('details').last()];
      assert.equal(await page.locator('[name=text]').isVisible(), false);
      await change.locator('summary').click();
      await fitsWidth(page, width);
      await page.locator('[name=text]').fill('Better.');
      await change.getByRole('button').click();
      await page.locator('.told.done').waitFor();
      assert.equal(await page.locator('article .comment-text').textContent(), 'Better.');
      assert.equal(await remove.getByRole('button').isVisible(), false, 'one click removes nothing');
      await remove.locator('summary').press('Enter');
      await remove.getByRole('button').press('Enter');
      await page.locator('.told.done').waitFor();
      assert.equal(await page.locator('form').count(), 0);
      assert.equal((await server.page(product)).total, 0);
      assert.deepEqual(troubles, []);
    });
  });
}

test('the element shows, changes and removes one\'s own review, and the comments beside it follow', async () => {
  (await server.post(commentsPath('desk'), review, server.as('bob'))).expect(201);
  (await server.post(commentsPath('desk'), { ...review, text: 'Another.' }, server.as('cy'))).expect(201);
  const strict = `default-src 'none'; script-src ${server.url}; style-src ${server.url}; connect-src ${server.url}; require-trusted-types-for 'script'; trusted-types quire`;
  shop.pages['/own'] = () => ({ headers: { 'Content-Security-Policy': strict }, body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body><quire-comments product="desk"></quire-comments><quire-form product="desk" token="${server.tokenOf('bob')}"></quire-form></body></html>` });
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/own`);
    const form = page.locator('quire-form'), comments = page.locator('quire-comments');
    await comments.getByText('Well.').waitFor();
    await form.getByText('Your review is published.').waitFor();
    await page.evaluate(() => { window.sent = 0; addEventListener('quire-sent', () => { ++window.sent; }); });
    await form.getByText('Change your review').click();
    await form.locator('[name=text]').fill('Much better.');
    // A new token leaves open and typed what is being changed; another customer's takes it away.
    await page.evaluate((token) => document.querySelector('quire-form').setAttribute('token', token), server.tokenOf('bob', { jti: 'new' }));
    await page.waitForFunction(() => !document.querySelector('quire-form').stop);
    assert.equal(await form.locator('[name=text]').inputValue(), 'Much better.');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Your change is saved.').waitFor();
    await comments.getByText('Much better.').waitFor();
    await form.getByText('Change your review').click();
    await form.locator('[name=text]').fill('Typed by Bob.');
    await page.evaluate((token) => document.querySelector('quire-form').setAttribute('token', token), server.tokenOf('cy'));
    await form.getByText('Another.').first().waitFor();
    assert.equal(await form.locator('[name=text]').inputValue(), 'Another.');
    await page.evaluate((token) => document.querySelector('quire-form').setAttribute('token', token), server.tokenOf('bob'));
    await form.getByText('Much better.').first().waitFor();
    await form.getByText('Remove your review').click();
    await form.getByRole('button', { name: 'Remove for good' }).click();
    await form.getByText('Your review is removed.').waitFor();
    await comments.getByText('Much better.').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => window.sent), 0, 'nothing was sent');
    assert.deepEqual(troubles, []);
  });
  assert.equal((await server.page('desk')).total, 1);
});
