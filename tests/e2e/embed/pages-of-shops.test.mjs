// The elements on pages as shops build them: frameworks that move elements, renew tokens and set attributes late; odd addresses; a server that is gone.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importRows, mustRun, newStore } from '../support/harness.mjs';
import { embedOf, launch, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { sampleRows } from '../support/data.mjs';

let browser, shop, server;
before(async () => {
  const store = newStore();
  await importRows(store, [...sampleRows(7, 120, '42'), ...sampleRows(8, 60, '43')]);
  await mustRun(['facet', 'add', 'words', '--type', 'tags', '--store', store]);
  [browser, shop] = await Promise.all([launch(), site()]);
  server = await serveCustomers({ store, writing: 'who = "customers"\nfields = ["words"]\n', more: `[votes]\nwho = "customers"\n${embedOf(shop.origin)}` });
});
after(async () => { await browser.close(); await server.stop(); });

const script = () => `<script src="${server.url}/embed.js" defer></script>`;
const pageOf = (body, { lang = 'en', head = script() } = {}) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Shop</title>${head}<body>${body}</body></html>`;
const comments = (page, product) => page.locator(`quire-comments[product="${product}"]`);
const on = (page, product, number) => comments(page, product).locator('.page-text:visible', { hasText: `Page ${number} of` }).waitFor();
const form = (token, product = 'new') => `<quire-form product="${product}" token="${token}"></quire-form>`;
const asksFor = (page, part) => {
  const asked = [];
  page.on('request', (request) => { if (request.url().includes(part)) asked.push(request.url()); });
  return asked;
};

const still = 300; // milliseconds, for requests that must not come

/** Opens a page of the shop, and checks at the end that nothing went wrong in it. */
async function shown(body, options, visitor) {
  shop.pages['/page'] = () => pageOf(body, options);
  await visit(browser, options, async (page, troubles) => {
    await page.goto(`${shop.origin}/page${options.query ?? ''}`);
    await visitor(page, troubles);
    assert.deepEqual(troubles.filter((each) => !options.allowed?.test(each)), []);
  });
}

test('a module, and a script that a page has twice, make the elements once', async () => {
  const head = `<script type="module" src="${server.url}/embed.js"></script><script type="module" src="${server.url}/embed.js?again"></script>`;
  await shown('<quire-stars product="42"></quire-stars>', { head }, (page) => page.locator('quire-stars svg').waitFor());
});

test('a property of a framework does no harm, and an attribute may come late', async () => {
  await shown('<quire-stars product="42"></quire-stars>', {}, async (page) => {
    await page.locator('quire-stars svg').waitFor();
    const has = await page.evaluate(() => ['quire-stars', 'quire-comments', 'quire-form'].map((name) => 'product' in document.createElement(name)));
    assert.deepEqual(has, [false, false, false], 'frameworks then set the attribute');
    const asked = asksFor(page, server.url);
    await page.evaluate(() => document.body.append(...['stars', 'comments', 'form'].map((name) => document.createElement(`quire-${name}`))));
    await page.waitForTimeout(still);
    assert.deepEqual(asked, []);
    await page.evaluate(() => { for (const each of document.querySelectorAll('quire-stars,quire-comments')) each.setAttribute('product', '43'); });
    await on(page, '43', 1);
    await page.locator('quire-stars[product="43"] svg').last().waitFor();
  });
});

test('an element that is moved asks for nothing, scrolls nothing, and keeps what was typed', async () => {
  await shown(`<div id="a"><quire-comments product="42"></quire-comments>${form(server.tokenOf('ann'))}</div><div id="b"></div>`, { query: '?quire=page%3D2#list' }, async (page) => {
    await on(page, '42', 2);
    await page.locator('quire-form').getByLabel('Title').fill('Half a thought');
    const asked = asksFor(page, '/products/');
    await page.evaluate(() => { scrollTo(0, 0); document.querySelector('#b').append(...document.querySelector('#a').children); });
    await page.waitForTimeout(still);
    assert.deepEqual(asked, []);
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.equal(await page.locator('quire-form').getByLabel('Title').inputValue(), 'Half a thought');
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 3);
  });
});

test('a token that is renewed keeps page, text and caret, and makes the form good for another hour', async () => {
  await shown(`<quire-comments product="42" token="${server.tokenOf('ann')}"></quire-comments>${form(server.tokenOf('ann'))}`, { query: '?quire=page%3D2' }, async (page) => {
    await on(page, '42', 2);
    const title = page.locator('quire-form').getByLabel('Title');
    await page.locator('quire-form').getByRole('radio', { name: '4 stars' }).check();
    await title.fill('Half a thought');
    await title.press('Home');
    const sealed = () => page.locator('quire-form input[name=form]').inputValue();
    const first = await sealed();
    await page.evaluate((token) => { for (const each of document.querySelectorAll('[token]')) each.setAttribute('token', token); }, server.tokenOf('ann', { name: 'Ann' }));
    await page.locator('quire-form').getByText('Your name is shown: Ann').waitFor();
    assert.notEqual(await sealed(), first);
    await page.keyboard.type('Not ');
    assert.equal(await title.inputValue(), 'Not Half a thought');
    assert.equal(await page.locator('quire-form').getByRole('radio', { name: '4 stars' }).isChecked(), true);
    assert.match(page.url(), /quire=page%3D2$/);
    await on(page, '42', 2);
    await page.evaluate(() => document.querySelector('quire-comments').removeAttribute('token'));
    assert.equal(await comments(page, '42').getByRole('button', { name: /^Helpful/ }).count(), 0);
  });
});

test('a token that is renewed keeps tags, ticked and typed', async () => {
  await server.add('tagged', { rating: 5, attributes: { words: ['warm', 'soft'] } });
  await shown(form(server.tokenOf('ann'), 'tagged'), {}, async (page) => {
    const written = page.locator('quire-form');
    await written.getByLabel('warm').check();
    await written.getByLabel('Others, separated by commas').fill('new');
    await page.evaluate((token) => document.querySelector('[token]').setAttribute('token', token), server.tokenOf('ann', { name: 'Ann' }));
    await written.getByText('Your name is shown: Ann').waitFor();
    assert.deepEqual([await written.getByLabel('warm').isChecked(), await written.getByLabel('soft').isChecked()], [true, false]);
    assert.equal(await written.getByLabel('Others, separated by commas').inputValue(), 'new');
  });
});

test('the elements follow the language of the page, and take one with an underscore', async () => {
  await shown(`<quire-stars product="42"></quire-stars><quire-stars product="43"></quire-stars><quire-comments product="42"></quire-comments>${form(server.tokenOf('ann'))}`, { lang: 'en_US' }, async (page) => {
    await on(page, '42', 1);
    await page.locator('quire-stars[product="43"] svg').waitFor();
    await page.locator('quire-form').getByLabel('Title').fill('Typed');
    await page.evaluate(() => { document.documentElement.lang = 'de'; });
    await comments(page, '42').locator('.page-text', { hasText: 'Seite 1 von' }).waitFor();
    await page.locator('quire-stars[product="43"] svg[aria-label*="von 5 Sternen"]').waitFor();
    assert.equal(await page.locator('quire-form').getByLabel('Titel').inputValue(), 'Typed');
    await page.evaluate(() => { document.documentElement.lang = '!'; });
    await page.locator('quire-stars[product="43"] svg[aria-label*="out of 5"]').waitFor();
  });
});

test('a base, a path with two slashes and a long query change nothing', async () => {
  const head = `<base href="https://cdn.example/">${script()}`;
  shop.pages['//odd//page'] = () => pageOf('<quire-comments product="42"></quire-comments><quire-stars product="42"></quire-stars>', { head });
  await visit(browser, {}, async (page, troubles) => {
    const asked = asksFor(page, '/fragment');
    await page.goto(`${shop.origin}//odd//page?utm=${'x'.repeat(3000)}&a[]=|^{}`);
    await on(page, '42', 1);
    assert.deepEqual(asked, [`${server.url}/products/42/fragment?base=%2F&ui=en`], 'one address for all pages');
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 2);
    assert.ok(page.url().startsWith(`${shop.origin}//odd//page?utm=xxx`), page.url());
    await page.reload();
    await on(page, '42', 2);
    assert.match(await comments(page, '42').locator('article.comment a').first().evaluate((link) => link.href), /^http:\/\/127\.0\.0\.1:\d+\/comments\/\w+\/page/);
    assert.deepEqual(troubles, []);
  });
});

