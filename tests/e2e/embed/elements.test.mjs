// The elements of embed.js on pages of a shop, which are of another origin than the server.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { importRows, newStore } from '../support/harness.mjs';
import { embedOf, launch, shiftOf, site, visit } from '../support/browser.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { sampleRows } from '../support/data.mjs';

let browser, shop, stranger, server, closed;
before(async () => {
  const store = newStore();
  await importRows(store, [...sampleRows(7, 120, '42'), ...sampleRows(8, 60, '43')]);
  [browser, shop, stranger] = await Promise.all([launch(), site(), site()]);
  server = await serveCustomers({ store, more: `[votes]\nwho = "customers"\n[moderation]\nhold = "rules"\nlinks = true\n${embedOf(shop.origin)}` });
  closed = await serveCustomers({ writing: 'who = "nobody"\n', more: embedOf(shop.origin) });
});
after(async () => { await browser.close(); await Promise.all([server.stop(), closed.stop()]); });

const pageOf = (body, lang = 'en') => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Shop</title><script src="${server.url}/embed.js" defer></script><body>${body}</body></html>`;
const strict = () => `default-src 'none'; script-src ${server.url}; style-src ${server.url}; connect-src ${server.url}; require-trusted-types-for 'script'; trusted-types quire`;
const comments = (page, product) => page.locator(`quire-comments[product="${product}"]`);
const pageText = (page, product = '42') => comments(page, product).locator('.page-text').textContent();
const on = async (page, product, number) => {
  await comments(page, product).locator('.page-text', { hasText: `Page ${number} of` }).waitFor();
};

test('the script is small, and any page may load it', async () => {
  const script = (await server.get('/embed.js')).expect(200);
  assert.match(script.headers['content-type'], /^text\/javascript/);
  assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.ok(script.headers.etag);
  const size = gzipSync(script.text, { level: 9 }).length;
  assert.ok(size <= 6 * 1024, `${size} bytes`);
});

test('the comments work on the shop\'s page under a strict policy: links, filters, back, reload, no cookies', async () => {
  shop.pages['/p/42'] = () => ({ headers: { 'Content-Security-Policy': strict() }, body: pageOf('<h1>Lamp</h1><quire-comments product="42"></quire-comments><quire-stars product="42"></quire-stars>') });
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/p/42?utm=x`);
    await on(page, '42', 1);
    assert.equal(await comments(page, '42').locator('.pager a.step').first().evaluate((element) => getComputedStyle(element).display), 'flex', 'the style is there');
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 2);
    assert.equal(page.url(), `${shop.origin}/p/42?utm=x&quire=page%3D2#list`);
    await page.reload();
    await on(page, '42', 2);
    await page.goBack();
    await on(page, '42', 1);
    await page.goForward();
    await on(page, '42', 2);
    const box = comments(page, '42').locator('input[name="rating"][value="5"]');
    await page.setViewportSize({ width: 600, height: 800 });
    await comments(page, '42').locator('.reveal-label').click();
    await box.check();
    await comments(page, '42').getByRole('button', { name: /apply/i }).click();
    await page.waitForURL(/quire=/);
    await comments(page, '42').locator('.chip').first().waitFor();
    assert.equal(new URLSearchParams(new URL(page.url()).searchParams.get('quire')).get('rating'), '5');
    assert.equal(new URL(page.url()).pathname, '/p/42');
    assert.match(await page.locator('quire-stars svg').getAttribute('aria-label'), /^\d\.\d out of 5 stars \(120\)$/);
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual(troubles, []);
  });
});

