// Votes under attack: one customer many times at once, tokens that are not for this, forged forms, numbers at their ends, kills.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentPath, importRows, mustRun, mustVerify, newStore, run, serve } from '../support/harness.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const votes = '[votes]\nwho = "customers"\n';
const votePath = (id) => `${commentPath(id)}/vote`;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const sendForm = (server, id, fields, headers = {}) =>
  server.request('POST', `/comments/${id}/vote`, { body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), headers: { ...form, ...headers } });
const attributesOf = async (server, id) => (await server.get(commentPath(id))).expect(200).json.attributes;

test('one customer at once, by every way, has one vote', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: votes });
  const { id } = await server.add('42', { rating: 5 });
  const bob = server.as('bob'), token = server.tokenOf('bob');
  const deeds = [() => server.put(votePath(id), { vote: 'helpful' }, bob), () => server.put(votePath(id), { vote: 'unhelpful' }, bob), () => server.delete(votePath(id), bob),
    () => sendForm(server, id, { token, vote: 'helpful' }), () => sendForm(server, id, { token, vote: 'none' })];
  const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => deeds[(i * 7) % deeds.length]()));
  for (const answer of answers) {
    assert.ok([200, 204, 303].includes(answer.status), String(answer.status));
    if (answer.status === 200) assert.equal(answer.json.helpful + answer.json.unhelpful, 1, 'the only vote is counted');
  }
  (await server.put(votePath(id), { vote: 'unhelpful' }, bob)).expect(200);
  assert.deepEqual(await attributesOf(server, id), { unhelpful: 1 });
  await server.stop();
  await mustVerify(store, 'after many votes of one customer');
});

test('who is no customer of the shop does not vote', async () => {
  const server = await serveCustomers({ more: votes });
  const { id } = await server.add('42', { rating: 5 });
  const now = Math.floor(Date.now() / 1000);
  const { tokens } = server;
  const wrong = [tokens.admin, tokens.edit, 'a.b.c', '..', server.tokenOf('bob', { exp: now - 120 }), server.tokenOf('bob', { aud: 'other' }), server.tokenOf('bob', { sub: '' }),
    server.tokenOf('bob', { sub: 'a'.repeat(129) }), server.shop.sign({ iss: 'https://shop.example', aud: 'reviews', sub: 'bob', exp: now + 600 }, { alg: 'none' })];
  for (const token of wrong) {
    (await server.put(votePath(id), { vote: 'helpful' }, bearer(token))).problem('unauthorized');
    assert.equal((await sendForm(server, id, { token, vote: 'helpful' })).status, 401);
  }
  const invitation = (await server.post('/v1/invitations', { invitations: [{ product: '42', customer: 'bob' }] }, bearer(tokens.admin))).expect(201).json.invitations[0].ticket;
  (await server.put(votePath(id), { vote: 'helpful' }, { Authorization: '', Invitation: invitation })).problem('unauthorized');
  assert.equal(await attributesOf(server, id), undefined);
  await server.stop();
  // A server that knows no customers.
  const none = await serve();
  const one = await none.add('42', { rating: 5 });
  assert.equal((await none.put(votePath(one.id), { vote: 'helpful' }, server.as('bob'))).status, 401);
  assert.equal((await sendForm(none, one.id, { token: server.tokenOf('bob'), vote: 'helpful' })).status, 401);
  await none.stop();
});

test('a forged form of another site changes nothing without the customer\'s token', async () => {
  const server = await serveCustomers({ more: votes });
  const { id } = await server.add('42', { rating: 5 }, server.as('ann'));
  const cross = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', Cookie: `token=${server.tokenOf('bob')}` };
  assert.equal((await sendForm(server, id, { vote: 'helpful' }, cross)).status, 401);
  assert.equal((await sendForm(server, id, { vote: 'helpful' }, { ...cross, ...server.as('bob') })).status, 401, 'the field alone names the customer');
  const token = server.tokenOf('bob');
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=a'])
    assert.equal((await sendForm(server, id, { token, vote: 'helpful' }, { 'Content-Type': type })).status, 415, type);
  for (const fields of ['', '%', 'token=%00&vote=%ff', '&&&=', 'vote=helpful&token', `token=${token}`, `token=${token}&vote=`, 'a&'.repeat(5000)])
    assert.ok([400, 401, 413, 422].includes((await sendForm(server, id, fields)).status), fields.slice(0, 40));
  assert.equal((await sendForm(server, id, { token: server.tokenOf('ann'), vote: 'helpful' })).status, 403, 'their own');
  assert.equal((await sendForm(server, '01JD5ZK3V8Q6W3N0A9B7C5D2EF', { token, vote: 'helpful' })).status, 404);
  assert.equal((await sendForm(server, 'x', { token, vote: 'helpful' })).status, 404);
  assert.equal(await attributesOf(server, id), undefined);
  await server.stop();
});

