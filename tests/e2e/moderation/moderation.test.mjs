// Which comments are seen: posts that rules hold, decisions of moderators, reports, edits; through HTTP, on the embedded store.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, importRows, mustVerify, temporaryDirectory } from '../support/harness.mjs';
import { bearer, linked, serveShop } from '../support/moderation.mjs';
import { metric } from '../support/metrics.mjs';

let server;
const audit = join(temporaryDirectory(), 'audit.log');
before(async () => { server = await serveShop({ args: ['--audit-log', audit, '--trusted-proxy', '127.0.0.1'] }); });
after(() => server?.stop());

const privately = 'private, no-store';
const post = async (product, comment, headers) => server.post(commentsPath(product), comment, headers);
const held = async (product, comment) => (await post(product, linked(comment))).expect(202).json;
const found = async (id, headers = server.moderator) => (await server.get(commentPath(id), headers)).expect(200);
const statusOf = async (id) => (await found(id)).json.status;

/** The addresses of one comment. */
const addresses = (id) => [commentPath(id), `${commentPath(id)}/page`, `/comments/${id}`, `/comments/${id}/page`];
async function isMissing(id) {
  for (const path of addresses(id)) {
    for (const ask of [server.get, server.head]) (await ask.call(server, path)).expect(404);
  }
  (await server.post(`${commentPath(id)}/reports`, { reason: 'spam' }, { Authorization: '' })).expect(404);
}

test('a post that a rule holds is a 202, and a 404 to the public at every address', async () => {
  const answer = (await post('held', linked({ author: 'Ann' }))).expect(202);
  const { id, status, reason, note, held_by } = answer.json;
  assert.deepEqual([status, reason, note, held_by], ['pending', undefined, undefined, undefined], 'the writer learns the status alone');
  assert.equal(answer.headers['cache-control'], privately);
  assert.equal(answer.headers.location, commentPath(id));
  await isMissing(id);
  assert.equal((await server.page('held')).total, 0);
  const told = await found(id);
  assert.deepEqual([told.json.status, told.json.held_by, told.headers['cache-control']], ['pending', 'links', privately]);
  assert.match(told.json.held_at, /^\d{4}-/);
  const published = (await post('held', { rating: 5, text: 'Fits' })).expect(201).json;
  assert.equal('status' in published, false);
  assert.deepEqual((await server.get(commentPath(published.id))).expect(200).json, published);
});

test('rules hold all comments, or those with a phrase', async () => {
  for (const [shop, cases] of [['hold = "all"', [['Fits', 202]]], ['hold = "rules"\nwords = "words.txt"', [['Fits', 201], ['The CÄSINO!', 202], ['casinos', 201]]]]) {
    const other = await serveShop({ shop: `[moderation]\n${shop}\n` });
    for (const [title, status] of cases) (await other.post(commentsPath('p'), { rating: 1, title })).expect(status);
    (await other.post(commentsPath('p'), { rating: 1, title: 'casino' }, bearer(other.tokens.admin))).expect(201);
    await other.stop();
  }
});

test('moderators publish, reject and take back, and every decision is in the audit log', async () => {
  const { id } = await held('decided', { rating: 2 });
  const decisions = async (status) => metric(server, `quire_moderation_decisions_total{status="${status}"}`);
  const counted = await decisions('published');
  const [{ comment }] = await server.decide([{ id, status: 'published' }]);
  assert.deepEqual([comment.id, comment.status, comment.held_by, comment.held_at], [id, 'published', undefined, undefined]);
  for (const path of addresses(id)) (await server.get(path)).expect(200, 302);
  assert.equal((await server.page('decided')).total, 1);
  assert.equal('status' in (await server.get(commentPath(id))).json, false);
  assert.equal(await decisions('published'), counted + 1);
  const [{ comment: rejected }] = await server.decide([{ id, status: 'rejected', reason: 'fake', note: 'Known.' }]);
  assert.deepEqual([rejected.status, rejected.reason, rejected.note], ['rejected', 'fake', 'Known.']);
  await isMissing(id);
  assert.equal((await server.get('/v1/products/decided/statistics')).json.total, 0);
  (await server.patch(commentPath(id), { status: 'pending' }, server.moderator)).expect(200);
  assert.equal((await found(id)).json.note, 'Known.');
  const lines = readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.comment === id);
  assert.deepEqual(lines.map(({ token, action, before, after }) => [token, action, before, after]), [
    ['ann', 'edit', { status: 'pending' }, { status: 'published' }],
    ['ann', 'edit', { status: 'published' }, { status: 'rejected', reason: 'fake' }],
    ['ann', 'edit', { status: 'rejected', reason: 'fake' }, { status: 'pending' }],
  ]);
});

