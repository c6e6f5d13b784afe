// Customers write by a signed token or an invitation; what they may send, and what they see of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentPath, commentsPath } from '../support/harness.mjs';
import { serveCustomers } from '../support/customers.mjs';

const good = { rating: 5, title: 'Fits', text: 'Well made' };

test('a customer writes under the name that the shop gives, verified by proof alone', async () => {
  const server = await serveCustomers();
  const post = async (claims, comment = good) => (await server.post(commentsPath('42'), comment, server.as('ann', claims))).expect(201).json;
  const named = await post({ name: 'Ann', purchases: ['42'] });
  assert.deepEqual([named.author, named.attributes, named.customer], ['Ann', { verified: true }, undefined]);
  assert.equal((await post({ purchases: ['43'] }, { ...good, author: 'Typed' })).attributes, undefined);
  assert.deepEqual((await post({ verified: true })).attributes, { verified: true });
  assert.equal((await server.get(commentPath(named.id))).expect(200).text.includes('customer'), false);
  for (const member of [{ author: 'Bob' }, { created_at: '2024-01-01T00:00:00Z' }, { status: 'published' }, { attributes: { verified: true } }, { customer: 'x' }])
    (await server.post(commentsPath('42'), { ...good, ...member }, server.as('ann', { name: 'Ann' }))).problem('invalid-comment');
  await server.stop();
});

test('a customer writes in a language that CLDR knows; a program of the shop in any', async () => {
  const server = await serveCustomers({ writing: 'who = "customers"\nedit_days = 1\n' });
  const post = (language, as = server.as('ann')) => server.post(commentsPath('42'), { ...good, author: 'Ann', language }, as);
  for (const language of ['qq', 'xyz', 'en-QQ', 'en-Abcd', 'de_Abcd_999']) {
    const { errors, detail } = (await post(language)).problem('invalid-comment');
    assert.deepEqual(Object.keys(errors), ['language'], language);
    assert.match(detail, /CLDR does not know/);
  }
  for (const language of ['en', 'pt-BR', 'zh-Hant', 'gsw-CH', 'es-419', 'und', 'iw']) (await post(language)).expect(201);
  const { id } = (await post('de')).expect(201).json;
  const patch = (language) => server.patch(commentPath(id), { language }, server.as('ann'));
  (await patch('qq')).problem('invalid-comment');
  (await patch('fr')).expect(200);
  await server.stop();
});

test('a token that is not valid is a 401, a valid one that may not a 403', async () => {
  const server = await serveCustomers();
  const ann = server.as('ann');
  (await server.post(commentsPath('42'), good, server.as('ann', { aud: 'other' }))).problem('unauthorized');
  (await server.post(commentsPath('42'), good, server.as('ann', { exp: 1 }))).problem('unauthorized');
  (await server.post('/v1/invitations', { invitations: [] }, ann)).problem('forbidden');
  (await server.get('/v1/moderation/comments', ann)).problem('forbidden');
  (await server.get('/v1/me/comments')).problem('unauthorized');
  await server.stop();
  const closed = await serveCustomers({ writing: 'who = "nobody"\n' });
  (await closed.post(commentsPath('42'), good, closed.as('ann'))).problem('forbidden');
  await closed.stop();
});

test('once: the second comment of a customer for a product is told the first', async () => {
  const server = await serveCustomers({ writing: 'who = "customers"\nonce = true\n' });
  const first = await server.add('42', good, server.as('ann'));
  const again = (await server.post(commentsPath('42'), good, server.as('ann'))).problem('already-written');
  assert.equal(again.comment, first.id);
  await server.add('43', good, server.as('ann'));
  await server.add('42', good, server.as('bob'));
  (await server.delete(commentPath(first.id), server.as('ann'))).expect(204);
  await server.add('42', good, server.as('ann'));
  await server.stop();
});

test('one\'s own comments are listed in any status, changed for a while, and deleted', async () => {
  const server = await serveCustomers({ writing: 'who = "customers"\nedit_days = 30\nfields = ["size"]\n', more: '[moderation]\nhold = "rules"\nlinks = true\n' });
  const [ann, bob] = [server.as('ann'), server.as('bob')];
  const shown = await server.add('42', { ...good, attributes: { size: 'L' } }, ann);
  const held = (await server.post(commentsPath('42'), { rating: 1, text: 'https://spam.example' }, ann)).expect(202).json;
  const own = (await server.get('/v1/me/comments', ann)).expect(200);
  assert.equal(own.headers['cache-control'], 'private, no-store');
  assert.deepEqual(own.json.comments.map(({ id, status }) => [id, status]), [[held.id, 'pending'], [shown.id, 'published']]);
  assert.equal(own.text.includes('held_by'), false);
  assert.deepEqual((await server.get('/v1/me/comments', bob)).expect(200).json, { comments: [], page: {} });
  const changed = (await server.patch(commentPath(shown.id), { rating: 3, attributes: { size: 'M' } }, ann)).expect(200).json;
  assert.deepEqual([changed.rating, changed.attributes], [3, { size: 'M' }]);
  (await server.patch(commentPath(shown.id), { attributes: { helpful: 9 } }, ann)).problem('invalid-comment');
  (await server.patch(commentPath(shown.id), { status: 'published' }, ann)).problem('invalid-comment');
  (await server.patch(commentPath(shown.id), { rating: 1 }, bob)).problem('forbidden');
  (await server.patch(commentPath(held.id), { rating: 1 }, bob)).problem('not-found');
  (await server.delete(commentPath(shown.id), bob)).problem('forbidden');
  assert.equal((await server.patch(commentPath(shown.id), { attributes: { size: 'www.spam.example' } }, ann)).expect(200).json.status, 'pending');
  assert.equal((await server.delete(commentPath(held.id), bob)).status, 404);
  (await server.delete(commentPath(shown.id), bob)).problem('not-found');
  (await server.delete(commentPath(held.id), ann)).expect(204);
  await server.stop();
});

