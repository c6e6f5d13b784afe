// Connections from strangers that are silent or send no HTTP: they lock no other client out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../support/harness.mjs';
import { metric } from '../support/metrics.mjs';
import { connect, exchange } from '../support/wire.mjs';

const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const stranger = (n) => `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${1 + (n & 127)}`;

/** Idle connections, each from the address that `from` gives, including those that the server closes at once. */
async function idle(server, count, from) {
  const wires = [];
  for (let at = 0; at < count; at += 200) {
    wires.push(...await Promise.all(Array.from({ length: Math.min(200, count - at) }, (_, n) => connect(server.port, { from: from(at + n) }))));
  }
  return wires;
}

/** Another client, on a connection of its own. */
async function served(server, when, from = '127.9.9.9') {
  const { answers, text } = await exchange(server.port, request, { from });
  assert.equal(answers[0]?.status, 200, `another address is served ${when}; received ${JSON.stringify(text.slice(0, 100))}`);
}

const until = async (condition) => { while (!await condition()) await new Promise((done) => setTimeout(done, 20)); };

test('too many idle connections of one address lock no other address out', async () => {
  const server = await serve({ args: ['--max-connections', '500'] });
  const wires = await idle(server, 700, () => '127.0.0.2');
  await until(() => wires.filter((wire) => wire.closed).length >= 600);
  for (let n = 0; n < 20; ++n) await served(server, 'beside them');
  assert.equal(wires.filter((wire) => !wire.closed).length, 100, 'one address has a tenth of all connections, and 100 at least');
  assert.equal(await metric(server, 'quire_http_connections_refused_client_total'), 600);
  assert.equal(await metric(server, 'quire_http_connections_refused_total'), 0);
  for (const wire of wires) wire.destroy();
  await until(async () => await metric(server, 'quire_http_connections') <= 2);
  await served(server, 'from the same address, once its connections have ended', '127.0.0.2');
  await server.stop();
});

test('thousands of idle connections of many addresses lock nobody out: those silent longest are closed', async () => {
  const server = await serve({ args: ['--max-connections', '1000'] });
  const first = await idle(server, 10, () => '127.0.0.2');
  const wires = await idle(server, 3000, stranger);
  for (let n = 0; n < 20; ++n) await served(server, 'beside them');
  assert.ok(await metric(server, 'quire_http_connections') <= 1000);
  assert.ok(await metric(server, 'quire_http_connections_displaced_total') >= 2000);
  assert.ok(first.every((wire) => wire.closed), 'those that were silent longest are closed');
  for (const wire of [...first, ...wires]) wire.destroy();
  await server.stop();
});

test('a connection whose client sends something outlives the silent ones', async () => {
  const server = await serve({ args: ['--max-connections', '300', '--max-connections-client', '300'] });
  const live = await connect(server.port);
  for (let n = 1; n <= 10; ++n) {
    await idle(server, 100, stranger);
    await served(server, 'after those'); // connections are accepted in their order: so these are, before the live one speaks
    assert.equal((await live.send(request).answers(n)).length, n, 'the live connection is served');
  }
  live.destroy();
  await server.stop();
});

test('connections with half-sent requests are closed for new ones as idle ones are', async () => {
  const server = await serve({ args: ['--max-connections', '300', '--max-connections-client', '300'] });
  const wires = await idle(server, 600, stranger);
  for (const wire of wires) wire.send('GET /healthz HTT');
  await until(async () => wires.filter((wire) => wire.closed).length >= 300);
  for (let n = 0; n < 20; ++n) await served(server, 'beside them');
  for (const wire of wires) wire.destroy();
  await server.stop();
});

test('requests that are not HTTP are counted; a few per second are logged, with their client and without their bytes', async () => {
  const server = await serve();
  const unheard = 'unh\x1b[31meard';
  for (let n = 0; n < 300; ++n) await exchange(server.port, `${unheard} / HTTP/1.1\r\n\r\n`, { from: '127.0.0.7' });
  await exchange(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
  assert.equal(await metric(server, 'quire_http_malformed_requests_total'), 301);
  const { stderr } = await server.stop();
  const lines = stderr.split('\n').filter((line) => line.includes('not HTTP'));
  assert.match(lines[0], /^\S+Z warning: 127\.0\.0\.7 sent a request that is not HTTP: bad method$/);
  const noted = lines.filter((line) => line.includes('sent a request')).length;
  const others = lines.map((line) => Number(/ (\d+) more requests/.exec(line)?.[1] ?? 0)).reduce((sum, n) => sum + n, 0);
  assert.ok(others > 0, 'not each has a line');
  assert.equal(noted + others, 301, `${noted} noted, ${others} counted`);
  assert.doesNotMatch(stderr, /eard/);
});
