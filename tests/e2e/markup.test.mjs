// Every kind of page as checkers see it: axe in Chromium, in two widths and both colour schemes, and vnu, the W3C's checker of HTML and CSS.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { here, importRows, mustRun, newStore, serve, temporaryDirectory } from './support/harness.mjs';
import { declare, facetRows } from './support/facets.mjs';
import { fitsWidth, launch } from './support/browser.mjs';
import { mustBeValid } from './support/markup.mjs';

const widths = [1280, 390];
const schemes = ['light', 'dark'];
const browserAccepts = { Accept: 'text/html' };
let server;
let pages; // by kind, their addresses
let browser;

before(async () => {
  const store = newStore();
  await declare(store);
  const rows = facetRows(17, 60, 'shoes');
  rows[0].text = `${'A long text. '.repeat(200)}end`;
  Object.assign(rows[1], { title: '', text: '', author: '' });
  await importRows(store, [...rows, ...Array.from({ length: 101 }, (_, n) => ({ ...rows[2], product: `lamp ${n}` }))]);
  await mustRun(['product', 'set', 'bare', '--name', 'Desk lamp', '--store', store]);
  const shop = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(shop, '[shop]\nname = "Lamps"\n[writing]\nwho = "anyone"\nfields = ["size", "country", "tags", "weeks"]\n');
  server = await serve({ store, args: ['--demo', '--shop', shop] });
  const { id } = (await server.page('shoes', { limit: 1, sort: 'created_at' })).comments[0];
  pages = {
    products: '/',
    'best products': '/?by=average',
    'no product found': '/?find=nothing',
    'first page, explained': '/products/shoes',
    'a page under a filter': '/products/shoes?rating=4&rating=5&not.size=S&helpful.min=1&verified=true&limit=3&page=2&sort=-helpful',
    'no comment matches': '/products/shoes?language=xx',
    'a product without comments': '/products/bare',
    'one comment': `/comments/${id}`,
    'products of an invitation': `/review?ticket=${(await mustRun(['invite', 'shoes', 'lamp 1', '--customer', 'ann', '--store', store])).stdout.trim()}`,
    'an invitation that has ended': '/review?ticket=none',
    'the form': '/products/shoes/review',
    ...Object.fromEntries(['ar', 'de'].map((ui) => [`the form in ${ui}`, `/products/shoes/review?ui=${ui}`])),
    ...Object.fromEntries(['en', 'ar'].map((ui) => [`the form for a report in ${ui}`, `/comments/${id}/report?ui=${ui}`])),
    'a wrong parameter': '/products/shoes?bogus=1',
    'nothing there': '/nowhere',
    'a kind of problem': '/problems/cursor-mismatch',
    ...Object.fromEntries(['ar', 'ja', 'de'].map((ui) => [`a page in ${ui}`, `/products/shoes?ui=${ui}&rating=4&page=2&limit=3`])),
    'a list in Arabic': '/?ui=ar',
  };
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('axe finds nothing, in two widths and both colour schemes', { timeout: 300_000 }, async () => {
  const context = await browser.newContext();
  await context.addInitScript({ path: join(here, 'node_modules/axe-core/axe.min.js') });
  const page = await context.newPage();
  const found = [];
  for (const [kind, path] of Object.entries(pages)) {
    await page.goto(server.url + path);
    await page.evaluate(() => { // what is folded is looked at, too
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await fitsWidth(page, width);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const violations = await page.evaluate(async () => (await axe.run({ resultTypes: ['violations'] })).violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`)));
        found.push(...violations.map((violation) => `${kind}, ${width} px, ${colorScheme}: ${violation}`));
      }
    }
  }
  assert.deepEqual(found, []);
});

test('vnu finds nothing', { timeout: 120_000 }, async () => {
  const bodies = {};
  for (const [kind, path] of Object.entries(pages)) {
    const answer = await server.get(path, browserAccepts);
    assert.match(answer.headers['content-type'], /^text\/html/, path);
    bodies[kind] = answer.bytes;
  }
  assert.ok(Object.keys(bodies).length >= 10);
  await mustBeValid(bodies);
});
