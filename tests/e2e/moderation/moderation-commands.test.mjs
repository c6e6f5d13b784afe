// quire queue, publish and reject: on a store, and beside a server, over http and https.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, importRows, mustRun, mustVerify, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { linked, serveShop } from '../support/moderation.mjs';

let server;
let beside; // the options of a moderator's command
before(async () => {
  server = await serveShop();
  const file = join(server.folder, 'ann.token');
  writeFileSync(file, `${server.tokens.moderate}\n`);
  beside = ['--server', server.url, '--token-file', file];
});
after(() => server?.stop());

const missing = '01JD5ZK3V8Q6W3N0A9B7C5D2EF';
const held = async (product, comment) => (await server.post(commentsPath(product), linked(comment))).expect(202).json.id;
const row = (at, more) => ({ product: 'p', rating: 1, language: 'en', title: `Row ${at}`, created_at: `2024-11-20T12:00:0${at}Z`, ...more });
const listed = (stdout) => stdout.split('\n').filter((line) => /^[0-9A-Z]{26}  /.test(line)).map((line) => line.slice(0, 26));

/** A store with rows of each status; gives the ids of the pending ones. */
async function storeOf(...rows) {
  const store = newStore();
  await importRows(store, rows);
  const { stdout } = await mustRun(['queue', '--store', store, '--json', '--limit', '100']);
  return { store, ids: JSON.parse(stdout).comments.map(({ id }) => id) };
}

test('queue prints what waits, oldest first, for people and as JSON', async () => {
  const { store, ids } = await storeOf(row(2, { status: 'pending', held_by: 'links', author: 'Ann' }), row(1, { status: 'pending' }), row(3), row(4, { status: 'rejected', reason: 'fake', product: 'q' }));
  const of = ['--store', store];
  const { stdout } = await mustRun(['queue', ...of]);
  assert.match(stdout, new RegExp(`^${ids[0]}  2024-11-20T12:00:01\\.000Z  p  en   1  anonymous  Row 1\n${ids[1]}  2024-11-20T12:00:02\\.000Z  p  en   1  Ann  Row 2  \\(links\\)\n2 of 2\n$`));
  assert.match((await mustRun(['queue', ...of, '--status', 'rejected'])).stdout, /Row 4  \(fake\)\n1 of 1\n$/);
  assert.equal((await mustRun(['queue', ...of, '--product', 'q'])).stdout, '0 of 0\n');
  const first = await mustRun(['queue', ...of, '--limit', '1']);
  const next = /^next: \S+ (.*)$/m.exec(first.stdout)[1];
  assert.deepEqual(listed((await mustRun(next.split(' '))).stdout), [ids[1]]);
  for (const wrong of [['--status', 'published'], ['--limit', '0'], ['--limit', '101'], ['--after', 'x'], ['--product', '']]) assert.equal((await run(['queue', ...of, ...wrong])).status, 2, wrong.join(' '));
});

test('publish and reject decide, on a store, and write the audit log', async () => {
  const { store, ids } = await storeOf(...[1, 2, 3, 4].map((at) => row(at, { status: 'pending' })));
  const audit = join(temporaryDirectory(), 'audit.log');
  const of = ['--store', store, '--audit-log', audit];
  assert.equal((await mustRun(['publish', ids[0], ...of])).stdout, `published ${ids[0]}\n`);
  assert.equal((await mustRun(['reject', ids[1], '--reason', 'spam', '--note', 'Again.', ...of])).stdout, `rejected ${ids[1]}\n`);
  const get = async (id) => (await mustRun(['get', id, '--store', store])).stdout;
  assert.match(await get(ids[0]), /^status {6}published$/m);
  assert.match(await get(ids[1]), /^status {6}rejected\nreason {6}spam\nnote {8}Again\.\n/m);
  assert.match((await mustRun(['get', ids[2], '--store', store, '--json'])).stdout, /"status":"pending"/);
  const failed = await run(['publish', ids[2], missing, 'x', '-', ...of], { input: `${ids[3]}\n\n` });
  assert.equal(failed.status, 3);
  assert.equal(failed.stdout, `published ${ids[2]}\npublished ${ids[3]}\n`);
  assert.match(failed.stderr, new RegExp(`^quire: ${missing}: There is no comment .*\nquire: x: There is no .*\n$`));
  const lines = readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const user = `user:${userInfo().username}`;
  assert.deepEqual(lines.map(({ token, client, request, comment, after }) => [token, client, request, comment, after.status]),
    [[ids[0], 'published'], [ids[1], 'rejected'], [ids[2], 'published'], [ids[3], 'published']].map(([id, status]) => [user, '-', '-', id, status]));
  const none = await run(['publish', ids[0], '--store', store, '--audit-log', temporaryDirectory()]);
  assert.equal(none.status, 1);
  await mustVerify(store, 'after decisions');
});