test('a note alone decides nothing, and is in the audit log without its text', async () => {
  const { id } = await held('noted');
  const { id: shown } = (await post('noted', { rating: 5 })).expect(201).json;
  const decisions = async () => metric(server, 'quire_moderation_decisions_total{status="pending"}');
  const counted = await decisions();
  for (const [each, status] of [[id, 'pending'], [shown, 'published']]) {
    const { etag } = (await found(each)).headers;
    const [{ comment }] = await server.decide([{ id: each, note: 'Ask them.' }]);
    assert.deepEqual([comment.status, comment.note], [status, 'Ask them.']);
    assert.equal((await found(each)).headers.etag, etag, 'who decides at the same time is not refused');
    (await server.patch(commentPath(each), { note: 'Asked.' }, server.moderator)).expect(200);
    assert.equal((await found(each)).json.note, 'Asked.');
    const lines = readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.comment === each);
    assert.deepEqual(lines.map(({ before, after, decision }) => [before, after, decision]), [[{}, {}, undefined], [{}, {}, undefined]]);
  }
  assert.equal('note' in (await server.get(commentPath(shown))).json, false, 'the public reads no note');
  assert.equal(await decisions(), counted);
});

test('a wrong decision changes nothing, and says why at its place', async () => {
  const { id } = await held('wrong');
  const { id: other } = await held('wrong');
  const missing = '01JD5ZK3V8Q6W3N0A9B7C5D2EF';
  const wrong = [{ id, status: 'rejected' }, { id, status: 'published', reason: 'spam' }, { id, status: 'gone' }, { id, note: 'x', reason: 'spam' }, { id: missing, status: 'published' },
    { id: 'x', status: 'published' }, { id, status: 'published', title: 'Mine' }, { status: 'published' }, 7, { id, status: 'rejected', reason: 'rating' }];
  const answers = (await Promise.all(wrong.map((each) => server.decide([each])))).flat();
  answers.push((await server.decide([wrong[0], { id: other, status: 'published' }, wrong[4]]))[1]);
  const slugs = answers.map(({ problem }) => problem?.type.split('/').pop());
  const invalid = 'invalid-comment';
  assert.deepEqual(slugs, [invalid, invalid, invalid, invalid, 'not-found', 'not-found', invalid, invalid, invalid, invalid, undefined]);
  assert.deepEqual(answers.slice(0, 1).map(({ id: of, problem }) => [of, Object.keys(problem.errors)]), [[id, ['reason']]]);
  assert.deepEqual([await statusOf(id), await statusOf(other)], ['pending', 'published']);
  for (const body of [{}, { decisions: [] }, { decisions: 7 }, { decisions: Array(101).fill({ id, status: 'published' }) }, { decisions: [{ id, status: 'published' }], more: 1 }, [], '{'])
    (await server.post('/v1/moderation/decisions', body, server.moderator)).expect(400, 422);
  assert.equal(await statusOf(id), 'pending');
  (await server.patch(commentPath(id), { status: 'rejected' }, server.moderator)).problem('invalid-comment', { errors: ['reason'] });
});

test('of two moderators the second is told', async () => {
  const { id } = await held('two');
  const { etag } = (await server.queue('?product=two')).comments[0];
  assert.equal((await found(id)).headers.etag, etag, 'GET has the same tag');
  const bob = bearer(server.tokens.other);
  const [first] = await server.decide([{ id, status: 'rejected', reason: 'spam', if_match: etag }]);
  assert.equal(first.comment.status, 'rejected');
  const [second] = await server.decide([{ id, status: 'published', if_match: etag }], bob);
  assert.equal(second.problem.type, '/problems/precondition-failed');
  (await server.patch(commentPath(id), { status: 'published' }, { ...bob, 'If-Match': etag })).problem('precondition-failed');
  assert.equal(await statusOf(id), 'rejected');
});

