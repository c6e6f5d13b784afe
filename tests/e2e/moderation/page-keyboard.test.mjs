// The page of moderators in Chromium, worked by keyboard alone: with and without script, in two widths and both colour schemes. What checkers
// of markup and of access say of it.
// Only in ./test --all: a browser.

import assert from 'node:assert/strict';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, here } from '../support/harness.mjs';
import { fitsWidth, launch, visit } from '../support/browser.mjs';
import { mustBeValid } from '../support/markup.mjs';
import { linked, serveShop } from '../support/moderation.mjs';

let server;
let browser;
before(async () => {
  server = await serveShop({ shop: '[shop]\nname = "Field & Stream"\n[moderation]\nhold = "rules"\nlinks = true\nwords = "words.txt"\nreports = 2\n' });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const post = async (product, comment) => (await server.post(commentsPath(product), linked(comment))).expect(202).json.id;
const found = async (id) => (await server.get(commentPath(id), server.moderator)).expect(200).json;
const statuses = async (ids) => Promise.all(ids.map(async (id) => (await found(id)).status));
const queueOf = (product) => `${server.url}/moderation?status=pending&product=${encodeURIComponent(product)}`;

/** Presses Tab until the focus is on the element. Whatever has the focus on the way can be seen, and shows that it has it. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 120; ++presses) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate((wanted) => {
      const element = document.activeElement;
      if (!element || element === document.body) return { there: false };
      const box = element.getBoundingClientRect();
      const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right <= innerWidth + 1;
      const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      return { there: element.matches(wanted), seen: seen && element.contains(over), marked: outlineStyle !== 'none' || boxShadow !== 'none', html: element.outerHTML.slice(0, 120) };
    }, selector);
    if (!at.html) continue; // between the page's end and its start
    const skipLink = /class="skip/.test(at.html);
    assert.ok(skipLink || (at.seen && at.marked), `${at.html} has the focus: seen ${at.seen}, marked ${at.marked}`);
    if (at.there) return;
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

async function signIn(page, token = server.tokens.moderate) {
  await page.goto(`${server.url}/moderation`);
  await tabTo(page, '#token');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.sign-out');
}

/** Works the whole queue of a product: each way to decide once. */
async function workQueue(page, product, ids, scripted) {
  const button = (name, id) => `button[name=${name}][value^="${id}"]`;
  const told = async (text) => { await page.waitForSelector('.told'); assert.equal(await page.textContent('.told'), text); };
  const openReject = async (id) => {
    await tabTo(page, `.reject:has(#reason-${id}) summary`);
    await page.keyboard.press('Enter');
  };
  // Enter in a note decides nothing, and keeps what was typed.
  await openReject(ids[0]);
  await tabTo(page, `#note-${ids[0]}`);
  await page.keyboard.type('half a thought');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200); // for an answer that must not come
  assert.equal(page.url(), queueOf(product));
  assert.equal(await page.inputValue(`#note-${ids[0]}`), 'half a thought');
  assert.deepEqual(await statuses(ids), Array(4).fill('pending'));
  await page.goto(`${queueOf(product)}&utm_source=mail`);
  // A note that is cancelled is not kept; without a reason nothing is rejected.
  await openReject(ids[0]);
  await tabTo(page, `#note-${ids[0]}`);
  await page.keyboard.type('typed, and cancelled');
  await page.locator(`.reject:has(#reason-${ids[0]}) summary`).press('Enter');
  await tabTo(page, button('publish', ids[0]));
  await page.keyboard.press('Enter');
  await told('1 published.');
  await openReject(ids[2]);
  await tabTo(page, button('reject', ids[2]));
  await page.keyboard.press('Space');
  if (scripted) {
    assert.equal(await page.evaluate(() => document.activeElement.id), `reason-${ids[2]}`, 'nothing is sent, so nothing that was typed is lost');
  } else {
    await page.waitForURL(/refused=1/);
    assert.match(await page.textContent('.told'), /^1 review not decided/);
  }
  await openReject(ids[1]);
  await tabTo(page, `#reason-${ids[1]}`);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, `#note-${ids[1]}`);
  await page.keyboard.type('the third of them');
  await tabTo(page, button('reject', ids[1]));
  await page.keyboard.press('Space');
  await page.waitForSelector(`#note-${ids[1]}`, { state: 'detached' });
  await told('1 rejected.');
  for (const id of ids.slice(2)) {
    await tabTo(page, `input[name=chosen][value^="${id}"]`);
    await page.keyboard.press('Space');
  }
  await tabTo(page, '.decide-all summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '#reason');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowDown');
  await tabTo(page, '#note');
  await page.keyboard.type('both of them');
  await tabTo(page, 'button[name=bulk][value=rejected]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.empty');
  await told('2 rejected.');
  await tabTo(page, '.sign-out button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#token');
}

// Each two of the three choices meet once.
const views = [[true, 1280, 'light'], [true, 390, 'dark'], [false, 1280, 'dark'], [false, 390, 'light']];
for (const [javaScriptEnabled, width, colorScheme] of views) {
  test(`the whole queue by keyboard, ${javaScriptEnabled ? 'with' : 'without'} script, at ${width} pixels, ${colorScheme}`, { timeout: 120_000 }, async () => {
    const product = `lamp ${javaScriptEnabled} ${width} ${colorScheme}`;
    const ids = [];
    for (let i = 0; i < 4; ++i) ids.push(await post(product, { title: `Title ${i}`, author: 'Ann', text: `See https://spam.example/x ${'A long text. '.repeat(i === 0 ? 300 : 1)}` }));
    await visit(browser, { javaScriptEnabled, width }, async (page, troubles) => {
      await page.emulateMedia({ colorScheme });
      await signIn(page);
      await page.goto(queueOf(product));
      await fitsWidth(page, width);
      await workQueue(page, product, ids, javaScriptEnabled);
      assert.deepEqual(troubles, []);
    });
    assert.deepEqual(await statuses(ids), ['published', 'rejected', 'rejected', 'rejected']);
    const [first, second, third] = await Promise.all(ids.map(found));
    assert.deepEqual([first.note, second.reason, second.note, third.reason, third.note], [undefined, 'spam', 'the third of them', 'off_topic', 'both of them']);
  });
}

test('300 comments are decided on by keys, in at most 40 requests', { timeout: 240_000 }, async () => {
  const ids = [];
  for (let i = 0; i < 300; ++i) ids.push(await post('by keys'));
  await visit(browser, {}, async (page, troubles) => {
    await signIn(page);
    let requests = 0;
    page.on('request', (request) => { requests += ['document', 'fetch', 'xhr'].includes(request.resourceType()); });
    await page.goto(queueOf('by keys'));
    await page.keyboard.press('?');
    await page.waitForSelector('#keys[open]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    const at = () => page.evaluate(() => document.activeElement.querySelector('[name=chosen]')?.value.slice(0, 26));
    for (let i = 0; i < 300; ++i) {
      await page.waitForFunction((id) => document.activeElement?.querySelector('[name=chosen]')?.value.startsWith(id), ids[i], { timeout: 60_000 });
      if (i % 5 === 4) {
        await page.keyboard.press('r');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else {
        await page.keyboard.press('p');
      }
      // The last decision is taken back before it is sent, and made again.
      if (i % 100 === 50) {
        await page.keyboard.press('u');
        assert.equal(await at(), ids[i]);
        await page.keyboard.press('p');
      }
    }
    await page.waitForSelector('.empty');
    assert.match(await page.textContent('.empty'), /240 published, 60 rejected/);
    assert.ok(requests <= 40, `${requests} requests`);
    // The last page of them is taken back by a key.
    assert.equal(await page.textContent('#undo button'), 'Undo all 20');
    await page.keyboard.press('u');
    await page.waitForSelector('.queued');
    assert.equal(await page.locator('.queued').count(), 20);
    assert.deepEqual(troubles, []);
  });
});

test('a note and an answer are written by keys, which go on at their comment', { timeout: 60_000 }, async () => {
  const ids = [];
  for (let i = 0; i < 3; ++i) ids.push(await post('in words'));
  await visit(browser, {}, async (page, troubles) => {
    await signIn(page, server.tokens.both);
    await page.goto(queueOf('in words'));
    const at = (id) => page.waitForFunction((row) => document.activeElement?.id === `r-${row}`, id);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await at(ids[1]);
    await page.keyboard.press('n');
    await page.keyboard.type('Asked the buyer.');
    await page.keyboard.press('Enter');
    await page.waitForURL(/noted=1.*#r-/);
    await at(ids[1]);
    await page.keyboard.press('a');
    await page.keyboard.type('Thank you.');
    await page.keyboard.press('Escape');
    await at(ids[1]);
    await page.keyboard.press('a');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/reply=kept.*#r-/);
    await at(ids[1]);
    await page.keyboard.press('p');
    await at(ids[2]);
    assert.deepEqual(troubles, []);
  });
  const { note, reply } = await found(ids[1]);
  assert.deepEqual([note, reply.text], ['Asked the buyer.', 'Thank you.']);
});

test('with script all comments of a page are chosen at once, and a bar decides on them', { timeout: 60_000 }, async () => {
  const ids = [];
  for (let i = 0; i < 3; ++i) ids.push(await post('all at once'));
  await visit(browser, {}, async (page) => {
    await signIn(page);
    await page.goto(queueOf('all at once'));
    const all = page.getByLabel('Select all');
    const publish = page.locator('button[name=bulk][value=published]');
    const state = () => all.evaluate((box) => [box.checked, box.indeterminate]);
    assert.ok(!await publish.isVisible(), 'nothing is chosen');
    await page.locator(`input[name=chosen][value^="${ids[1]}"]`).check();
    assert.deepEqual(await state(), [false, true]);
    const told = () => page.locator('#selected').evaluate((legend) => getComputedStyle(legend, '::after').content);
    assert.match(await told(), /“\u2068See https:\/\/spam\.example\/x\u2069”/, 'the only one is named, for it may be out of view');
    await all.check();
    assert.equal(await page.locator('input[name=chosen]:checked').count(), 3);
    assert.doesNotMatch(await told(), /See/);
    await page.getByText('Clear').click();
    assert.deepEqual(await state(), [false, false]);
    assert.ok(!await publish.isVisible());
    for (const id of ids) await page.locator(`input[name=chosen][value^="${id}"]`).check();
    assert.deepEqual(await state(), [true, false]);
    await publish.click();
    await page.waitForSelector('.empty');
  });
  assert.deepEqual(await statuses(ids), Array(3).fill('published'));
});

test('a form of another site decides nothing, though the moderator is signed in', { timeout: 60_000 }, async () => {
  const id = await post('cross-site');
  const { etag } = (await server.queue('?product=cross-site')).comments[0];
  await visit(browser, {}, async (page) => {
    await signIn(page);
    await page.goto(queueOf('cross-site'));
    const form = await page.inputValue('input[name=form] >> nth=0'); // more than another site could know
    const body = `<form method="post" action="${server.url}/moderation/decisions"><input name="form" value="${form}"><input name="publish" value="${id} ${etag.slice(1, -1)}"><button>Win</button></form>`;
    const other = http.createServer((_, answer) => { answer.setHeader('Content-Type', 'text/html'); answer.end(body); }).listen(0, 'localhost');
    await new Promise((done) => other.once('listening', done));
    await page.goto(`http://localhost:${other.address().port}/`);
    const [answer] = await Promise.all([page.waitForResponse(({ url }) => url().endsWith('/moderation/decisions')).catch(() => undefined), page.click('button')]);
    if (answer) assert.equal(answer.status(), 403);
    other.close();
    other.closeAllConnections();
    assert.deepEqual(await statuses([id]), ['pending']);
    // The same form on the page itself decides.
    await page.goto(queueOf('cross-site'));
    await page.locator(`button[name=publish][value^="${id}"]`).press('Enter');
    await page.waitForSelector('.told');
  });
  assert.deepEqual(await statuses([id]), ['published']);
});

/** The cookie of a session. */
async function session() {
  const answer = await fetch(`${server.url}/moderation/session`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token: server.tokens.moderate }) });
  assert.equal(answer.status, 303);
  return answer.headers.get('set-cookie').split('; ')[0];
}

test('vnu finds nothing', { timeout: 120_000 }, async () => {
  const reported = (await server.post(commentsPath('vnu'), { rating: 1, text: 'Broke.', author: 'Ann', language: 'de' })).expect(201).json.id;
  (await server.post(`${commentPath(reported)}/reports`, { reason: 'fake', note: 'Never <b>bought</b>.' }, { Authorization: '' })).expect(202);
  await post('vnu', { title: 'Süß & "gut"', text: `See https://spam.example/x ${'A long text. '.repeat(300)}`, language: 'ar' });
  const rejected = await post('vnu');
  await server.decide([{ id: rejected, status: 'rejected', reason: 'spam', note: 'Known.' }]);
  for (let i = 0; i < 45; ++i) await post('vnu pages');
  const middle = (await server.queue('?product=vnu+pages&limit=20')).page.next;
  const cookie = await session();
  const pages = {};
  const get = async (name, query, headers = { Cookie: cookie }) => {
    const answer = await fetch(`${server.url}/moderation${query}`, { headers });
    assert.match(answer.headers.get('content-type'), /^text\/html/);
    pages[name] = Buffer.from(await answer.arrayBuffer());
  };
  await get('sign in', '', {});
  for (const status of ['pending', 'reported', 'rejected']) await get(status, `?status=${status}`);
  await get('told', '?product=vnu&published=2&refused=1&undo=01JD5ZK3V8Q6W3N0A9B7C5D2EF&round_published=12');
  await get('both ways', `?product=vnu+pages&after=${middle}`);
  await get('empty', `?product=vnu&after=7${'Z'.repeat(25)}`);
  const refused = await fetch(`${server.url}/moderation/session`, { method: 'POST', body: new URLSearchParams({ token: 'wrong' }) });
  pages.refused = Buffer.from(await refused.arrayBuffer());
  await mustBeValid(pages);
});

test('the fields of the filter stand in rows, each wide enough for what it says', async () => {
  await visit(browser, { width: 1280 }, async (page) => {
    await signIn(page);
    await page.goto(`${server.url}/moderation?rating=1`);
    await page.locator('.queue-filter summary').click();
    const fields = await page.locator('.queue-filter form > :is(p, fieldset)').evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ bottom, width }) => [Math.round(bottom), Math.round(width)]));
    assert.equal(new Set(fields.map(([bottom]) => bottom)).size, 2, JSON.stringify(fields));
    assert.ok(fields.every(([, width]) => width > 150), JSON.stringify(fields));
  });
});

test('axe finds nothing', { timeout: 120_000 }, async () => {
  const context = await browser.newContext();
  await context.addInitScript({ path: join(here, 'node_modules/axe-core/axe.min.js') });
  const page = await context.newPage();
  const found = [];
  for (const kind of ['sign-in', 'pending', 'rejected']) {
    if (kind === 'pending') await context.addCookies([{ name: 'quire-moderation', value: (await session()).split('=')[1], url: `${server.url}/moderation` }]);
    await page.goto(`${server.url}/moderation?status=${kind}`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        if (process.env.QUIRE_PICTURES) await page.screenshot({ path: join(process.env.QUIRE_PICTURES, `moderation-${kind}-${width}-${colorScheme}.png`), fullPage: true });
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        for (const { id, nodes } of violations) found.push(`${kind} ${width} ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      }
    }
  }
  await context.close();
  assert.deepEqual(found, []);
});
