// What a screen reader is told of comments: each link and button by a name of its own, and what stands beside each other as a list.
// Only in ./test --all: a browser, whose tree of accessible objects this reads.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { importRows, mustRun, newStore } from '../support/harness.mjs';
import { moderatorsSession } from '../support/moderation.mjs';

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ja', 'ar'];
const picture = (name, alt) => ({ url: `https://img.shop.example/${name}.jpg`, width: 4, height: 3, ...(alt && { alt }) });
const long = 'A long text, which is cut. '.repeat(60);
const row = (day, more) => ({ product: '42', rating: 5, language: 'es', text: 'x', created_at: `2024-11-${day}T12:00:00Z`, attributes: { verified: true, country: 'PT' }, ...more });
const rows = [
  row(20, { author: 'Ann', title: 'Fits', text: long, media: [picture('a'), picture('b'), picture('c', 'A tent')] }), row(19, { author: 'Ann', title: 'Fits', text: long }),
  row(18, { author: '', title: 'Fits' }), row(18, { author: '', title: 'Tears', media: [picture('d')] }), row(18, { author: 'Bob' }), row(17, { author: '' }), row(16, { author: '' }),
];
let browser, server, shop;
before(async () => {
  const store = newStore();
  for (const name of ['verified', 'country']) await mustRun(['facet', 'add', name, '--type', name === 'verified' ? 'flag' : 'choice', '--store', store]);
  await importRows(store, [...rows, ...['held', 'held too'].map((text, n) => row(10 + n, { text, status: 'pending' }))]);
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, more: `[votes]\nwho = "customers"\n${embedOf(shop.origin).replace(/^\[shop\]\n/m, '[shop]\nmedia = ["img.shop.example"]\n')}` });
});
after(async () => { await browser.close(); await server.stop(); });

/** What a screen reader is given of the page, in its order. */
async function told(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const out = [];
  const walk = (node, inside) => {
    const role = node.role?.value, within = inside || role === 'article';
    if (!node.ignored) out.push({ role, name: node.name?.value ?? '', within });
    for (const id of node.childIds ?? []) if (byId.has(id)) walk(byId.get(id), within);
  };
  walk(nodes[0], false);
  return out;
}

function assertNamesOfTheirOwn(all, what) {
  const names = all.filter(({ role, within }) => within && ['link', 'button', 'image'].includes(role)).map(({ role, name }) => `${role} ${name}`).filter((each) => !/^image .*[5٥]/.test(each));
  assert.ok(names.length > rows.length * 2, `${what}: ${names}`);
  assert.deepEqual(names.filter((each, at) => names.indexOf(each) !== at), [], what);
}

test('each link of a comment has a name of its own, in every language', async () => {
  await visit(browser, {}, async (page) => {
    await page.route('https://img.shop.example/**', (route) => route.abort());
    for (const ui of languages) {
      await page.goto(`${server.url}/products/42?ui=${ui}`);
      assertNamesOfTheirOwn(await told(page), ui);
    }
    await page.goto(`${server.url}/products/42?ui=en`);
    const names = (await told(page)).filter(({ role, within }) => within && role === 'link').map(({ name }) => name);
    for (const name of ['Report: Ann, November 20, 2024', 'Report: Tears, November 18, 2024', 'Report: November 17, 2024', 'November 18, 2024: Bob', 'Read full review: Ann, November 19, 2024'])
      assert.ok(names.includes(name.replace(': ', ' : ')), `${name} among ${names.join('; ')}`);
  });
});

test('so have the buttons to vote in an element', async () => {
  shop.pages['/votes'] = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body><quire-comments product="42" token="${server.tokenOf('eve')}"></quire-comments>`;
  await visit(browser, {}, async (page) => {
    await page.route('https://img.shop.example/**', (route) => route.abort());
    await page.goto(`${shop.origin}/votes`);
    await page.locator('quire-comments form.vote:visible').first().waitFor();
    const all = await told(page);
    assertNamesOfTheirOwn(all, 'element');
    assert.ok(all.some(({ role, name }) => role === 'button' && name === 'Not helpful : Ann, November 20, 2024'));
  });
});

test('who wrote is read as a list, and looks as it did', async () => {
  await visit(browser, {}, async (page) => {
    for (const [ui, wanted] of [['en', 'Bob,Verified purchase,Portugal,Spanish,Report'], ['ja', /^Bob、[^、]+、ポルトガル、スペイン語、/], ['ar', /^Bob،[^،]+،البرتغال،الإسبانية،/]]) {
      await page.goto(`${server.url}/products/42?ui=${ui}`);
      const texts = (await told(page)).filter(({ role, within }) => within && role === 'StaticText').map(({ name }) => name);
      const line = texts.slice(texts.indexOf('Bob')).join('');
      assert.ok(typeof wanted === 'string' ? line.startsWith(wanted) : wanted.test(line), `${ui}: ${line.slice(0, 100)}`);
      const shown = await page.locator('article', { hasText: 'Bob' }).first().locator('> p').nth(1).evaluate((p) => p.getBoundingClientRect().height < 40 && p.scrollWidth <= p.clientWidth);
      assert.ok(shown, `${ui}: in one line`);
    }
  });
});

test('each control of the moderation page names its comment', async () => {
  const { cookie } = await moderatorsSession(server, server.tokens.admin);
  await visit(browser, {}, async (page) => {
    await page.context().addCookies([{ name: cookie.slice(0, cookie.indexOf('=')), value: cookie.slice(cookie.indexOf('=') + 1), url: `${server.url}/moderation` }]);
    await page.goto(`${server.url}/moderation`);
    for (const details of await page.locator('.queued details').all()) await details.evaluate((each) => { each.open = true; });
    const queued = (await page.locator('.queue').ariaSnapshot()).split('\n').map((line) => line.trim()).filter((line) => /^- (button|textbox|combobox|checkbox)/.test(line)).map((line) => line.replace(/:( .*)?$/, ''));
    assert.ok(queued.length > 8, queued.join('\n'));
    assert.deepEqual(queued.filter((each, at) => queued.indexOf(each) !== at), []);
  });
});
