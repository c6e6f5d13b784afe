// The page of moderators over HTTP: what it shows, its links and forms, forged forms and cookies. In a browser it is worked in page-keyboard.test.mjs.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, mustRun, newStore, newToken } from '../support/harness.mjs';
import { bearer, linked, moderatorsSession, sendForm, serveShop, valuesIn } from '../support/moderation.mjs';

let server;
before(async () => { server = await serveShop({ shop: '[moderation]\nhold = "rules"\nlinks = true\nwords = "words.txt"\nreports = 2\n' }); });
after(() => server?.stop());

const post = async (product, comment) => (await server.post(commentsPath(product), linked(comment))).expect(202).json.id;
const statusOf = async (id) => (await server.get(commentPath(id), server.moderator)).expect(200).json.status;

const send = (path, fields, headers) => sendForm(server, path, fields, headers);
const session = (token = server.tokens.moderate) => moderatorsSession(server, token);
const held = (text) => [...text.matchAll(/class="held"[^>]*>([^<]*)</g)].map(([, told]) => told);

test('a comment tells why it waits: the rule, and the listed word as its text has it', async () => {
  await post('rules', { text: 'Play at the CÁSINO - now!' });
  await post('rules');
  const { page } = await session();
  assert.deepEqual(held(await page('?product=rules')), ['Held: contains “\u2068CÁSINO\u2069”', 'Held: contains a link']);
});

test('a reported comment is kept or rejected', async () => {
  const { id } = await server.add('reported', { rating: 1, text: 'Broke.' });
  (await server.post(`${commentPath(id)}/reports`, { reason: 'fake', note: 'Never bought.' }, { Authorization: '' })).expect(202);
  const { page, decide } = await session();
  const text = await page('?status=reported');
  assert.match(held(text)[0], /^Reported on .*: Fake\. Never bought\.$/);
  assert.match(await decide({ publish: valuesIn(text)[0], back: 'status=reported' }), /^\/moderation\?status=reported&published=1&undo=\w{26}&round_published=1$/);
  assert.match(await page('?status=reported'), /class="empty"/);
  assert.equal(await statusOf(id), 'published');
});

test('a note is kept without a decision, and stands in its field', async () => {
  const id = await post('noted');
  const { page, decide } = await session();
  const noteOf = async () => (await server.get(commentPath(id), server.moderator)).json.note;
  const [chosen] = valuesIn(await page('?product=noted'));
  await decide({ 'keep-note': chosen, [`note-${id}`]: 'Ask "them"' });
  assert.deepEqual([await statusOf(id), await noteOf()], ['pending', 'Ask "them"']);
  const text = await page('?product=noted');
  assert.match(text, new RegExp(`name="note-${id}" maxlength="1000" value="Ask &quot;them&quot;"`));
  await decide({ reject: valuesIn(text)[0], [`reason-${id}`]: 'spam' });
  assert.deepEqual([await statusOf(id), await noteOf()], ['rejected', 'Ask "them"'], 'a form without the field leaves it');
  const [, value] = /name="keep-note" value="([^"]+)"/.exec(await page('?status=rejected&product=noted'));
  await decide({ 'keep-note': value, [`note-${id}`]: '' });
  assert.deepEqual([await statusOf(id), await noteOf()], ['rejected', undefined]);
});

test('tabs count under the filter, and where that takes too long without it', async () => {
  await post('counted', { rating: 1 });
  await post('counted', { rating: 2 });
  const { page } = await session();
  const counts = (text) => [...text.matchAll(/class="order"[^>]*><span>(\w+)(?: <small>([^<]*)<\/small>)?/g)].map(([, label, count]) => `${label} ${count}`);
  assert.deepEqual(counts(await page('?product=counted&rating=1')), ['Pending 1', 'Reported 0', 'Rejected 0', 'Published 0']);
  const kept = newStore();
  await mustRun(['generate', '--comments', '10100', '--products', '2', '--store', kept]);
  const large = await serveShop({ store: kept });
  const { page: ofLarge } = await moderatorsSession(large, large.tokens.moderate);
  assert.equal(counts(await ofLarge('?rating=1'))[3], 'Published 1,000+ in all');
  assert.equal(counts(await ofLarge())[3], 'Published 1,000+');
  await large.stop();
});