test('numbers at their ends, zeros, negative ones and other types', async () => {
  const store = newStore();
  const most = 2 ** 53 - 1;
  await importRows(store, [{ helpful: most }, { helpful: -most, unhelpful: -3 }, { helpful: 0 }, { helpful: 'many' }].map((attributes, i) =>
    ({ product: '42', language: 'en', rating: 5, created_at: `2024-01-0${i + 1}T00:00:00Z`, text: 'a', attributes })));
  await mustRun(['facet', 'add', 'helpful', '--type', 'number', '--store', store]);
  const server = await serveCustomers({ store, more: votes });
  const ids = (await server.page('42', { sort: 'created_at' })).comments.map(({ id }) => id);
  const bob = server.as('bob');
  (await server.put(votePath(ids[0]), { vote: 'helpful' }, bob)).problem('invalid-comment');
  (await server.put(votePath(ids[3]), { vote: 'helpful' }, bob)).problem('invalid-comment');
  (await server.put(votePath(ids[0]), { vote: 'unhelpful' }, bob)).expect(200);
  assert.deepEqual((await server.put(votePath(ids[1]), { vote: 'helpful' }, bob)).expect(200).json, { vote: 'helpful', helpful: 1 - most, unhelpful: -3 });
  assert.doesNotMatch((await server.get('/products/42')).expect(200).text, /class="helpful">[^<]*-/);
  (await server.put(votePath(ids[2]), { vote: 'helpful' }, bob)).expect(200);
  assert.deepEqual((await server.page('42', { sort: '-helpful' })).comments.map(({ id }) => ids.indexOf(id)), [0, 2, 1, 3]);
  for (const i of [0, 1, 2]) (await server.delete(votePath(ids[i]), bob)).expect(204);
  assert.deepEqual(await Promise.all(ids.map((id) => attributesOf(server, id))), [{ helpful: most }, { helpful: -most, unhelpful: -3 }, { helpful: 0 }, { helpful: 'many' }]);
  await server.stop();
  await mustVerify(store, 'after votes at the ends');
});

test('the facets of votes are numbers', async () => {
  const store = newStore();
  for (const name of ['helpful', 'unhelpful']) {
    for (const type of ['flag', 'choice', 'tags']) {
      const { status, stderr } = await run(['facet', 'add', name, '--type', type, '--store', store]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, new RegExp(`${name} is a number, in which votes are counted: quire facet add ${name} --type number`));
    }
    await mustRun(['facet', 'add', name, '--type', 'number', '--store', store]);
  }
});

test('a customer votes as often as writes are allowed, and not more', async () => {
  const server = await serveCustomers({ more: votes, args: ['--posts-per-minute-client', '5'] });
  const { id } = await server.add('42', { rating: 5 });
  const answers = [];
  for (let i = 0; i < 12; ++i) answers.push(await server.put(votePath(id), { vote: i % 2 ? 'helpful' : 'unhelpful' }, server.as('bob')));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.every(({ headers }) => Number(headers['retry-after']) >= 1));
  await server.stop();
});

test('a sweep that is killed goes on, and nothing is counted for who was swept', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: votes });
  const { id } = await server.add('42', { rating: 5 });
  const crowd = Array.from({ length: 1500 }, (_, i) => `customer-${i}`);
  for (let i = 0; i < crowd.length; i += 100) await Promise.all(crowd.slice(i, i + 100).map(async (who) => (await server.put(votePath(id), { vote: 'helpful' }, server.as(who))).expect(200)));
  assert.deepEqual(await attributesOf(server, id), { helpful: crowd.length });
  (await server.delete(commentPath(id), bearer(server.tokens.edit))).expect(204);
  await server.kill();
  await mustVerify(store, 'with votes that wait to be swept');
  const again = await serveCustomers({ store, more: votes });
  const votesOf = async (customer) => (await again.post('/v1/customers/export', { customer }, bearer(again.tokens.admin))).expect(200).json.votes;
  let left;
  for (let i = 0; i < 300; ++i) {
    left = (await Promise.all([crowd[0], crowd[700], crowd[1499]].map(votesOf))).flat();
    if (left.length === 0) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.deepEqual(left, []);
  await again.stop();
  await mustVerify(store, 'after the sweep');
});

test('export, import and export again are the same bytes, with votes, replies, pictures and held comments', async () => {
  const store = newStore();
  const server = await serveCustomers({ store, more: `[shop]\nmedia = ["img.shop.example"]\n${votes}` });
  const media = [{ url: 'https://img.shop.example/1.jpg?a=%22', width: 1, height: 20000, alt: 'a "tent"\n\u202Eb </script>' }];
  const ids = [];
  for (let i = 0; i < 6; ++i) ids.push((await server.add('42', { rating: 1 + (i % 5), text: `\u2067${i}\u202E <b>`, media: i % 2 ? media : [] }, server.as(`c${i}`))).id);
  for (const [i, id] of ids.entries()) for (let who = 0; who < i; ++who) (await server.put(votePath(id), { vote: who % 2 ? 'helpful' : 'unhelpful' }, server.as(`v${who}`))).expect(200);
  (await server.put(`${commentPath(ids[1])}/reply`, { author: '</bdi>\u202EMia', text: 'Thanks \u2066\n</script><!--' }, bearer(server.tokens.reply))).expect(201);
  await server.decide([{ id: ids[5], status: 'rejected', reason: 'spam', note: 'n' }, { id: ids[4], status: 'pending' }]);
  await server.stop();
  const first = (await mustRun(['export', '--store', store])).stdout;
  const copy = newStore();
  await importRows(copy, first.split('\n').filter(Boolean), { args: ['--customer-key', `${store.slice(5)}/customer-key`] });
  assert.equal((await mustRun(['export', '--store', copy])).stdout, first);
  await mustVerify(copy, 'after the import');
  // Votes begin there with their sums.
  const there = await serveCustomers({ store: copy, more: votes, args: ['--customer-key', `${store.slice(5)}/customer-key`] });
  assert.deepEqual((await there.put(votePath(ids[3]), { vote: 'helpful' }, there.as('v0'))).expect(200).json, { vote: 'helpful', helpful: 2, unhelpful: 2 });
  await there.stop();
});
