// Decisions are taken back, by the interface and by the page: by who made them, once. What the page tells of a round, its counts and its replies.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, newToken, temporaryDirectory } from '../support/harness.mjs';
import { bearer, linked, moderatorsSession, serveShop, valuesIn } from '../support/moderation.mjs';

const audit = join(temporaryDirectory(), 'audit.log');
let server;
let replier;
before(async () => {
  server = await serveShop({ shop: '[shop]\nname = "Field & Stream"\n[moderation]\nhold = "rules"\nlinks = true\nwords = "words.txt"\n[feeds]\nchanges = true\n', args: ['--audit-log', audit] });
  const file = join(server.folder, 'tokens');
  replier = (await newToken({ file, scopes: 'moderate,reply,feed', args: ['--name', 'replier'] })).token;
  while ((await server.get('/v1/changes?after=now', bearer(replier))).status !== 200);
});
after(() => server?.stop());

const post = async (product, comment) => (await server.post(commentsPath(product), linked(comment))).expect(202).json.id;
const found = async (id) => (await server.get(commentPath(id), server.moderator)).expect(200).json;
const decide = async (decisions) => (await server.post('/v1/moderation/decisions', { decisions }, server.moderator)).expect(200).json;
const undo = (name, token = server.tokens.moderate) => server.post('/v1/moderation/undo', { undo: name }, bearer(token));
const linesOf = (id) => readFileSync(audit, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ comment }) => comment === id);
const events = async (query) => (await server.get(`/v1/changes?${query}`, bearer(replier))).expect(200).text.trim().split('\n').map((line) => JSON.parse(line));

test('a decision that is taken back leaves the comment as it was, with a line and an event of its own', async () => {
  const id = await post('undone');
  const asItWas = await found(id);
  const [{ mark }] = await events('after=now');
  for (const decision of [{ status: 'rejected', reason: 'spam', note: 'seen' }, { status: 'published' }, { note: 'a note alone' }]) {
    const { undo: name } = await decide([{ id, ...decision }]);
    const { decisions } = (await undo(name)).expect(200).json;
    assert.deepEqual(decisions.map((each) => each.id), [id]);
    assert.deepEqual(await found(id), asItWas);
    (await undo(name)).problem('not-found');
  }
  assert.deepEqual(linesOf(id).map(({ action }) => action), ['edit', 'undo', 'edit', 'undo', 'edit', 'undo']);
  assert.deepEqual((({ token, before, after }) => ({ token, before, after }))(linesOf(id)[1]), { token: 'ann', before: { status: 'rejected', reason: 'spam' }, after: { status: 'pending' } });
  const told = (await events(`after=${mark}`)).filter((event) => event.id === id || event.comment?.id === id).map(({ type }) => type);
  assert.deepEqual(told, ['comment.rejected', 'comment.held', 'comment.published', 'comment.held', 'comment.changed', 'comment.changed']);
});

test('what nobody has decided is decided by nobody again: rules hold it when it is edited, reports wait', async () => {
  const { id } = await server.add('kept', { rating: 1, text: 'Broke.' });
  (await server.post(`${commentPath(id)}/reports`, { reason: 'fake', name: 'Ann', mail: 'ann@example.com' }, { Authorization: '' })).expect(202);
  const reported = async () => (await server.queue('?status=reported&product=kept')).comments;
  const asItWas = await reported();
  const { undo: name } = await decide([{ id, status: 'published' }]);
  assert.deepEqual(await reported(), []);
  (await undo(name)).expect(200);
  assert.deepEqual(await reported(), asItWas);
});

test('another moderator, or a comment that has changed since, ends it', async () => {
  const [changed, other] = [await post('changed'), await post('changed')];
  const { undo: name } = await decide([{ id: changed, status: 'published' }, { id: other, status: 'published' }]);
  (await undo(name, server.tokens.other)).problem('not-found');
  await server.decide([{ id: changed, status: 'rejected', reason: 'fake' }], bearer(server.tokens.other));
  const { decisions } = (await undo(name)).expect(200).json;
  assert.equal(decisions[0].problem.status, 412);
  assert.deepEqual([decisions[1].id, decisions[1].comment.status], [other, 'pending']);
  assert.equal((await found(changed)).reason, 'fake');
  for (const body of [{}, { undo: 1 }, { undo: name, more: 1 }]) (await server.post('/v1/moderation/undo', body, server.moderator)).problem('invalid-comment');
});

