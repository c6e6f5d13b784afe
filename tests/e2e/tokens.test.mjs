// Tokens: their products, changes of the file while the server runs, and their traces in access log and audit log. Scopes and ends are tested in
// tests/http/application.

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, commentsPath, newStore, newToken, run, serve, temporaryDirectory, unlimited } from './support/harness.mjs';

const bearer = (token) => ({ Authorization: `Bearer ${token}` });
const serveTokens = (file, args = []) => serve({ args: ['--tokens', file, ...unlimited, ...args] });
const date = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Waits until a post with this token has this status. That takes half a second, or longer while other tests run. */
async function answersSoon(server, token, status) {
  for (const deadline = Date.now() + 10_000; ;) {
    const answer = await server.post(commentsPath('watched'), { rating: 5 }, bearer(token));
    if (answer.status === status) return;
    assert.ok(Date.now() < deadline, `still ${answer.status}, not ${status}`);
  }
}

test('a token is for the products that it names', async () => {
  const { file, token: admin } = await newToken({ scopes: 'admin' });
  const { token: shop } = await newToken({ file, scopes: 'post,edit,import', args: ['--product', 'shop a/'] });
  const server = await serveTokens(file);
  const { id } = await server.add('theirs', { rating: 5 }, bearer(admin));
  const own = await server.add('shop a/lamp', { rating: 5, created_at: '2024-01-01T00:00:00Z' }, bearer(shop));
  (await server.patch(commentPath(own.id), { rating: 4 }, bearer(shop))).expect(200);
  for (const product of ['shop b/lamp', 'shop a']) (await server.post(commentsPath(product), { rating: 5 }, bearer(shop))).problem('forbidden');
  for (const send of [() => server.patch(commentPath(id), { rating: 1 }, bearer(shop)), () => server.delete(commentPath(id), bearer(shop))]) (await send()).problem('forbidden');
  assert.equal((await server.get(commentPath(id))).json.rating, 5);
  (await server.delete(commentPath(own.id), bearer(shop))).expect(204);
  await server.stop();
});

test('token new: the line that it writes, and what it refuses', async () => {
  const file = join(temporaryDirectory(), 'tokens');
  const make = (...args) => run(['token', 'new', '--tokens', file, ...args]);
  assert.equal((await make('--name', 'shop', '--until', '2999-01-31', '--product', 'a b/')).status, 0);
  assert.match(readFileSync(file, 'utf8'), /^[0-9a-f]{64} name=shop scopes=post,edit until=2999-01-31 product=a%20b%2F\n$/);
  for (const [args, message] of [[['--name', 'shop'], /named shop/], [['--name', 'a b'], /--name takes/], [['--scopes', 'write'], /--scopes takes/], [['--scopes', ''], /--scopes takes/], [['--until', 'soon'], /--until takes/], [['--until', date(-1)], /past/], [['--until', '2999-01-31 10:00:00Z'], /--until takes/], [['--until', ''], /--until: is empty/], [['--product', ''], /--product: is empty/], [['--product', 'x'.repeat(257)], /--product takes/]]) {
    const result = await make(...args);
    assert.notEqual(result.status, 0, args.join(' '));
    assert.match(result.stderr, message);
    assert.equal(result.stdout, '');
  }
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 2, 'what is refused leaves no line');
  const folder = join(temporaryDirectory(), 'not', 'there');
  const homeless = await run(['token', 'new', '--tokens', join(folder, 'tokens')]);
  assert.equal(homeless.status, 1);
  assert.ok(homeless.stderr.includes(`its folder ${folder} does not exist. Make it first: mkdir -p ${folder}.`), homeless.stderr);
});

test('the file is read again: a token that is added works, one that is withdrawn fails', async () => {
  const { file, token: first } = await newToken({ args: ['--name', 'first'] });
  const server = await serveTokens(file);
  await answersSoon(server, first, 201);
  const { token: second } = await newToken({ file, args: ['--name', 'second'] });
  await answersSoon(server, second, 201);
  writeFileSync(file, `${readFileSync(file, 'utf8').split('\n').find((line) => line.includes('name=second '))}\nhalf a li`);
  await answersSoon(server, first, 401);
  await answersSoon(server, second, 201);
  await server.says(/line 2 is no token, and is left out/);
  rmSync(file);
  await server.says(/The tokens stay as they were/);
  await server.stop();
});

