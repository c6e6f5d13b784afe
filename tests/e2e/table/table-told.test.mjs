// What a table does not tell: its published comments on one list, their feed, a log of changes. It says so, and names what there is.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bearer } from '../support/moderation.mjs';
import { serveTable } from '../support/customers.mjs';
import { commentsPath, newToken } from '../support/harness.mjs';

const { server, stop } = await serveTable({ more: '[feeds]\nchanges = true\n', writing: 'who = "nobody"\n' });
after(stop);
const moderator = bearer(server.tokens.admin);

test('published comments are on no list of all, and others are', async () => {
  await server.post(commentsPath('42'), { rating: 5, text: 'Fits.' }, moderator);
  const held = (await server.post(commentsPath('42'), { rating: 1, text: 'No.', status: 'pending' }, moderator)).expect(201, 202).json;
  for (const query of ['', '?status=published', '?status=published&rating=1', '?rating=5&since=2024-01-01']) {
    const { detail } = (await server.get(`/v1/comments${query}`, moderator)).problem('invalid-parameter', { parameter: 'status' });
    assert.match(detail, /pending, rejected or reported.*the table's stream tells of new ones/, query);
  }
  const ids = async (query) => (await server.get(`/v1/comments?${query}`, moderator)).expect(200).json.comments.map(({ id }) => id);
  assert.deepEqual(await ids('status=pending'), [held.id]);
  assert.deepEqual(await ids('status=rejected'), []);
  assert.deepEqual(await ids('status=reported'), []);
});

test('there is no feed of them', async () => {
  const feed = (await newToken({ file: `${server.folder}/tokens`, scopes: 'atom' })).token;
  let answer;
  do answer = await server.get(`/comments.atom?token=${feed}`); while (answer.status === 401); // until the server has read the tokens again
  assert.equal(answer.status, 400);
});

test('there is no log of changes, and the server says so at its start', async () => {
  const { detail } = (await server.get('/v1/changes?after=now', moderator)).problem('forbidden');
  assert.match(detail, /A table's own stream tells its changes/);
  await server.says(/changes = true in \[feeds\] and \[\[webhook\]\] are of no use here/);
});
