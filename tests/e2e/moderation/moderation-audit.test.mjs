// Who decided what: decisions that come with a post, holds by reports, and several decisions on one comment; in answers and in the audit log.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, temporaryDirectory } from '../support/harness.mjs';
import { bearer, linked, serveShop } from '../support/moderation.mjs';
import { metric } from '../support/metrics.mjs';

const audit = join(temporaryDirectory(), 'audit.log');
let server;
let admin;
before(async () => {
  server = await serveShop({ shop: '[moderation]\nhold = "rules"\nlinks = true\nreports = 2\n', args: ['--audit-log', audit, '--trusted-proxy', '127.0.0.1'] });
  admin = bearer(server.tokens.admin);
});
after(() => server?.stop());

const post = async (comment, headers = admin) => server.post(commentsPath('p'), comment, headers);
const linesOf = (id) => readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ comment }) => comment === id);
const decided = async () => Promise.all(['published', 'pending', 'rejected'].map((status) => metric(server, `quire_moderation_decisions_total{status="${status}"}`)));

test('a moderator\'s post is answered with the decision, which is in the audit log', async () => {
  const counted = await decided();
  for (const [body, status] of [[{ status: 'published', note: 'Known.' }, 201], [{ status: 'pending', note: 'Ask.' }, 202], [{ status: 'rejected', reason: 'spam', note: 'Again.' }, 202], [{ note: 'A note.' }, 201]]) {
    const answer = (await post({ rating: 5, text: 'See https://spam.example/x', ...body })).expect(status);
    const { id } = answer.json;
    assert.deepEqual([answer.json.status, answer.json.reason, answer.json.note], [body.status ?? 'published', body.reason, body.note]);
    assert.equal(answer.headers['cache-control'], 'private, no-store');
    const told = (await server.get(commentPath(id), server.moderator)).expect(200);
    assert.deepEqual(told.json, answer.json, 'a moderator reads the same');
    assert.equal(told.headers.etag, answer.headers.etag);
    const [{ at, request, token, client, ...line }, ...more] = linesOf(id);
    assert.deepEqual([more, token, client], [[], 'admin', '127.0.0.1']);
    const lengths = { author_characters: 0, title_characters: 0, text_characters: 26 };
    const held = answer.json.status === 'published' ? {} : { status: body.status, ...(body.reason ? { reason: body.reason } : {}) };
    assert.deepEqual(line, { action: 'post', comment: id, product: 'p', after: { language: 'und', rating: 5, ...lengths, ...held }, decision: answer.json.status });
  }
  assert.deepEqual(await decided(), [counted[0] + 2, counted[1] + 1, counted[2] + 1]);
});

test('a post without a decision has a status for moderators, and no line', async () => {
  const { id, status } = (await post({ rating: 5 })).expect(201).json;
  assert.deepEqual([status, linesOf(id)], ['published', []]);
  const other = (await post(linked(), {})).expect(202).json;
  assert.deepEqual(linesOf(other.id), []);
});

test('a repeated Idempotency-Key gives the moderator\'s answer again, and decides nothing', async () => {
  const key = { ...admin, 'Idempotency-Key': 'decided' };
  const body = { rating: 5, status: 'rejected', reason: 'spam', note: 'Again.' };
  const first = (await post(body, key)).expect(202).json;
  await server.decide([{ id: first.id, status: 'published', note: 'After all.' }]);
  const counted = await decided();
  assert.deepEqual((await post(body, key)).expect(202).json, first);
  assert.deepEqual(linesOf(first.id).map(({ action }) => action), ['post', 'edit']);
  assert.deepEqual(await decided(), counted);
});

test('a hold by reports is in the audit log, without who reported', async () => {
  const { id } = (await post({ rating: 1, text: 'Broke.' }, {})).expect(201).json;
  const report = (address) => server.post(`${commentPath(id)}/reports`, { reason: 'fake' }, { Authorization: '', 'X-Forwarded-For': address });
  (await report('192.0.2.1')).expect(202);
  assert.deepEqual(linesOf(id), []);
  (await report('192.0.2.2')).expect(202);
  const [{ at, request, ...line }, ...more] = linesOf(id);
  assert.deepEqual(more, []);
  assert.deepEqual(line, { token: '-', client: '-', action: 'edit', comment: id, product: 'p', before: { status: 'published' }, after: { status: 'pending' }, held_by: 'reports' });
  assert.doesNotMatch(readFileSync(audit, 'utf8'), /192\.0\.2\./);
});

test('of two decisions on one comment in one request the first is made', async () => {
  const { id } = (await post(linked(), {})).expect(202).json;
  const { id: other } = (await post(linked(), {})).expect(202).json;
  const [first, second, third] = await server.decide([{ id, status: 'published' }, { id, status: 'rejected', reason: 'spam' }, { id: other, status: 'published' }]);
  assert.deepEqual([first.comment.status, third.comment.status], ['published', 'published']);
  assert.deepEqual([second.id, second.problem.type, Object.keys(second.problem.errors)], [id, '/problems/invalid-comment', ['id']]);
  assert.deepEqual(linesOf(id).map(({ decision }) => decision), ['published']);
  const same = await server.decide(Array(100).fill({ id, status: 'rejected', reason: 'fake' }));
  assert.deepEqual([same[0].comment.status, same.filter(({ problem }) => problem?.status === 422).length], ['rejected', 99]);
});

test('where the audit log cannot be written, no decision is made', async () => {
  // Nothing can be written into a device that is always full.
  const full = await serveShop({ shop: '[moderation]\nreports = 1\n', args: ['--audit-log', '/dev/full'] });
  const headers = bearer(full.tokens.admin);
  const { id } = (await full.post(commentsPath('p'), { rating: 5 }, headers)).expect(201).json;
  (await full.post(commentsPath('p'), { rating: 5, status: 'published' }, headers)).expect(201); // its line is kept
  (await full.post(commentsPath('p'), { rating: 5, status: 'published' }, headers)).expect(503);
  (await full.post(`${commentPath(id)}/reports`, { reason: 'fake' }, { Authorization: '' })).expect(503);
  (await full.get(commentPath(id))).expect(200);
  (await full.post(commentsPath('p'), { rating: 5 }, headers)).expect(201);
  await full.stop();
});