test('idempotency keys belong to a token', async () => {
  const { file, token: first } = await newToken();
  const { token: second } = await newToken({ file });
  const server = await serveTokens(file);
  const post = (token, rating) => server.post(commentsPath('keyed'), { rating }, { ...bearer(token), 'Idempotency-Key': 'order-1' });
  const mine = (await post(first, 5)).expect(201).json;
  const theirs = (await post(second, 3)).expect(201).json;
  assert.notEqual(theirs.id, mine.id);
  assert.deepEqual((await post(first, 5)).expect(201).json, mine);
  (await post(first, 3)).problem('idempotency-conflict');
  assert.equal((await server.page('keyed')).total, 2);
  await server.stop();
});

test('a file that others may read brings a warning, one that they may write is refused', async () => {
  const { file } = await newToken();
  chmodSync(file, 0o644);
  const server = await serveTokens(file);
  await server.says(new RegExp(`everyone on this machine may read the token file ${file}`));
  await server.stop();
  chmodSync(file, 0o602);
  const refused = await run(['serve', '--store', newStore(), '--listen', '127.0.0.1:0', '--tokens', file], { timeout: 10_000 });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /chmod o-w/);
});

test('the access log names the token of a write', async () => {
  const log = join(temporaryDirectory(), 'access.log');
  const { file, token } = await newToken({ args: ['--name', 'shop'] });
  const server = await serveTokens(file, ['--access-log', log]);
  await server.add('logged', { rating: 5 }, bearer(token));
  await server.page('logged');
  (await server.post(commentsPath('logged'), { rating: 5 }, bearer('wrong'))).expect(401);
  await server.stop();
  const names = readFileSync(log, 'utf8').trim().split('\n').map((line) => [line.split(' ')[7], line.split(' ')[9], line.split(' ').at(-1)]);
  assert.deepEqual(names, [['POST', '201', 'shop'], ['GET', '200', '-'], ['POST', '401', '-']]);
  assert.ok(!readFileSync(log, 'utf8').includes(token));
});

test('the audit log records who changed what, without the texts', async () => {
  const audit = join(temporaryDirectory(), 'audit.log');
  const { file, token } = await newToken({ args: ['--name', 'shop'] });
  const server = await serveTokens(file, ['--audit-log', audit]);
  const { id } = await server.add('audited', { rating: 5, language: 'en', author: 'Ann Secret', text: 'secret text' }, bearer(token));
  const path = commentPath(id);
  (await server.patch(path, { rating: 3, text: 'now other' }, { ...bearer(token), 'X-Request-Id': 'first-change' })).expect(200);
  (await server.patch(path, { rating: 3 }, bearer(token))).expect(200);
  (await server.patch(path, { rating: 1 }, { ...bearer(token), 'If-Match': '"stale"' })).expect(412);
  (await server.delete(path, bearer(token))).expect(204);
  (await server.delete(path, bearer(token))).expect(404);
  await server.stop();
  const text = readFileSync(audit, 'utf8');
  assert.doesNotMatch(text, /secret|Secret|other/);
  const [edit, removal, ...rest] = text.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(rest.length, 0, 'what changed nothing leaves no line');
  const about = { token: 'shop', client: '127.0.0.1', comment: id, product: 'audited' };
  const { at, ...told } = edit;
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  assert.deepEqual(told, { request: 'first-change', ...about, action: 'edit', before: { rating: 5, text_characters: 11 }, after: { rating: 3, text_characters: 9 } });
  const { at: _, request, ...gone } = removal;
  assert.match(request, /^[0-9a-f]{16}$/);
  assert.deepEqual(gone, { ...about, action: 'remove', before: { language: 'en', rating: 3, author_characters: 10, title_characters: 0, text_characters: 9 } });
});
