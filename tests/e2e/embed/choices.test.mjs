// Elements of a page of a shop while their visitor chooses: what was opened and typed stays, links that are not the list's lead where they
// say, and those who do not see the list hear what a choice came to.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';

const sizes = ['S', 'M', 'L'], colours = ['red', 'blue'];
const rows = Array.from({ length: 60 }, (_, n) => ({ product: '42', rating: 1 + (n % 5), language: 'en', text: n % 3 ? 'The zip holds' : 'Warm',
  created_at: new Date(Date.UTC(2024, 0, 1) + n * 1000).toISOString(), attributes: { size: sizes[n % 3], colour: colours[n % 2] } }));
const tie = [5, 4, 4, 4].map((rating, n) => ({ ...rows[n], product: 'tie', rating }));

let browser, shop, server;
before(async () => {
  const store = newStore();
  for (const name of ['size', 'colour']) await mustRun(['facet', 'add', name, '--type', 'choice', '--store', store]);
  await mustRun(['words', 'add', '--store', store]);
  await importRows(store, [...rows, ...tie]);
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, writing: `who = "customers"\nlink = "${shop.origin}/p/{product}?write=1#write"\n`, more: embedOf(shop.origin) });
});
after(async () => { await browser.close(); await server.stop(); });

const pageOf = (body, lang = 'en') => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body>${body}</body></html>`;
const summary = (page) => page.locator('#list-heading').textContent();

test('a link of the shop to write leads there, though it is of the page itself', async () => {
  shop.pages['/p/42'] = () => pageOf('<quire-comments product="42"></quire-comments>');
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/p/42`);
    await page.locator('.write-link a').first().click();
    await page.waitForURL(`${shop.origin}/p/42?write=1#write`);
    assert.deepEqual(troubles, []);
  });
});

test('a choice folds nothing that is open, takes no word that was typed meanwhile, and is said', async () => {
  shop.pages['/p/42'] = () => pageOf('<quire-comments product="42"></quire-comments>');
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/p/42`);
    const fold = (name) => page.locator(`.fold[data-facet="${name}"]`);
    for (const name of ['size', 'colour'])
      if (await fold(name).getAttribute('open') === null) await fold(name).locator('summary').click();
    const all = await summary(page);
    assert.equal(await page.locator('.said').textContent(), '', 'nothing was chosen');
    let answer;
    const held = new Promise((done) => { answer = done; });
    await page.route('**/fragment?**', async (route) => { await held; await route.continue(); });
    await fold('size').locator('input').first().check();
    await page.locator('input[type=search]').pressSequentially('zip');
    answer();
    await page.waitForFunction((before) => document.querySelector('quire-comments').shadowRoot.getElementById('list-heading').textContent !== before, all);
    for (const name of ['size', 'colour']) assert.notEqual(await fold(name).getAttribute('open'), null, name);
    assert.equal(await page.locator('input[type=search]').inputValue(), 'zip');
    await page.waitForFunction(() => document.querySelector('quire-comments').shadowRoot.querySelector('.said').textContent);
    assert.equal(await page.locator('.said').textContent(), await summary(page));
    assert.equal(await page.locator('.said').getAttribute('role'), 'status');
    assert.deepEqual(troubles, []);
  });
});

test('a route in the hash stays, and a list keeps its page where it has another name now', async () => {
  shop.pages['/'] = () => pageOf('<quire-comments product="42"></quire-comments>');
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/#/p/42`);
    await page.locator('.pager .step-next').click();
    await page.locator('.page-text', { hasText: 'Page 2 of' }).waitFor();
    assert.equal(page.url(), `${shop.origin}/?quire=page%3D2#/p/42`);
    await page.goto(`${shop.origin}/?quire.42=page%3D3`);
    await page.locator('.page-text', { hasText: 'Page 3 of' }).waitFor();
    await page.locator('.pager .step-previous').click();
    await page.locator('.page-text', { hasText: 'Page 2 of' }).waitFor();
    assert.equal(page.url(), `${shop.origin}/?quire=page%3D2#list`);
    assert.deepEqual(troubles, []);
  });
});

test('stars round as the page does, and write numbers as it does, whatever the region', async () => {
  await visit(browser, {}, async (page, troubles) => {
    for (const [lang, average] of [['en', '4.3'], ['de-CH', '4,3'], ['es-MX', '4,3'], ['ar-AE', '٤٫٣']]) {
      shop.pages['/p/tie'] = () => pageOf('<quire-stars product="tie"></quire-stars><quire-comments product="tie"></quire-comments>', lang);
      await page.goto(`${shop.origin}/p/tie`);
      const label = await page.locator('quire-stars svg').getAttribute('aria-label');
      assert.ok(label.startsWith(`${average} `), `${lang}: ${label}`);
      await page.locator('#list-heading').waitFor();
      const text = await page.evaluate(() => document.querySelector('quire-comments').shadowRoot.textContent);
      assert.ok(text.includes(average), lang);
    }
    assert.deepEqual(troubles, []);
  });
});

test('a form that is moved while its token is renewed keeps what was typed', async () => {
  shop.pages['/p/42'] = () => pageOf(`<div id="a"><quire-form product="42" token="${server.tokenOf('ann')}"></quire-form></div><div id="b"></div>`);
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/p/42`);
    const text = page.locator('quire-form textarea').first();
    await text.fill('Three paragraphs');
    await page.evaluate((token) => {
      const form = document.querySelector('quire-form');
      form.setAttribute('token', token);
      document.getElementById('b').append(form);
    }, server.tokenOf('ann', { name: 'Ann' }));
    await page.waitForFunction(() => !document.querySelector('quire-form').shadowRoot.querySelector('[aria-busy]'));
    assert.equal(await text.inputValue(), 'Three paragraphs');
    assert.deepEqual(troubles, []);
  });
});