test('where all filters are shown, each choice is applied at once, and the focus stays', async () => {
  shop.pages['/p/42'] = () => ({ headers: { 'Content-Security-Policy': strict() }, body: pageOf('<input id="outside"><quire-comments product="42"></quire-comments>') });
  await visit(browser, { width: 1280, height: 800 }, async (page, troubles) => {
    await page.goto(`${shop.origin}/p/42`);
    const of42 = comments(page, '42');
    const asked = () => new URL(page.url()).searchParams.get('quire');
    await on(page, '42', 1);
    assert.equal(await of42.getByRole('button', { name: /apply/i }).isVisible(), false);
    await of42.locator('summary', { hasText: 'Language' }).click();
    const box = of42.locator('details input[name="language"]').first();
    const focused = () => box.evaluate((element) => element.getRootNode().activeElement === element);
    await box.focus();
    await page.keyboard.press('Space');
    await of42.locator('.chip').first().waitFor();
    assert.equal(await focused() && await box.isChecked(), true);
    const height = await page.evaluate(() => scrollY);
    await page.keyboard.press('Space');
    await of42.locator('.chip').first().waitFor({ state: 'detached' });
    assert.equal(await focused(), true);
    assert.equal(await of42.locator('details[data-facet="language"]').getAttribute('open'), '', 'by the script: nothing is chosen');
    assert.equal(await page.evaluate(() => scrollY), height);
    assert.equal(asked(), null);
    // A second choice before the answer to the first; then the focus has gone elsewhere.
    const held = [];
    await page.route('**/fragment?*', (route) => { held.push(route); });
    await of42.locator('input[name="rating"][value="5"]').check();
    await of42.locator('input[name="rating"][value="4"]').check();
    await page.locator('#outside').focus();
    await page.unroute('**/fragment?*');
    await Promise.all(held.map((route) => route.continue().catch(() => {})));
    await of42.locator('.chip').nth(1).waitFor();
    assert.equal(asked(), 'rating=5&rating=4');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'outside');
    assert.deepEqual(troubles, []);
  });
});

test('a router that takes the element for another product finds the page of that product on the way back', async () => {
  const router = `const view = document.querySelector('quire-comments');
    const show = () => view.setAttribute('product', location.pathname.slice(-2));
    addEventListener('popstate', () => setTimeout(show, 20)); // later than what the element hears
    window.visit = (product) => { history.pushState(null, '', '/app/' + product); show(); };`;
  for (const product of ['42', '43']) shop.pages[`/app/${product}`] = () => pageOf(`<quire-comments product="${product}"></quire-comments><script>${router}</script>`);
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/app/42`);
    await on(page, '42', 1);
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 2);
    await page.evaluate(() => window.visit('43'));
    await on(page, '43', 1);
    await page.goBack();
    await on(page, '42', 2);
    assert.equal(new URL(page.url()).searchParams.get('quire'), 'page=2');
    await page.evaluate(() => document.querySelector('quire-comments').setAttribute('product', '43'));
    await page.waitForTimeout(1100); // what came with the way back is another product's no more
    await page.evaluate(() => document.querySelector('quire-comments').setAttribute('product', '42'));
    await on(page, '42', 1);
    assert.deepEqual(troubles, []);
  });
});

test('two products on a page have a place each; other products come and go by script', async () => {
  shop.pages['/two'] = () => pageOf('<quire-comments product="42"></quire-comments><hr><quire-comments product="43"></quire-comments>');
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/two`);
    await on(page, '43', 1);
    await comments(page, '43').getByRole('link', { name: 'Next' }).click();
    await on(page, '43', 2);
    assert.match(await pageText(page, '42'), /^Page 1 of/);
    await comments(page, '42').getByRole('link', { name: 'Next' }).click();
    await on(page, '42', 2);
    assert.deepEqual([...new URL(page.url()).searchParams], [['quire.43', 'page=2'], ['quire', 'page=2']]);
    await page.reload();
    await on(page, '42', 2);
    await on(page, '43', 2);
    await page.goBack();
    await on(page, '42', 1);
    await on(page, '43', 2);
    await page.evaluate(() => document.querySelector('quire-comments').remove());
    await page.evaluate(() => { document.querySelector('quire-comments').setAttribute('product', '42'); });
    await on(page, '42', 1);
    assert.deepEqual(troubles, []);
  });
});

