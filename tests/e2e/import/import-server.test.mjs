// Rows that are brought beside a running server: POST /v1/import.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { commentPath, commentsPath, exportRows, mustRun, mustVerify, newStore, newToken, problems, serve, serveWithToken, temporaryDirectory } from '../support/harness.mjs';
import { Import, importInto, lineOf, row } from './imports.mjs';
import { privateBytes } from '../support/memory.mjs';
import { connect } from '../support/wire.mjs';

const MiB = 2 ** 20;
const counts = (some) => ({ added: 0, known: 0, differing: 0, updated: 0, removed_here: 0, rejected: 0, ...some });
const rows = (product, count, from = 0) => Array.from({ length: count }, (_, n) => row(product, from + n));
const refused = (answer, slug) => {
  assert.equal(answer.status, problems.get(slug).status, answer.text);
  assert.equal(answer.problem?.type, `/problems/${slug}`);
  return answer.problem;
};
const total = async (server, product) => (await server.get(commentsPath(product))).expect(200).json.total;
/** Resolves once the product has so many comments. */
const comes = async (server, product, count) => {
  while ((await server.page(product)).total !== count) await new Promise((done) => setTimeout(done, 20));
};

let server, audit;
before(async () => {
  audit = join(temporaryDirectory(), 'audit.log');
  server = await serveWithToken({ tokens: await newToken({ scopes: 'import' }), args: ['--audit-log', audit] });
});
after(() => server?.stop());

test('rows are added, refusals told, and a second time nothing is added', async () => {
  await server.get('/products/first'); // a 404, which the page cache must not keep
  const sent = [row('first', 1), '{"product":"first"}', row('first', 2, { rating: 9 }), '', 'no JSON \u0007', row('first', 3, { status: 'pending' })];
  const answer = await importInto(server, sent);
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-type'], /^application\/jsonl/);
  assert.deepEqual(answer.summary, counts({ added: 2, rejected: 3 }));
  assert.deepEqual(answer.refusals.map((one) => one.line), [2, 3, 5]);
  assert.match(answer.refusals[1].reason, /rating/);
  assert.deepEqual(answer.refusals.map((one) => one.row), [sent[1], JSON.stringify(sent[2]), sent[4]]);
  assert.equal(answer.lines.length, 4);
  assert.equal(await total(server, 'first'), 1, 'the pending one is not public');
  (await server.get('/products/first')).expect(200);
  assert.deepEqual((await importInto(server, sent)).summary, counts({ known: 2, rejected: 3 }));
  const [line] = readFileSync(audit, 'utf8').split('\n').map((text) => text && JSON.parse(text));
  const { at, request, token, client, ...told } = line;
  assert.deepEqual(told, { action: 'import', ...counts({ added: 2, rejected: 3 }) });
  assert.equal(client, '127.0.0.1');
});

test('who may import, and in which form, is decided before the body', async () => {
  const one = [row('judged', 1)];
  refused(await importInto(server, one, { token: '' }), 'unauthorized');
  const other = await serveWithToken({ tokens: await newToken({ scopes: 'post,edit' }) });
  refused(await importInto(other, one), 'forbidden');
  await other.stop();
  assert.match(refused(await importInto(server, one, { query: '?update=true' }), 'forbidden').detail, /edit/);
  refused(await importInto(server, one, { query: '?update=yes' }), 'invalid-parameter');
  refused(await importInto(server, one, { query: '?updates=true' }), 'invalid-parameter');
  refused(await importInto(server, one, { headers: { 'Content-Type': 'text/csv' } }), 'unsupported-media-type');
  refused(await importInto(server, one, { headers: { 'Content-Encoding': 'br' } }), 'unsupported-encoding');
  (await server.get('/v1/import')).problem('method-not-allowed');
  assert.equal(await total(server, 'judged'), 0);
  for (const type of ['application/x-ndjson', 'text/plain; charset=utf-8', ''])
    assert.equal((await importInto(server, one, { headers: { 'Content-Type': type } })).status, 200, type);
});

test('a body has any length, with a length or in chunks, plain or in gzip', async () => {
  const body = Buffer.from(rows('long', 3000).map(lineOf).join(''));
  assert.ok(body.length > 2 ** 18, 'it is longer than other bodies may be');
  const answer = await importInto(server, body, { headers: { 'Content-Length': body.length } });
  assert.deepEqual(answer.summary, counts({ added: 3000 }));
  const members = Buffer.concat([gzipSync(body), gzipSync(lineOf(row('long', 3000)).trim())]);
  const headers = { 'Content-Encoding': 'gzip' };
  assert.deepEqual((await importInto(server, members, { headers })).summary, counts({ added: 1, known: 3000 }));
  for (const [bytes, pattern] of [[members.subarray(0, members.length - 20), /break off/], [Buffer.from('no gzip'), /no gzip/]]) {
    const broken = await importInto(server, bytes, { headers });
    assert.match(broken.problem.detail, pattern);
    assert.equal(broken.summary, undefined);
  }
  assert.equal(await total(server, 'long'), 3001);
});

