// The page of moderators in Chromium: by keyboard, with and without script, in two widths; and forged forms and cookies.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, here, newToken, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { fitsWidth, launch, visit } from '../support/browser.mjs';

const bearer = (token) => ({ Authorization: `Bearer ${token}` });
let server;
let browser;
let file;
let moderator;
let writer;

before(async () => {
  ({ file, token: moderator } = await newToken({ scopes: 'moderate', args: ['--name', 'ann'] }));
  ({ token: writer } = await newToken({ file, scopes: 'post' }));
  const shop = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(shop, '[shop]\nname = "Field & Stream"\n[moderation]\nhold = "all"\nreports = 2\n');
  server = await serve({ args: ['--tokens', file, '--shop', shop, ...unlimited] });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const post = async (product, comment = {}) => {
  const answer = await server.post(commentsPath(product), { rating: 5, title: 'Fits', text: 'Well made.', ...comment }, bearer(writer));
  answer.expect(202);
  return answer.json.id;
};
const statusOf = async (id) => (await server.get(commentPath(id), bearer(moderator))).json.status ?? 'published';

async function signIn(page) {
  await page.goto(`${server.url}/moderation`);
  await page.fill('#token', moderator);
  await page.press('#token', 'Enter');
  await page.waitForSelector('.sign-out');
}

/** Opens what it takes to reject a comment. */
const openReject = (page, id) => page.locator(`.reject:has(#reason-${id}) summary`).press('Enter');

for (const javaScriptEnabled of [true, false]) {
  test(`publish, reject and several at once, by keyboard, ${javaScriptEnabled ? 'with' : 'without'} script`, { timeout: 60_000 }, async () => {
    const product = `lamp ${javaScriptEnabled}`;
    const ids = [];
    for (let i = 0; i < 5; ++i) ids.push(await post(product, { title: `Title ${i}`, text: `${'A long text. '.repeat(i === 0 ? 300 : 1)}end` }));
    for (const width of [1280, 390]) {
      await visit(browser, { javaScriptEnabled, width }, async (page) => {
        await signIn(page);
        await page.goto(`${server.url}/moderation?status=pending&product=${encodeURIComponent(product)}&utm_source=mail`);
        await fitsWidth(page, width);
        if (width === 1280) {
          await openReject(page, ids[0]);
          await page.fill(`#note-${ids[0]}`, 'typed, and cancelled');
          await openReject(page, ids[0]); // closes it
          await page.locator(`button[name=publish][value^="${ids[0]}"]`).press('Enter');
          await page.waitForSelector('.told');
          assert.equal(await page.textContent('.told'), '1 comment decided.');
          await openReject(page, ids[1]);
          await page.selectOption(`#reason-${ids[1]}`, 'spam');
          await page.fill(`#note-${ids[1]}`, 'the third of them');
          await page.locator(`button[name=reject][value^="${ids[1]}"]`).press('Enter');
          await page.waitForSelector('.told');
          // Without a reason nothing is rejected.
          await openReject(page, ids[2]);
          await page.locator(`button[name=reject][value^="${ids[2]}"]`).press('Space');
          await page.waitForURL(/refused=1/);
          assert.match(await page.textContent('.told'), /^1 comment not decided/);
        } else {
          for (const box of await page.locator('input[name=chosen]').all()) await box.press('Space');
          await page.locator('.decide-all summary').press('Enter');
          await page.selectOption('#reason', 'off_topic');
          await page.fill('#note', 'all of them');
          await page.locator('button[name=bulk][value=rejected]').press('Enter');
          await page.waitForURL(/done=3/);
          assert.equal(await page.locator('.queued').count(), 0);
        }
      });
    }
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['published', ...Array(4).fill('rejected')]);
    const rejected = (await server.get(commentPath(ids[1]), bearer(moderator))).json;
    assert.deepEqual([rejected.reason, rejected.note], ['spam', 'the third of them']);
    assert.equal((await server.get(commentPath(ids[0]), bearer(moderator))).json.note, undefined);
    const last = (await server.get(commentPath(ids[4]), bearer(moderator))).json;
    assert.deepEqual([last.reason, last.note], ['off_topic', 'all of them']);
  });
}

test('a reported comment is kept or rejected', { timeout: 60_000 }, async () => {
  const id = await post('reported');
  (await server.patch(commentPath(id), { status: 'published' }, bearer(moderator))).expect(200);
  (await server.post(`${commentPath(id)}/reports`, { reason: 'fake', note: 'Never bought.' })).expect(202);
  await visit(browser, {}, async (page) => {
    await signIn(page);
    await page.goto(`${server.url}/moderation?status=reported`);
    assert.match(await page.textContent('.queued'), /Reported on .*: Fake\. Never bought\./);
    await page.locator(`button[name=publish][value^="${id}"]`).click();
    await page.waitForSelector('.empty');
  });
  assert.equal(await statusOf(id), 'published');
});

test('of two moderators the second is told', { timeout: 60_000 }, async () => {
  const id = await post('twice');
  await visit(browser, {}, async (page) => {
    await signIn(page);
    await page.goto(`${server.url}/moderation?product=twice`);
    (await server.patch(commentPath(id), { status: 'rejected', reason: 'spam' }, bearer(moderator))).expect(200);
    await page.locator(`button[name=publish][value^="${id}"]`).click();
    await page.waitForURL(/refused=1/);
  });
  assert.equal(await statusOf(id), 'rejected');
});

const form = (fields) => new URLSearchParams(fields).toString();
const send = (path, fields, headers = {}) => fetch(server.url + path, {
  method: 'POST', redirect: 'manual', body: form(fields), headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
});
async function session(token = moderator) {
  const answer = await send('/moderation/session', { token });
  assert.equal(answer.status, 303);
  const [cookie, ...attributes] = answer.headers.get('set-cookie').split('; ');
  assert.deepEqual(attributes, ['Path=/moderation', 'Max-Age=3600', 'HttpOnly', 'SameSite=Strict']);
  const page = await (await fetch(`${server.url}/moderation`, { headers: { Cookie: cookie } })).text();
  return { cookie, value: page.match(/name="form" value="([^"]+)"/)[1] };
}

test('forged forms, foreign cookies and cookies of withdrawn tokens change nothing', async () => {
  const id = await post('forged');
  const { etag } = (await server.get('/v1/moderation/comments?product=forged', bearer(moderator))).json.comments[0];
  const publish = `${id} ${etag.slice(1, -1)}`;
  const { cookie, value } = await session();
  const other = await newToken({ file, scopes: 'moderate' });
  const tries = [
    [{ publish }, {}], [{ publish, form: value }, {}], [{ publish }, { Cookie: cookie }], [{ publish, form: 'x' }, { Cookie: cookie }],
    [{ publish, form: value }, { Cookie: `${cookie}A` }], [{ publish, form: value }, { Cookie: 'quire-moderation=AAAA' }],
  ];
  for (const [fields, headers] of tries) assert.equal((await send('/moderation/decisions', fields, headers)).status, 403);
  const json = await fetch(`${server.url}/moderation/decisions`, { method: 'POST', body: JSON.stringify({ publish, form: value }), headers: { Cookie: cookie, 'Content-Type': 'text/plain' } });
  assert.equal(json.status, 415);
  assert.equal(await statusOf(id), 'pending');
  // A cookie ends with its token.
  await new Promise((done) => setTimeout(done, 1000));
  const withdrawn = await session(other.token);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
  for (const deadline = Date.now() + 20_000; ;) {
    const { status } = await server.get('/v1/moderation/comments', bearer(other.token));
    if (status === 401) break;
    assert.ok(Date.now() < deadline, 'the token is still known');
  }
  assert.equal((await send('/moderation/decisions', { publish, form: withdrawn.value }, { Cookie: withdrawn.cookie })).status, 403);
  assert.equal(await statusOf(id), 'pending');
  assert.equal((await send('/moderation/decisions', { publish, form: value, back: 'status=pending' }, { Cookie: cookie })).headers.get('location'),
    '/moderation?status=pending&done=1&refused=0');
  assert.equal(await statusOf(id), 'published');
});

test('a wrong token signs nobody in, and only /moderation sets a cookie', async () => {
  for (const token of ['', 'wrong', writer]) {
    const answer = await send('/moderation/session', { token });
    assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [403, null]);
  }
  for (const path of ['/', '/moderation', '/products/lamp', '/v1/products/lamp/comments', '/products/lamp/comments.atom', '/sitemap.xml', '/robots.txt',
    '/v1/leaderboard', '/healthz', '/metrics', '/openapi.json', '/nowhere']) {
    const answer = await fetch(server.url + path);
    assert.equal(answer.headers.get('set-cookie'), null, path);
    if (path === '/moderation') assert.match(answer.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  }
  const { cookie, value } = await session();
  const out = await send('/moderation/sign-out', { form: value }, { Cookie: cookie });
  assert.match(out.headers.get('set-cookie'), /^quire-moderation=; Path=\/moderation; Max-Age=0;/);
});

test('axe finds nothing', { timeout: 120_000 }, async () => {
  await post('axe', { text: 'A long text. '.repeat(300), author: 'Ann', language: 'de' });
  const context = await browser.newContext();
  await context.addInitScript({ path: join(here, 'node_modules/axe-core/axe.min.js') });
  const page = await context.newPage();
  const found = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const kind of ['sign-in', 'pending', 'rejected']) {
        if (kind === 'sign-in') await context.clearCookies();
        else if (kind === 'pending') await signIn(page);
        await page.goto(`${server.url}/moderation?status=${kind}`);
        if (process.env.QUIRE_PICTURES) await page.screenshot({ path: join(process.env.QUIRE_PICTURES, `moderation-${kind}-${width}-${colorScheme}.png`), fullPage: true });
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        for (const { id, nodes } of violations) found.push(`${kind} ${width} ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      }
    }
  }
  await context.close();
  assert.deepEqual(found, []);
});
