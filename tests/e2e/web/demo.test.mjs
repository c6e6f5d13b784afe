// The first five minutes: what `generate --demo` makes, and what `serve --demo` brings: a shop, pictures, and three links, of which one signs a moderator in, once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { linksOf, startDemo } from './demo.mjs';
import { exportRows, mustRun, mustVerify, newStore, newToken, run, serve, temporaryDirectory } from '../support/harness.mjs';
import { until } from '../support/project.mjs';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const store = newStore();
const log = join(temporaryDirectory(), 'access.log');
let server, links;

const start = (more = [], from = store) => startDemo(from, ['--access-log', log, ...more]);

before(async () => {
  server = await start();
  links = await linksOf(server);
});
after(() => server?.stop());

const send = (path, fields, headers = {}) => server.request('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...form, ...headers } });
const sealedIn = (text) => /name="form" value="([^"]+)"/.exec(text)[1];

// What phones pay for. The page has all that a page can have: facets, topics, picks, pictures, replies, the plan.
test('the page of a product with 20 reviews has at most 32,000 bytes, and 6,700 compressed', async () => {
  const page = async (coding) => (await server.get(links.product, { 'Accept-Encoding': coding })).expect(200);
  const { bytes, text } = await page('identity');
  for (const part of ['class="filters"', 'class="topics"', 'class="pick"', 'class="pictures"', 'class="technical"', '/report"']) assert.ok(text.includes(part), part);
  assert.equal(text.match(/<article class="comment"/g).length, 20);
  assert.ok(bytes.length <= 32_000, `${bytes.length} bytes`);
  for (const coding of ['gzip', 'zstd']) {
    const { bytes: packed, headers } = await page(coding);
    assert.equal(headers['content-encoding'], coding);
    assert.ok(packed.length <= 6_700, `${packed.length} bytes by ${coding}`);
  }
});

test('generate --demo makes the same shop each time, and a second call adds nothing', async () => {
  const [one, other] = [newStore(), newStore()];
  for (const each of [one, other]) assert.match((await mustRun(['generate', '--demo', '--store', each])).stdout, /^60\d\d added, 0 already there\n$/);
  const [rows, again] = await Promise.all([exportRows(one), exportRows(other)]);
  assert.deepEqual(again, rows);
  assert.match((await mustRun(['generate', '--demo', '--store', one])).stdout, /^0 added, 60\d\d already there\n$/);
  assert.deepEqual(await exportRows(one), rows);
  await mustVerify(one, 'after generate --demo');
  const facts = (await mustRun(['export', '--products', '--store', one])).stdout.trim().split('\n').map(JSON.parse);
  assert.equal(facts.length, 8);
  for (const { name, brand, image } of facts) assert.ok(name && brand && image.startsWith('https://demo.quire.example/'));
  const comments = rows.filter((row) => row.id);
  assert.ok(comments.filter((row) => row.reply).length > 50, 'replies');
  assert.ok(comments.filter((row) => row.media?.length).length > 200, 'pictures');
  assert.ok(comments.filter((row) => row.attributes?.helpful > 10).length > 100, 'votes');
  assert.equal(comments.filter((row) => row.status === 'pending').length, 10);
  assert.equal((await run(['generate', '--demo', '--stdout'])).status, 2);
});

test('a demo fills an empty store, and no store that the command names', async () => {
  assert.deepEqual(Object.keys(links), ['product', 'form', 'moderation']);
  assert.match((await server.get(links.product)).expect(200).text, /<h1>Reviews of <bdi>Ridge trail running shoe</);
  const named = await serve({ bare: false, args: ['--demo'] });
  await named.says(/^ {2}no comments yet: quire generate --demo --store lmdb:\S+$/m);
  assert.deepEqual((await named.get('/v1/leaderboard')).expect(200).json.products, []);
  assert.deepEqual(Object.keys(await linksOf(named)), ['moderation']);
  await named.stop();
  for (const address of ['0.0.0.0:0', '[::]:0']) {
    const refused = await run(['serve', '--demo', '--store', newStore(), '--listen', address]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /loopback/);
  }
});

