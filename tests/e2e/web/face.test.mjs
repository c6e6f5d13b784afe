// The shop's face and the languages of its pages: name, logo, colour, style, home; texts by the address and by the browser.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore, root, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { declare } from '../support/facets.mjs';
import { fitsWidth, launch, visit } from '../support/browser.mjs';
import { mustBeValid } from '../support/markup.mjs';

const html = { Accept: 'text/html' };
const languages = readdirSync(join(root, 'web/texts')).map((name) => name.replace('.toml', ''));
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="32"><rect width="80" height="32" fill="#1a7f5a"/></svg>';
const shop = `[shop]
name = "Field & Stream"
logo = "logo.svg"
style = "shop.css"
colour = "#1a7f5a"
home = "https://shop.example"
language = "de"
texts = "texts"
[moderation]
reports = 1
`;
let folder;
let server;
let browser;

before(async () => {
  folder = temporaryDirectory();
  mkdirSync(join(folder, 'texts'));
  writeFileSync(join(folder, 'shop.toml'), shop);
  writeFileSync(join(folder, 'logo.svg'), logo);
  writeFileSync(join(folder, 'shop.css'), ':root { --sans: serif; }\n');
  writeFileSync(join(folder, 'texts/sv.toml'), 'products = "Produkter"\ncomments_on = "Omdömen om {PRODUCT}"\n');
  writeFileSync(join(folder, 'texts/de.toml'), 'comments_on = "Stimmen zu {PRODUCT}"\n');
  const store = newStore();
  await declare(store);
  await importRows(store, Array.from({ length: 1234 }, (_, n) => ({ product: 'p', language: n % 2 ? 'en' : 'ar', rating: 1 + (n % 5), created_at: `2024-11-20T12:${String(n % 60).padStart(2, '0')}:00.000Z`,
    author: 'Ann', title: `T${n}`, text: 'x', attributes: { country: 'DE', verified: true, helpful: n % 7 } })));
  server = await serve({ store, args: ['--shop', join(folder, 'shop.toml'), ...unlimited] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const page = async (path, headers = {}) => (await server.get(path, { ...html, ...headers })).expect(200).text;
const language = (text) => /<html lang="([^"]*)" dir="([^"]*)">/.exec(text).slice(1);
const heading = (text) => /<h1>(.*?)<\/h1>/.exec(text)[1].replaceAll(/<\/?bdi>/g, '');

test('the pages have the shop\'s name, logo, style and home, and nothing of Quire', async () => {
  for (const path of ['/', '/products/p', '/products/p?rating=5&page=2', '/?by=average']) {
    const text = await page(path);
    assert.equal(text.toLowerCase().replaceAll('required', '').includes('quire'), false, path);
    assert.match(text, /<title>[^<]* – Field &amp; Stream<\/title>/);
    assert.match(text, /<a class="brand" href="https:\/\/shop.example" target="_top"><img class="logo" src="[^"]*" alt="Field &amp; Stream" height="32"><\/a>/);
    const styles = [...text.matchAll(/<link rel="stylesheet" href="([^"]*)">/g)].map((match) => match[1]);
    assert.equal(styles.length, 2, 'the shop\'s comes last');
    const style = (await server.get(styles[1])).expect(200);
    assert.match(style.text, /--accent/);
    assert.match(style.text, /--sans: serif/);
    assert.equal(style.headers['cache-control'], 'public, max-age=31536000, immutable');
    const picture = (await server.get(/<img class="logo" src="([^"]*)"/.exec(text)[1])).expect(200);
    assert.equal(picture.headers['content-type'], 'image/svg+xml');
    assert.equal(picture.text, logo);
  }
  const error = (await server.get('/products/none', html)).expect(404).text;
  assert.equal(error.toLowerCase().includes('quire'), false, error);
});

test('a page speaks the language of its address, else the browser\'s, else the shop\'s', async () => {
  assert.deepEqual(language(await page('/products/p')), ['de', 'ltr']);
  assert.deepEqual(language(await page('/products/p', { 'Accept-Language': 'fi, fr-CA;q=0.8, en;q=0.5' })), ['fr', 'ltr']);
  assert.deepEqual(language(await page('/products/p', { 'Accept-Language': 'fi' })), ['de', 'ltr']);
  assert.deepEqual(language(await page('/products/p?ui=ar', { 'Accept-Language': 'fr' })), ['ar', 'rtl']);
  assert.deepEqual(language(await page('/products/p?ui=xx', { 'Accept-Language': 'fr' })), ['fr', 'ltr']);
  assert.equal(heading(await page('/products/p?ui=sv')), 'Omdömen om p');
  assert.equal(heading(await page('/products/p?ui=de')), 'Stimmen zu p');
  assert.equal(heading(await page('/products/p?ui=en')), 'Reviews of p');
});

test('a visitor reads of a problem in their language, and developers its details in English', async () => {
  const problem = async (path, status) => (await server.get(path, html)).expect(status).text;
  const advice = (text) => /<p class="advice">([^<]*)<\/p>/.exec(text)?.[1];
  const missing = await problem('/products/none?ui=de', 404);
  assert.equal(heading(missing), 'Diese Seite wurde nicht gefunden');
  assert.match(advice(missing), /die Adresse nicht, oder die Seite wurde entfernt/);
  assert.match(missing, /<details class="technical">\s*<summary>Technische Details<\/summary>[^]*<p class="detail" lang="en" dir="ltr">No comment on this product is here/);
  const cursor = await problem('/products/p?ui=fr&after=x', 400);
  assert.equal(heading(cursor), 'Ce lien est illisible');
  assert.match(cursor, /<a class="apply" href="\/products\/p\?ui=fr">Voir tous les avis<\/a>/);
  for (const language of languages) {
    const text = await problem(`/products/p?ui=${language}&rating=9`, 400);
    assert.ok(advice(text), language);
    assert.ok(language === 'en' || advice(text) !== advice(await problem('/products/p?ui=en&rating=9', 400)), language);
  }
});

test('the cache keeps a page for each language, and says so', async () => {
  const tags = new Set();
  for (const accepted of ['de', 'en', 'ja', 'pl']) {
    const first = (await server.get('/products/p', { ...html, 'Accept-Language': accepted })).expect(200);
    const again = (await server.get('/products/p', { ...html, 'Accept-Language': `${accepted};q=0.9` })).expect(200);
    assert.equal(language(again.text)[0], accepted);
    assert.equal(again.headers.etag, first.headers.etag);
    assert.match(first.headers.vary, /Accept-Language/);
    tags.add(first.headers.etag);
  }
  assert.equal(tags.size, 4);
  const asked = (await server.get('/products/p?ui=ja', html)).expect(200);
  assert.doesNotMatch(asked.headers.vary ?? '', /Accept-Language/);
  assert.equal((await server.get('/v1/products/p/comments', { 'Accept-Language': 'ja' })).headers.vary?.includes('Accept-Language') ?? false, false);
});

test('every link of a page goes on asking for its language', async () => {
  for (const path of ['/products/p?ui=ja', '/products/p?ui=ja&rating=5&page=2', '/?ui=ja']) {
    const text = await page(path);
    const links = [...text.matchAll(/<a [^>]*href="([/?][^"]*)"/g)].map((match) => match[1]).filter((href) => !href.startsWith('/v1/'));
    assert.ok(links.length > 3, path);
    for (const href of links) assert.match(href, /[?&](amp;)?ui=ja/, `${path}: ${href}`);
    for (const [form] of text.matchAll(/<form [^>]*method="get"[^]*?<\/form>/g)) assert.match(form, /name="ui" value="ja"/);
  }
});

test('every language has its numbers, days, and no text of English', async () => {
  const english = await page('/products/p?ui=en');
  const texts = (text) => new Set([...text.replaceAll(/<(script|style)[^]*?<\/\1>/g, '').matchAll(/>([^<>]{4,})</g)].map((match) => match[1].trim()).filter((each) => /[a-z]{3}/.test(each)));
  const same = new Set(['Ann', 'Field &amp; Stream']);
  for (const ui of languages.filter((each) => each !== 'en')) {
    const text = await page(`/products/p?ui=${ui}`);
    assert.equal(language(text)[1], ui === 'ar' ? 'rtl' : 'ltr');
    const left = [...texts(text)].filter((each) => texts(english).has(each) && !same.has(each) && each !== 'Sorteer');
    assert.ok(left.length < 4, `${ui}: ${left}`); // a few words are the same, such as "Rating" in Dutch
  }
  assert.match(await page('/products/p?ui=de'), /1\.234 Bewertungen/);
  assert.match(await page('/products/p?ui=de'), /20\. November 2024/);
  assert.match(await page('/products/p?ui=ja'), /2024年11月20日/);
  assert.match(await page('/products/p?ui=ar'), /١٬٢٣٤/);
  assert.match(await page('/products/p?ui=de'), /Deutschland/);
});

test('pages of all languages are valid and fit, also on a phone', { timeout: 120_000 }, async () => {
  const bodies = {};
  for (const ui of languages) {
    bodies[`product-${ui}`] = (await server.get(`/products/p?ui=${ui}`, html)).bytes;
    for (const width of [1280, 390]) {
      await visit(browser, { width }, async (tab, troubles) => {
        await tab.goto(`${server.url}/products/p?ui=${ui}`);
        await fitsWidth(tab, width);
        assert.deepEqual(troubles, [], ui);
      });
    }
  }
  await mustBeValid(bodies);
});

test('shop check tells a text that no page has, and a colour that cannot be read', async () => {
  const other = temporaryDirectory();
  mkdirSync(join(other, 'texts'));
  writeFileSync(join(other, 'texts/de.toml'), 'prodcts = "x"\n');
  writeFileSync(join(other, 'shop.toml'), '[shop]\ncolour = "#ffff00"\ntexts = "texts"\n');
  await assert.rejects(mustRun(['shop', 'check', join(other, 'shop.toml')]), (error) => {
    assert.match(error.message, /cannot be read on white/);
    assert.match(error.message, /de\.toml:1: No page has a text "prodcts"\./);
    return true;
  });
});