test('the stars of a page are one request, and move nothing', async () => {
  const tiles = Array.from({ length: 100 }, (unused, i) => `<p>Tile <quire-stars product="${i === 0 ? '42' : `p-${i}`}"></quire-stars></p>`).join('');
  shop.pages['/tiles'] = () => pageOf(`<style>quire-stars:not(:defined){display:inline-flex;min-width:8.5em;height:1.25em;vertical-align:middle}</style>${tiles}`);
  await visit(browser, {}, async (page, troubles) => {
    const asked = [];
    page.on('request', (request) => { if (request.url().includes('/v1/statistics')) asked.push(request.url()); });
    await page.goto(`${shop.origin}/tiles`);
    await page.locator('quire-stars svg').first().waitFor();
    assert.equal(asked.length, 1);
    assert.equal(new URL(asked[0]).searchParams.getAll('product').length, 100);
    const answer = (await server.get(asked[0].slice(server.url.length))).expect(200);
    (await server.get(asked[0].slice(server.url.length), { 'If-None-Match': answer.headers.etag })).expect(304);
    assert.equal(await shiftOf(page), 0);
    await page.evaluate(() => { const added = document.createElement('quire-stars'); added.setAttribute('product', '43'); document.body.append(added); });
    await page.locator('quire-stars[product="43"] svg').waitFor();
    assert.equal(asked.length, 2);
    assert.deepEqual(troubles, []);
  });
});

test('what the shop\'s server included stays, with a script and without', async () => {
  shop.pages['/included'] = async (url) => {
    const query = new URLSearchParams(url.searchParams.get('quire') ?? '');
    query.set('base', '/included');
    return pageOf(`<quire-comments product="42">${await (await fetch(`${server.url}/products/42/fragment?${query}`)).text()}</quire-comments>`);
  };
  for (const javaScriptEnabled of [false, true]) {
    await visit(browser, { javaScriptEnabled }, async (page, troubles) => {
      const asked = [];
      page.on('request', (request) => { if (request.url().includes('/fragment')) asked.push(request.url()); });
      await page.goto(`${shop.origin}/included`);
      assert.match(await pageText(page), /^Page 1 of/);
      assert.equal(asked.length, 0);
      await comments(page, '42').getByRole('link', { name: 'Next' }).click();
      await comments(page, '42').locator('.page-text:visible', { hasText: 'Page 2 of' }).waitFor();
      assert.match(page.url(), /\/included\?quire=page%3D2#list$/);
      assert.deepEqual(troubles, []);
    });
  }
});

const least = 3_100; // a form that is sent sooner was not filled in by a person

/** Fills in a form that the moderators will see, and sends it. */
async function write(form, title) {
  await form.getByRole('radio', { name: '4 stars' }).check();
  await form.getByLabel('Title').fill(title);
  await form.getByRole('textbox', { name: 'Your review' }).fill('See https://x.example');
  await form.page().waitForTimeout(least);
  await form.getByRole('button', { name: 'Post review' }).click();
  await form.getByRole('status').waitFor();
  assert.match(await form.getByRole('status').textContent(), /once a moderator/);
}

async function publishHeld(product) {
  const [held] = (await server.queue(`?product=${product}`)).comments;
  await server.decide([{ id: held.id, status: 'published' }]);
  return held.id;
}

async function reply(id) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${server.tokens.admin}` };
  (await server.request('PUT', `/v1/comments/${id}/reply`, { body: JSON.stringify({ author: 'Shop', text: 'Glad to hear' }), headers })).expect(201);
}

// Each waits for its form's least age.
describe('forms that are sent', { concurrency: true }, () => {
  test('a faulty form keeps what was typed', async () => {
    shop.pages['/write'] = () => ({ headers: { 'Content-Security-Policy': strict() }, body: pageOf(`<quire-form product="new" token="${server.tokenOf('ann', { name: 'Ann' })}"></quire-form>`) });
    await visit(browser, {}, async (page, troubles) => {
      await page.goto(`${shop.origin}/write`);
      const form = page.locator('quire-form');
      await form.getByLabel('Title').fill('From the shop');
      await form.locator('form').evaluate((element) => { element.noValidate = true; });
      await page.waitForTimeout(least);
      await form.getByRole('button', { name: 'Post review' }).click();
      await form.locator('#rating-fault').waitFor();
      assert.equal(await form.getByLabel('Title').inputValue(), 'From the shop');
      await page.keyboard.press('Space');
      await form.getByRole('radio', { name: '4 stars' }).check();
      // A second click, while the answer is on its way, sends nothing.
      const held = [];
      await page.route('**/review?*', (route) => { held.push(route); });
      await form.getByRole('button', { name: 'Post review' }).dblclick();
      await page.waitForTimeout(500); // for a second request that must not come
      assert.equal(held.length, 1);
      assert.equal(await form.locator('.lost').isVisible(), false);
      await held[0].continue();
      await form.getByRole('status').waitFor();
      assert.match((await server.get('/products/new')).expect(200).text, /From the shop/);
      assert.deepEqual(troubles.filter((each) => !/422/.test(each)), []);
    });
  });

  test('signed in by the shop: form, held, published, on the page, voted on, answered', async () => {
    const both = (customer) => `<quire-comments product="walk" token="${server.tokenOf(customer)}"></quire-comments><quire-form product="walk" token="${server.tokenOf(customer, { name: customer })}"></quire-form>`;
    for (const customer of ['ann', 'bob']) shop.pages[`/walk/${customer}`] = () => ({ headers: { 'Content-Security-Policy': strict() }, body: pageOf(both(customer)) });
    await visit(browser, {}, async (page, troubles) => {
      const comment = comments(page, 'walk').locator('article.comment');
      await page.goto(`${shop.origin}/walk/ann`);
      await write(page.locator('quire-form'), 'Walked far');
      assert.equal(await comment.count(), 0);
      const id = await publishHeld('walk');
      await page.reload();
      await comment.getByText('Walked far').waitFor();
      await page.goto(`${shop.origin}/walk/bob`);
      const helpful = comment.getByRole('button', { name: /^Helpful/ });
      await helpful.click();
      await comment.getByText('1 person found this helpful').waitFor();
      assert.equal(await helpful.getAttribute('aria-pressed'), 'true');
      await comment.getByRole('button', { name: 'Not helpful' }).press('Enter');
      await comment.getByText('1 person found this helpful').waitFor({ state: 'detached' });
      assert.equal(await comment.getAttribute('id'), `c-${id}`);
      assert.deepEqual((({ helpful = 0, unhelpful }) => [helpful, unhelpful])((await server.get(`/v1/comments/${id}`)).json.attributes), [0, 1]);
      await page.reload();
      await comment.locator('[value=unhelpful][aria-pressed=true]').waitFor(); // one's own vote is there again
      await page.evaluate((token) => document.querySelector('quire-comments').setAttribute('token', token), server.tokenOf('ann'));
      await comment.locator('form.vote').waitFor({ state: 'hidden' }); // nobody votes on an own comment
      await page.evaluate((token) => document.querySelector('quire-comments').setAttribute('token', token), server.tokenOf('eve'));
      await helpful.waitFor();
      assert.equal(await comment.locator('[aria-pressed=true]').count(), 0);
      await reply(id);
      await page.reload();
      await comment.getByText('Glad to hear').waitFor();
      assert.deepEqual(await page.context().cookies(), []);
      assert.deepEqual(troubles, []);
    });
  });

  test('the same without a script: a button of the shop opens the form, and its server includes the comments', async () => {
    shop.pages['/plain'] = async () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
      <form method="post" action="${server.url}/products/plain/review"><input type="hidden" name="token" value="${server.tokenOf('ann', { name: 'Ann' })}"><button>Write</button></form>
      ${await (await fetch(`${server.url}/products/plain/fragment?base=/plain`)).text()}`;
    await visit(browser, { javaScriptEnabled: false }, async (page, troubles) => {
      await page.goto(`${shop.origin}/plain`);
      await page.getByRole('button', { name: 'Write' }).click();
      await write(page.locator('main'), 'Written plainly');
      const id = await publishHeld('plain');
      await reply(id);
      await page.goto(`${shop.origin}/plain`);
      await page.locator(`#c-${id}`).getByText('Written plainly').waitFor();
      await page.locator(`#c-${id}`).getByText('Glad to hear').waitFor();
      assert.deepEqual(await page.context().cookies(), []);
      assert.deepEqual(troubles, []);
    });
  });
});