test('a link that is none, a router\'s state and the keyboard\'s place survive a page of comments', async () => {
  await shown('<quire-comments product="42"><a href="/page?own=1">Own</a></quire-comments>', {}, async (page) => {
    await on(page, '42', 1);
    await page.evaluate(() => history.replaceState({ router: 1 }, ''));
    await comments(page, '42').getByText('Previous').click();
    await comments(page, '42').getByRole('link', { name: 'Next' }).press('Enter');
    await on(page, '42', 2);
    assert.deepEqual(await page.evaluate(() => history.state), { router: 1 });
    assert.equal(await page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.id), 'list');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.localName), 'quire-comments', 'the next stop is in the list');
  });
});

test('an old or a foolish query of the page shows the first comments', async () => {
  for (const quire of ['page=999', 'page=x', 'nothing=1', 'ui=de', 'base=//evil.example']) {
    await shown('<quire-comments product="42"></quire-comments>', { query: `?quire=${encodeURIComponent(quire)}` }, async (page) => {
      await on(page, '42', 1);
      assert.match(await comments(page, '42').getByRole('link', { name: 'Next' }).getAttribute('href'), new RegExp(`^${shop.origin}/page\\?quire=page%3D2#list$`));
    });
  }
});

test('two products that the shop\'s server included have their links, each for itself', async () => {
  shop.pages['/both'] = async () => pageOf((await Promise.all(['42', '43'].map(async (product) => `<quire-comments product="${product}">${await (await fetch(`${server.url}/products/${product}/fragment?base=/both`)).text()}</quire-comments>`))).join(''));
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/both`);
    await page.locator('quire-comments:defined').first().waitFor();
    await comments(page, '43').getByRole('link', { name: 'Next' }).click();
    await on(page, '43', 2);
    assert.match(page.url(), /quire\.43=page%3D2/);
    assert.deepEqual(troubles, []);
  });
});

test('another product that cannot be shown leaves nothing of the one before', async () => {
  await shown('<quire-stars product="42">None</quire-stars><quire-comments product="42">Be the first</quire-comments>', { allowed: /ERR_FAILED|TypeError/ }, async (page) => {
    await on(page, '42', 1);
    await page.locator('quire-stars svg').waitFor();
    await page.evaluate(() => { window.errors = []; addEventListener('quire-error', (event) => window.errors.push(event.target.localName)); });
    await page.route(/fragment|statistics/, (route) => route.abort());
    await page.evaluate(() => { for (const each of document.querySelectorAll('[product]')) each.setAttribute('product', '43'); });
    await page.waitForFunction(() => window.errors.length === 2);
    assert.deepEqual((await page.evaluate(() => window.errors)).sort(), ['quire-comments', 'quire-stars']);
    await page.getByText('Be the first').waitFor();
    await page.locator('quire-stars').getByText('None').waitFor();
    assert.equal(await page.locator('quire-comments section, quire-stars svg').count(), 0);
  });
});

test('stars with long names of products are asked for in addresses that proxies take', async () => {
  const names = Array.from({ length: 60 }, (unused, i) => `${'ü'.repeat(40)}-${i}`);
  await Promise.all(names.map((name) => server.add(name, { rating: 5 })));
  shop.pages['/long'] = () => pageOf(names.map((name) => `<quire-stars product="${name}"></quire-stars>`).join(''));
  await visit(browser, {}, async (page, troubles) => {
    const asked = asksFor(page, '/v1/statistics');
    await page.goto(`${shop.origin}/long`);
    await page.waitForFunction((count) => [...document.querySelectorAll('quire-stars')].filter((each) => each.shadowRoot?.querySelector('svg')).length === count, names.length);
    assert.ok(asked.every((url) => url.length < 4200), asked.map((url) => url.length).join());
    assert.deepEqual(troubles, []);
  });
});

test('the votes on all comments that are shown are asked for once, and those of the next page with it', async () => {
  const token = server.tokenOf('once');
  const [first] = (await server.page('42')).comments;
  (await server.put(`/v1/comments/${first.id}/vote`, { vote: 'helpful' }, server.as('once'))).expect(200);
  await shown(`<quire-comments product="42" token="${token}"></quire-comments>`, {}, async (page) => {
    const voted = comments(page, '42').locator(`#c-${first.id} [value=helpful][aria-pressed=true]`);
    await voted.waitFor(); // or the reload ends what is asked, and the page tells of that
    const asked = [];
    page.on('request', (request) => { if (/me\/votes/.test(request.url())) asked.push(new URL(request.url()).searchParams.getAll('comment')); });
    await page.reload();
    await on(page, '42', 1);
    await voted.waitFor();
    assert.deepEqual(asked.map((each) => each.length), [20]);
    await comments(page, '42').locator(`#c-${first.id} [value=helpful]`).click(); // takes it back
    await comments(page, '42').locator(`#c-${first.id} [value=helpful][aria-pressed=false]`).waitFor();
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 2);
    await page.waitForFunction(() => document.querySelector('quire-comments').votes.size === 40);
    assert.deepEqual(asked.map((each) => each.length), [20, 20]);
    assert.equal(new Set(asked.flat()).size, 40);
  });
});