test('the queue is oldest first, by product, language and rating, in pages', async () => {
  const products = ['queue-1', 'queue-2'];
  const made = [];
  for (let i = 0; i < 9; ++i) made.push(await held(products[i % 2], { rating: 1 + (i % 3), language: i % 2 ? 'de' : 'en' }));
  const of = async (query) => (await server.queue(query)).comments.map(({ id }) => id);
  const expected = (wanted) => made.filter(wanted).map(({ id }) => id);
  assert.deepEqual(await of('?product=queue-1'), expected(({ product }) => product === 'queue-1'));
  assert.deepEqual(await of('?product=queue-1&sort=-created_at'), expected(({ product }) => product === 'queue-1').reverse());
  assert.deepEqual(await of('?language=de&rating=1&rating=2'), expected(({ language, rating }) => language === 'de' && rating < 3));
  const walked = [];
  let previous;
  for (let after; ;) {
    const page = await server.queue(`?product=queue-2&limit=2${after ? `&after=${after}` : ''}`);
    assert.equal(page.total, after ? undefined : 4, 'a filter is counted once');
    assert.equal('previous' in page.page, after !== undefined);
    walked.push(...page.comments.map(({ id }) => id));
    ({ previous } = page.page);
    if (!(after = page.page.next)) break;
  }
  assert.deepEqual(walked, expected(({ product }) => product === 'queue-2'));
  const back = [];
  for (let before = previous; before;) {
    const page = await server.queue(`?product=queue-2&limit=2&before=${before}`);
    assert.ok(page.page.next);
    back.unshift(...page.comments.map(({ id }) => id));
    before = page.page.previous;
  }
  assert.deepEqual(back, walked.slice(0, back.length));
  assert.ok(back.length >= 2);
  const answer = await server.get('/v1/moderation/comments?limit=1', server.moderator);
  assert.equal(answer.headers['cache-control'], privately);
  for (const query of ['?status=published', '?status=', '?limit=0', '?limit=101', '?sort=rating', '?rating=6', '?after=x', '?before=x', `?after=${made[0].id}&before=${made[1].id}`, '?bogus=1', '?limit=1&limit=2'])
    (await server.get(`/v1/moderation/comments${query}`, server.moderator)).problem('invalid-parameter');
});

test('readers report a comment once each, and a moderator\'s decision outlasts reports', async () => {
  const other = await serveShop({ shop: '[moderation]\nreports = 3\n', args: ['--trusted-proxy', '127.0.0.1'] });
  const { id } = (await other.post(commentsPath('p'), { rating: 1, text: 'Broke.' })).expect(201).json;
  const report = async (address, reason = 'fake') => other.post(`${commentPath(id)}/reports`, { reason, note: `from ${address}` }, { Authorization: '', 'X-Forwarded-For': address });
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']) {
    const answer = (await report(address)).expect(202);
    assert.deepEqual([answer.json, answer.headers['cache-control']], [{}, privately]);
  }
  (await report('192.0.2.9', 'rating')).problem('invalid-comment', { errors: ['reason'] });
  (await other.get(commentPath(id))).expect(200);
  const reported = (await other.queue('?status=reported')).comments;
  // Those of one millisecond come in any order.
  assert.deepEqual(reported.map((each) => [each.id, each.status, each.reports.map(({ reason, note }) => [reason, note]).sort()]), [[id, 'published', [['fake', 'from 192.0.2.1'], ['fake', 'from 192.0.2.2']]]]);
  (await report('192.0.2.3')).expect(202);
  (await other.get(commentPath(id))).expect(404);
  (await report('192.0.2.4')).expect(404);
  const [pending] = (await other.queue()).comments;
  assert.deepEqual([pending.id, pending.held_by, pending.reports.length], [id, 'reports', 3]);
  await other.decide([{ id, status: 'published' }]);
  for (const address of ['192.0.2.5', '192.0.2.6', '192.0.2.7', '192.0.2.8']) (await report(address)).expect(202);
  (await other.get(commentPath(id))).expect(200);
  // A change of its words is another comment to readers.
  (await other.patch(commentPath(id), { text: 'Worse.' }, bearer(other.tokens.edit))).expect(200);
  (await report('192.0.2.10')).expect(202);
  (await other.get(commentPath(id))).expect(404);
  await other.stop();
  await mustVerify(other.store, 'after reports');
});

