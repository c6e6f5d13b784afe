// From SIGTERM to the end: the drain. These waits are real: signals and load balancers have no clock that a test can set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../support/harness.mjs';
import { connect } from '../support/wire.mjs';

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const page = '/v1/products/p/comments';
const drained = async (server) => {
  for (let answer; answer?.status !== 503; await sleep(20)) answer = await server.get('/readyz');
};

test('a drain answers every request, ends each connection, and says no to the load balancer', async () => {
  const server = await serve({ env: { QUIRE_DRAIN: '2' } });
  const kept = await connect(server.port);
  kept.send(get(page));
  assert.equal((await kept.answers(1))[0].headers.connection, undefined);
  const asked = Date.now();
  server.process.child.kill('SIGTERM');
  await drained(server);
  assert.match((await server.get('/readyz')).problem('backend-unavailable').detail, /stopping/);
  kept.send(get(page));
  assert.deepEqual((await kept.answers(2)).map(({ status, headers }) => [status, headers.connection]), [[200, undefined], [200, 'close']]);
  assert.ok(await kept.untilClosed());
  const late = await connect(server.port);
  late.send(get(page));
  const [answer] = await late.answers(1);
  assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'], 'new connections are served, too');
  assert.equal((await server.add('p', { rating: 5 })).rating, 5);
  assert.equal((await server.process.ended).status, 0);
  const took = Date.now() - asked;
  assert.ok(took >= 1_900 && took < 8_000, `${took} ms`);
});

for (const [signals, what] of [[['SIGINT'], 'SIGINT ends at once'], [['SIGTERM', 'SIGTERM'], 'a second signal ends the drain']]) {
  test(what, async () => {
    const server = await serve({ env: { QUIRE_DRAIN: '60' } });
    for (const [at, signal] of signals.entries()) {
      if (at > 0) await drained(server);
      server.process.child.kill(signal);
    }
    const timer = setTimeout(() => server.process.child.kill('SIGKILL'), 15_000);
    const { status, signal } = await server.process.ended;
    clearTimeout(timer);
    assert.deepEqual([status, signal], [0, null]);
  });
}

test('a server for one person has no drain, and another has one of three seconds', async () => {
  const ended = async (args) => {
    const server = await serve({ args, env: { QUIRE_DRAIN: undefined } });
    const asked = Date.now();
    server.process.child.kill('SIGTERM');
    await server.process.ended;
    return Date.now() - asked;
  };
  const [demo, usual] = await Promise.all([ended(['--demo']), ended([])]);
  assert.ok(demo < usual && usual >= 2_900, `${demo} and ${usual} ms`);
});

test('an idle connection is closed after --idle seconds', async () => {
  const server = await serve({ args: ['--demo', '--idle', '1'] });
  const wire = await connect(server.port);
  wire.send(get(page));
  assert.equal((await wire.answers(1))[0].status, 200);
  const since = Date.now();
  assert.ok(await wire.untilClosed());
  assert.ok(Date.now() - since >= 700, 'not before');
  await server.stop();
});
