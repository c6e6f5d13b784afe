// What pages and elements do with little room, with pictures that do not load, and with nothing to show.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importRows, newStore } from '../support/harness.mjs';
import { embedOf, fitsWidth, launch, shiftOf, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { sampleRows } from '../support/data.mjs';

// The average of these is 4.2475, which is 4.25 in two digits, and 4.2 in one.
const ratings = [...Array(100).fill(5), ...Array(299).fill(4), 1];
const rated = ratings.map((rating, n) => ({ product: 'rated', rating, language: 'en', created_at: new Date(Date.UTC(2024, 0, 1) + n * 1000).toISOString() }));
const picture = (width, height) => ({ product: 'pictures', rating: 5, language: 'en', text: 'See', created_at: new Date(Date.UTC(2024, 0, 1) + width).toISOString(), media: [{ url: `https://img.shop.example/${width}.jpg`, width, height }] });

let browser, shop, server;
before(async () => {
  const store = newStore();
  await importRows(store, [...sampleRows(7, 120, '42'), ...rated, { ...rated[0], product: 'single' }, picture(20000, 1), picture(1, 20000), picture(400, 300)]);
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, more: embedOf(shop.origin).replace(/^\[shop\]\n/m, '[shop]\nmedia = ["img.shop.example"]\n') });
});
after(async () => { await browser.close(); await server.stop(); });