test('twenty elements on a page come, change and go by script', async () => {
  const products = Array.from({ length: 20 }, (unused, i) => `n-${i}`);
  await Promise.all(products.map((product) => server.add(product, { rating: 5, title: `Of ${product}` })));
  shop.pages['/many'] = () => pageOf(products.map((product) => `<quire-comments product="${product}"></quire-comments>`).join(''));
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/many`);
    for (const product of products) await comments(page, product).getByText(`Of ${product}`, { exact: true }).waitFor();
    await page.evaluate(() => {
      const all = [...document.querySelectorAll('quire-comments')];
      for (const each of all.slice(0, 10)) each.remove();
      all[0].setAttribute('product', 'n-19');
      document.body.append(...all.slice(0, 10)); // the same elements again, elsewhere
      all[19].setAttribute('product', 'n-0');
    });
    assert.equal(await page.locator('quire-comments').count(), 20);
    for (const product of products) await comments(page, product).getByText(`Of ${product}`, { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });
});

test('comments and form move nothing while they come, where the page keeps their place', async () => {
  const [, css] = /```css\n(quire-stars:not[^`]+)```/.exec(readFileSync(new URL('../../../docs/embedding.md', import.meta.url), 'utf8'));
  shop.pages['/still'] = () => pageOf(`<style>${css}</style><h1>Lamp <quire-stars product="42"></quire-stars></h1><p>A lamp.</p><quire-comments product="42"></quire-comments><p>Write:</p><quire-form product="42" token="${server.tokenOf('still')}"></quire-form><footer>The shop</footer>`);
  for (const width of [1280, 390]) {
    await visit(browser, { width }, async (page, troubles) => {
      await page.goto(`${shop.origin}/still`);
      await comments(page, '42').locator('article.comment').first().waitFor();
      await page.locator('quire-form form').waitFor();
      assert.equal(await shiftOf(page), 0);
      assert.deepEqual(troubles, []);
    });
  }
});

test('a form that does not open says who writes, and is no fault of the page', async () => {
  for (const [origin, token, text] of [[server.url, '', 'Sign in at the shop'], [closed.url, '', 'takes no reviews'], [closed.url, closed.tokenOf('ann'), 'takes no reviews']]) {
    shop.pages['/nobody'] = () => pageOf(`<quire-form product="42" token="${token}"></quire-form>`).replace(server.url, origin);
    await visit(browser, {}, async (page, troubles) => {
      await page.goto(`${shop.origin}/nobody`);
      await page.locator('quire-form').getByText(text).waitFor();
      assert.deepEqual(troubles, []);
    });
  }
});

test('a stranger\'s page shows nothing, and frames neither form nor queue', async () => {
  stranger.pages['/'] = () => pageOf(`<quire-comments product="42">Their own text</quire-comments><quire-form product="42" token="${server.tokenOf('eve')}"></quire-form><iframe src="${server.url}/products/42/review"></iframe><iframe src="${server.url}/moderation"></iframe>`);
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(stranger.origin);
    await page.waitForFunction(() => document.readyState === 'complete');
    assert.equal(await page.locator('quire-comments section').count(), 0);
    assert.equal(await page.getByText('Their own text').isVisible(), true);
    assert.equal(await page.locator('quire-form form').count(), 0);
    for (const frame of page.frames().slice(1)) assert.equal(await frame.locator('form').count(), 0);
    assert.ok(troubles.some((each) => /frame-ancestors|framing/i.test(each)), troubles.join('\n'));
    assert.ok(troubles.some((each) => /CORS/.test(each)));
  });
  assert.equal((await server.page('42')).comments.some((each) => each.author === 'eve'), false);
});