test('the page to sign in says what it is, and where a token comes from', async () => {
  const { text } = (await server.get('/moderation')).expect(200);
  assert.match(text, /<h1>Moderation<\/h1>[^]*<h2>Sign in<\/h2>\s*<p>Moderators decide here which reviews of [^<]+ appear\.[^<]*<code>quire token new --scopes moderate<\/code>/);
});

test('of two moderators the second is told', async () => {
  const id = await post('twice');
  const { page, decide } = await session();
  const [publish] = valuesIn(await page('?product=twice'));
  await server.decide([{ id, status: 'rejected', reason: 'spam' }]);
  const location = await decide({ publish });
  assert.match(location, /&refused=1$/);
  assert.match(await page(location.replace('/moderation', '')), /1 review not decided/);
  assert.equal(await statusOf(id), 'rejected');
});

test('pages of the queue lead on and back, and from an empty one to the first', async () => {
  const ids = [];
  for (let i = 0; i < 45; ++i) ids.push(await post('long'));
  const parts = [ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)];
  const { page } = await session();
  let shown = await page('?product=long');
  const link = (pattern) => pattern.exec(shown)?.[1].replaceAll('&amp;', '&');
  const [next, previous] = ['next', 'prev'].map((relation) => () => link(new RegExp(`<a [^>]*href="([^"]*)" rel="${relation}"`)));
  const shows = (part) => assert.deepEqual(valuesIn(shown).map((value) => value.slice(0, 26)), part);
  shows(parts[0]);
  assert.equal(previous(), undefined);
  // From the first page of the product it leads further back while older comments of other products wait.
  for (const [way, part] of [[next, parts[1]], [next, parts[2]], [previous, parts[1]], [previous, parts[0]], [next, parts[1]], [next, parts[2]]]) {
    shown = await page(way());
    shows(part);
  }
  assert.equal(next(), undefined);
  const last = link(/name="back" value="([^"]*)"/);
  await server.decide(parts[2].map((id) => ({ id, status: 'published' })));
  shown = await page(`?${last}`);
  shown = await page(link(/class="empty">[^]*?<a href="([^"]*)"/));
  shows(parts[0]);
});

test('the tab of published comments is newest first, and a form filters each tab', async () => {
  const ids = [];
  for (const [rating, language] of [[1, 'en'], [5, 'de'], [2, 'en'], [5, 'en']]) ids.push((await server.add('shown', { rating, language })).id);
  (await server.put(`${commentPath(ids[0])}/reply`, { text: 'Sorry.', author: 'Mia' }, bearer(server.tokens.reply))).expect(201);
  const waits = await post('shown', { rating: 2 });
  const { page, decide } = await session();
  const shown = (text) => [...text.matchAll(/name="chosen" value="(\w{26}) /g)].map(([, id]) => id);
  const link = (text, pattern) => pattern.exec(text)[1].replaceAll('&amp;', '&');
  const tab = (text, label) => link(text, new RegExp(`href="([^"]*)"[^>]*><span>${label}`));
  const all = await page('?status=published&product=shown');
  assert.deepEqual(shown(all), [...ids].reverse());
  assert.match(all, /Reply from Mia: Sorry\./);
  assert.deepEqual(valuesIn(all), [], 'what is published and not reported waits for no decision');
  assert.match(all, /<p>Newest first<\/p>/);
  const critical = await page('?status=published&product=shown&rating=1&rating=2&sort=created_at&language=&replied=');
  assert.deepEqual(shown(critical), [ids[0], ids[2]]);
  assert.deepEqual([...critical.matchAll(/name="rating" value="(\d)"[^>]* checked/g)].map(([, value]) => value), ['1', '2'], 'the form shows what is asked for');
  assert.match(critical, /<option value="created_at" selected>/);
  assert.deepEqual(shown(await page(tab(critical, 'Pending'))), [waits], 'each tab keeps the filter');
  assert.equal(link(critical, /name="back" value="([^"]*)"/), 'status=published&product=shown&rating=1&rating=2&sort=created_at');
  assert.deepEqual(shown(await page('?status=published&product=shown&replied=false&language=en')), [ids[3], ids[2]]);
  assert.deepEqual(shown(await page('?status=published&product=shown&replied=true')), [ids[0]]);
  assert.match(await page('?status=published&product=shown&rating=3'), /<p class="empty-title">No review matches the filter\.<\/p>/);
  assert.equal(link(critical, /href="([^"]*)">Remove the filter</), '?status=published');
  const conditions = (text) => [...text.matchAll(/class="chip" href="([^"]*)".*?<bdi>([^<]*)/g)].map(([, href, label]) => [label, href.replaceAll('&amp;', '&')]);
  assert.deepEqual(conditions(critical), [
    ['shown', '?status=published&rating=1&rating=2&sort=created_at'], ['1 star', '?status=published&product=shown&rating=2&sort=created_at'],
    ['2 stars', '?status=published&product=shown&rating=1&sort=created_at'], ['Oldest first', '?status=published&product=shown&rating=1&rating=2']]);
  assert.deepEqual(conditions(await page('?status=pending&language=en&replied=false&rule=links&q=%22a%22+b')).map(([label]) => label), ['“&quot;a&quot; b”', 'English', 'Without a reply', 'Held by: Link']);
  assert.deepEqual(conditions(await page('?status=published')), []);
  assert.match(await page('?status=rejected&product=shown&rating=2'), /class="empty">[^]*<a href="\?status=pending">Look at the pending reviews</);
  assert.deepEqual(shown(await page('?status=published&product=shown&rating=9&language=no%20language&sort=rating&replied=x')), [...ids].reverse(), 'a wrong filter is none');
  const [, chosen] = /name="reject" value="([^"]+)"/.exec(await page('?status=published&product=shown&rating=1'));
  await decide({ reject: chosen, [`reason-${ids[0]}`]: 'fake', back: 'status=published' });
  assert.equal(await statusOf(ids[0]), 'rejected');
});