test('an edit is checked again, and never publishes', async () => {
  const edit = bearer(server.tokens.edit);
  const change = async (id, patch) => (await server.patch(commentPath(id), patch, edit)).expect(200).json;
  const { id } = (await post('edited', { rating: 5, text: 'Fits' })).expect(201).json;
  await change(id, { text: 'Fits well' });
  assert.equal(await statusOf(id), 'published');
  assert.equal((await change(id, { text: 'See https://spam.example/x' })).status, 'pending');
  await isMissing(id);
  assert.equal((await server.page('edited')).total, 0, 'no earlier version stays');
  await change(id, { text: 'Fits' });
  assert.equal(await statusOf(id), 'pending');
  await server.decide([{ id, status: 'published' }]);
  await change(id, { rating: 4 });
  assert.equal(await statusOf(id), 'published');
  await server.decide([{ id, status: 'rejected', reason: 'spam' }]);
  await change(id, { rating: 3 });
  assert.equal(await statusOf(id), 'rejected', 'the words are the same');
  const changed = await change(id, { title: 'Better' });
  assert.deepEqual([changed.status, changed.reason], ['pending', undefined]);
  // The texts of attributes are words, too; flags and numbers are not.
  const { id: worn } = (await post('edited', { rating: 5, attributes: { helpful: 1, size: 'L' } })).expect(201).json;
  assert.equal((await change(worn, { attributes: { size: 'see spam.example.com' } })).status, 'pending');
  await server.decide([{ id: worn, status: 'published' }]);
  await change(worn, { attributes: { helpful: 2 } });
  assert.equal(await statusOf(worn), 'published', 'the words are the same');
  assert.equal((await change(worn, { attributes: { worn: ['twice', 'https://spam.example/y'] } })).status, 'pending');
  // Moderators are bound by no rule.
  const admin = bearer(server.tokens.admin);
  await server.decide([{ id, status: 'published' }]);
  (await server.patch(commentPath(id), { text: 'See https://fine.example/x' }, admin)).expect(200);
  assert.equal(await statusOf(id), 'published');
});

test('without a shop file an edit publishes nothing either', async () => {
  const other = await serveShop({ shop: null });
  const { id } = (await other.post(commentsPath('p'), { rating: 5, text: 'Fits', status: 'rejected', reason: 'spam' }, bearer(other.tokens.admin))).expect(202).json;
  (await other.patch(commentPath(id), { text: 'Fits well' }, bearer(other.tokens.edit))).expect(200);
  assert.equal((await other.get(commentPath(id), other.moderator)).json.status, 'pending');
  await other.stop();
});

test('a repeated Idempotency-Key gives the first status again', async () => {
  const key = { 'Idempotency-Key': 'a' };
  const first = (await post('once', linked(), key)).expect(202).json;
  assert.deepEqual((await post('once', linked(), key)).expect(202).json, first);
  await server.decide([{ id: first.id, status: 'published' }]);
  assert.deepEqual((await post('once', linked(), key)).expect(202).json, first);
  (await post('once', linked({ rating: 1 }), key)).problem('idempotency-conflict');
  const admin = { ...bearer(server.tokens.admin), 'Idempotency-Key': 'b' };
  const rejected = { rating: 5, status: 'rejected', reason: 'spam' };
  (await post('once', rejected, admin)).expect(202);
  (await post('once', rejected, admin)).expect(202);
  for (const other of [{ rating: 5 }, { rating: 5, status: 'pending' }, { ...rejected, reason: 'fake' }, { ...rejected, note: 'x' }]) (await post('once', other, admin)).problem('idempotency-conflict');
  assert.equal((await server.queue('?product=once&status=rejected')).total, 1);
});