test('stars, comments and form are in the language of the page', async () => {
  const all = `<quire-stars product="42"></quire-stars><quire-comments product="42"></quire-comments><quire-form product="42" token="${server.tokenOf('may')}"></quire-form>`;
  shop.pages['/de'] = () => pageOf(all, 'de');
  shop.pages['/ar'] = () => pageOf(all, 'ar');
  await visit(browser, {}, async (page, troubles) => {
    await page.goto(`${shop.origin}/de`);
    await page.locator('quire-stars svg').waitFor();
    assert.match(await page.locator('quire-stars svg').getAttribute('aria-label'), /^\d,\d von 5 Sternen \(120\)$/);
    await comments(page, '42').getByRole('link', { name: 'Weiter' }).click();
    await comments(page, '42').locator('.page-text', { hasText: 'Seite 2 von' }).waitFor();
    assert.match(page.url(), /\/de\?quire=page%3D2#list$/);
    await page.goto(`${shop.origin}/ar`);
    const section = page.locator('quire-form section');
    await section.waitFor();
    assert.deepEqual([await section.getAttribute('dir'), await section.getAttribute('lang')], ['rtl', 'ar']);
    await section.getByRole('button', { name: 'إرسال' }).waitFor();
    await comments(page, '42').locator('section.quire[dir="rtl"]').waitFor();
    assert.deepEqual(troubles, []);
  });
});