test('a vote that nobody takes is told to the page', async () => {
  await shown(`<quire-comments product="42" token="${server.tokenOf('ann')}"></quire-comments>`, { allowed: /ERR_FAILED|TypeError/ }, async (page) => {
    await on(page, '42', 1);
    await page.evaluate(() => { addEventListener('quire-error', (event) => { window.failed = event.target.localName; }); });
    await page.route(/\/vote$/, (route) => route.abort());
    await comments(page, '42').getByRole('button', { name: /^Helpful/ }).first().click();
    await page.waitForFunction(() => window.failed === 'quire-comments');
    await page.unroute(/\/vote$/);
    await comments(page, '42').getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await comments(page, '42').locator('.vote [value=helpful][aria-pressed=true]').first().waitFor();
  });
});

test('a list that cannot be had says so, and has a button to ask again', async () => {
  for (const body of ['', await (await fetch(`${server.url}/products/42/fragment?base=/page`)).text()]) {
    await shown(`<quire-comments product="42">${body}</quire-comments>`, { allowed: /ERR_FAILED|TypeError/ }, async (page) => {
      const list = comments(page, '42'), told = list.getByRole('alert');
      await on(page, '42', 1);
      assert.equal(await told.count(), 0);
      await page.route('**/fragment?*', (route) => route.abort());
      await list.getByRole('link', { name: 'Next' }).click();
      await told.waitFor();
      assert.match(await told.textContent(), /as they were before/);
      await on(page, '42', 1);
      await told.getByRole('button', { name: 'Try again' }).click();
      await told.waitFor();
      await page.unroute('**/fragment?*');
      await told.getByRole('button', { name: 'Try again' }).click();
      await on(page, '42', 2);
      await page.waitForFunction(() => document.querySelector('quire-comments').shadowRoot.activeElement?.id === 'list');
      assert.equal(await told.count(), 0);
    });
  }
});