test('each scope may do its own', async () => {
  const { id } = await held('scopes');
  const body = { decisions: [{ id, status: 'pending' }] };
  const calls = {
    queue: (headers) => server.get('/v1/moderation/comments', headers),
    decide: (headers) => server.post('/v1/moderation/decisions', body, headers),
    note: (headers) => server.patch(commentPath(id), { note: 'x' }, headers),
    status: (headers) => server.post(commentsPath('scopes'), { rating: 5, status: 'published' }, headers),
    text: (headers) => server.patch(commentPath(id), { text: 'See https://spam.example/y' }, headers),
  };
  const { post: poster, edit, importer, moderate, admin } = server.tokens;
  const allowed = { queue: [moderate, admin], decide: [moderate, admin], note: [moderate, admin], status: [admin], text: [edit, admin] };
  for (const [name, call] of Object.entries(calls)) {
    for (const token of [poster, edit, importer, moderate, admin]) {
      const answer = await call(bearer(token));
      if (allowed[name].includes(token)) answer.expect(200, 201);
      else answer.problem('forbidden');
    }
    (await call({ Authorization: '' })).problem('unauthorized');
    (await call(bearer('x'))).problem('unauthorized');
  }
  assert.equal(await statusOf(id), 'pending');
  // A token that may do something else sees what the public sees.
  for (const token of [poster, edit, importer, 'x']) (await server.get(commentPath(id), bearer(token))).expect(404);
});

test('a token with a prefix of products is limited to them', async () => {
  const part = bearer(server.tokens.part);
  const { id: own } = await held('shop-a/lamp');
  const { id: foreign } = await held('shop-b/lamp');
  const queue = await server.queue('', part);
  assert.deepEqual([queue.comments.map(({ id }) => id), queue.total], [[own], 1]);
  assert.deepEqual((await server.queue('?product=shop-b/lamp', part)).comments, []);
  assert.equal((await found(own, part)).json.status, 'pending');
  (await server.get(commentPath(foreign), part)).expect(404);
  (await server.patch(commentPath(foreign), { status: 'published' }, part)).problem('not-found');
  const [first, second] = await server.decide([{ id: own, status: 'published' }, { id: foreign, status: 'published' }], part);
  assert.deepEqual([first.comment.status, second.problem.type], ['published', '/problems/not-found']);
  assert.equal(await statusOf(foreign), 'pending');
});

test('metrics tell how many wait, and for how long', async () => {
  const other = await serveShop();
  const comments = async (status) => metric(other, `quire_comments{status="${status}"}`);
  const waits = async () => metric(other, 'quire_moderation_oldest_seconds');
  assert.deepEqual([await comments('published'), await comments('pending'), await comments('rejected'), await waits()], [0, 0, 0, 0]);
  const admin = bearer(other.tokens.admin);
  const old = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString();
  // An old comment that is held now has waited since now.
  const { id } = (await other.post(commentsPath('p'), { rating: 5, created_at: old(48), status: 'pending' }, admin)).expect(202).json;
  (await other.post(commentsPath('p'), { rating: 5 }, admin)).expect(201);
  (await other.post(commentsPath('p'), { rating: 5, status: 'rejected', reason: 'spam' }, admin)).expect(202);
  assert.deepEqual([await comments('published'), await comments('pending'), await comments('rejected')], [1, 1, 1]);
  assert.ok(await waits() < 3600, 'since it was held');
  await other.decide([{ id, status: 'published' }]);
  assert.equal(await waits(), 0);
  await other.stop();
  await importRows(other.store, [{ product: 'p', rating: 1, created_at: old(48), status: 'pending', held_at: old(1) }, { product: 'p', rating: 1, created_at: old(30), status: 'pending', held_at: old(30) },
    { product: 'p', rating: 1, created_at: old(2), status: 'pending' }]);
  const again = await serveShop({ store: other.store });
  const seconds = await metric(again, 'quire_moderation_oldest_seconds');
  assert.ok(seconds >= 30 * 3600 && seconds < 32 * 3600, `${seconds} s: the second row waits longest`);
  await again.stop();
});
