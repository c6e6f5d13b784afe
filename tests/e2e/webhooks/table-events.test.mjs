// Webhooks of a table: quire project makes events of the table's stream, keeps them in a log of its own, and tells receivers, through kills.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath, importRows, mustRun, newStore, newToken, run, serve, start, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { pick, seed, seeded } from '../support/data.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { copyTo, receiver, shopWith, slackTo, soon, verified } from './receiver.mjs';

let database, store, server, shop;
const log = join(temporaryDirectory(), 'events');
const worker = { flags: () => ['--store', store, '--events', log, ...shop.args], process: undefined };

/** Starts a worker, which follows when this returns. */
async function work(...args) {
  worker.process = start(['project', ...worker.flags(), '--poll', '50', ...args]);
  await soon('the worker follows', () => /^following: events$/m.test(worker.process.text('stdout')));
}
async function end(signal) {
  worker.process.child.kill(signal);
  return worker.process.ended;
}

before(async () => {
  database = await startDynamoDb();
  store = storeAt(database.endpoint, 'told');
  await mustRun(['table', 'create', '--store', store]);
  const { file, token } = await newToken({ scopes: 'admin' });
  shop = shopWith();
  server = await serve({ store, token, args: ['--tokens', file, ...unlimited] });
});
after(async () => {
  worker.process?.child.kill('SIGKILL');
  await server?.stop();
  await database?.stop();
});

const comment = { rating: 1, language: 'en', author: 'Ann', title: 'No', text: 'It broke.' };

test('each change of the table is told, with the comment as it stands', async () => {
  const to = await receiver(), chat = await receiver();
  shop.write(copyTo(to.url), slackTo(chat.url, 'rating.max = 2'));
  await work('--public-url', 'https://shop.example/reviews', '--listen', '127.0.0.1:0');
  await soon('it began here', () => /the log tells of what happens from here on/.test(worker.process.text('stderr')));
  let heard = 0;
  const next = async (type) => {
    const message = await soon(type, () => to.messages.slice(heard).find((each) => verified(each).type === type));
    heard = to.messages.indexOf(message) + 1;
    return verified(message).data;
  };
  const posted = await server.add('lamp', comment);
  const ids = () => to.messages.map((each) => verified(each).data.comment?.id);
  await soon('the post', () => ids().includes(posted.id));
  const first = verified(to.messages[ids().indexOf(posted.id)]);
  assert.deepEqual([first.type, first.data.new, first.data.imported, first.data.comment], ['comment.published', true, undefined, { ...posted, status: 'published' }]);
  heard = to.messages.length;
  const path = commentPath(posted.id);
  await server.patch(path, { title: 'Still no' });
  assert.equal((await next('comment.changed')).comment.title, 'Still no');
  (await server.put(`${path}/reply`, { text: 'We are sorry.' })).expect(200, 201);
  assert.equal((await next('comment.replied')).comment.reply.text, 'We are sorry.');
  (await server.post(`${path}/reports`, { reason: 'spam' })).expect(202, 204, 200, 201);
  assert.equal((await next('comment.reported')).comment.id, posted.id);
  await server.patch(path, { status: 'pending' });
  assert.equal((await next('comment.held')).comment.status, 'pending');
  await server.patch(path, { status: 'rejected', reason: 'spam' });
  const rejected = await next('comment.rejected');
  assert.deepEqual([rejected.id, rejected.product, rejected.comment], [posted.id, 'lamp', undefined]);
  (await server.delete(path)).expect(204);
  assert.equal((await next('comment.removed')).id, posted.id);

  await importRows(store, [{ product: 'lamp', ...comment, created_at: '2024-05-01T00:00:00Z' }]);
  const last = await server.add('lamp', { ...comment, rating: 5 });
  assert.equal((await next('comment.published')).comment.id, last.id, 'imports are passed over');
  const marks = to.messages.map((each) => verified(each).data.mark);
  assert.equal(new Set(marks).size, marks.length, 'each once');
  assert.equal(chat.messages.length, 1, 'a chat of bad reviews has the post alone');
  assert.match(JSON.parse(chat.messages[0].body).text, /new review by Ann[^]*<https:\/\/shop\.example\/reviews\/moderation\|Moderation>/);

  const url = /^listening on (\S+)$/m.exec(worker.process.text('stdout'))[1];
  const counted = async (name) => (await (await fetch(`${url}/metrics`)).text()).split('\n').includes(name);
  await soon('all are counted', () => counted(`quire_webhook_deliveries_total{name="copy",outcome="delivered"} ${marks.length}`));
  assert.ok(await counted('quire_projection_up{what="events"} 1'));
  const listed = async () => (await mustRun(['webhook', 'list', '--store', `lmdb:${log}`, '--json'])).stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual((await listed()).map(({ name }) => name), ['bad', 'copy']);
  await soon('nothing waits', async () => (await listed()).every(({ waiting }) => waiting === 0)); // the ledger is saved once a second
  assert.equal((await end('SIGTERM')).status, 0);
  await mustRun(['verify', '--store', `lmdb:${log}`]);
});