test('the rule "first" holds a customer\'s comments until one is published', async () => {
  const server = await serveCustomers({ more: '[moderation]\nhold = "rules"\nfirst = true\n' });
  const held = (await server.post(commentsPath('42'), good, server.as('ann'))).expect(202).json;
  (await server.post(commentsPath('43'), good, server.as('ann'))).expect(202);
  await server.decide([{ id: held.id, status: 'published' }]);
  (await server.post(commentsPath('44'), good, server.as('ann'))).expect(201);
  (await server.post(commentsPath('44'), good, server.as('bob'))).expect(202);
  (await server.post(commentsPath('44'), good)).expect(201); // the shop's own program
  await server.stop();
});

test('an invitation makes one comment of its product', async () => {
  const server = await serveCustomers({ args: ['--public-url', 'https://shop.example'] });
  const admin = { Authorization: `Bearer ${server.tokens.admin}` };
  const invite = async (...invitations) => (await server.post('/v1/invitations', { invitations }, admin)).expect(201).json.invitations;
  const [{ ticket, link, ends, product }, second] = await invite({ product: '4 2', customer: 'ann', name: 'Ann' }, { product: '43', customer: 'ann', days: 1 });
  assert.deepEqual([product, link], ['4 2', `https://shop.example/products/4%202/review?ticket=${ticket}`]);
  const days = (Date.parse(ends) - Date.now()) / 86_400_000;
  assert.ok(days > 60 && days <= 61, ends);
  assert.match(ends, /T00:00:00/);
  const send = (target, text, comment = good, headers = {}) => {
    const body = Buffer.from(JSON.stringify(comment));
    return server.request('POST', commentsPath(target), { body, headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, Invitation: text, ...headers } });
  };
  const made = (await send('4 2', ticket)).expect(201).json;
  assert.deepEqual([made.author, made.attributes], ['Ann', { verified: true }]);
  assert.equal((await send('4 2', ticket)).problem('already-written').comment, made.id);
  (await send('42', second.ticket)).problem('forbidden');
  (await send('43', second.ticket.slice(0, -1) + (second.ticket.endsWith('A') ? 'B' : 'A'))).problem('unauthorized');
  (await send('43', second.ticket, good, server.as('ann'))).problem('invalid-parameter');
  (await send('43', second.ticket)).expect(201);
  const [both] = await invite({ products: ['44', '45'], customer: 'ann' });
  assert.deepEqual([both.products, both.product, both.link], [['44', '45'], undefined, `https://shop.example/review?ticket=${both.ticket}`]);
  for (const each of ['44', '45']) {
    const { id } = (await send(each, both.ticket)).expect(201).json;
    const { comment, detail } = (await send(each, both.ticket)).problem('already-written');
    assert.deepEqual([comment, detail], [id, `This invitation was used for this product: it makes one comment of each of its products. The first one is ${id}.`]);
  }
  (await send('46', both.ticket)).problem('forbidden');
  for (const wrong of [{ products: [] }, { products: ['44', '44'] }, { products: '44' }, { products: [44] }, { product: '44', products: ['45'] }, {}, { products: Array.from({ length: 21 }, (_, i) => `${i}`) }, { products: ['a'.repeat(250), 'b'.repeat(251)] }])
    (await server.post('/v1/invitations', { invitations: [{ customer: 'ann', ...wrong }] }, admin)).problem('invalid-comment');
  assert.equal((await server.get('/v1/me/comments', server.as('ann'))).json.comments.length, 4);
  await server.stop();
});

test('anyone may write where the shop says so, and sends no more than a customer', async () => {
  const server = await serveCustomers({ writing: 'who = "anyone"\nfields = ["size"]\n' });
  const send = (comment) => server.request('POST', commentsPath('42'), { body: JSON.stringify(comment), headers: { 'Content-Type': 'application/json', 'Content-Length': JSON.stringify(comment).length } });
  (await send({ ...good, author: 'Ann', attributes: { size: 'L' } })).expect(201);
  (await send({ ...good, attributes: { verified: true } })).problem('invalid-comment');
  (await send({ ...good, created_at: '2024-01-01T00:00:00Z' })).problem('invalid-comment');
  await server.stop();
});

test('the form of a product makes no comment of another', async () => {
  const server = await serveCustomers({ writing: 'who = "anyone"\n' });
  const [, form] = /name="form" value="([^"]+)"/.exec((await server.get('/products/42/review')).expect(200).text);
  const send = (product) => server.request('POST', `/products/${product}/review`, { body: new URLSearchParams({ form, rating: '5' }).toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  (await send('43')).expect(400);
  (await send('42')).expect(422); // sooner than a person fills it in
  await server.stop();
});

test('logs have neither tickets nor tokens nor ids', async () => {
  const server = await serveCustomers();
  await server.add('42', good, server.as('customer-of-secret-id'));
  await server.get('/products/42?ticket=secret-ticket&utm=1&tok%65n=secret-token');
  const { stderr } = await server.stop();
  assert.match(stderr, /products\/42\?ticket=\*&utm=1&tok%65n=\*/);
  assert.equal(/secret/.test(stderr), false);
});
