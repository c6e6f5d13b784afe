// Pictures of comments: from the shop's hosts alone, on the page with their size, in feeds and structured data.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentPath, commentsPath, exportRows, importRows, mustRun, mustVerify, newStore } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const shop = '[shop]\nmedia = ["img.shop.example", "cdn.example"]\n';
const picture = { url: 'https://img.shop.example/r/1.jpg?w=<&>'.replace(/[<>]/g, ''), width: 1200, height: 900, alt: 'The "tent" & me' };

test('customers and tokens show pictures of the shop\'s hosts alone', async () => {
  const server = await serveCustomers({ writing: 'who = "customers"\nedit_days = 9\n', more: `${shop}[moderation]\nhold = "rules"\nlinks = true\n` });
  const ann = server.as('ann');
  const shown = await server.add('42', { rating: 5, media: [picture] }, ann);
  assert.deepEqual(shown.media, [picture]);
  for (const headers of [ann, undefined]) {
    for (const url of ['https://evil.example/1.jpg', 'http://img.shop.example/1.jpg', 'https://img.shop.example:8443/1.jpg', 'https://img.shop.example@evil.example/'])
      (await server.post(commentsPath('42'), { rating: 5, media: [{ ...picture, url }] }, headers)).problem('invalid-comment');
    (await server.post(commentsPath('42'), { rating: 5, media: Array(9).fill(picture) }, headers)).problem('invalid-comment');
  }
  assert.equal((await server.post(commentsPath('42'), { rating: 5, media: [{ ...picture, alt: 'see www.spam.example' }] }, ann)).status, 202, 'rules look at what pictures are said to show');
  const edit = bearer(server.tokens.edit);
  (await server.patch(commentPath(shown.id), { media: [{ ...picture, url: 'https://evil.example/' }] }, edit)).problem('invalid-comment');
  assert.deepEqual((await server.patch(commentPath(shown.id), { media: null }, ann)).expect(200).json.media, undefined);
  assert.deepEqual((await server.patch(commentPath(shown.id), { media: [picture, { ...picture, alt: '' }] }, edit)).expect(200).json.media.length, 2);
  await server.stop();
  const none = await serveCustomers();
  assert.match((await none.post(commentsPath('42'), { rating: 5, media: [picture] }, none.as('ann'))).problem('invalid-comment').detail, /names no host/);
  await none.stop();
});

test('the page loads pictures lazily with their size, and its policy allows their hosts', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: shop, args: ['--public-url', 'https://shop.example'] });
  const { id } = await server.add('42', { rating: 5, media: [picture] }, server.as('ann'));
  for (const path of ['/products/42', `/comments/${id}`]) {
    const page = (await server.get(path)).expect(200);
    assert.match(page.text, /<img src="https:\/\/img\.shop\.example\/r\/1\.jpg\?w=&amp;" width="1200" height="900" alt="The &quot;tent&quot; &amp; me" loading="lazy"/, path);
    assert.match(page.headers['content-security-policy'], /img-src 'self' https:\/\/img\.shop\.example https:\/\/cdn\.example;/, path);
    assert.equal(page.headers['content-security-policy'].split('default-src').length, 2, 'one policy');
  }
  assert.doesNotMatch((await server.get('/v1/facets')).headers['content-security-policy'], /img-src/);
  const data = (await server.get('/products/42')).text.match(/<script type="application\/ld\+json">([^]*?)<\/script>/)[1];
  assert.deepEqual(JSON.parse(data).review[0].image, [picture.url]);
  assert.match((await server.get('/products/42/comments.atom')).text, /<link rel="enclosure" href="https:\/\/img\.shop\.example\/r\/1\.jpg\?w=&amp;"\/>/);
  await server.stop();
  const rows = await exportRows(store);
  assert.deepEqual(rows[0].media, [picture]);
  const copy = newStore();
  await importRows(copy, rows);
  assert.deepEqual(await exportRows(copy), rows, 'an import needs no shop file');
});

