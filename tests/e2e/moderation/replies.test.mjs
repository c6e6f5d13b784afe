// The shop's reply: in the comment, on the page, in the feed and structured data, in exports, and by command.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, exportRows, importRows, mustRun, mustVerify, newStore, run } from '../support/harness.mjs';
import { bearer, linked, serveShop } from '../support/moderation.mjs';

const replyPath = (id) => `${commentPath(id)}/reply`;
const thanks = { author: 'Mia & Co', text: 'Thank you.\n<b>Bye</b>' };

test('a reply is put, changed and removed by the scope reply alone', async () => {
  const server = await serveShop({ args: ['--public-url', 'https://shop.example'] });
  const mia = bearer(server.tokens.reply);
  const { id } = await server.add('42', { rating: 4, title: 'Fits' });
  (await server.put(replyPath(id), thanks)).problem('forbidden');
  (await server.put(replyPath(id), thanks, { Authorization: '' })).problem('unauthorized');
  const first = (await server.put(replyPath(id), thanks, mia)).expect(201);
  assert.deepEqual({ ...first.json, created_at: undefined }, { ...thanks, created_at: undefined });
  const comment = (await server.get(commentPath(id))).expect(200);
  assert.deepEqual(comment.json.reply, first.json);
  assert.equal(comment.headers.etag, first.headers.etag);
  const again = (await server.put(replyPath(id), thanks, mia)).expect(200);
  assert.deepEqual(again.json, first.json, 'the same reply keeps its time');
  assert.equal((await server.put(replyPath(id), { text: 'Other' }, { ...mia, 'If-Match': '"0"' })).status, 412);
  const other = (await server.put(replyPath(id), { text: 'Other' }, { ...mia, 'If-Match': first.headers.etag })).expect(200).json;
  assert.deepEqual([other.author, other.text], ['', 'Other']);
  for (const wrong of [{}, { text: '' }, { text: ' \n\t' }, { text: 7 }, { text: 'a', created_at: '2024-01-01T00:00:00Z' }, { text: 'a'.repeat(50001) }])
    (await server.put(replyPath(id), wrong, mia)).problem('invalid-comment');
  (await server.delete(replyPath(id), mia)).expect(204);
  (await server.delete(replyPath(id), mia)).problem('not-found');
  assert.equal((await server.get(commentPath(id))).json.reply, undefined);
  (await server.put(replyPath('01JD5ZK3V8Q6W3N0A9B7C5D2EF'), thanks, mia)).problem('not-found');
  const held = (await server.post('/v1/products/42/comments', linked())).expect(202).json;
  (await server.put(replyPath(held.id), thanks, mia)).problem('not-found');
  (await server.put(replyPath(held.id), thanks, bearer(server.tokens.admin))).expect(201);
  (await server.patch(commentPath(id), { reply: thanks }, bearer(server.tokens.edit))).problem('invalid-comment');
  (await server.post('/v1/products/42/comments', { rating: 4, reply: thanks })).problem('invalid-comment');
  await server.stop();
});

test('page, feed and structured data show the reply, as text', async () => {
  const server = await serveShop({ args: ['--public-url', 'https://shop.example'] });
  const { id } = await server.add('42', { rating: 4, title: 'Fits', text: 'Warm' });
  const before = (await server.get('/products/42')).expect(200).text;
  assert.doesNotMatch(before, /class="reply"/);
  await server.put(replyPath(id), thanks, bearer(server.tokens.reply));
  const page = (await server.get('/products/42')).expect(200).text;
  assert.match(page, /<bdi>Reply from Mia &amp; Co<\/bdi>/);
  assert.match(page, /Thank you\.\n&lt;b&gt;Bye&lt;\/b&gt;/);
  const [, data] = page.match(/<script type="application\/ld\+json">([^]*?)<\/script>/);
  const { comment } = JSON.parse(data).review[0];
  assert.deepEqual({ ...comment, datePublished: undefined }, { '@type': 'Comment', author: { '@type': 'Organization', name: thanks.author }, datePublished: undefined, text: thanks.text });
  assert.match((await server.get('/products/42/comments.atom')).expect(200).text, />Warm\n\nReply from Mia &amp; Co:\nThank you\./);
  await server.stop();
});

test('replied and has_media are facets that need no attribute', async () => {
  const store = newStore();
  await mustRun(['facet', 'add', 'replied', '--type', 'flag', '--store', store]);
  assert.equal((await run(['facet', 'add', 'has_media', '--type', 'number', '--store', store])).status, 2);
  const server = await serveShop({ store, shop: '[shop]\nmedia = ["img.shop.example"]\n' });
  const ids = [];
  for (let i = 0; i < 4; ++i) ids.push((await server.add('42', { rating: 4, media: i === 3 ? [{ url: 'https://img.shop.example/1', width: 3, height: 2 }] : [] })).id);
  await server.put(replyPath(ids[1]), thanks, bearer(server.tokens.reply));
  const shown = async (query) => (await server.page('42', query)).comments.map(({ id }) => id).reverse();
  assert.deepEqual(await shown({ replied: true }), [ids[1]]);
  assert.deepEqual(await shown({ replied: false }), [ids[0], ids[2], ids[3]]);
  assert.deepEqual((await server.page('42', { facets: true })).facets.replied, { true: 1, false: 3 });
  assert.match((await server.get('/v1/products/42/comments?has_media=true')).problem('invalid-parameter').detail, /quire facet add has_media --type flag/);
  await mustRun(['facet', 'add', 'has_media', '--type', 'flag', '--store', store]);
  for (let i = 0; i < 100 && (await server.get('/v1/products/42/comments?has_media=true')).status !== 200; ++i) await new Promise((done) => setTimeout(done, 100));
  assert.deepEqual(await shown({ has_media: true }), [ids[3]], 'built of comments that are there');
  await server.delete(replyPath(ids[1]), bearer(server.tokens.reply));
  assert.deepEqual(await shown({ replied: true }), []);
  await server.stop();
  await mustVerify(store, 'after replies');
});

test('quire reply, over the store and beside a server; exports and imports have replies', async () => {
  const store = newStore();
  const server = await serveShop({ store });
  const { id } = await server.add('42', { rating: 4, title: 'Fits' });
  const audit = join(server.folder, 'audit.log');
  const { folder, tokens, url } = server;
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(folder, 'mia.token'), tokens.reply);
  const beside = ['--server', url, '--token-file', join(folder, 'mia.token')];
  assert.equal((await mustRun(['reply', id, '--text', 'Thank you', ...beside])).stdout, `replied to ${id}\n`);
  assert.equal((await run(['reply', '01JD5ZK3V8Q6W3N0A9B7C5D2EF', '--text', 'Thank you', ...beside])).status, 1);
  assert.equal((await server.get(commentPath(id))).json.reply.text, 'Thank you');
  await server.stop();
  await mustRun(['reply', id, '--text', 'Bye', '--author', 'Mia', '--store', store, '--audit-log', audit]);
  assert.match(readFileSync(audit, 'utf8'), /"reply_characters":3/);
  assert.equal((await run(['reply', id, '--store', store])).status, 2);
  const [row] = await exportRows(store);
  assert.deepEqual({ ...row.reply, created_at: 0 }, { author: 'Mia', text: 'Bye', created_at: 0 });
  const copy = newStore();
  await importRows(copy, [row]);
  assert.deepEqual(await exportRows(copy), [row]);
  await mustRun(['reply', id, '--remove', '--store', store]);
  assert.equal((await exportRows(store))[0].reply, undefined);
});
