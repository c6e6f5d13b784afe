// Customers vote: once each, changed and taken back, on published comments of others; what else may change the counts.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentPath, commentsPath, exportRows, importRows, mustRun, mustVerify, newStore, run } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const votePath = (id) => `${commentPath(id)}/vote`;
const votes = '[votes]\nwho = "customers"\n';

test('a customer learns of the votes on the comments that a page shows, and which of them are own ones', async () => {
  const server = await serveCustomers({ more: votes });
  const [ann, bob] = ['ann', 'bob'].map((id) => server.as(id));
  const ids = [];
  for (let i = 0; i < 4; ++i) ids.push((await server.add(`p-${i}`, { rating: 5 }, i === 3 ? bob : ann)).id);
  const ask = (named, who = bob) => server.get(`/v1/me/votes?${named.map((id) => `comment=${id}`).join('&')}`, who);
  (await server.put(votePath(ids[0]), { vote: 'helpful' }, bob)).expect(200);
  (await server.put(votePath(ids[1]), { vote: 'unhelpful' }, bob)).expect(200);
  const answer = (await ask(ids)).expect(200);
  assert.deepEqual(answer.json, { votes: { [ids[0]]: 'helpful', [ids[1]]: 'unhelpful' }, own: [ids[3]] });
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  assert.equal(answer.headers.etag, undefined);
  assert.deepEqual((await ask(ids, ann)).json, { votes: {}, own: ids.slice(0, 3) });
  assert.deepEqual((await ask([ids[1].toLowerCase(), ids[1]])).json, { votes: { [ids[1]]: 'unhelpful' }, own: [] });
  assert.deepEqual((await ask(['01JD5ZK3V8Q6W3N0A9B7C5D2EF'])).json, { votes: {}, own: [] });
  (await server.delete(votePath(ids[0]), bob)).expect(204);
  assert.deepEqual((await ask(ids.slice(0, 1))).json, { votes: {}, own: [] }, 'taken back');
  (await ask(Array.from({ length: 100 }, () => ids[1]))).expect(200);
  for (const wrong of [[], ['x'], [''], Array.from({ length: 101 }, () => ids[1])]) (await ask(wrong)).problem('invalid-parameter', { parameter: 'comment' });
  (await server.get(`/v1/me/votes?comment=${ids[1]}&limit=1`, bob)).problem('invalid-parameter', { parameter: 'limit' });
  for (const nobody of [{}, { Authorization: `Bearer ${server.token}` }, { Authorization: 'Bearer a.b.c' }]) (await ask(ids, nobody)).problem('unauthorized');
  await server.stop();
});

test('a customer has one vote on a comment, changed and taken back exactly', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: votes });
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((id) => server.as(id));
  const comment = await server.add('42', { rating: 5, title: 'Fits' }, ann);
  const attributes = async () => (await server.get(commentPath(comment.id))).expect(200).json.attributes;
  const vote = async (who, vote) => (await server.put(votePath(comment.id), { vote }, who)).expect(200).json;
  assert.deepEqual(await vote(bob, 'helpful'), { vote: 'helpful', helpful: 1, unhelpful: 0 });
  assert.deepEqual(await vote(bob, 'helpful'), { vote: 'helpful', helpful: 1, unhelpful: 0 });
  assert.deepEqual(await vote(eve, 'unhelpful'), { vote: 'unhelpful', helpful: 1, unhelpful: 1 });
  assert.deepEqual(await vote(bob, 'unhelpful'), { vote: 'unhelpful', helpful: 0, unhelpful: 2 });
  assert.deepEqual(await attributes(), { unhelpful: 2 });
  for (const who of [bob, eve, bob]) (await server.delete(votePath(comment.id), who)).expect(204);
  assert.deepEqual((await server.get(commentPath(comment.id))).json, comment, 'nothing is left');
  (await server.put(votePath(comment.id), { vote: 'helpful' }, ann)).problem('forbidden');
  (await server.put(votePath('01JD5ZK3V8Q6W3N0A9B7C5D2EF'), { vote: 'helpful' }, bob)).problem('not-found');
  (await server.delete(votePath('01JD5ZK3V8Q6W3N0A9B7C5D2EF'), bob)).problem('not-found');
  for (const wrong of [{}, { vote: 'up' }, { vote: 'helpful', more: 1 }, [], { vote: 1 }]) (await server.put(votePath(comment.id), wrong, bob)).problem('invalid-comment');
  (await server.put(votePath(comment.id), { vote: 'helpful' })).problem('unauthorized');
  (await server.put(votePath(comment.id), { vote: 'helpful' }, { Authorization: '' })).problem('unauthorized');
  await vote(bob, 'helpful');
  await server.decide([{ id: comment.id, status: 'pending' }]);
  (await server.put(votePath(comment.id), { vote: 'unhelpful' }, bob)).problem('not-found');
  await server.decide([{ id: comment.id, status: 'published' }]);
  assert.deepEqual(await attributes(), { helpful: 1 }, 'votes survive a hold');
  await server.stop();
  await mustVerify(store, 'after votes');
});

test('where votes are off, nobody votes, and programs count', async () => {
  const server = await serveCustomers();
  const { id } = await server.add('42', { rating: 5 });
  (await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).problem('forbidden');
  (await server.delete(votePath(id), server.as('bob'))).problem('forbidden');
  (await server.patch(commentPath(id), { attributes: { helpful: 7 } }, bearer(server.tokens.edit))).expect(200);
  await server.stop();
});

