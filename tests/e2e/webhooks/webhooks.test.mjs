// Webhooks: what receivers are told, what operators see, and where messages do not go.

import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { commentPath, mustRun, newStore, newToken, run, serve, unlimited } from '../support/harness.mjs';
import { metric } from '../support/metrics.mjs';
import { copyTo, receiver, secret, shopWith, slackTo, soon, verified } from './receiver.mjs';

async function start(shop, { store = newStore(), args = [] } = {}) {
  const tokens = await newToken({ scopes: 'admin' });
  return serve({ store, token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...shop.args, ...args] });
}

const bad = { rating: 1, language: 'en', author: 'Ann', title: 'No', text: 'It broke.\nTwice.' };

test('a program gets a signed message with the comment as it stands', async () => {
  const to = await receiver();
  const server = await start(shopWith(copyTo(to.url)));
  const posted = await server.add('lamp', bad);
  const [first] = await soon('the message of the post', () => to.messages.length === 1 && to.messages);
  assert.equal(first.path, '/in');
  assert.equal(first.headers['content-type'], 'application/json');
  const told = verified(first);
  assert.match(told.id, /^evt_\d+$/);
  const { mark, comment } = told.data;
  assert.deepEqual([told.type, told.data.new, comment], ['comment.published', true, { ...posted, status: 'published' }]);
  await server.patch(commentPath(posted.id), { title: 'Still no' });
  await soon('the message of the change', () => to.messages.length === 2);
  const changed = verified(to.messages[1]);
  assert.equal(changed.type, 'comment.changed');
  assert.equal(changed.data.comment.title, 'Still no');
  assert.equal(changed.data.new, undefined);
  assert.ok(changed.data.mark > mark);
  (await server.delete(commentPath(posted.id))).expect(204);
  await soon('the message of the removal', () => to.messages.length === 3);
  const removed = verified(to.messages[2]);
  assert.deepEqual([removed.type, removed.data], ['comment.removed', { mark: removed.data.mark, id: posted.id, product: 'lamp' }]);
  await soon('all are counted', async () => (await metric(server, 'quire_webhook_deliveries_total{name="copy",outcome="delivered"}')) === 3);
  assert.equal(await metric(server, 'quire_webhook_oldest_seconds{name="copy"}'), 0);
  await server.stop();
});

test('of each review of one or two stars a chat is told by four lines', async () => {
  const to = await receiver();
  const server = await start(shopWith(slackTo(to.url, 'rating.max = 2')), { args: ['--public-url', 'https://shop.example/reviews'] });
  (await server.put('/reviews/v1/products/lamp', { name: 'Desk <lamp>' })).expect(201);
  for (const rating of [5, 3, 2]) (await server.post('/reviews/v1/products/lamp/comments', { ...bad, rating })).expect(201);
  await soon('the message', () => to.messages.length === 1);
  assert.deepEqual(JSON.parse(to.messages[0].body), {
    text: '★★☆☆☆ *Desk &lt;lamp&gt;*: new review by Ann\n> *No*\n> It broke.\n> Twice.\n<https://shop.example/reviews/moderation|Moderation>',
  });
  await server.stop();
});

test('what a receiver does not take waits, is seen, and is tried again', async () => {
  const to = await receiver(() => 500);
  const shop = shopWith(copyTo(to.url));
  const server = await start(shop);
  const { store } = server;
  await server.add('lamp', bad);
  const listed = async () => JSON.parse((await mustRun(['webhook', 'list', '--store', store, '--json'])).stdout);
  const failing = await soon('the failure is listed', async () => { const now = await listed(); return now.trouble && now; });
  assert.deepEqual([failing.name, failing.waiting, failing.trouble], ['copy', 1, 'it answered 500']);
  const checked = await mustRun(['shop', 'check', shop.file, '--store', store, '--user', 'root']);
  assert.match(checked.stderr, /The webhook copy: fails since \S+: it answered 500\. See quire webhook list\./);
  to.answer = () => 204;
  const id = to.messages[0].headers['webhook-id'];
  await mustRun(['webhook', 'retry', 'copy', '--store', store]);
  await soon('the message is sent again', () => to.messages.length === 2);
  assert.equal(to.messages[1].headers['webhook-id'], id);
  await soon('it waits no more', async () => (await listed()).waiting === 0);
  await mustRun(['webhook', 'retry', 'copy', id, '--store', store]);
  await soon('a delivered one is sent again', () => to.messages.length === 3);
  assert.equal(to.messages[2].headers['webhook-id'], id);
  to.answer = () => 500;
  await server.add('lamp', bad);
  await soon('the next one fails', () => to.messages.length === 4);
  await mustRun(['webhook', 'skip', 'copy', to.messages[3].headers['webhook-id'], '--store', store]);
  await soon('it is skipped', async () => (await listed()).waiting === 0);
  assert.match((await run(['webhook', 'retry', 'none', '--store', store])).stderr, /no server has told a webhook none/i);
  assert.equal((await run(['webhook', 'skip', 'copy', 'x', '--store', store])).status, 2);
  await server.stop();
});

