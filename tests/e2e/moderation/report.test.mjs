// Reports and notices by the form of a comment: what it asks for, what follows, who reads name and mail, and when these go.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serveCustomers } from '../support/customers.mjs';
import { commentPath, importRows, mustRun, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { bearer, serveShop } from '../support/moderation.mjs';
import { until } from '../support/project.mjs';

const day = 24 * 3600 * 1000;
const store = newStore();
const audit = join(temporaryDirectory(), 'audit.log'), access = join(temporaryDirectory(), 'access.log');
let server;
before(async () => { server = await serveShop({ store, shop: '[moderation]\nreports = 3\n', args: ['--trusted-proxy', '127.0.0.1', '--audit-log', audit, '--access-log', access] }); });
after(() => server?.stop());

let network = 0;
const send = (id, fields, headers = {}) => fetch(`${server.url}/comments/${id}/report`, { method: 'POST', body: new URLSearchParams(fields), headers: { 'X-Forwarded-For': `192.0.2.${++network}`, ...headers } });
const notice = { reason: 'unlawful', note: 'The photo is mine.', name: 'Ann <Smith>', mail: 'ann@example.com', good_faith: 'true' };
const reportsOn = async (id, status = 'reported') => (await server.queue(`?status=${status}&limit=100`)).comments.find((each) => each.id === id)?.reports;
const faults = (text) => [...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, id]) => id);

test('each comment leads to its form, which search engines leave out', async () => {
  const { id } = await server.add('linked', { rating: 2, title: 'Broke', text: 'After a day.', author: 'Bob' });
  const list = (await server.get('/products/linked')).expect(200).text;
  assert.match(list, new RegExp(`<a href="/comments/${id}/report">Report<i>: Bob, [^<]+</i></a>`));
  assert.match((await server.get('/products/linked/fragment?ui=de')).expect(200).text, new RegExp(`<a href="[^"]*/comments/${id}/report\\?ui=de">Melden<i>: Bob, [^<]+</i></a>`));
  assert.match((await server.get(`/comments/${id}`)).expect(200).text, new RegExp(`/comments/${id}/report"`));
  const page = (await server.get(`/comments/${id}/report`)).expect(200);
  assert.match(page.text, /<meta name="robots" content="noindex, follow">/);
  assert.equal(page.headers['cache-control'], 'private, no-store');
  for (const part of ['Broke', 'After a day.', 'Bob', 'name="mail"', 'name="good_faith"']) assert.ok(page.text.includes(part), part);
  assert.equal(page.text.match(/type="radio" name="reason"/g).length, 7);
  for (const id of ['01JD5ZK3V8Q6W3N0A9B7C5D2EF', 'x']) (await server.get(`/comments/${id}/report`)).expect(404);
});

test('a report needs a reason alone, and its page says what follows', async () => {
  const { id } = await server.add('plain', { rating: 2, text: 'Broke.' });
  const none = await send(id, { note: 'So "it" is.' });
  assert.equal(none.status, 422);
  const again = await none.text();
  assert.deepEqual(faults(again), ['reason']);
  assert.ok(again.includes('So &quot;it&quot; is.</textarea>'), 'what was typed stays');
  assert.equal(await reportsOn(id), undefined);
  const taken = await send(id, { reason: 'fake', note: '  So "it" is.\r\nYes. ' });
  assert.equal(taken.status, 200);
  const text = await taken.text();
  assert.match(text, /role="status">\s*<p>We have received your report\./);
  assert.ok(!text.includes('sends no e-mail') && !text.includes('<form'));
  assert.deepEqual((await reportsOn(id)).map(({ at, ...rest }) => rest), [{ reason: 'fake', note: 'So "it" is.\nYes.' }]);
});

test('a notice says why, and in good faith; name and mail may stay empty', async () => {
  const { id } = await server.add('notice', { rating: 1, text: 'A lie.' });
  const bare = await send(id, { reason: 'unlawful', name: 'x'.repeat(101), mail: 'ann' });
  assert.equal(bare.status, 422);
  assert.deepEqual(faults(await bare.text()), ['note', 'name', 'mail', 'good_faith']);
  assert.match(await (await send(id, notice)).text(), /This page sends no e-mail\./);
  const { note, good_faith } = notice;
  assert.equal((await send(id, { reason: 'unlawful', note, good_faith })).status, 200);
  const [first, second] = await reportsOn(id);
  assert.deepEqual([first.name, first.mail, second.name, second.mail], ['Ann <Smith>', 'ann@example.com', undefined, undefined]);
});

