// quire import --server: rows that a command sends to a running server.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRows, mustRun, mustVerify, newStore, newToken, run, serveWithToken, start, temporaryDirectory } from '../support/harness.mjs';
import { lineOf, row } from './imports.mjs';

const withoutTime = (rows) => rows.map(({ id, ...rest }) => ({ id, ...rest })).sort((a, b) => (a.id < b.id ? -1 : 1));

/** The token in a file of its own, as --token-file takes it. */
function tokenFile(token) {
  const file = join(temporaryDirectory(), 'token');
  writeFileSync(file, `${token}\n`);
  return file;
}

test('the store gets what an import without a server gives it, ids included; a second time adds nothing', async () => {
  const server = await serveWithToken({ tokens: await newToken({ scopes: 'import' }) });
  const sent = Array.from({ length: 2500 }, (_, n) => row(`p${n % 3}`, n));
  sent.push(sent[0], { ...row('p1', 7), created_at: '2024-11-20T12:01:00.123Z', id: '01JD4Q4Z6VQJFDJ8BR4GJ4KRN9' });
  const args = ['--server', server.url, '--token-file', tokenFile(server.token)];
  const input = sent.map(lineOf).join('');
  for (let times = 0; times < 2; ++times) {
    await mustRun(['import', '-', ...args], { input });
    assert.equal((await server.page('p0')).total + (await server.page('p1')).total + (await server.page('p2')).total, 2502);
  }
  await server.stop();
  const store = newStore();
  await mustRun(['import', '--store', store, '-'], { input });
  assert.deepEqual(withoutTime(await exportRows(server.store)), withoutTime(await exportRows(store)));
});

test('rows that the server refuses come back, each with its line', async () => {
  const server = await serveWithToken({ tokens: await newToken({ scopes: 'import', args: ['--product', 'shop-a/'] }) });
  const sent = Array.from({ length: 2400 }, (_, n) => row(n % 2 ? 'shop-a/1' : 'shop-b/1', n));
  const { stderr } = await run(['import', '-', '--server', server.url, '--token-file', tokenFile(server.token)], { input: sent.map(lineOf).join('') });
  assert.match(stderr, /\b1\b.*shop-a/);
  assert.equal((await server.page('shop-a/1')).total, 1200);
  await server.stop();
});

test('rows that are no rows do not push out those that the server may still refuse', async () => {
  const server = await serveWithToken({ tokens: await newToken({ scopes: 'import', args: ['--product', 'shop-a/'] }) });
  const file = join(temporaryDirectory(), 'rejects.jsonl');
  const input = lineOf(row('shop-b/1', 1)) + '{"product": 1\n'.repeat(2500) + lineOf(row('shop-a/1', 2));
  const { status, stdout } = await run(['import', '-', '--server', server.url, '--token-file', tokenFile(server.token), '--rejects', file], { input });
  assert.equal(status, 3);
  assert.match(stdout, /^1 added, .*2501 rejected/);
  assert.match(readFileSync(file, 'utf8'), /shop-b\/1/);
  await server.stop();
});

test('a wrong token, or no server, is said at once', async () => {
  const server = await serveWithToken({ tokens: await newToken({ scopes: 'post' }) });
  const { status, stderr } = await run(['import', '-', '--server', server.url, '--token-file', tokenFile(server.token)], { input: lineOf(row('1', 1)) });
  assert.equal(status, 1);
  assert.match(stderr, /lacks the scope "import"/);
  await server.stop();
});

test('a server that is killed and started again meanwhile loses nothing, and has nothing twice', async () => {
  const tokens = await newToken({ scopes: 'import' });
  const store = newStore();
  const server = await serveWithToken({ store, tokens });
  let serving = server.process;
  const importing = start(['import', '-', '--server', server.url, '--token-file', tokenFile(tokens.token)], { input: Array.from({ length: 30_000 }, (_, n) => lineOf(row('killed', n))).join('') });
  for (const least of [1000, 8000]) {
    while ((await server.page('killed').catch(() => ({ total: 0 }))).total < least) await new Promise((done) => setTimeout(done, 5));
    serving.child.kill('SIGKILL');
    await serving.ended;
    serving = start(['serve', '--store', store, '--listen', `127.0.0.1:${server.port}`, '--tokens', tokens.file]);
  }
  const { status, stderr } = await importing.ended;
  assert.equal(status, 0, stderr);
  serving.child.kill('SIGTERM');
  await serving.ended;
  await mustVerify(store, 'after the kills');
  assert.equal(new Set((await exportRows(store)).map((one) => one.id)).size, 30_000);
});
