// The fragment: the comments of a product without a page around them, with links of the page that shows it.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { here, importRows, newStore } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { sampleRows } from '../support/data.mjs';

const product = 'lamp 1/ü';
const path = `/products/${encodeURIComponent(product)}/fragment`;
let server, shop, browser;

before(async () => {
  const store = newStore();
  await importRows(store, sampleRows(7, 120, product));
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, more: embedOf('https://shop.example', shop.origin) });
});
const servers = [];
after(async () => {
  await browser.close();
  await Promise.all([server, ...servers].map((each) => each.stop()));
});

const hrefs = (text) => [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));

test('the fragment has the comments of the page, and no page around them', async () => {
  const page = (await server.get(path.replace('/fragment', ''))).expect(200).text;
  const fragment = (await server.get(path)).expect(200);
  const ids = (text) => [...text.matchAll(/id="c-(\w{26})"/g)].map(([, id]) => id);
  assert.deepEqual(ids(fragment.text), ids(page));
  assert.equal(ids(fragment.text).length, 20);
  assert.doesNotMatch(fragment.text, /<html|<head\b[^e]|<body|<main|<h1|<title|doctype|masthead|<script|rel="canonical"/);
  assert.ok(fragment.text.includes(`<section class="quire page" lang="en" dir="ltr" aria-label="Reviews of ${product}">`), 'the list inside has another name');
  assert.equal(fragment.headers['x-robots-tag'], 'noindex');
  const style = hrefs(fragment.text)[0];
  assert.match(style, new RegExp(`^${server.url}/static/[0-9a-f]{16}/embed\\.css$`), 'whole, because the fragment is on a page of another host');
  const sheet = (await server.get(style.slice(server.url.length))).expect(200);
  assert.equal(sheet.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.match(sheet.text, /^@scope \(\.quire\) \{/);
  assert.equal((await server.get('/products/lamp/comments.atom')).headers['cross-origin-resource-policy'], 'same-origin');
});

test('the colour of the shop is that of buttons and links, unless the page sets another', async () => {
  const coloured = await serveCustomers({ more: `${embedOf(shop.origin)}colour = "#7a1fa2"\n` });
  servers.push(coloured);
  for (const rating of [4, 5]) await coloured.add('42', { rating }); // so that there is something to filter
  shop.pages['/coloured'] = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><style>.own { --quire-accent: #005fcc }</style><script src="${coloured.url}/embed.js" defer></script><body><quire-comments product="42"></quire-comments><quire-comments class="own" product="42"></quire-comments>`;
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/coloured`);
    for (const [which, colour] of [['quire-comments:not(.own)', 'rgb(122, 31, 162)'], ['.own', 'rgb(0, 95, 204)']]) {
      const button = page.locator(which).locator('.actions .apply');
      await button.waitFor({ state: 'attached' });
      assert.equal(await button.evaluate((element) => getComputedStyle(element).backgroundColor), colour, which);
    }
    assert.deepEqual(troubles, []);
  });
});

test('links can be read on light and on dark pages, whatever the colour of the shop', { timeout: 120_000 }, async () => {
  const rows = [...sampleRows(7, 60, '42'), { product: 'few', rating: 4, language: 'en', text: 'Fits', created_at: '2024-11-20T12:00:00.000Z' }];
  for (const colour of ['', 'colour = "#00247d"\n', 'colour = "#7a1fa2"\n']) {
    const store = newStore();
    await importRows(store, rows);
    const own = await serveCustomers({ store, writing: 'who = "anyone"\n', more: `${embedOf(shop.origin)}visitor_language = true\n${colour}` });
    servers.push(own);
    for (const style of ['color: #191c1b; background: #fff', 'color: #e7eae8; background: #131615']) {
      shop.pages['/read'] = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><style>body { ${style} }</style><script src="${own.url}/embed.js" defer></script><body><main><h1>Lamp</h1><quire-comments product="42"></quire-comments><quire-comments product="few"></quire-comments><quire-form product="42"></quire-form></main>`;
      await visit(browser, { width: 390 }, async (page, troubles) => {
        await page.addInitScript({ path: join(here, 'node_modules/axe-core/axe.min.js') });
        await page.goto(`${shop.origin}/read`);
        await page.locator('[product="42"] .own-language').waitFor();
        await page.locator('[product=few] article').waitFor();
        await page.locator('quire-form form').waitFor();
        const found = await page.evaluate(async () => (await axe.run({ runOnly: 'color-contrast', resultTypes: ['violations'] })).violations.flatMap(({ nodes }) => nodes.map(({ any, html }) => `${html.slice(0, 80)}: ${any[0].message}`)));
        assert.deepEqual(found, [], `${colour} ${style}`);
        assert.deepEqual(troubles, []);
      });
    }
  }
});

test('links lead to the base, with the query in quire', async () => {
  for (const [base, separator] of [['/p/42', '?'], [`${shop.origin}/p/42`, '?'], ['https://shop.example', '?'], ['/p?variant=3', '&']]) {
    const { text } = (await server.get(`${path}?rating=5&rating=4&language=en&base=${encodeURIComponent(base)}`)).expect(200);
    const next = /<a class="step step-next" rel="next" href="([^"]*)"/.exec(text)[1].replaceAll('&amp;', '&');
    assert.equal(next, `${base}${separator}quire=language%3Den%26rating%3D5%26rating%3D4%26page%3D2#list`);
    const value = new URL(next, 'http://x').searchParams.get('quire');
    const shown = (await server.get(`${path}?${value}`)).expect(200).text;
    assert.match(shown, /Page 2 of/);
    const clear = hrefs(text).filter((href) => href === base);
    assert.ok(clear.length > 0, 'without a filter the address is the base itself');
  }
  for (const base of ['//evil.example', 'https://evil.example', 'https://shop.example.evil', 'javascript:alert(1)', 'p/42', '', '/p#x', '/p"x', '/p\\x', 'https://shop.example@evil', `/${'a'.repeat(2000)}`])
    (await server.get(`${path}?base=${encodeURIComponent(base)}`)).expect(400);
});

