// As in containers: each process is the first of a PID namespace of its own, and sees no other. Only root may start such processes.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'quire-first-'));
const first = join(folder, 'quire');
const program = process.env.QUIRE_BIN ?? join(import.meta.dirname, '../../build/release/quire');
writeFileSync(first, `#!/bin/sh\nexec unshare --pid --fork --kill-child --mount-proc ${program} "$@"\n`);
chmodSync(first, 0o755);
process.env.QUIRE_BIN = first;
const { cleanEnvironment, commentPath, importRows, mustRun, newStore, run, serveWithToken, temporaryDirectory } = await import('./support/harness.mjs');
const { startDynamoDb } = await import('./support/dynamodb.mjs');
const { Stage, until } = await import('./support/project.mjs');

const rows = (count, text) => Array.from({ length: count }, (_, at) => ({ product: '42', rating: 1 + (at % 5), text: `${text} ${at} ${'.'.repeat(100)}`, created_at: new Date(Date.UTC(2025, 0, 1) + at * 1000).toISOString() }));

/** Sends SIGTERM to the program itself: `unshare` does not pass it on. */
async function stop(server) {
  const { pid } = server.process.child;
  const [inner] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  process.kill(Number(inner), 'SIGTERM');
  server.close();
  assert.equal((await server.process.ended).status, 0);
}

/** An export that has begun, and holds its state of the store: nobody reads what it prints until `rest()` is called. */
async function heldExport(store) {
  const child = spawn(first, ['export', '--store', store], { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((done) => child.stdout.once('readable', done));
  const rest = async () => {
    const chunks = [];
    for await (const chunk of child.stdout) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };
  return { child, rest };
}

test('commands read beside a server', async () => {
  const store = newStore();
  await importRows(store, rows(500, 'of the import'));
  const server = await serveWithToken({ store });
  for (const command of ['page 42', 'statistics 42', 'verify', 'facet list'])
    assert.equal((await run([...command.split(' '), '--store', store])).status, 0, command);
  await mustRun(['facet', 'add', 'helpful', '--type', 'number', '--store', store]);
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', store]);
  assert.equal((await mustRun(['verify', '--store', `lmdb:${copy}`])).stdout, '500 comments, 0 differences\n');
  await stop(server);
});

test('an export keeps its state while a server posts and deletes, is killed, and another begins', async () => {
  const store = newStore();
  await importRows(store, rows(5000, 'before'));
  const before = (await mustRun(['export', '--store', store])).stdout;
  const held = await heldExport(store);
  let server = await serveWithToken({ store });
  const { tokens } = server;
  const remain = before.trim().split('\n').map((line) => JSON.parse(line).id);
  for (let round = 0; round < 3; ++round) {
    await Promise.all(Array.from({ length: 8 }, async (_, lane) => {
      for (let at = 0; at < 100; ++at) {
        await server.add('42', { rating: 5, text: `of round ${round}, ${lane}, ${at} ${'x'.repeat(300)}` });
        (await server.delete(commentPath(remain.pop()))).expect(204);
      }
    }));
    await server.kill();
    server = await serveWithToken({ store, tokens });
  }
  assert.equal(await held.rest(), before);
  assert.equal((await mustRun(['export', '--store', store])).stdout.trim().split('\n').length, 5000);
  await stop(server);
  assert.equal((await run(['verify', '--store', store])).status, 0);
});

test('a server reads the page index in LMDB that a worker of another namespace writes', async (t) => {
  const database = await startDynamoDb();
  after(() => database.stop());
  const stage = await Stage.make({ test: t, database, table: 'first', random: Math.random, index: { pages: `lmdb:${join(temporaryDirectory(), 'pages')}` } });
  await stage.import(200, 1);
  await stage.mustRun('backfill');
  for (const workerFirst of [true, false]) {
    let worker = workerFirst && stage.work();
    await stage.serve();
    worker ||= stage.work();
    const { server } = stage;
    const count = async () => (await server.get('/v1/products/shoe/comments?page=1')).json.total;
    const was = await until('numbers', async () => (await count()) > 0) ?? await count();
    for (let at = 0; at < 20; ++at) await server.add('shoe', { rating: 5, text: `${at}` });
    await until('numbers of the new ones', async () => (await count()) === was + 20, async () => `${await count()} of ${was + 20}`);
    await worker.kill();
    await server.kill();
  }
});