test('a comment that cannot be sent stays, says so, and is sent once when it can; then the page shows it', async () => {
  await shown(`<quire-comments product="gone">Be the first</quire-comments>${form(server.tokenOf('ann', { name: 'Ann' }), 'gone')}`, { allowed: /ERR_FAILED|TypeError|503/ }, async (page) => {
    const field = page.locator('quire-form');
    await field.getByRole('radio', { name: '5 stars' }).check();
    await field.getByRole('textbox', { name: 'Your review' }).fill('Two\nlines 😀 مرحبا');
    await page.waitForTimeout(3_100); // a form that is sent sooner was not filled in by a person
    await page.route(/\/review/, (route) => route.abort());
    await field.getByRole('button', { name: 'Post review' }).click();
    await field.getByRole('alert').waitFor();
    assert.match(await field.getByRole('alert').textContent(), /could not be sent now/);
    assert.equal(await field.getByRole('textbox', { name: 'Your review' }).inputValue(), 'Two\nlines 😀 مرحبا');
    await page.unroute(/\/review/);
    await field.getByRole('button', { name: 'Post review' }).click();
    await field.getByRole('status').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.getAttribute('role')), 'status', 'who hears the page hears it');
    await comments(page, 'gone').locator('article').waitFor();
    await page.evaluate((token) => document.querySelector('quire-form').setAttribute('token', token), server.tokenOf('ann'));
    await page.waitForTimeout(still);
    await field.getByRole('status').waitFor();
    const { comments: kept } = await server.page('gone');
    assert.deepEqual(kept.map(({ text }) => text), ['Two\nlines 😀 مرحبا']);
  });
});