test('a receiver that answers 410 is told nothing more, also after a start, until the operator says so', async () => {
  const to = await receiver(() => 410);
  const shop = shopWith(copyTo(to.url));
  let server = await start(shop);
  const { store } = server;
  await server.add('lamp', bad);
  await server.says(/webhook copy: the receiver wants no more messages/);
  assert.equal(to.messages.length, 1);
  await server.kill();
  server = await start(shop, { store });
  await server.add('lamp', bad);
  to.answer = () => 200;
  await mustRun(['webhook', 'retry', 'copy', '--store', store]);
  const ended = async () => JSON.parse((await mustRun(['webhook', 'list', '--store', store, '--json'])).stdout).ended;
  await soon('it begins again', async () => !(await ended()));
  const { id } = await server.add('lamp', bad);
  await soon('the next message', () => to.messages.length === 2);
  assert.equal(verified(to.messages[1]).data.comment.id, id);
  await server.stop();
});

test('a webhook may come and go, and have another secret, while the server runs', async () => {
  const to = await receiver();
  const shop = shopWith();
  const server = await start(shop);
  await server.add('lamp', bad);
  shop.write(copyTo(to.url));
  await server.says(/the shop file \S+ was read again/);
  const { id } = await soon('the webhook is there', async () => {
    const comment = await server.add('lamp', bad);
    return to.messages.length > 0 && comment;
  });
  await soon('all are told', () => to.messages.some((message) => verified(message).data.comment.id === id));
  const newer = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${shop.folder}/newer`, newer, { mode: 0o600 });
  shop.write(copyTo(to.url).replace('"secret"', '["newer", "secret"]'));
  await soon('both secrets sign', async () => {
    await server.add('lamp', bad);
    const signatures = to.messages.at(-1).headers['webhook-signature'].split(' ');
    return signatures.length === 2;
  });
  for (const key of [newer, secret]) verified(to.messages.at(-1), key);
  await server.stop();
});

test('quire webhook test sends a message that tells of nothing', async () => {
  const to = await receiver();
  const shop = shopWith(copyTo(to.url), slackTo(to.url));
  assert.equal((await mustRun(['webhook', 'test', 'copy', ...shop.args])).stdout, 'copy took the test.\n');
  const told = verified(to.messages[0]);
  assert.deepEqual([told.type, Object.keys(told.data)], ['webhook.test', ['mark']]);
  await mustRun(['webhook', 'test', 'bad'], { env: { QUIRE_SHOP: shop.file } });
  assert.deepEqual(JSON.parse(to.messages[1].body), { text: 'A test by Quire: messages arrive here.' });
  to.answer = () => 404;
  const failed = await run(['webhook', 'test', 'copy', ...shop.args]);
  assert.deepEqual([failed.status, failed.stderr], [1, 'quire: The test of copy failed: it answered 404.\n']);
  assert.equal((await run(['webhook', 'test', 'none', ...shop.args])).status, 2);
});

test('no message goes to this machine or its networks', async () => {
  let reached = 0;
  const listener = net.createServer((socket) => { ++reached; socket.destroy(); });
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  const { port } = listener.address();
  const outside = (host) => `name = "out"\nurl = "https://${host}:${port}/"\nformat = "slack"`;
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '10.0.0.1', '169.254.169.254', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.']) {
    const checked = await run(['shop', 'check', shopWith(outside(host)).file]);
    assert.equal(checked.status, 1, host);
  }
  for (const host of ['localhost', 'localhost.localdomain']) {
    const failed = await run(['webhook', 'test', 'out', ...shopWith(outside(host)).args]);
    assert.equal(failed.status, 1, host);
    if (host === 'localhost') assert.match(failed.stderr, /it is at an address of this machine or its networks/);
  }
  const to = await receiver(() => [301, { Location: `http://127.0.0.1:${port}/` }]);
  const moved = await run(['webhook', 'test', 'copy', ...shopWith(copyTo(to.url)).args]);
  assert.match(moved.stderr, /it answered 301/);
  assert.equal(reached, 0);
  listener.close();
});