test('answers come while rows are sent, and one client imports once at a time', async () => {
  const going = new Import(server);
  await going.write('no row');
  while (!going.received.includes('\n')) await new Promise((done) => setTimeout(done, 5));
  const busy = await importInto(server, [row('busy', 1)]);
  refused(busy, 'backend-unavailable');
  assert.match(busy.headers['retry-after'], /^\d+$/);
  await going.write(row('busy', 2));
  assert.deepEqual((await going.end()).summary, counts({ added: 1, rejected: 1 }));
  assert.deepEqual((await importInto(server, [row('busy', 1)])).summary, counts({ added: 1 }));
});

test('the first thousand refusals are told, and all are counted', async () => {
  const answer = await importInto(server, Array.from({ length: 1500 }, () => '{}'));
  assert.deepEqual(answer.refusals.map((one) => one.line), Array.from({ length: 1000 }, (_, n) => n + 1));
  assert.deepEqual(answer.summary, counts({ rejected: 1500 }));
});

test('reading does not wait for an answer that is not read', async () => {
  const wire = await connect(server.port, { deaf: true });
  const wrong = lineOf({ text: 'x'.repeat(40_000) });
  const body = Array.from({ length: 1000 }, () => wrong).join('') + lineOf(row('deaf', 1));
  wire.send(`POST /v1/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Length: ${body.length}\r\n\r\n`);
  await new Promise((done) => wire.socket.write(body, done));
  await comes(server, 'deaf', 1);
  const [answer] = await wire.listen().answers(1, { milliseconds: 20_000 });
  const lines = answer.body.toString('utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  assert.deepEqual(lines.at(-1), counts({ added: 1, rejected: 1000 }));
  assert.ok(lines.length > 50 && lines.length < 900, `${lines.length} lines: those that have no room are counted`);
  wire.destroy();
});

test('a prefix binds the product of each row', async () => {
  const bound = await serveWithToken({ tokens: await newToken({ scopes: 'import', args: ['--product', 'shop-a/'] }) });
  const report = { report: { comment: '01JD5ZK3V8Q6W3N0A9B7C5D2EF', reason: 'spam' } };
  const answer = await importInto(bound, [row('shop-a/1', 1), row('shop-b/1', 2), row('shop-a', 3), report]);
  assert.equal(answer.summary.added, 1);
  assert.deepEqual(answer.refusals.map((one) => one.line), [2, 3, 4]);
  assert.match(answer.refusals[0].reason, /shop-a\//);
  assert.equal(await total(bound, 'shop-b/1'), 0);
  await bound.stop();
});

test('200,000 rows take little memory, and pages of other products answer meanwhile', { timeout: 240_000 }, async () => {
  const own = await serveWithToken({ tokens: await newToken({ scopes: 'import' }) });
  await importInto(own, rows('other', 100));
  const before_ = await privateBytes(own.process.child.pid);
  let most = 0, pages = 0, done = false;
  const visitor = (async () => {
    for (; !done; ++pages) {
      (await own.get('/products/other')).expect(200);
      most = Math.max(most, await privateBytes(own.process.child.pid));
    }
  })();
  const going = new Import(own);
  for (let n = 0; n < 200_000; n += 1000) await going.write(...rows(`p${n % 7000}`, 1000, n));
  const { summary } = await going.end();
  done = true;
  await visitor;
  assert.deepEqual(summary, counts({ added: 200_000 }));
  const grown = most - before_;
  console.log(`${pages} pages meanwhile; ${(grown / MiB).toFixed(1)} MiB more at most`);
  assert.ok(grown < 64 * MiB, `it held ${(grown / MiB).toFixed(1)} MiB more`);
  assert.ok(pages > 5, `${pages} pages`);
  await own.stop();
  await mustVerify(own.store, 'after the import');
});

test('a client that goes away leaves the rows that it sent', async () => {
  const wire = await connect(server.port);
  wire.send(`POST /v1/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Length: 1000000\r\n\r\n${rows('gone', 1500).map(lineOf).join('')}{"product":`).end();
  await comes(server, 'gone', 1500);
  assert.ok(await wire.untilClosed());
  assert.doesNotMatch(wire.text, /"added"/);
  wire.destroy();
  while ((await importInto(server, [row('gone', 0)])).status !== 200) await new Promise((done) => setTimeout(done, 20));
});

test('a client that sends nothing for too long is cut off, and its rows are in', async () => {
  const own = await serveWithToken({ tokens: await newToken({ scopes: 'import' }), args: ['--idle', '1'] });
  const wire = await connect(own.port);
  wire.send(`POST /v1/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${own.token}\r\nContent-Length: 1000000\r\n\r\n${lineOf(row('idle', 1))}`);
  assert.ok(await wire.untilClosed(30_000));
  assert.match(wire.text, /^HTTP\/1.1 200 /);
  assert.doesNotMatch(wire.text, /"added"/);
  await comes(own, 'idle', 1);
  wire.destroy();
  await own.stop();
});

test('after a kill in the middle, the import is repeated: nothing is lost, or there twice', async () => {
  const store = newStore();
  const tokens = await newToken({ scopes: 'import' });
  const sent = rows('killed', 20_000);
  for (const part of [3000, 9000]) {
    const own = await serveWithToken({ store, tokens });
    const going = new Import(own);
    await going.write(...sent.slice(0, part));
    while ((await own.page('killed').catch(() => ({ total: 0 }))).total < part / 2) await new Promise((done) => setTimeout(done, 5));
    await own.kill();
    await assert.rejects(going.end());
  }
  await mustVerify(store, 'after the kills');
  const own = await serveWithToken({ store, tokens });
  const { summary } = await importInto(own, sent);
  assert.ok(summary.known >= 1500 && summary.added + summary.known === 20_000, JSON.stringify(summary));
  await own.stop();
  assert.equal(new Set((await exportRows(store)).map((one) => one.id)).size, 20_000);
});

test('customers of another key are refused, or taken as new ones', async () => {
  const from = newStore();
  await mustRun(['import', '--store', from, '-'], { input: lineOf(row('theirs', 1, { customer_id: 'ann' })) });
  const { stdout } = await mustRun(['export', '--store', from]);
  assert.match(stdout, /^\{"customer_key"/);
  const key = await importInto(server, [row('theirs', 2, { customer_id: 'bob' })]);
  assert.equal(key.summary.added, 1, 'the server has a key of its own');
  const lines = stdout.trim().split('\n');
  const answer = await importInto(server, lines);
  assert.deepEqual(answer.summary, counts({ rejected: 1 }));
  assert.match(answer.refusals[0].reason, /another key/);
  assert.deepEqual((await importInto(server, lines, { query: '?new_customers=true' })).summary, counts({ added: 1 }));
});

test('Expect: 100-continue gets its 100, HTTP/1.0 its answer, and the connection goes on', async () => {
  const body = lineOf(row('expected', 1));
  const head = (version, ...lines) => [`POST /v1/import HTTP/${version}`, 'Host: localhost', `Authorization: Bearer ${server.token}`, `Content-Length: ${body.length}`, ...lines, '', ''].join('\r\n');
  const wire = await connect(server.port);
  wire.send(head('1.1', 'Expect: 100-continue'));
  await wire.until(() => wire.text.includes('\r\n\r\n'));
  assert.equal(wire.text, 'HTTP/1.1 100 Continue\r\n\r\n');
  wire.send(`${body}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const answers = await wire.answers(2);
  assert.deepEqual(answers.map((answer) => answer.status), [200, 200]);
  assert.match(answers[0].body.toString(), /"added":1/);
  wire.destroy();
  const old = await connect(server.port);
  old.send(head('1.0') + body);
  assert.ok(await old.untilClosed());
  assert.doesNotMatch(old.text, /chunked/i);
  assert.match(old.text, /\r\n\r\n\{"added":0,"known":1,[^\n]*\}\n$/);
  old.destroy();
});

test('a body that is cut wrongly ends the connection, and the rows before stay', async () => {
  const wire = await connect(server.port);
  const line = lineOf(row('framed', 1));
  wire.send(`POST /v1/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nTransfer-Encoding: chunked\r\n\r\n${line.length.toString(16)}\r\n${line}\r\nzz\r\n`);
  assert.ok(await wire.untilClosed());
  assert.doesNotMatch(wire.text, /"added"/);
  await comes(server, 'framed', 1);
  (await server.get(commentPath((await server.page('framed')).comments[0].id))).expect(200);
  wire.destroy();
});
