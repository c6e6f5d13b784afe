// The form shows customers what they have written already, changes and removes it; and shows it to nobody else.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { mustRun, newStore } from '../support/harness.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { bearer } from '../support/moderation.mjs';

const shopOrigin = 'https://shop.example';
const review = (product) => `/products/${product}/review`;
const post = (server, path, fields, headers = {}) => server.request('POST', path, { body: new URLSearchParams(fields).toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } });
const sealedIn = ({ text }) => /name="form" value="([^"]+)"/.exec(text)?.[1];
const hiddenIn = ({ text }, name) => /value="([^"]*)"/.exec(new RegExp(`<input type="hidden" name="${name}" [^>]*>`).exec(text)?.[0] ?? '')?.[1].replaceAll('&quot;', '"');
const ticketFor = async (product, customer, ...more) => (await mustRun(['invite', product, '--customer', customer, '--store', server.store, ...more])).stdout.trim();

let server;
before(async () => {
  const store = newStore();
  for (const facet of [['size', '--type', 'choice', '--values', 'S,M,L'], ['words', '--type', 'tags'], ['gift', '--type', 'flag'], ['height', '--type', 'number']])
    await mustRun(['facet', 'add', ...facet, '--store', store]);
  server = await serveCustomers({ store, args: ['--audit-log', join(store.slice('lmdb:'.length), 'audit.log')], writing: 'who = "customers"\nonce = true\nedit_days = 30\nfields = ["size", "words", "gift", "height"]\n',
    more: `[moderation]\nhold = "rules"\nlinks = true\n[shop]\nembed = ["${shopOrigin}"]\n[votes]\nwho = "customers"\n` });
});
after(() => server.stop());

const write = async (product, customer, fields, claims) => (await server.post(`/v1/products/${product}/comments`, { language: 'en', rating: 4, text: 'Well.', ...fields }, server.as(customer, claims))).json;
const byTicket = async (product, ticket, fields) => (await server.post(`/v1/products/${product}/comments`, { language: 'en', rating: 4, text: 'By ticket.', ...fields }, { Authorization: '', Invitation: ticket })).json;
const open = (product, customer, claims, headers) => post(server, review(product), { token: server.tokenOf(customer, claims) }, headers);
const mine = async (customer) => (await server.get('/v1/me/comments', server.as(customer))).expect(200).json.comments;
const full = { rating: '5', title: '', text: 'Better.', language: 'en' };

