// Readers who ask for much and take it slowly: what waits for them has a bound. Their least pace is tested in tests/http/server.
// Only in ./test --all: it runs alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, importRows, newStore, serve } from '../support/harness.mjs';
import { privateBytes } from '../support/memory.mjs';
import { metric } from '../support/metrics.mjs';
import { connect, exchange } from '../support/wire.mjs';

const MiB = 2 ** 20;
const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const large = get(commentsPath('large', { limit: 100 })); // 5 MB

/** Waits until it is so; what does not come in a minute and a half fails by its name. */
async function until(what, condition) {
  for (const end = Date.now() + 90_000; !await condition();) {
    assert.ok(Date.now() < end, `${what} does not come`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const store = newStore();
let server;
before(async () => {
  await importRows(store, Array.from({ length: 100 }, (_, n) => ({ product: 'large', language: 'en', rating: 5, created_at: '2024-11-20T12:01:00Z', title: '', author: '', text: 'x'.repeat(50_000 - n) })));
  server = await serve({ store });
  const size = (await server.get(commentsPath('large', { limit: 100 }))).bytes.length;
  await server.stop();
  // Ten such answers and their headers: nothing else has room beside them.
  server = await serve({ store, args: ['--max-unsent', `${10 * (size + 1024)}`] });
});
after(() => server?.stop());

const unsent = () => metric(server, 'quire_http_unsent_bytes');

test('what waits for slow readers has a bound, and is freed when they leave', { timeout: 300_000 }, async () => {
  (await server.get(commentsPath('large', { limit: 100 }))).expect(200);
  const before_ = await privateBytes(server.process.child.pid);
  // Each comes from an address of its own.
  const wires = await Promise.all(Array.from({ length: 60 }, (_, n) => connect(server.port, { from: `127.0.1.${n + 1}`, deaf: true })));
  for (const wire of wires) wire.send(large);
  // On a busy machine the first of those that wait are cut off before the last is answered, and leave their room to others.
  const answered = async () => {
    const [held, refused, cut] = [await unsent() / 5e6, await metric(server, 'quire_http_unsent_refused_total'), await metric(server, 'quire_http_slow_readers_total')];
    return Math.round(held) + refused + cut >= 60;
  };
  let held = 0;
  await until('a refusal, or room, for each of sixty readers', async () => {
    const done = await answered();
    held = Math.max(held, await unsent()); // after the last of them, which may all come at once
    return done;
  });
  assert.ok(held > 40 * MiB && held < 56 * MiB, `${held} bytes wait`); // each loop looks by itself: one more may pass
  assert.ok(await metric(server, 'quire_http_unsent_refused_total') >= 40, 'most find no room');
  const grown = await privateBytes(server.process.child.pid) - before_;
  assert.ok(grown < 100 * MiB, `it holds ${(grown / MiB).toFixed(1)} MiB more`);

  const refused = await exchange(server.port, large);
  assert.equal(refused.answers[0]?.status, 503, 'an answer that finds no room');
  assert.ok(Number(refused.answers[0].headers['retry-after']) > 0);
  assert.equal(JSON.parse(refused.answers[0].body).type, '/problems/backend-unavailable');
  assert.equal((await exchange(server.port, get(commentsPath('large', { limit: 1 })))).answers[0]?.status, 200, 'an answer of the usual size');
  (await server.get('/healthz')).expect(200);

  for (const wire of wires) wire.destroy();
  await until('the end of all that wait', async () => await unsent() === 0);
  (await server.get(commentsPath('large', { limit: 100 }))).expect(200);
  await until('memory given back', async () => await privateBytes(server.process.child.pid) - before_ < 24 * MiB);
});

test('the memory of a load that has passed is given back', { timeout: 120_000 }, async () => {
  const before_ = await privateBytes(server.process.child.pid);
  for (let round = 0; round < 5; ++round) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => exchange(server.port, large, { from: `127.0.4.${n + 1}` })));
  }
  await until('memory given back', async () => await privateBytes(server.process.child.pid) - before_ < 24 * MiB);
});

test('one client has an eighth of it, so that no stranger alone uses it up', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => connect(server.port, { from: '127.0.2.1', deaf: true })));
  first.send(large);
  await until('an answer that waits', async () => await unsent() > 0);
  const [answer] = await second.listen().send(large).answers(1);
  assert.equal(answer?.status, 503, 'its second such answer');
  const { answers } = await exchange(server.port, large, { from: '127.0.2.2' });
  assert.equal(answers[0]?.status, 200, 'the answer to another client');
  assert.equal((await first.listen().answers(1))[0]?.body.length, answers[0].body.length, 'who reads at last gets all of it');
  for (const wire of [first, second]) wire.destroy();
  await until('the end of the wait', async () => await unsent() === 0);
});
