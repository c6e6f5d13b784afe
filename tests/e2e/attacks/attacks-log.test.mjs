// Logs that nobody reads: the server answers, ends in time, and says how many lines it lost.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, temporaryDirectory } from '../support/harness.mjs';
import { metric } from '../support/metrics.mjs';

/** A pipe that nobody reads, unless through `read`: what it holds, without waiting for more. */
function pipe() {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const writing = openSync(path, constants.O_WRONLY);
  const part = Buffer.alloc(1 << 16);
  const read = () => {
    try {
      return part.toString('latin1', 0, readSync(descriptor, part));
    } catch (error) {
      if (error.code === 'EAGAIN') return '';
      throw error;
    }
  };
  return { writing, read, close() { closeSync(descriptor); closeSync(writing); } };
}

const inTurn = async (count, ask) => { for (let n = 0; n < count; ++n) await ask(n); };

test('a standard error that nobody reads stops neither the answers nor the end', async () => {
  const log = pipe();
  const server = await serve({ stderr: log.writing });
  await inTurn(3000, async () => (await server.get('/healthz')).expect(200));
  // An access line is as long as its target: these are more than waits for the writer.
  await inTurn(1000, async (n) => (await server.get(`/healthz?${n}${'x'.repeat(15_000)}`)).expect(400));
  assert.ok(await metric(server, 'quire_log_dropped_total') > 0, 'lost lines are counted');
  assert.equal((await server.stop()).status, 0);
  log.close();
});

test('a reader that comes late gets every line', async () => {
  const log = pipe();
  const server = await serve({ stderr: log.writing });
  await inTurn(3000, async (n) => (await server.get('/healthz', { 'X-Request-Id': `late-${n}` })).expect(200));
  assert.equal(await metric(server, 'quire_log_dropped_total'), 0);
  let text = '';
  while (!text.includes(' late-2999 -\n') && server.running) {
    const more = log.read();
    text += more;
    if (!more) await new Promise((done) => setTimeout(done, 10));
  }
  const ids = [...text.matchAll(/ (late-\d+) -\n/g)].map(([, id]) => id);
  assert.deepEqual(new Set(ids), new Set(Array.from({ length: 3000 }, (_, n) => `late-${n}`)));
  assert.equal(ids.length, 3000, 'each once');
  await server.stop();
  log.close();
});

test('a log on a full disk loses its lines, is counted, and costs no answer', async () => {
  const server = await serve({ args: ['--access-log', '/dev/full'] });
  await inTurn(100, async () => (await server.get('/healthz')).expect(200));
  while (await metric(server, 'quire_log_dropped_total') < 100) await new Promise((done) => setTimeout(done, 50));
  assert.equal((await server.stop()).status, 0);
});