test('forged forms, foreign cookies and cookies of withdrawn tokens change nothing', async () => {
  const id = await post('forged');
  const { cookie, value, page, decide } = await session();
  const [publish] = valuesIn(await page('?product=forged'));
  const tries = [
    [{ publish }, {}], [{ publish, form: value }, {}], [{ publish }, { Cookie: cookie }], [{ publish, form: 'x' }, { Cookie: cookie }],
    [{ publish, form: value }, { Cookie: `${cookie}A` }], [{ publish, form: value }, { Cookie: 'quire-moderation=AAAA' }],
  ];
  for (const [fields, headers] of tries) assert.equal((await send('/moderation/decisions', fields, headers)).status, 403);
  const json = await fetch(`${server.url}/moderation/decisions`, { method: 'POST', body: JSON.stringify({ publish, form: value }), headers: { Cookie: cookie, 'Content-Type': 'text/plain' } });
  assert.equal(json.status, 415);
  assert.equal(await statusOf(id), 'pending');
  // A cookie ends with its token.
  const file = join(server.folder, 'tokens');
  const { token } = await newToken({ file, scopes: 'moderate' });
  const known = async () => (await server.get('/v1/moderation/comments', bearer(token))).status === 200;
  while (!await known());
  const withdrawn = await session(token);
  writeFileSync(file, `${readFileSync(file, 'utf8').trim().split('\n').slice(0, -1).join('\n')}\n`);
  while (await known());
  assert.equal((await send('/moderation/decisions', { publish, form: withdrawn.value }, { Cookie: withdrawn.cookie })).status, 403);
  assert.equal(await statusOf(id), 'pending');
  assert.match(await decide({ publish, back: 'status=pending' }), /^\/moderation\?status=pending&published=1&/);
  assert.equal(await statusOf(id), 'published');
});

test('a wrong token signs nobody in, and who signs out has no cookie', async () => {
  for (const token of ['', 'wrong', server.tokens.post]) {
    const answer = await send('/moderation/session', { token });
    assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [403, null]);
  }
  const { cookie, value } = await session();
  const out = await send('/moderation/sign-out', { form: value }, { Cookie: cookie });
  assert.match(out.headers.get('set-cookie'), /^quire-moderation=; Path=\/moderation; Max-Age=0;/);
  // Nor has whoever copied the cookie, or its form.
  const id = await post('ended');
  assert.match((await server.get('/moderation', { Cookie: cookie })).text, /name="token"/);
  const other = await session();
  const [publish] = valuesIn(await other.page('?product=ended'));
  assert.equal((await send('/moderation/decisions', { publish, form: value }, { Cookie: cookie })).status, 403);
  assert.equal(await statusOf(id), 'pending');
  await other.decide({ publish });
  assert.equal(await statusOf(id), 'published', 'another session goes on');
});