const pageOf = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body>${body}</body></html>`;

test('pictures that do not load make no page wider or endless', async () => {
  shop.pages['/pictures'] = () => pageOf('<quire-comments product="pictures"></quire-comments>');
  for (const width of [320, 1280]) {
    await visit(browser, { width }, async (page) => {
      await page.route('https://img.shop.example/**', (route) => route.abort());
      for (const [address, images] of [[`${server.url}/products/pictures`, page.locator('.pictures img')], [`${shop.origin}/pictures`, page.locator('quire-comments .pictures img')]]) {
        await page.goto(address);
        await images.nth(2).waitFor({ state: 'attached' });
        for (const image of await images.all()) await image.scrollIntoViewIfNeeded(); // they load once they are seen
        await fitsWidth(page, width);
        for (const { height } of await images.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))) assert.ok(height < 1000, `${address} at ${width} px: ${height} px high`);
      }
    });
  }
});

test('an element in a page without padding does not scroll sideways on a narrow screen', async () => {
  shop.pages['/bare'] = () => pageOf('<style>body{margin:0}</style><quire-comments product="42"></quire-comments>');
  await visit(browser, { width: 320, height: 700 }, async (page, troubles) => {
    await page.goto(`${shop.origin}/bare`);
    await page.locator('quire-comments .bars').first().waitFor({ state: 'attached' });
    await page.locator('quire-comments article.comment').first().waitFor();
    await fitsWidth(page, 320);
    const own = await page.locator('quire-comments').evaluate((element) => ({ scroll: element.scrollWidth, width: element.clientWidth }));
    assert.ok(own.scroll <= own.width, JSON.stringify(own));
    assert.deepEqual(troubles, []);
  });
});

test('stars round the average once, as pages do', async () => {
  shop.pages['/rated'] = () => pageOf('<quire-stars product="rated"></quire-stars>');
  await visit(browser, {}, async (page) => {
    await page.goto(`${shop.origin}/rated`);
    await page.locator('quire-stars svg').waitFor();
    assert.equal(await page.locator('quire-stars svg').getAttribute('aria-label'), '4.2 out of 5 stars (400)');
  });
  assert.match((await server.get('/products/rated')).expect(200).text, /4\.2 out of 5/);
});

test('nothing that is seen moves where there is nothing to show, where no server answers, and where few wrote', async () => {
  const cases = [['nothing-here', false], ['single', true], ['single', false]];
  for (const [room, of] of [['100vh', cases], ['24rem', cases.slice(0, 2)]]) {
    for (const [product, fails] of of) {
      for (const [width, above] of [[390, 0], [1280, 0], [390, 1000], [1280, 1000]]) {
        const what = `${product} at ${width} px, ${room} kept below ${above}${fails ? ', no server' : ''}`;
        shop.pages['/room'] = () => pageOf(`<style>quire-comments{--quire-min-height:${room}}quire-comments:not(:defined){display:block;min-height:${room}}</style><div style="height:${above}px"></div><quire-comments product="${product}"></quire-comments><p>below</p>`);
        await visit(browser, { width, height: 900 }, async (page) => {
          if (fails) await page.route('**/fragment*', (route) => route.abort());
          await page.addInitScript(() => addEventListener('quire-error', () => { window.failed = true; }));
          await page.goto(`${shop.origin}/room`);
          await (fails ? page.waitForFunction(() => window.failed) : page.locator('quire-comments section.quire').waitFor());
          const gap = await page.evaluate(() => document.querySelector('p').getBoundingClientRect().top - document.querySelector('quire-comments').getBoundingClientRect().top);
          if (above) assert.ok(gap < 900, `${what}: the room went where nobody sees it, ${gap}`);
          assert.equal(await shiftOf(page), 0, what);
        });
      }
    }
  }
});

test('that there is nothing is said in the colour of the page', async () => {
  shop.pages['/nothing'] = () => pageOf('<style>body{color:rgb(20,40,60)}</style><quire-comments product="nothing-here"></quire-comments>');
  await visit(browser, {}, async (page) => {
    await page.goto(`${shop.origin}/nothing`);
    assert.equal(await page.locator('.empty-title').evaluate((element) => getComputedStyle(element).color), 'rgb(20, 40, 60)');
  });
});

test('room that was kept for an element goes where nobody sees it go, and nothing moves', async () => {
  for (const above of [0, 1000]) {
    shop.pages['/few'] = () => pageOf(`<style>quire-comments{--quire-min-height:100vh}quire-comments:not(:defined){display:block;min-height:100vh}</style><div style="height:${above}px"></div><quire-comments product="single"></quire-comments><p>below</p>`);
    await visit(browser, { height: 900 }, async (page) => {
      await page.goto(`${shop.origin}/few`);
      await page.locator('quire-comments article').waitFor();
      const height = await page.locator('quire-comments').evaluate((element) => element.getBoundingClientRect().height);
      assert.equal(height < 900, above > 0, `${height} pixels of comments below ${above}`);
      assert.equal(await shiftOf(page), 0, `below ${above} pixels`);
    });
  }
});

test('room that the manual keeps goes where the script does not come, and is not kept where none runs', async () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/embedding.md'), 'utf8');
  const style = /Reserve it.*?```css\n(.*?)```/s.exec(manual)[1];
  shop.pages['/manual'] = () => pageOf(`<style>${style}</style><quire-comments product="single">Reviews</quire-comments><p>below</p>`);
  const room = (page) => page.locator('quire-comments').evaluate((element) => element.getBoundingClientRect().height);
  await visit(browser, { height: 900 }, async (page) => {
    await page.route('**/embed.js', (route) => route.abort());
    await page.goto(`${shop.origin}/manual`);
    await page.evaluate(() => { for (const each of document.getAnimations()) each.finish(); });
    assert.ok(await room(page) < 100);
  });
  await visit(browser, { height: 900, javaScriptEnabled: false }, async (page) => {
    await page.goto(`${shop.origin}/manual`);
    assert.ok(await room(page) < 100);
  });
});

test('a page hears that a review was sent, and of which product', async () => {
  shop.pages['/sent'] = () => pageOf(`<script>addEventListener('quire-sent', (event) => { window.sent = event.detail; });</script><quire-form product="sent" token="${server.tokenOf('ann', { name: 'Ann' })}"></quire-form>`);
  await visit(browser, {}, async (page) => {
    await page.goto(`${shop.origin}/sent`);
    const form = page.locator('quire-form');
    await form.getByRole('radio', { name: '4 stars' }).check();
    await form.getByRole('textbox', { name: 'Your review' }).fill('Walked far');
    await page.waitForTimeout(3_100); // a form that is sent sooner was not filled in by a person
    await form.getByRole('button', { name: 'Post review' }).click();
    await page.waitForFunction(() => window.sent);
    assert.deepEqual(await page.evaluate(() => window.sent), { product: 'sent' });
  });
});