test('while votes are on, only imports set the counts', async () => {
  const store = newStore();
  await importRows(store, [{ product: '42', language: 'en', rating: 5, created_at: '2024-01-01T00:00:00Z', attributes: { helpful: 8 } }]);
  const server = await serveCustomers({ store, more: votes });
  const [{ id }] = (await server.page('42')).comments;
  const edit = bearer(server.tokens.edit);
  for (const headers of [undefined, bearer(server.tokens.importer), server.as('ann')])
    (await server.post(commentsPath('42'), { rating: 5, attributes: { helpful: 9 } }, headers)).problem('invalid-comment');
  for (const attributes of [{ helpful: 9 }, { unhelpful: 0 }, { helpful: null }, null]) (await server.patch(commentPath(id), { attributes }, edit)).problem('invalid-comment');
  (await server.patch(commentPath(id), { attributes: { size: 'L' } }, edit)).expect(200);
  assert.deepEqual((await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).expect(200).json.helpful, 9);
  await server.stop();
  const off = await serveCustomers({ store });
  (await off.patch(commentPath(id), { attributes: { helpful: 100 } }, bearer(off.tokens.edit))).problem('invalid-comment');
  await off.stop();
  await mustVerify(store, 'after votes on an import');
  assert.deepEqual((await exportRows(store))[0].attributes, { helpful: 9, size: 'L' });
});

test('pages are sorted and filtered by votes, and the page says how many found a comment helpful', async () => {
  const store = newStore();
  await mustRun(['facet', 'add', 'helpful', '--type', 'number', '--store', store]);
  const server = await serveCustomers({ store, more: votes });
  const ids = [];
  for (let i = 0; i < 3; ++i) ids.push((await server.add('42', { rating: 5, title: `No ${i}` })).id);
  const order = async () => (await server.page('42', { sort: '-helpful' })).comments.map(({ id }) => ids.indexOf(id));
  assert.doesNotMatch((await server.get('/products/42')).text, /found this helpful/);
  for (const [who, i] of [['a', 1], ['b', 1], ['c', 0]]) (await server.put(votePath(ids[i]), { vote: 'helpful' }, server.as(who))).expect(200);
  assert.deepEqual(await order(), [1, 0, 2]);
  assert.deepEqual((await server.page('42', { 'helpful.min': 2 })).comments.map(({ id }) => id), [ids[1]]);
  const page = (await server.get('/products/42')).text;
  assert.deepEqual([...page.matchAll(/<p class="helpful">([^<]*)</g)].map(([, text]) => text), ['2 people found this helpful', '1 person found this helpful']);
  for (const who of ['a', 'b']) (await server.delete(votePath(ids[1]), server.as(who))).expect(204);
  assert.deepEqual(await order(), [0, 2, 1]);
  await server.stop();
});

test('a form votes, too, and leads back to the comment', async () => {
  const server = await serveCustomers({ more: votes });
  const { id } = await server.add('42', { rating: 5 });
  const send = (fields) => server.request('POST', `/comments/${id}/vote`, { body: new URLSearchParams(fields).toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  const answer = (await send({ token: server.tokenOf('bob'), vote: 'helpful' })).expect(303);
  assert.equal(answer.headers.location, `/comments/${id}/page`);
  assert.equal((await server.get(commentPath(id))).json.attributes.helpful, 1);
  assert.equal((await send({ token: 'x', vote: 'helpful' })).status, 401);
  assert.equal((await send({ token: server.tokenOf('bob'), vote: 'up' })).status, 422);
  (await send({ token: server.tokenOf('bob'), vote: 'none' })).expect(303);
  assert.equal((await server.get(commentPath(id))).json.attributes, undefined);
  const form = new RegExp(`<form class="vote" hidden method="post" action="[^"]*/comments/${id}/vote">`);
  assert.match((await server.get('/products/42/fragment')).expect(200).text, form);
  for (const path of ['/products/42', `/comments/${id}`]) assert.doesNotMatch((await server.get(path)).expect(200).text, /class="vote"/, path);
  await server.stop();
});

test('votes are exported and erased with their customer', async () => {
  const server = await serveCustomers({ more: votes });
  const ids = [];
  for (let i = 0; i < 2; ++i) ids.push((await server.add('42', { rating: 5 })).id);
  for (const id of ids) (await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).expect(200);
  (await server.put(votePath(ids[0]), { vote: 'unhelpful' }, server.as('eve'))).expect(200);
  const admin = bearer(server.tokens.admin);
  const kept = (await server.post('/v1/customers/export', { customer: 'bob' }, admin)).expect(200).json;
  assert.deepEqual(kept.votes.sort((a, b) => (a.comment < b.comment ? -1 : 1)), ids.map((comment) => ({ comment, vote: 'helpful' })));
  assert.equal((await server.post('/v1/customers/erase', { customer: 'bob' }, admin)).expect(200).json.removed.votes, 2);
  assert.deepEqual((await server.get(commentPath(ids[0]))).json.attributes, { unhelpful: 1 });
  assert.equal((await server.get(commentPath(ids[1]))).json.attributes, undefined);
  assert.deepEqual((await server.post('/v1/customers/export', { customer: 'bob' }, admin)).expect(200).json.votes, []);
  await server.stop();
});

test('quire customer export has a line for each vote; the shop file knows [votes]', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: votes });
  const { id } = await server.add('42', { rating: 5 });
  (await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).expect(200);
  await server.stop();
  const { stdout } = await mustRun(['customer', 'export', 'bob', '--store', store]);
  assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line)), [{ vote: { comment: id, vote: 'helpful' } }]);
  assert.match((await mustRun(['customer', 'erase', 'bob', '--store', store])).stdout, /, 1 votes, /);
  assert.match((await mustRun(['shop', 'new'])).stdout, /\[votes\]/);
  assert.equal((await run(['shop', 'check', '/dev/null'])).status, 1);
});