test('a worker that is killed at any moment loses nothing, and its log has each change once', { timeout: 180_000 }, async () => {
  const random = seeded(seed);
  const messages = new Map(); // the ids of messages of each comment's post
  const to = await receiver((message) => {
    if (random() < 0.2) return 500;
    const { id, data } = verified(message);
    if (data.new) messages.set(data.comment.id, new Set([...(messages.get(data.comment.id) ?? []), id]));
    return 200;
  });
  shop.write(copyTo(to.url, 'events = ["comment.posted"]'));
  await work();
  await soon('the webhook is there', async () => (await server.add('desk', comment)) && messages.size > 0); // it is new, and told from now on
  const posted = [];
  for (let round = 0; round < 6; ++round) {
    for (let n = 0; n < 15; ++n) posted.push((await server.add('desk', { ...comment, rating: 1 + (n % 5) })).id);
    await sleep(Math.floor(random() * 600));
    await end('SIGKILL');
    if (pick(random, [true, false])) posted.push((await server.add('desk', comment)).id); // while nobody follows
    await work();
  }
  await mustRun(['webhook', 'retry', 'copy', '--store', `lmdb:${log}`]);
  await soon('all are told', async () => {
    if (posted.every((id) => messages.has(id))) return true;
    await mustRun(['webhook', 'retry', 'copy', '--store', `lmdb:${log}`]);
    await sleep(500);
    return false;
  }, 120_000);
  for (const id of posted) assert.equal(messages.get(id).size, 1, `${id} is in the log once`);
  await end('SIGTERM');
});

test('a worker that cannot keep events says why', async () => {
  const refused = async (args) => run(['project', '--store', store, ...args], { timeout: 20_000 });
  const without = await refused(['--events', log]);
  assert.equal(without.status, 2);
  assert.match(without.stderr, /--events needs the shop file.*--shop shop\.toml/);
  const comments = newStore();
  await importRows(comments, [{ product: 'lamp', ...comment, created_at: '2024-05-01T00:00:00Z' }]);
  const taken = await refused(['--events', comments.slice('lmdb:'.length), ...shop.args]);
  assert.match(taken.stderr, /is a shop's store\. Give --events a directory of its own/);
  assert.equal(taken.status, 2);
  const another = storeAt(database.endpoint, 'another');
  await mustRun(['table', 'create', '--store', another]);
  const other = await run(['project', '--store', another, '--events', `lmdb:${log}`, ...shop.args], { timeout: 20_000 });
  assert.match(other.stderr, /has the events of the table told\. Give --events a directory of its own/);
  await work();
  const second = await refused(['--events', log, ...shop.args]);
  assert.notEqual(second.status, 0);
  assert.match(second.stderr, /writes|another process/i);
  await end('SIGTERM');
});