test('a picture of a size that is not known has none in answers, exports, pages and feeds', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: shop });
  const url = 'https://img.shop.example/2.jpg';
  const kept = { url, alt: '' };
  const ann = server.as('ann');
  const edit = bearer(server.tokens.edit);
  const { id, media } = await server.add('42', { rating: 5, media: [{ url }, picture] }, ann);
  assert.deepEqual(media, [kept, picture]);
  assert.deepEqual((await server.get(commentPath(id))).json.media, [kept, picture]);
  for (const fault of [{ width: 3 }, { height: 2 }, { width: 0, height: 0 }, { width: null, height: null }]) {
    const { errors } = (await server.post(commentsPath('42'), { rating: 5, media: [picture, { url, ...fault }] }, ann)).problem('invalid-comment');
    assert.ok(Object.keys(errors).every((field) => /^media\.1\.(width|height)$/.test(field)), JSON.stringify([fault, errors]));
    (await server.patch(commentPath(id), { media: [{ url, ...fault }] }, edit)).problem('invalid-comment');
  }
  assert.deepEqual((await server.patch(commentPath(id), { media: [{ url, alt: 'b' }] }, edit)).expect(200).json.media, [{ url, alt: 'b' }]);
  (await server.patch(commentPath(id), { media: [kept, picture] }, edit)).expect(200);
  for (const path of ['/products/42', `/comments/${id}`, '/products/42/fragment']) {
    const { text } = (await server.get(path)).expect(200);
    assert.match(text, /<img src="https:\/\/img\.shop\.example\/2\.jpg" alt="Picture by the writer: [^"]+" loading="lazy"/, path);
    assert.match(text, /1\.jpg\?w=&amp;" width="1200" height="900"/, path);
  }
  const data = (await server.get('/products/42')).text.match(/<script type="application\/ld\+json">([^]*?)<\/script>/)[1];
  assert.deepEqual(JSON.parse(data).review[0].image, [url, picture.url]);
  assert.match((await server.get('/products/42/comments.atom')).text, /<link rel="enclosure" href="https:\/\/img\.shop\.example\/2\.jpg"\/>/);
  await server.stop();
  const rows = await exportRows(store);
  assert.deepEqual(rows[0].media, [kept, picture]);
  const copy = newStore();
  await importRows(copy, rows);
  assert.deepEqual(await exportRows(copy), rows);
  assert.match((await mustRun(['get', id, '--store', copy])).stdout, /^picture +https:\/\/img\.shop\.example\/2\.jpg *$/m);
  await mustVerify(copy, 'after the import');
});

test('pages and feeds show pictures of the present hosts alone', async () => {
  const store = newStore();
  const before = await serveCustomers({ store, more: shop });
  const other = { ...picture, url: 'https://cdn.example/2.png' };
  const { id } = await before.add('42', { rating: 5, media: [picture, other] }, before.as('ann'));
  await before.stop();
  const server = await serveCustomers({ store, more: '[shop]\nmedia = ["cdn.example"]\n', args: ['--customer-key', `${store.slice('lmdb:'.length)}/customer-key`] });
  for (const path of ['/products/42', `/comments/${id}`, '/products/42/fragment?jsonld=true', '/products/42/comments.atom']) {
    const { text } = (await server.get(path)).expect(200);
    assert.match(text, /cdn\.example\/2\.png/, path);
    assert.doesNotMatch(text, /img\.shop\.example/, path);
  }
  assert.equal((await server.get(commentPath(id))).json.media.length, 2);
  await server.stop();
});

test('what is no picture is refused, by field', async () => {
  const server = await serveCustomers({ more: shop });
  const faults = [{ url: 'javascript:alert(1)' }, { url: 'data:image/png;base64,AAAA' }, { url: '//img.shop.example/1.jpg' }, { url: 'HTTPS://img.shop.example/1.jpg' }, { url: 'https://IMG.shop.example/1' },
    { url: 'https://img.shop.example.' }, { url: 'https://img.shop.example.evil.example/' }, { url: 'https://evil.example/img.shop.example' }, { url: 'https://img.shop.example\\@evil.example/' },
    { url: 'https://evil.example#img.shop.example' }, { url: 'https://img.shop.example/a b' }, { url: 'https://img.shop.example/"onerror=' }, { url: 'https://img.shop.example/\u00e9' }, { url: ` ${picture.url}` },
    { url: `https://img.shop.example/${'a'.repeat(2000)}` }, { url: '' }, { url: null }, { width: undefined }, { width: 0 }, { width: -1 }, { height: 20001 }, { width: 1.5 }, { width: '1200' }, { width: 2 ** 64 }, { height: null },
    { alt: 'a'.repeat(301) }, { alt: 'a\u0000' }, { alt: 7 }, { title: 'x' }];
  for (const fault of faults) {
    const { errors } = (await server.post(commentsPath('42'), { rating: 5, media: [picture, { ...picture, ...fault }] }, server.as('ann'))).problem('invalid-comment');
    assert.ok(Object.keys(errors).every((field) => field.startsWith('media.1')), JSON.stringify([fault, errors]));
  }
  for (const media of ['x', {}, [[]], [null], [[picture]]]) (await server.post(commentsPath('42'), { rating: 5, media }, server.as('ann'))).problem('invalid-comment');
  assert.equal((await server.page('42')).total, 0);
  await server.stop();
});
