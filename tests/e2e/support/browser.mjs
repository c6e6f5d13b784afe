// A Chromium for the tests, and a page that notes everything which should not happen: errors, refused loads, dialogs.

import assert from 'node:assert/strict';
import http from 'node:http';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { idsOf } from './client.mjs';

// Without a browser around the page, Chromium takes less than half of the processor time.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export function launch() {
  if (!existsSync(executablePath)) throw new Error(`no Chromium at ${executablePath}: install it, or set CHROMIUM`);
  return chromium.launch({ executablePath, args });
}

/** Runs the visit with a new page. `troubles` lists everything that goes wrong in the page. */
export async function visit(browser, { javaScriptEnabled = true, width = 1280, height = 900 } = {}, visitor) {
  const context = await browser.newContext({ javaScriptEnabled, locale: 'en-US', viewport: { width, height } });
  context.setDefaultTimeout(10_000);
  const troubles = [];
  const page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('response', (response) => { if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`); });
  page.on('dialog', (dialog) => { troubles.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  if (javaScriptEnabled) {
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  }
  try {
    await visitor(page, troubles);
  } finally {
    await context.close();
  }
}

/** The ids of the comments on the page, in order. */
export function shownIds(page) {
  return page.locator('article.comment').evaluateAll((articles) => articles.map((article) => article.id.slice(2)));
}

/** Waits until the page shows these ids in this order. Returns the ids that the page shows at the end. */
export async function waitForIds(page, ids, milliseconds = 5_000) {
  const wanted = JSON.stringify(ids);
  const end = Date.now() + milliseconds;
  for (;;) {
    const shown = await shownIds(page).catch(() => undefined); // between two pages
    if (JSON.stringify(shown) === wanted || Date.now() > end) return shown;
    await page.waitForTimeout(30);
  }
}

/** Checks that the page comes to show the comments that the interface gives for this query. */
export async function showsQuery(page, server, product, query, what) {
  const wanted = idsOf(await server.page(product, query));
  assert.ok(wanted.length > 0, `${what}: the sample has such comments`);
  assert.deepEqual(await waitForIds(page, wanted), wanted, `${what}: at ${page.url()}`);
}

/** Checks that no element makes the page wider than this. */
export async function fitsWidth(page, width) {
  const found = await page.evaluate(() => {
    const inner = document.documentElement.clientWidth;
    const beyond = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > inner + 1);
    return { scroll: document.documentElement.scrollWidth, inner, beyond: beyond.slice(0, 5).map((element) => element.outerHTML.slice(0, 100)) };
  });
  assert.ok(found.scroll <= found.inner && found.inner <= width, `${page.url()} is ${found.scroll} px wide: ${found.beyond.join('\n')}`);
}

/** How far what the page shows has moved by itself since it was opened: the sum of its layout shifts. */
export const shiftOf = (page) => page.evaluate(() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(sum), 100));
}));

const applyButton = (page) => page.getByRole('button', { name: /apply/i }).first();

/** Changes the form. A page without a visible Apply button must follow by itself; the function waits for that. */
async function choose(page, action) {
  if (await applyButton(page).isVisible()) return action();
  const before = page.url();
  await action();
  await page.waitForURL((url) => url.href !== before);
}

/** Sets a filter's checkbox as a visitor does. Unfolds the filters first where they are folded. */
export async function setFilter(page, name, value, on = true) {
  const box = page.locator(`input[type="checkbox"][name="${name}"][value="${value}"]`).first();
  const reveal = page.locator('.reveal-label');
  if (await reveal.isVisible() && !(await page.locator('form#filters').isVisible())) await reveal.click();
  if (!(await box.isVisible())) await page.locator('details', { has: box }).locator('summary').click();
  if ((await box.isChecked()) !== on) await choose(page, () => box.setChecked(on));
}

/** Presses Apply. A page that follows each choice by itself shows no such button. */
export async function apply(page) {
  if (await applyButton(page).isVisible()) await applyButton(page).click();
}

/** Chooses an order by the control that the page has: a list, radio buttons or a link. */
export async function chooseSort(page, sort) {
  const list = page.locator('select[name="sort"]');
  const radio = page.locator(`input[type="radio"][name="sort"][value="${sort}"]`);
  if (await list.count()) {
    await choose(page, () => list.first().selectOption(sort));
    await apply(page);
  } else if (await radio.count()) {
    await choose(page, () => radio.first().check());
    await apply(page);
  } else {
    await page.locator(`a[href*="sort=${encodeURIComponent(sort)}"]`).first().click();
  }
}

// Pages of a shop, or of a stranger: another port of the loopback is another origin.
const servers = new Set();
after(() => { for (const server of servers) { server.closeAllConnections(); server.close(); } });

/** Serves pages: `pages` has for each path its HTML, or a function of the request that gives {headers, body} or HTML. `asked` lists the requests. */
export async function site(pages = {}) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    const url = new URL(`http://site${request.url}`);
    asked.push(`${request.method} ${request.url}`);
    const page = pages[url.pathname];
    if (page === undefined) { response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end(); return; }
    const made = typeof page === 'function' ? await page(url, request) : page;
    const { headers = {}, body } = typeof made === 'string' ? { body: made } : made;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  servers.add(server);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, pages, asked };
}

export const embedOf = (...origins) => `[shop]\nembed = ${JSON.stringify(origins)}\n`;