test('on a dark page and on one whose root is small, all can be read', async () => {
  const small = 'html{font-size:62.5%;background:#111}body{font-size:1.6rem;color:#eee}';
  await shown(`<style>${small}</style><quire-comments product="42"></quire-comments>${form(server.tokenOf('ann'))}`, {}, async (page) => {
    await on(page, '42', 1);
    const style = (selector, property) => page.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], property);
    assert.equal(await style('quire-comments .comment > h3', 'fontSize'), '18px');
    assert.equal(await style('quire-comments .comment > p:nth-child(2)', 'fontSize'), '14px');
    assert.equal(await style('quire-comments .apply', 'minHeight'), '44px');
    for (const field of ['quire-comments select', 'quire-comments .actions', 'quire-form textarea']) assert.equal(await style(field, 'backgroundColor'), 'rgba(0, 0, 0, 0)', field);
    const [, ...light] = /color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)/.exec(await style('quire-comments .comment a', 'color')) ?? [0, 1, 1, 1];
    assert.ok(light.every((part) => part > 0.5), `${light}`);
  });
  shop.pages['/plain-small'] = async () => `<!doctype html><html lang="en"><style>${small}</style>${await (await fetch(`${server.url}/products/42/fragment?base=/plain-small`)).text()}`;
  await visit(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${shop.origin}/plain-small`);
    assert.equal(await page.locator('.comment > h3').first().evaluate((element) => getComputedStyle(element).fontSize), '18px');
  });
});

test('in a frame the links out of the comments leave the frame', async () => {
  shop.pages['/framed'] = () => `<!doctype html><html lang="en"><title>Shop</title><iframe src="${server.url}/products/42" width="600" height="900"></iframe>`;
  for (const javaScriptEnabled of [true, false]) {
    await visit(browser, { javaScriptEnabled }, async (page) => {
      await page.goto(`${shop.origin}/framed`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('link', { name: 'Next' }).click();
      await frame.locator('.page-text', { hasText: 'Page 2 of' }).waitFor();
      await frame.getByRole('link', { name: 'Products' }).click();
      await page.waitForURL(`${server.url}/`);
    });
  }
});