test('it has its pictures itself, and no other server has them', async () => {
  const pages = await Promise.all([links.product, `${links.product}?has_media=true`, '/'].map(async (path) => (await server.get(path)).expect(200).text));
  const pictures = new Set(pages.join('').match(/\/demo\/[\w-]+\.svg/g));
  assert.ok(pictures.size > 3, [...pictures].join());
  for (const path of pictures) {
    const picture = (await server.get(path)).expect(200);
    assert.equal(picture.headers['content-type'], 'image/svg+xml');
    assert.match(picture.text, /^<svg .*<\/svg>$/);
  }
  for (const path of ['/demo/none.svg', '/demo/tent', '/demo/tent-0.svg', '/demo/tent.png']) (await server.get(path)).expect(404);
  const other = await serve({ args: [] });
  (await other.get('/demo/tent.svg')).expect(404);
  await other.stop();
});

test('anyone on this machine may send the form, and a link waits for a moderator', async () => {
  const sealed = sealedIn((await server.get(links.form)).expect(200).text);
  await new Promise((done) => setTimeout(done, 3100)); // the form's least time
  const review = { form: sealed, rating: '4', title: 'Fits', text: 'See https://me.example/shoe' };
  (await send(links.form, review, { Host: 'evil.example' })).expect(403);
  (await send(links.form, review, { Origin: 'https://evil.example' })).expect(403);
  const sent = (await send(links.form, review)).expect(200).text;
  assert.match(sent, /once a moderator approves it/);
});

test('the link signs in by its button alone, once, and from this machine', async () => {
  const secret = new URL(links.moderation, server.url).searchParams.get('secret');
  for (let i = 0; i < 2; ++i) {
    const page = (await server.get(links.moderation)).expect(200); // as a prefetch does
    assert.match(page.text, new RegExp(`<input type="hidden" name="secret" value="${secret}">`));
    assert.equal(page.headers['set-cookie'], undefined);
  }
  const spend = (headers, value = secret) => send('/moderation/session', { secret: value }, headers);
  for (const headers of [{ Host: 'evil.example' }, { Host: '192.0.2.1' }, { Origin: 'https://evil.example' }, { Origin: 'null' }]) {
    const refused = await spend(headers);
    assert.equal(refused.status, 403, JSON.stringify(headers));
    assert.equal(refused.headers['set-cookie'], undefined);
  }
  (await spend({}, `${secret.slice(0, -1)}x`)).expect(403);
  const signed = (await spend({ Origin: server.url })).expect(303);
  const cookie = signed.headers['set-cookie'][0].split(';')[0];
  const queue = (await server.get('/moderation', { Cookie: cookie })).expect(200).text;
  assert.match(queue, /Held: contains a link/);
  const publish = /name="publish" value="([^"]+)"/.exec(queue)[1];
  (await send('/moderation/decisions', { form: sealedIn(queue), publish }, { Cookie: cookie })).expect(303);
  (await server.get(`/v1/comments/${publish.split(' ')[0]}`)).expect(200);
  assert.match((await server.get('/moderation?status=reported', { Cookie: cookie })).expect(200).text, /from \u2068Ann Smith, ann@example\.com\u2069/);
  const again = (await spend({})).expect(403);
  assert.match(again.text, /This link was used already/);
  assert.equal(again.headers['set-cookie'], undefined);
  let lines = '';
  await until('the log has the request', () => (lines = readFileSync(log, 'utf8')).includes('/moderation?secret=*'));
  assert.ok(!lines.includes(secret), 'no log has the secret');
});

test('a demo beside tokens has no moderator but theirs; a file of tokens that is missing is none', async () => {
  const tokens = await newToken({ scopes: 'moderate' });
  const with_ = await serve({ bare: false, args: ['--demo', '--tokens', tokens.file] });
  assert.ok(!('moderation' in await linksOf(with_)));
  await with_.stop();
  const without = await serve({ bare: false, args: ['--demo', '--tokens', join(temporaryDirectory(), 'none')] });
  assert.ok('moderation' in await linksOf(without));
  await without.stop();
});

test('SIGHUP leaves the shop of a demo as it is', async () => {
  const demo = await serve({ bare: false, args: ['--demo'] });
  demo.process.child.kill('SIGHUP');
  await demo.says(/SIGHUP: logs are opened again/);
  assert.doesNotMatch(demo.output, /shop\.toml/);
  (await demo.get('/products/p/review')).expect(200);
  await demo.stop();
});
