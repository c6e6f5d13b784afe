// Slow and idle clients: the server closes a connection whose request is not complete after 10 s, or that is idle for 60 s.
// All of them wait at the same time, so this takes about a minute, as the longest does.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from './support/harness.mjs';
import { connect } from './support/wire.mjs';

let server;
before(async () => { server = await serve(); });
after(() => server?.stop());

/** Milliseconds until the server closes the connection, or the limit. `drip` is sent at a byte each 400 ms. */
async function timeToCut(data, { limit, drip }) {
  const wire = await connect(server.port);
  const began = Date.now();
  let at = drip ? 1 : data.length;
  wire.send(data.slice(0, at));
  const timer = drip && setInterval(() => { if (at < data.length && !wire.closed) wire.send(data.slice(at, ++at)); }, 400);
  const closed = await wire.untilClosed(limit);
  clearInterval(timer);
  const answered = wire.text;
  wire.destroy();
  return { closed, milliseconds: Date.now() - began, answered };
}

const head = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
const body = 'POST /v1/products/slow/comments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n';
const slow = {
  'half a header': { data: head },
  'one letter': { data: 'G' },
  'half a body': { data: `${body}{"rating"` },
  'a header letter by letter': { data: head + 'X-Slow: ' + 'x'.repeat(400), drip: true },
  'half a chunk': { data: body.replace('Content-Length: 200', 'Transfer-Encoding: chunked') + 'ff\r\n{' },
};

test('slow requests are cut off after about 10 s, idle connections after about 60 s', { timeout: 120_000 }, async () => {
  const requests = Object.entries(slow).map(async ([name, { data, drip }]) => {
    const { closed, milliseconds, answered } = await timeToCut(data, { limit: 20_000, drip });
    assert.ok(closed, `${name}: still open after 20 s`);
    assert.ok(milliseconds > 7_000 && milliseconds < 14_000, `${name}: cut off after ${milliseconds} ms`);
    assert.doesNotMatch(answered, /^HTTP\/1\.1 2/, `${name}: was answered`);
  });
  const idle = timeToCut(`${head}\r\n`, { limit: 80_000 }).then(({ closed, milliseconds, answered }) => {
    assert.match(answered, /^HTTP\/1\.1 200/, 'the request before the silence was answered');
    assert.ok(closed, 'idle: still open after 80 s');
    assert.ok(milliseconds > 50_000 && milliseconds < 70_000, `idle: cut off after ${milliseconds} ms`);
  });
  const others = (async () => {
    for (let n = 0; n < 20; ++n) {
      const began = Date.now();
      (await server.get('/v1/products/slow/comments')).expect(200);
      assert.ok(Date.now() - began < 2_000, 'others are served meanwhile');
      await new Promise((done) => setTimeout(done, 500));
    }
  })();
  const results = await Promise.allSettled([...requests, idle, others]);
  const failed = results.filter((result) => result.status === 'rejected').map((result) => result.reason.message);
  assert.deepEqual(failed, []);
});