test('with a public URL, forms of its origin alone are taken, whatever host they name', async () => {
  const shop = '[shop]\nembed = ["https://www.shop.example"]\n[writing]\nwho = "anyone"\n';
  const named = await serveShop({ shop, args: ['--public-url', 'https://shop.example'] });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const posted = (path, fields, headers) => named.request('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...form, ...headers } });
  const own = { Host: 'shop.example', Origin: 'https://shop.example' };
  const foreign = [{ ...own, Origin: 'http://shop.example' }, { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    { Host: 'evil.example', Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, { ...own, Origin: 'https://shop.example:444' }, { ...own, Origin: 'null' }, { Host: named.url.slice(7), Origin: named.url }];
  const signIn = (headers) => posted('/moderation/session', { token: named.tokens.moderate }, headers);
  // Whether the form of a review is refused for its origin.
  const refused = async (headers) => {
    const { text } = await named.get('/products/p/review', { Host: 'shop.example' });
    const answer = await posted('/products/p/review', { form: /name="form" value="([^"]+)"/.exec(text)[1], rating: '5', title: 'Fits' }, headers);
    return /from a page that is not this shop/.test(answer.text);
  };
  for (const headers of foreign) {
    assert.equal((await signIn(headers)).status, 403, JSON.stringify(headers));
    assert.ok(await refused(headers), JSON.stringify(headers));
  }
  for (const headers of [own, { ...own, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, {}]) assert.equal((await signIn({ Host: 'shop.example', ...headers })).status, 303, JSON.stringify(headers));
  const embedded = { Host: 'shop.example', Origin: 'https://www.shop.example' };
  assert.equal((await signIn(embedded)).status, 403, 'pages of the shop have no moderators');
  for (const headers of [own, embedded]) assert.equal(await refused(headers), false, JSON.stringify(headers));
  const answer = await signIn(own);
  const Cookie = answer.headers['set-cookie'][0].split(';')[0];
  const { text } = await named.get('/moderation', { ...own, Cookie });
  const value = /name="form" value="([^"]+)"/.exec(text)[1];
  assert.equal((await posted('/moderation/decisions', { form: value }, { ...foreign[0], Cookie })).status, 403);
  assert.equal((await posted('/moderation/decisions', { form: value }, { ...own, Cookie })).status, 303);
  await named.stop();
});

/** Every address that the pages of the server lead to. */
async function publicAddresses() {
  const seen = new Set(['/', '/sitemap.xml', '/robots.txt', '/openapi.json', '/nowhere', '/healthz', '/readyz', '/metrics', '/v1/facets', '/v1/leaderboard', '/v1/statistics?product=walk', commentsPath('walk')]);
  for (const path of seen) {
    const answer = await server.get(path, { Accept: 'text/html', Authorization: '' });
    for (const [, link] of answer.text.matchAll(/(?:href|src)="([^"]+)"|<loc>([^<]+)<\/loc>/g)) {
      if (!link) continue;
      const url = new URL(link.replaceAll('&amp;', '&'), server.url + path);
      if (url.origin === server.url && !url.pathname.startsWith('/moderation') && seen.size < 400) seen.add(url.pathname + url.search);
    }
  }
  return seen;
}

test('no address but those under /moderation sets a cookie, whoever asks', { timeout: 60_000 }, async () => {
  for (let i = 0; i < 25; ++i) await server.add('walk', { rating: 1 + (i % 5), text: 'Fits.' });
  const { id } = (await server.page('walk')).comments[0];
  const { cookie, page } = await session();
  const described = Object.keys((await server.get('/openapi.json')).json.paths).filter((path) => !path.startsWith('/moderation'));
  const addresses = await publicAddresses();
  assert.ok(described.length > 20 && addresses.size > 30, `${described.length} and ${addresses.size} addresses`);
  for (const path of [...addresses, ...described.map((each) => each.replace('{product}', 'walk').replace('{id}', id).replace('{slug}', 'not-found'))]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { headers } = await server.request(method, path, { headers: { Cookie: cookie, ...server.moderator } });
      assert.equal(headers['set-cookie'], undefined, `${method} ${path}`);
    }
  }
  assert.match(await page(), /Signed in as/);
  assert.equal((await server.get('/moderation', { Cookie: cookie })).headers['set-cookie'], undefined, 'reading the queue sets none');
});
