// Nothing moves on a page while it loads: not when pictures come, nor when the script runs.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { declare } from '../support/facets.mjs';
import { launch, shiftOf as shiftUntilNow, visit } from '../support/browser.mjs';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#1a7f5a"/></svg>';
const host = 'https://img.shop.example';
let server;
let browser;

before(async () => {
  const folder = temporaryDirectory();
  const shop = join(folder, 'shop.toml');
  writeFileSync(shop, '[shop]\nname = "Field & Stream"\nlogo = "logo.svg"\nmedia = ["img.shop.example"]\n[writing]\nwho = "anyone"\n');
  writeFileSync(join(folder, 'logo.svg'), picture);
  const store = newStore();
  await declare(store);
  await importRows(store, Array.from({ length: 60 }, (_, n) => ({ product: 'p', language: n % 2 ? 'en' : 'ar', rating: 1 + (n % 5), created_at: `2024-11-20T12:${String(n).padStart(2, '0')}:00.000Z`,
    author: 'Ann', title: `T${n}`, text: n % 3 ? 'Light.' : 'A long text. '.repeat(200), attributes: { country: 'DE', verified: true, helpful: n % 7 }, media: n % 4 ? undefined : [{ url: `${host}/${n}.svg`, width: 300, height: 200, alt: 'lamp' }, { url: `${host}/square-${n}.svg` }] })));
  await mustRun(['product', 'set', 'p', '--name', 'Desk lamp', '--brand', 'Lumen', '--image', `${host}/lamp.svg`, '--store', store]);
  server = await serve({ store, args: ['--shop', shop, ...unlimited] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** How far things moved until pictures were there and had been seen, as browsers count it. */
async function shiftOf(page, path) {
  let waiting = [];
  const hold = (what, answer) => page.route(what, (route) => new Promise((sent) => waiting.push(() => sent(answer(route)))));
  await hold(`${host}/**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }));
  for (const ours of ['**/logo', '**/script.js']) await hold(ours, (route) => route.continue());
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${server.url}${path}`, { waitUntil: 'commit' });
  await page.locator('main').waitFor();
  const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await frames(); // what is there without pictures was painted
  while (waiting.length > 0) {
    const now = waiting;
    waiting = [];
    for (const send of now) await send();
    await frames();
  }
  await page.waitForLoadState('load');
  await frames();
  return page.evaluate(() => globalThis.shift);
}

for (const width of [1280, 390]) {
  for (const path of ['/products/p', '/products/p?ui=ar&page=2', '/products/p?rating=5', '/', '/?by=average', '/products/p/review']) {
    test(`nothing moves on ${path} at ${width} pixels`, async () => {
      await visit(browser, { width }, async (page) => assert.equal(await shiftOf(page, path), 0));
    });
  }
}

for (const [path, width, cut] of [['/products/p?rating=5', 390, '<ul class="chips"'], ['/', 1280, '<input'], ['/', 1280, '<p class="product-figures"']]) {
  test(`nothing moves on ${path} at ${width} pixels where ${cut} and what follows come later`, async () => {
    let rest;
    const slow = http.createServer(async (request, response) => {
      const answer = await fetch(`${server.url}${request.url}`);
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') });
      const body = Buffer.from(await answer.arrayBuffer());
      const part = request.url === path ? body.indexOf(cut) : body.length;
      assert.ok(part > 0, `the page has ${cut}`);
      response.write(body.subarray(0, part));
      if (part === body.length) return response.end();
      rest = () => response.end(body.subarray(part));
    });
    await new Promise((done) => slow.listen(0, '127.0.0.1', done));
    try {
      await visit(browser, { width }, async (page) => {
        await page.goto(`http://127.0.0.1:${slow.address().port}${path}`, { waitUntil: 'commit' });
        await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
        rest();
        await page.waitForLoadState('load');
        assert.equal(await shiftUntilNow(page), 0);
      });
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });
}