test('note writes for moderators and decides nothing, on a store and beside a server', async () => {
  const { store, ids: [id] } = await storeOf(row(1, { status: 'pending' }));
  const of = ['--store', store];
  assert.equal((await mustRun(['note', id, '--note', 'Ask them.', ...of])).stdout, `noted ${id}\n`);
  const get = async () => (await mustRun(['get', id, ...of])).stdout;
  assert.match(await get(), /^status {6}pending\nnote {8}Ask them\.\n/m);
  await mustRun(['note', id, '--note', '', ...of]);
  assert.doesNotMatch(await get(), /^note/m);
  assert.equal((await run(['note', id, ...of])).status, 2, 'a note is needed');
  const there = await held('noted', { rating: 3 });
  assert.equal((await mustRun(['note', there, '--note', 'Ask them.', ...beside])).stdout, `noted ${there}\n`);
  assert.deepEqual((({ status, note }) => [status, note])((await server.get(commentPath(there), server.moderator)).json), ['pending', 'Ask them.']);
});

test('wrong usage is refused before anything is decided', async () => {
  const { store, ids } = await storeOf(row(1, { status: 'pending' }));
  for (const wrong of [['reject', ids[0]], ['reject', ids[0], '--reason', 'rating'], ['publish'], ['publish', ids[0], '--reason', 'spam'], ['publish', ids[0], '--server', server.url],
    ['publish', ids[0], '--server', 'ftp://x', beside[2], beside[3]]]) assert.equal((await run([...wrong, '--store', store])).status, 2, wrong.join(' '));
  assert.equal((await run(['publish', ids[0], '--store', newStore()])).status, 1, 'there is no store');
  assert.match((await mustRun(['queue', '--store', store])).stdout, /\n1 of 1\n$/);
});

test('beside a server the commands ask it', async () => {
  const ids = [await held('beside'), await held('beside'), await held('beside')];
  const { stdout } = await mustRun(['queue', '--product', 'beside', ...beside]);
  assert.deepEqual(listed(stdout), ids);
  const json = JSON.parse((await mustRun(['queue', '--product', 'beside', '--json', ...beside])).stdout);
  assert.deepEqual(json, await server.queue('?product=beside'));
  assert.equal((await mustRun(['publish', ids[0], ...beside])).stdout, `published ${ids[0]}\n`);
  (await server.get(commentPath(ids[0]))).expect(200);
  const env = { QUIRE_SERVER: server.url, QUIRE_TOKEN_FILE: beside[3] };
  const answer = await run(['reject', '-', '--reason', 'fake', '--json'], { env, input: `${ids[1]}\n${missing}\n` });
  assert.equal(answer.status, 3);
  assert.deepEqual(JSON.parse(answer.stdout).decisions.map(({ id, comment, problem }) => [id, comment?.reason, problem?.status]), [[ids[1], 'fake', undefined], [missing, undefined, 404]]);
  assert.match(answer.stderr, new RegExp(`^quire: ${missing}: `));
  // The store itself is the server's.
  const own = await run(['publish', ids[2], '--store', server.store]);
  assert.equal(own.status, 1);
  assert.match(own.stderr, /is being written by another process/);
  assert.deepEqual(listed((await mustRun(['queue', '--product', 'beside', '--store', server.store])).stdout), [ids[2]]);
});

test('more than a hundred ids go in several requests', async () => {
  const ids = [];
  for (let i = 0; i < 130; ++i) ids.push(await held('many'));
  const { stdout } = await mustRun(['publish', '-', ...beside], { input: ids.join('\n') });
  assert.deepEqual(stdout.trim().split('\n'), ids.map((id) => `published ${id}`));
  assert.equal((await server.page('many')).total, 130);
});

test('a server that does not answer, or not as Quire, or not this token, is told with what to do', async () => {
  const id = await held('refused');
  const token = (text) => { const file = join(temporaryDirectory(), 'token'); writeFileSync(file, text); return file; };
  const asked = async (url, file = beside[3]) => run(['publish', id, '--server', url, '--token-file', file]);
  const cases = [[server.url, token('x\n'), /token/], [server.url, token(server.tokens.post), /lacks the scope "moderate"/], [server.url, token(''), /is no token/], [server.url, token('a b'), /is no token/],
    [server.url, '/none', /Cannot read/], ['http://127.0.0.1:1', undefined, /does not answer: cannot reach 127\.0\.0\.1:1: .*--server/]];
  for (const [url, file, told] of cases) {
    const { status, stderr } = await asked(url, file);
    assert.ok(status === 1 || status === 2, stderr);
    assert.match(stderr, told);
  }
  const other = http.createServer((_, answer) => { answer.statusCode = 502; answer.end('<html>'); }).listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  assert.match((await asked(`http://127.0.0.1:${other.address().port}`)).stderr, /answers with status 502, and not as Quire does/);
  other.close();
  (await server.get(commentPath(id))).expect(404);
});

test('a server behind TLS is asked if its certificate is trusted', async () => {
  const folder = temporaryDirectory();
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'ignore' });
  const proxy = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, answer) => {
    const { method, url: path, headers } = request;
    request.pipe(http.request({ method, path, headers, host: '127.0.0.1', port: server.port }, (of) => { answer.writeHead(of.statusCode, of.headers); of.pipe(answer); }));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => proxy.once('listening', done));
  const id = await held('tls');
  const args = ['publish', id, '--server', `https://localhost:${proxy.address().port}`, '--token-file', beside[3]];
  const untrusted = await run(args);
  assert.deepEqual([untrusted.status, /certificate/.test(untrusted.stderr)], [1, true], untrusted.stderr);
  assert.equal((await mustRun(args, { env: { SSL_CERT_FILE: cert } })).stdout, `published ${id}\n`);
  proxy.close();
  proxy.closeAllConnections();
});