test('the page takes back its last decisions, tells what a round came to, and is kind at its end', async () => {
  const ids = [await post('round'), await post('round'), await post('round')];
  const { page, decide: decideThere, sent } = await moderatorsSession(server, server.tokens.moderate);
  const fieldsOf = (text, form) => Object.fromEntries([...new RegExp(`<form id="${form}"[^]*?</form>`).exec(text)[0].matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value.replaceAll('&amp;', '&')]));
  const hidden = (text) => Object.fromEntries(['back', 'round_published', 'round_rejected'].map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(text.split('class="decisions"')[1])[1].replaceAll('&amp;', '&')]));
  const at = (location) => page(location.replace('/moderation', ''));
  let text = await page('?product=round');
  assert.match(text, /<span>Pending <small>\d+<\/small>/);
  text = await at(await decideThere({ ...hidden(text), publish: valuesIn(text)[0] }));
  assert.match(text, /role="status">1 published\.</);
  text = await at(await decideThere({ ...hidden(text), reject: valuesIn(text)[0], [`reason-${ids[1]}`]: 'spam' }));
  assert.match(text, /role="status">1 rejected\.</);
  text = await at(await sent('undo', fieldsOf(text, 'undo')));
  assert.match(text, /role="status">1 decision taken back\.</);
  assert.deepEqual(valuesIn(text).map((value) => value.slice(0, 26)), ids.slice(1));
  text = await at(await decideThere({ ...hidden(text), bulk: 'published', chosen: valuesIn(text)[0] }));
  text = await at(await decideThere({ ...hidden(text), reject: valuesIn(text)[0], [`reason-${ids[2]}`]: 'spam' }));
  assert.match(text, /class="empty">[^]*2 published, 1 rejected\. Thank you\./);
  const again = fieldsOf(text, 'undo');
  assert.deepEqual([again.round_published, again.round_rejected], ['2', '0']);
  await sent('undo', again);
  assert.match(await at(await sent('undo', again)), /Nothing was taken back: that goes for half a minute, once\./);
  assert.equal((await found(ids[2])).status, 'pending');
});

test('several comments are decided on by one form, each in its way', async () => {
  const ids = [await post('mixed'), await post('mixed')];
  const { cookie, value, page } = await moderatorsSession(server, server.tokens.moderate);
  const [first, second] = valuesIn(await page('?product=mixed'));
  const body = new URLSearchParams([['form', value], ['publish', first], ['reject', second], [`reason-${ids[1]}`, 'fake']]);
  const answer = await fetch(`${server.url}/moderation/decisions`, { method: 'POST', redirect: 'manual', body, headers: { Cookie: cookie } });
  assert.match(answer.headers.get('location'), /published=1&rejected=1&undo=/);
  assert.deepEqual([(await found(ids[0])).status, (await found(ids[1])).reason], ['published', 'fake']);
});

test('a form filters by the rule that held a comment', async () => {
  const [link, word] = [await post('rules'), await post('rules', { text: 'casino' })];
  const { page } = await moderatorsSession(server, server.tokens.moderate);
  const shown = (text) => [...text.matchAll(/name="chosen" value="(\w{26}) /g)].map(([, id]) => id);
  const text = await page('?product=rules&rule=words');
  assert.deepEqual(shown(text), [word]);
  assert.match(text, /<option value="words" selected>/);
  assert.deepEqual(shown(await page('?product=rules&rule=links')), [link]);
  assert.deepEqual(shown(await page('?product=rules&rule=none')), [link, word], 'a wrong filter is none');
  assert.doesNotMatch(await page('?product=rules&status=published'), /name="rule"/);
});

test('tokens with the scope reply reply there, as the shop unless they say otherwise', async () => {
  const { id } = await server.add('answered', { rating: 5, text: 'Fits.' });
  const { page, sent } = await moderatorsSession(server, replier);
  const query = '?status=published&product=answered';
  let text = await page(query);
  assert.match(text, new RegExp(`<input id="author-${id}" form="reply-${id}" name="author" value="Field &amp; Stream"`));
  const field = () => /name="reply" value="([^"]+)"/.exec(text)[1];
  const reply = (fields) => sent('reply', { reply: field(), back: query.slice(1), ...fields });
  assert.match(await reply({ author: 'Field & Stream', text: 'Thank you.\r\nAnn' }), /&reply=kept#r-\w{26}$/);
  assert.deepEqual([(await found(id)).reply.author, (await found(id)).reply.text], ['Field & Stream', 'Thank you.\nAnn']);
  assert.match(await reply({ text: 'Of another state.' }), /&reply=refused#r-\w{26}$/, 'the comment is another by now');
  text = await page(query);
  assert.match(await reply({ author: '', text: ' ' }), /&reply=refused#r-\w{26}$/);
  assert.match(await reply({ remove: '1' }), /&reply=kept#r-\w{26}$/);
  assert.equal((await found(id)).reply, undefined);
  const without = await moderatorsSession(server, server.tokens.moderate);
  assert.doesNotMatch(await without.page(query), /class="answer"/);
  assert.equal(await without.sent('reply', { reply: field(), text: 'No.' }), null);
  assert.equal((await found(id)).reply, undefined);
});
