// SIGHUP: a server opens its logs again and takes new limits, and keeps its settings where the file is broken.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, commentPath, commentsPath, newStore, newToken, serve, start, temporaryDirectory, unlimited } from '../support/harness.mjs';

async function eventually(what, condition, instead = () => '') {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  assert.fail(`${what} ${instead()}`);
}

test('SIGHUP opens every log again', async () => {
  const folder = temporaryDirectory();
  const logs = ['access.log', 'audit.log', 'error.log'].map((name) => join(folder, name));
  const [access, audit, errors] = logs;
  const server = await serve({
    args: ['--tokens', (await newToken({ file: join(folder, 'tokens') })).file, '--access-log', access, '--audit-log', audit, ...unlimited],
    stderr: openSync(errors, 'a'),
  });
  server.token = (await newToken({ file: join(folder, 'tokens') })).token;
  const text = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await eventually('a token works soon', async () => (await server.post(commentsPath('p'), { rating: 5 })).status === 201);
  const change = async (title) => (await server.patch(commentPath((await server.page('p')).comments[0].id), { title })).expect(200);
  await change('before');
  await eventually('the access log has the change', () => / PATCH /.test(text(access)));
  for (const log of logs) renameSync(log, `${log}.1`);
  server.process.child.kill('SIGHUP');
  await eventually('the logs are made anew', () => logs.every((log) => existsSync(log)));
  await eventually('the error log says so', () => /SIGHUP: logs are opened again/.test(text(errors)));
  const old = logs.map((log) => text(`${log}.1`));
  await change('after');
  await eventually('the new access log has the next change', () => / PATCH /.test(text(access)));
  assert.match(text(audit), /^\{.*"edit".*\}\n$/);
  assert.equal(old[1].split('\n').length, 2, 'the old audit log has the one change');
  assert.deepEqual(logs.map((log) => text(`${log}.1`)), old, 'nothing more comes into the old files');
  await server.stop();
});

test('SIGHUP before there is a server to reload ends nothing', { timeout: 20_000 }, async () => {
  const table = createServer((socket) => socket.resume()).listen(0, '127.0.0.1'); // never answers, so the server waits for it
  const asked = once(table, 'connection');
  await once(table, 'listening');
  const { child, ended } = start(['serve', '--demo', '--store', `dynamodb:comments?region=eu-west-1&endpoint=http://127.0.0.1:${table.address().port}`, '--listen', '127.0.0.1:0'],
    { env: { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' } });
  await Promise.race([asked, ended.then(({ stderr }) => assert.fail(stderr))]);
  child.kill('SIGHUP');
  await new Promise((done) => setTimeout(done, 200)); // nothing tells that a signal was ignored
  child.kill('SIGKILL');
  assert.equal((await ended).signal, 'SIGKILL');
  table.close();
});

test('SIGHUP takes new limits from the file, and names what needs a restart', async () => {
  const file = join(temporaryDirectory(), 'quire.toml');
  const write = (...lines) => writeFileSync(file, ['[serve]', ...lines, ''].join('\n'));
  write('posts-per-minute-client = 2', 'threads = 1');
  const server = await serve({ args: ['--demo', '--config', file, '--posts-per-minute-product', '1000000'] });
  const post = async () => (await server.post(commentsPath('p'), { rating: 5 })).status;
  const reload = async (said) => {
    const before = server.output.length;
    server.process.child.kill('SIGHUP');
    await eventually(`the log says ${said}`, () => said.test(server.output.slice(before)), () => server.output.slice(before));
    return server.output.slice(before);
  };
  assert.deepEqual([await post(), await post(), await post()], [201, 201, 429]);
  for (const broken of ['posts-per-minute-client = "many"', 'posts-per-second = 3', 'trusted-proxy = "nowhere"']) {
    write('max-connections = 77', broken);
    await reload(/error: .*All settings stay as they were/);
    assert.equal(await post(), 429, `as before: ${broken}`);
  }
  write('posts-per-minute-client = 1000000', 'threads = 2');
  const said = await reload(/logs are opened again/);
  assert.match(said, /threads has changed: the server takes it when it is started again/);
  assert.match(said, /posts-per-minute-client is now 1000000/);
  await eventually('the new limit holds', async () => (await post()) === 201);
  assert.deepEqual([await post(), await post(), await post()], [201, 201, 201]);
  write('posts-per-minute-client = 1000000', 'threads = 1');
  assert.doesNotMatch(await reload(/logs are opened again/), /has changed|is now/, 'nothing differs any more');
  await server.stop();
});

test('a server whose terminal is closed ends', async (t) => {
  const terminal = spawn('script', ['-qec', `exec ${binary} serve --demo --store ${newStore()} --listen 127.0.0.1:0`, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => terminal.kill('SIGKILL'));
  let printed = '';
  terminal.stdout.on('data', (text) => { printed += text; });
  const address = () => /listening on (http:\S+)/.exec(printed)?.[1];
  await eventually('the server listens', address);
  const answers = () => fetch(`${address()}/healthz`).then(() => true, () => false);
  assert.ok(await answers());
  terminal.kill('SIGKILL');
  await eventually('nobody answers any more', async () => !(await answers()));
});