test('what visitors put behind the address of the shop\'s page does not break it', async () => {
  for (const quire of ['page=999', 'page=x', 'nothing=1', 'rating=9', 'sort=x', 'base=//evil.example', '%', '\u0000', '"><script>alert(1)</script>']) {
    const { text } = (await server.get(`${path}?base=/p&quire=${encodeURIComponent(quire)}`)).expect(200);
    assert.match(text, /Page 1 of/, quire);
    assert.doesNotMatch(text, /evil|<script>alert/);
  }
  (await server.get(`${path}?base=//evil.example&quire=page%3D2`)).expect(400);
  (await server.get(`${path}?base=/p&page=999`)).expect(404);
});

test('without a base links lead to the page of the product', async () => {
  const { text } = (await server.get(path)).expect(200);
  const found = hrefs(text);
  assert.ok(found.every((href) => href.startsWith(`${server.url}/`) || href.startsWith('#')), found.join('\n'));
  for (const href of found.filter((each) => /page=2/.test(each))) (await server.get(href.slice(server.url.length).replace(/#.*/, ''))).expect(200);
});

test('structured data is there when it is asked for, with the URL of the shop\'s page', async () => {
  const data = async (query) => {
    const { text } = (await server.get(`${path}?${query}`)).expect(200);
    const found = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text);
    return found && JSON.parse(found[1]);
  };
  assert.equal(await data('jsonld=false'), null);
  const whole = await data(`jsonld=true&base=${encodeURIComponent('https://shop.example/p/42')}`);
  assert.deepEqual([whole['@type'], whole.url, whole.review.length], ['Product', 'https://shop.example/p/42', 3]);
  assert.equal((await data('jsonld=true&base=/p/42')).url, undefined);
  (await server.get(`${path}?jsonld=yes`)).expect(400);
});

test('a product without comments has a fragment that says so', async () => {
  const { text } = (await server.get('/products/nothing/fragment?jsonld=true')).expect(200);
  assert.match(text, /<p class="empty-title">No reviews yet\.</);
  assert.doesNotMatch(text, /ld\+json/);
  assert.match((await server.get(`${path}?language=zz`)).expect(200).text, /No review matches/);
});

test('fragments are kept in the page cache, each base for itself, until a comment is new', async () => {
  const hits = async () => Number(/quire_cache_hits_total (\d+)/.exec((await server.get('/metrics')).text)?.[1] ?? /cache_hits\S* (\d+)/.exec((await server.get('/metrics')).text)[1]);
  const first = (await server.get(`${path}?base=/a`)).expect(200);
  const before = await hits();
  assert.equal((await server.get(`${path}?base=/a`)).text, first.text);
  assert.equal(await hits(), before + 1);
  const other = (await server.get(`${path}?base=/b`)).expect(200);
  assert.notEqual(other.headers.etag, first.headers.etag);
  assert.notEqual((await server.get(`${path}?jsonld=true&base=/a`)).headers.etag, first.headers.etag);
  (await server.get(`${path}?base=/a`, { 'If-None-Match': first.headers.etag })).expect(304);
  await server.add(product, { rating: 5, title: 'Brand new' });
  assert.match((await server.get(`${path}?base=/a`)).expect(200).text, /Brand new/);
});

test('included by the shop\'s server in a page, the fragment works without a script and leaves the page alone', async () => {
  shop.pages['/p/42'] = async (url) => {
    const query = new URLSearchParams(url.searchParams.get('quire') ?? '');
    query.set('base', '/p/42');
    const fragment = await (await fetch(`${server.url}${path}?${query}`)).text();
    return `<!doctype html><html lang="en"><title>Lamp</title><body><h1>Lamp</h1><a id="own" href="/p/42">Own</a><input id="own-input"><div id="reviews"><template shadowrootmode="open">${fragment}</template></div><div id="light">${fragment}</div></body></html>`;
  };
  for (const javaScriptEnabled of [true, false]) {
    await visit(browser, { javaScriptEnabled }, async (page, troubles) => {
      await page.goto(`${shop.origin}/p/42`);
      const own = await page.locator('#own').evaluate((element) => getComputedStyle(element).textUnderlineOffset);
      assert.equal(own, 'auto', 'the style of the fragment is for the fragment alone');
      assert.match(await page.locator('#light .pager a.step').first().evaluate((element) => getComputedStyle(element).display), /flex/);
      await page.locator('#reviews').getByRole('link', { name: 'Next' }).click();
      assert.match(page.url(), /\/p\/42\?quire=page%3D2#list$/);
      assert.match(await page.locator('#reviews .page-text').textContent(), /^Page 2 of/);
      await page.goBack();
      assert.match(await page.locator('#reviews .page-text').textContent(), /^Page 1 of/);
      assert.deepEqual(troubles, []);
    });
  }
});