/** What a page of one's own says to caches, and to the pages that it leads to. */
function assertPrivate({ headers }) {
  assert.equal(headers['cache-control'], 'private, no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['set-cookie'], undefined);
}

describe('one\'s own review in place of the form', { concurrency: true }, () => {
  test('is shown with its text and status, in plain words', async () => {
    const { id } = await write('s1', 'ann', { title: 'Fits <b>', author: 'Ann' });
    const shown = (await open('s1', 'ann')).expect(200);
    assertPrivate(shown);
    assert.match(shown.text, /Your review is published\. <a href="[^"]*\/comments\/\w+\/page"/);
    assert.match(shown.text, /Fits &lt;b&gt;/);
    assert.match(shown.text, /Change your review/);
    assert.match(shown.text, /Remove your review/);
    assert.equal(hiddenIn(shown, 'edit'), id);
    assert.equal(hiddenIn(shown, 'remove'), id);
    await write('s2', 'ann', { text: 'See https://x.example/' });
    assert.match((await open('s2', 'ann')).expect(200).text, /It appears once a moderator approves it/);
    const rejected = await write('s3', 'ann');
    await server.decide([{ id: rejected.id, status: 'rejected', reason: 'off_topic', note: 'for moderators' }]);
    const { text } = (await open('s3', 'ann')).expect(200);
    assert.match(text, /decided not to publish/);
    assert.match(text, /It is not about the product/);
    assert.doesNotMatch(text, /for moderators/);
    assert.match((await post(server, `${review('s3')}?ui=de`, { token: server.tokenOf('ann') })).expect(200).text, /Es geht nicht um das Produkt|nicht zu veröffentlichen/);
  });

  test('is found by the product that it was written for, which has moved', async () => {
    const { id } = await write('gone-on', 'mia', { title: 'Before' });
    (await server.post('/v1/products/gone-on/move', { to: 'there-now' }, bearer(server.tokens.admin))).expect(200);
    const shown = (await open('gone-on', 'mia')).expect(200);
    assert.equal(hiddenIn(shown, 'edit'), id);
    const fields = { form: sealedIn(shown), edit: id, tag: hiddenIn(shown, 'tag'), ...full, title: 'After' };
    assert.match((await post(server, review('gone-on'), fields)).expect(200).text, /Your change is saved\./);
    assert.equal((await server.get(`/v1/comments/${id}`)).expect(200).json.title, 'After');
  });

  test('is saved though others vote meanwhile', async () => {
    const { id } = await write('v1', 'una');
    const vote = async (customer) => (await server.put(`/v1/comments/${id}/vote`, { vote: 'helpful' }, server.as(customer))).expect(200);
    await vote('bob');
    const shown = (await open('v1', 'una')).expect(200);
    const [{ etag }] = await mine('una');
    await vote('ann');
    const fields = { form: sealedIn(shown), edit: id, tag: hiddenIn(shown, 'tag'), ...full };
    assert.match((await post(server, review('v1'), fields)).expect(200).text, /Your change is saved\./);
    assert.equal((await server.get(`/v1/comments/${id}`)).expect(200).json.attributes.helpful, 2);
    const patch = async (tag) => server.patch(`/v1/comments/${id}`, { text: 'By a program.' }, { ...server.as('una'), 'If-Match': tag });
    (await patch(etag)).problem('precondition-failed');
    const [{ etag: present }] = await mine('una');
    await vote('cat');
    (await patch(present)).expect(200);
  });

  test('is changed by the form, which has all its fields', async () => {
    await write('e1', 'bob', { rating: 2, title: 'Kept', author: 'Bob', attributes: { size: 'M', words: ['warm'], gift: true, height: 12 } });
    const shown = (await open('e1', 'bob')).expect(200);
    assert.match(shown.text, /value="2" required checked/);
    assert.match(shown.text, /name="title" value="Kept"/);
    assert.match(shown.text, /<option value="M" selected>/);
    assert.match(shown.text, /name="attributes\.gift" value="true" checked/);
    assert.match(shown.text, /name="attributes\.height" value="12"/);
    assert.match(shown.text, /<option value="en" selected>/);
    assert.match(shown.text, /<li>Size: M<\/li>/);
    const fields = { form: sealedIn(shown), edit: hiddenIn(shown, 'edit'), tag: hiddenIn(shown, 'tag'), ...full, title: 'Kept', author: 'Robert', text: 'one\r\ntwo', 'attributes.size': '', 'attributes.words': 'warm, soft' };
    const saved = (await post(server, review('e1'), fields)).expect(200);
    assertPrivate(saved);
    assert.match(saved.text, /Your change is saved\./);
    assert.match(saved.text, /Your review is published/);
    const [comment] = await mine('bob');
    assert.deepEqual([comment.rating, comment.title, comment.text, comment.author], [5, 'Kept', 'one\ntwo', 'Robert']);
    assert.deepEqual(comment.attributes, { words: ['warm', 'soft'] }, 'what is empty now is removed');
    const changed = (await post(server, review('e1'), { ...fields, text: 'three' })).expect(422);
    assert.match(changed.text, /has changed meanwhile/);
    assert.match(changed.text, /three<\/textarea>/, 'what was typed stays');
    assert.equal((await mine('bob'))[0].text, 'one\ntwo');
    (await post(server, review('e1'), { ...fields, tag: hiddenIn(changed, 'tag'), text: 'three' })).expect(200);
    assert.equal((await mine('bob'))[0].text, 'three');
  });

  test('keeps the name that the shop gave', async () => {
    await write('e2', 'cy', {}, { name: 'Cy' });
    const shown = (await open('e2', 'cy', { name: 'Cyrus' })).expect(200);
    assert.match(shown.text, /Your name is shown: <bdi>Cy<\/bdi>/);
    (await post(server, review('e2'), { form: sealedIn(shown), edit: hiddenIn(shown, 'edit'), ...full, author: 'Mallory' })).expect(200);
    const [{ author, text }] = await mine('cy');
    assert.deepEqual([author, text], ['Cy', 'Better.']);
  });

  test('is judged again by the rules, and faults are told beside the fields', async () => {
    await write('e3', 'dee');
    const shown = (await open('e3', 'dee')).expect(200);
    const fields = { form: sealedIn(shown), edit: hiddenIn(shown, 'edit'), ...full };
    const faulty = (await post(server, review('e3'), { ...fields, rating: '9' })).expect(422);
    assert.match(faulty.text, /id="rating-fault">Choose one to five stars/);
    assert.match(faulty.text, /<details class="way" open>/);
    assert.equal((await mine('dee'))[0].text, 'Well.');
    const held = (await post(server, review('e3'), { ...fields, text: 'See https://x.example/' })).expect(200);
    assert.match(held.text, /It appears once a moderator approves it/);
    assert.equal((await mine('dee'))[0].status, 'pending');
    assert.equal((await server.page('e3')).total, 0);
  });

  test('is removed by a button behind a first one; then the form is empty again', async () => {
    const { id } = await write('r1', 'eve');
    const shown = (await open('r1', 'eve')).expect(200);
    const fields = { form: sealedIn(shown), remove: id };
    const removed = (await post(server, review('r1'), fields)).expect(200);
    assertPrivate(removed);
    assert.match(removed.text, /Your review is removed\./);
    assert.deepEqual(await mine('eve'), []);
    assert.match((await post(server, review('r1'), fields)).expect(404).text, /was removed/, 'a second click');
    const again = (await open('r1', 'eve')).expect(200);
    assert.doesNotMatch(again.text, /name="remove"/);
    assert.match(again.text, /Post review/);
    const lines = readFileSync(join(server.store.slice('lmdb:'.length), 'audit.log'), 'utf8').split('\n').filter((line) => line.includes(id)).map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ action, token }) => [action, token.split(':')[0]]), [['remove', 'customer']]);
  });

  test('a used invitation shows the review that it made, in any status, and no other', async () => {
    const ticket = await ticketFor('t1', 'flo');
    const address = `${review('t1')}?ticket=${ticket}`;
    const empty = (await server.get(address)).expect(200);
    assert.match(empty.text, /Post review/);
    assert.equal(empty.headers['referrer-policy'], 'strict-origin', 'an empty form has nothing of its own');
    const { id } = await byTicket('t1', ticket, { text: 'See https://x.example/' });
    const shown = (await server.get(address)).expect(200);
    assertPrivate(shown);
    assert.match(shown.text, /It appears once a moderator approves it/);
    const saved = (await post(server, review('t1'), { form: sealedIn(shown), ticket, edit: id, ...full })).expect(200);
    assert.match(saved.text, /Your change is saved/);
    assert.equal((await mine('flo'))[0].text, 'Better.');
    // What prefetches, asks for a head or loads the address again changes nothing.
    await Promise.all(['GET', 'HEAD'].map((method) => server.request(method, `${address}&remove=${id}&edit=${id}`, { headers: { 'Sec-Purpose': 'prefetch' } })));
    assert.equal((await mine('flo')).length, 1);
    (await post(server, review('t1'), { form: sealedIn(shown), ticket, remove: id })).expect(200);
    const gone = await server.get(address);
    assert.match(gone.expect(403).text, /Your review of this product was removed/);
    assert.doesNotMatch(gone.text, /<form/);
  });

  test('an invitation does not show what the customer wrote otherwise, nor change it', async () => {
    const ticket = await ticketFor('t2', 'gus');
    const early = sealedIn((await server.get(`${review('t2')}?ticket=${ticket}`)).expect(200));
    const other = await write('t2', 'gus', { text: 'Written when signed in: https://x.example/' });
    const elsewhere = await write('t2b', 'gus', { text: 'Of another product.' });
    const told = await server.get(`${review('t2')}?ticket=${ticket}`);
    assert.match(told.expect(403).text, /You have written a review of this product already/);
    assert.doesNotMatch(told.text, /Written when signed in|name="edit"/);
    for (const id of [other.id, elsewhere.id]) {
      for (const fields of [{ edit: id, ...full }, { remove: id }]) {
        const refused = (await post(server, review('t2'), { form: early, ticket, ...fields })).expect(404);
        assert.doesNotMatch(refused.text, /Written when signed in|Of another product/);
      }
    }
    assert.deepEqual((await mine('gus')).map(({ text }) => text).sort(), ['Of another product.', 'Written when signed in: https://x.example/']);
    // By a second invitation for the same product the first one's comment is not shown.
    const [first, second] = [await ticketFor('t3', 'gil'), await ticketFor('t3', 'gil')];
    const { id } = await byTicket('t3', first, { text: 'Of the first.' });
    assert.match((await server.get(`${review('t3')}?ticket=${first}`)).expect(200).text, /Of the first/);
    assert.doesNotMatch((await server.get(`${review('t3')}?ticket=${second}`)).expect(403).text, new RegExp(`Of the first|${id}`));
  });

  test('of several products a ticket shows each its own review', async () => {
    const ticket = (await mustRun(['invite', 'm1', 'm2', '--customer', 'hal', '--store', server.store])).stdout.trim();
    const choice = async (of) => (await server.get(`/review?ticket=${of}`)).expect(200).text;
    assert.match(await choice(ticket), /<p class="advice">Choose stars to begin\. This link works until <bdi>\w+ \d+, \d{4}<\/bdi>\.<\/p>/);
    const named = (await mustRun(['invite', 'm1', 'm2', '--customer', 'hugo', '--name', 'Hugo & Co', '--store', server.store])).stdout.trim();
    assert.match(await choice(named), /<p class="advice">Hello <bdi>Hugo &amp; Co<\/bdi>! Choose stars/);
    const { id } = await byTicket('m1', ticket, { text: 'The first of two.' });
    const shown = (await server.get(`${review('m1')}?ticket=${ticket}`)).expect(200);
    assert.match(shown.text, /The first of two/);
    assert.match(shown.text, /Review another product/);
    const other = (await server.get(`${review('m2')}?ticket=${ticket}`)).expect(200);
    assert.doesNotMatch(other.text, /The first of two/);
    assert.match((await post(server, review('m2'), { form: sealedIn(other), ticket, edit: id, ...full })).expect(404).text, /was removed/);
    assert.equal((await mine('hal'))[0].text, 'The first of two.');
    assert.equal((await server.get(`${review('m3')}?ticket=${ticket}`)).status, 403);
  });

  test('nobody else changes it: another customer, a foreign page, a forged or a foreign form', async () => {
    const published = await write('x1', 'ida');
    const held = await write('x2', 'ida', { text: 'See https://x.example/' });
    const shown = (await open('x1', 'ida')).expect(200);
    const own = sealedIn(shown);
    for (const { id, product } of [{ ...published, product: 'x1' }, { ...held, product: 'x2' }]) {
      const mallory = sealedIn((await open(product, 'mallory')).expect(200));
      for (const fields of [{ edit: id, ...full }, { remove: id }]) {
        const refused = (await post(server, review(product), { form: mallory, ...fields })).expect(404);
        assert.doesNotMatch(refused.text, /See https:\/\/x/);
        for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }])
          (await post(server, review(product), { form: mallory, ...fields }, headers)).expect(403);
      }
    }
    for (const fields of [{ edit: published.id, ...full }, { remove: published.id }]) {
      (await post(server, review('x1'), { form: own, ...fields }, { Origin: 'https://evil.example' })).expect(403);
      (await post(server, review('x2'), { form: own, ...fields })).expect(400);
      (await post(server, review('x1'), { form: own, ...full, ...(fields.edit ? { edit: held.id } : { remove: held.id }) })).expect(404);
      (await post(server, review('x1'), { form: own.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), ...fields })).expect(400);
      (await post(server, review('x1'), fields)).expect(400);
      (await post(server, review('x1'), { form: own, ...fields, ...(fields.edit ? { edit: 'x' } : { remove: 'x' }) })).expect(400);
      assert.equal((await server.get(`${review('x1')}?${new URLSearchParams({ form: own, ...fields })}`)).status, 403);
    }
    assert.deepEqual((await mine('ida')).map(({ text }) => text), ['See https://x.example/', 'Well.']);
    assert.match((await open('x1', 'mallory')).expect(200).text, /Post review/, 'another customer sees the empty form');
    (await post(server, review('x1'), { form: own, edit: published.id, ...full }, { Origin: shopOrigin })).expect(200);
    assert.equal((await open('x1', 'ida', { exp: 1 })).status, 401);
  });

  test('what a moderator removed is told to be gone; what was erased is nobody\'s', async () => {
    const { id } = await write('g1', 'jon');
    const shown = (await open('g1', 'jon')).expect(200);
    (await server.delete(`/v1/comments/${id}`, bearer(server.tokens.edit))).expect(204);
    for (const fields of [{ edit: id, ...full }, { remove: id }])
      assert.match((await post(server, review('g1'), { form: sealedIn(shown), ...fields })).expect(404).text, /was removed/);
    const ticket = await ticketFor('g2', 'kay');
    const made = await byTicket('g2', ticket);
    const page = (await server.get(`${review('g2')}?ticket=${ticket}`)).expect(200);
    (await server.post('/v1/customers/erase', { customer: 'kay', keep_ratings: true }, bearer(server.tokens.admin))).expect(200);
    const emptied = (await server.get(`/v1/comments/${made.id}`)).expect(200).json;
    assert.equal(emptied.text, '');
    for (const fields of [{ edit: made.id, ...full }, { remove: made.id }])
      (await post(server, review('g2'), { form: sealedIn(page), ticket, ...fields })).expect(404);
    assert.equal((await server.get(`/v1/comments/${made.id}`)).expect(200).json.text, '');
    assert.doesNotMatch((await server.get(`${review('g2')}?ticket=${ticket}`)).text, /name="edit"/);
  });
});
