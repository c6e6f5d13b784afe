// On a phone no button breaks into two lines, a pointer hides no text of one, and what an empty list offers is seen whole, in any language:
// on pages and in elements.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { sampleRows } from '../support/data.mjs';
import { importRows, mustRun, newStore } from '../support/harness.mjs';

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ja', 'ar'];
let browser, server, shop;
before(async () => {
  const store = newStore();
  const row = { product: 'few', text: 'x', created_at: '2024-11-20T12:00:00Z' };
  await importRows(store, [...sampleRows(7, 60, '42'), { ...row, rating: 5, language: 'de' }, { ...row, rating: 1, language: 'fr' }]);
  await mustRun(['words', 'add', '--store', store]);
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, writing: 'who = "customers"\nonce = true\nedit_days = 30\nlink = "https://shop.example/write"\n', more: `[votes]\nwho = "customers"\n${embedOf(shop.origin)}` });
});
after(async () => { await browser.close(); await server.stop(); });

/** The buttons, and links that look so, whose text takes more than a line. */
const broken = (root) => root.evaluate((element) => {
  const inside = element.shadowRoot ?? element;
  for (const details of inside.querySelectorAll('details')) details.open = true;
  const lines = (button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    const tops = [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 8).map(({ top }) => top);
    return Math.max(...tops) - Math.min(...tops) > 13;
  };
  return [...inside.querySelectorAll('button, .apply, .go, .step, summary, .clear')].filter((each) => each.offsetParent && lines(each)).map((each) => each.textContent.trim());
});

test('what an empty list offers is within the screen', async () => {
  const beyond = (links) => links.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).filter(({ left, right }) => left < 0 || right > innerWidth).length);
  const query = 'language=de&rating=1&rating=2&rating=3';
  await visit(browser, { width: 390, height: 800 }, async (page) => {
    for (const ui of languages) {
      await page.goto(`${server.url}/products/few?${query}&ui=${ui}`);
      const offers = page.locator('.empty .topics a');
      assert.deepEqual([await offers.count(), await beyond(offers)], [2, 0], ui);
    }
    shop.pages['/few'] = () => `<!doctype html><html lang="fr"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body style="margin:16px"><quire-comments product="few"></quire-comments></body></html>`;
    await page.goto(`${shop.origin}/few?quire=${encodeURIComponent(query)}`);
    const offers = page.locator('quire-comments .empty .topics');
    await offers.waitFor();
    assert.equal(await beyond(offers.locator('a')), 0);
    assert.equal(await offers.evaluate((each) => getComputedStyle(each).maskImage), 'none');
  });
});

/** The contrast of an element's text with its own ground; absent where the ground shows through. */
const contrast = (link) => link.evaluate((element) => {
  const { color, backgroundColor } = getComputedStyle(element);
  const [text, ground] = [color, backgroundColor].map((each) => each.match(/[\d.]+/g).map(Number));
  if (ground[3] === 0) return undefined;
  const light = (parts) => parts.slice(0, 3).map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const [darker, lighter] = [light(text), light(ground)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
});

test('a pointer hides no text of what looks like a button', () => visit(browser, {}, async (page) => {
  let seen = 0;
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/products/none', '/products/42', '/products/42?page=99', '/products/42?q=nothing', '/']) {
      await page.goto(server.url + path);
      for (const each of await page.locator('main a:visible, main button:visible').all()) {
        if (await contrast(each) === undefined) continue;
        await each.hover();
        const now = await contrast(each);
        assert.ok(now === undefined || now >= 4.5, `${now} at ${path}, ${colorScheme}: ${await each.textContent()}`);
        ++seen;
      }
    }
  }
  assert.ok(seen >= 6, `${seen} are seen`);
}));

test('no button takes two lines', async () => {
  const { id } = (await server.page('42')).comments[0];
  const ticket = (await mustRun(['invite', '42', '--customer', 'zoe', '--store', server.store])).stdout.trim();
  await server.post('/v1/products/42/comments', { language: 'en', rating: 4, text: 'Well.' }, { Authorization: '', Invitation: ticket });
  const paths = ['/products/42?rating=5', '/products/42?q=nothing', '/products/none', '/products/42/review', `/products/42/review?ticket=${ticket}`, `/comments/${id}/report`, '/', '/products/42?page=99'];
  await visit(browser, { width: 390, height: 800 }, async (page) => {
    for (const ui of languages) {
      for (const path of paths) {
        await page.goto(`${server.url}${path}${path.includes('?') ? '&' : '?'}ui=${ui}`);
        assert.deepEqual(await broken(page.locator('body')), [], `${path} in ${ui}`);
      }
      shop.pages['/elements'] = () => `<!doctype html><html lang="${ui}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body style="margin:16px"><quire-comments product="42" token="${server.tokenOf('ann')}"></quire-comments><quire-form product="new" token="${server.tokenOf('ann')}"></quire-form></body></html>`;
      await page.goto(`${shop.origin}/elements`);
      await page.locator('quire-comments form.vote:visible').first().waitFor();
      await page.locator('quire-form form.write').waitFor();
      for (const name of ['quire-comments', 'quire-form']) assert.deepEqual(await broken(page.locator(name)), [], `${name} in ${ui}`);
    }
  });
});