test('a page of another site sends no report, and nobody more than the limit', async () => {
  const { id } = await server.add('foreign', { rating: 1, text: 'A lie.' });
  const foreign = await send(id, notice, { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.match(await foreign.text(), /a page that is not this shop/);
  assert.equal(await reportsOn(id), undefined);
  const few = await serveShop({ args: ['--posts-per-minute-client', '2'] });
  const { id: other } = await few.add('few', { rating: 1 });
  const post = () => fetch(`${few.url}/comments/${other}/report`, { method: 'POST', body: new URLSearchParams(notice) });
  const answers = [];
  for (let i = 0; i < 3; ++i) answers.push(await post());
  const last = answers.at(-1);
  assert.equal(last.status, 429);
  assert.ok(Number(last.headers.get('retry-after')) > 0);
  await few.stop();
});

test('name and mail are read by moderators, and are in nothing else', async () => {
  const { id } = await server.add('secret', { rating: 1, text: 'A lie.' });
  const given = { name: 'Nora Notifier', mail: 'nora@notice.example' };
  (await server.post(`${commentPath(id)}/reports`, { reason: 'unlawful', note: 'Mine.', ...given }, { Authorization: '', 'X-Forwarded-For': '198.51.100.1' })).expect(202);
  (await server.post(`${commentPath(id)}/reports`, { reason: 'unlawful', mail: 'nora' }, { Authorization: '' })).problem('invalid-comment');
  const { at, ...rest } = (await reportsOn(id))[0];
  assert.deepEqual(rest, { reason: 'unlawful', note: 'Mine.', ...given });
  const signed = await fetch(`${server.url}/moderation/session`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token: server.tokens.moderate }) });
  const page = await server.get('/moderation?status=reported&product=secret', { Cookie: signed.headers.get('set-cookie').split(';')[0] });
  assert.match(page.expect(200).text, /Reported on [^<]*: Unlawful\. Mine\. \(from \u2068Nora Notifier, nora@notice\.example\u2069\)/);
  for (const token of ['post', 'edit', 'reply', 'importer']) (await server.get('/v1/moderation/comments?status=reported', bearer(server.tokens[token]))).problem('forbidden');
  (await server.patch(commentPath(id), { status: 'rejected', reason: 'unlawful' }, server.moderator)).expect(200);
  assert.ok((await reportsOn(id, 'rejected'))[0].decided_at, 'from then on they are kept for 180 days');
  const secrets = ['Nora', 'nora@'];
  const addresses = ['/products/secret', '/products/secret/comments.atom', '/v1/products/secret/comments', `/v1/comments/${id}`, '/metrics', '/v1/products/secret/statistics'];
  const public_ = await Promise.all(addresses.map(async (path) => (await server.get(path, { Authorization: '' })).text));
  const lines = async (...args) => (await mustRun(['export', '--store', store, ...args])).stdout;
  const exported = await lines();
  for (const text of [...public_, readFileSync(audit, 'utf8'), readFileSync(access, 'utf8'), exported]) for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  assert.ok(!exported.includes('decided_at'));
  const all = await lines('--private');
  for (const text of ['"name":"Nora Notifier"', '"mail":"nora@notice.example"', '"decided_at":']) assert.ok(all.includes(text), text);
  const copy = newStore();
  await mustRun(['import', '--store', copy, '-'], { input: all });
  assert.equal((await mustRun(['export', '--store', copy, '--private'])).stdout, all);
  (await server.delete(commentPath(id), bearer(server.tokens.admin))).expect(204);
  assert.ok(!(await lines('--private')).includes('Nora'), 'they go with the comment');
});

test('they go with the erasure of the customer who sent them', async () => {
  const shop = await serveCustomers();
  const { id } = await shop.add('42', { rating: 1 });
  (await shop.post(`${commentPath(id)}/reports`, { reason: 'unlawful', name: 'Ann', mail: 'ann@example.com' }, shop.as('ann'))).expect(202);
  const admin = bearer(shop.tokens.admin);
  const kept = (await shop.post('/v1/customers/export', { customer: 'ann' }, admin)).expect(200).json.reports;
  assert.deepEqual(kept.map(({ name, mail }) => [name, mail]), [['Ann', 'ann@example.com']]);
  (await shop.post('/v1/customers/erase', { customer: 'ann' }, admin)).expect(200);
  assert.deepEqual((await shop.queue('?status=reported')).comments, []);
  await shop.stop();
});

test('they go 180 days after the decision, when the server looks', async () => {
  const old = newStore();
  await importRows(old, [1, 2, 3].map((n) => ({ id: `01JD5ZK3V8Q6W3N0A9B7C5D2E${n}`, product: 'p', rating: n, status: 'rejected', reason: 'unlawful' })));
  const report = (n, decided) => JSON.stringify({ report: { comment: `01JD5ZK3V8Q6W3N0A9B7C5D2E${n}`, person: String(n).repeat(32), at: '2024-11-20T12:01:00Z', reason: 'unlawful', note: `note ${n}`, name: `Ann ${n}`, mail: `ann${n}@example.com`, ...(decided && { decided_at: new Date(Date.now() - decided).toISOString() }) } });
  await importRows(old, [report(1, 181 * day), report(2, 179 * day), report(3)]);
  const late = await serveShop({ store: old });
  const names = async () => (await late.queue('?status=rejected')).comments.map(({ reports }) => [reports[0].note, reports[0].name, reports[0].mail]);
  await until('the first notice is forgotten', async () => (await names())[0][1] === undefined);
  assert.deepEqual(await names(), [['note 1', undefined, undefined], ['note 2', 'Ann 2', 'ann2@example.com'], ['note 3', 'Ann 3', 'ann3@example.com']]);
  await late.stop();
  assert.match((await run(['queue', '--store', old, '--status', 'rejected'])).stdout, /^ {2}from Ann 2, ann2@example\.com$/m);
});
