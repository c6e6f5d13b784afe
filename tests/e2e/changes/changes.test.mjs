// The log of changes: who follows it has a copy that equals the store.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Follower, Reader, Shop, apply, exported } from './follower.mjs';
import { seed } from '../support/data.mjs';
import { commentPath, commentsPath, here, mustRun, newStore, newToken, serveWithToken, temporaryDirectory } from '../support/harness.mjs';

const kills = Number(process.env.QUIRE_KILLS ?? 6);
let shop;
before(async () => { shop = await Shop.open({ seed }); });
after(() => shop?.server.stop());

const follower = () => new Follower(shop.server.url, shop.feed);

test('a copy that follows equals the store at its last mark, whatever happens meanwhile', { timeout: 120_000 }, async () => {
  await shop.happen(40);
  const early = await follower().begin(shop.server.store);
  const late = new Follower(shop.server.url, shop.feed);
  let busy = true;
  const happens = shop.happen(400).finally(() => { busy = false; });
  await sleep(100);
  await late.begin(shop.server.store); // in the midst of it
  while (busy) await Promise.all([early.read({ limit: 7, wait: 1 }), late.read({ limit: 1000 })]);
  await happens;
  for (const each of [early, late]) {
    await each.readAll();
    assert.equal(each.mark, await each.newest());
    assert.deepEqual(each.copy, await exported(shop.server.store));
    each.close();
  }
  for (const deed of ['post', 'edit', 'decide', 'reply', 'vote', 'report', 'remove', 'erase', 'import', 'move']) assert.ok(shop.done.get(deed) > 0, `no ${deed} happened`);
});

test('each event has its type, and a comment that is gone is told without its content', async () => {
  const reader = follower();
  reader.mark = await reader.newest();
  reader.copy = new Map();
  const { server } = shop;
  const write = { rating: 2, language: 'en', author: 'Ann', text: 'Broken.' };
  const kept = (await server.post(commentsPath('42'), write, shop.admin)).expect(201).json;
  const gone = (await server.post(commentsPath('42'), { ...write, status: 'pending' }, shop.admin)).expect(201, 202).json;
  (await server.put(`${commentPath(kept.id)}/reply`, { text: 'Sorry.' }, shop.admin)).expect(201);
  (await server.delete(commentPath(gone.id), shop.admin)).expect(204);
  const lines = await reader.read();
  const shown = lines.map(({ mark, time, comment, ...line }) => {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
    return comment ? { ...line, reply: comment.reply?.text } : line;
  });
  assert.deepEqual(shown, [
    { type: 'comment.published', new: true, reply: 'Sorry.' }, // as it stands now
    { type: 'comment.held', new: true, id: gone.id, product: '42' },
    { type: 'comment.replied', reply: 'Sorry.' },
    { type: 'comment.removed', id: gone.id, product: '42' },
  ]);
  const [{ comment }] = lines;
  assert.deepEqual(comment, (await server.get(commentPath(kept.id), shop.admin)).json);
  reader.close();
});

test('the receipt of an erasure says that the log tells of it', async () => {
  const reader = follower();
  const write = (product) => shop.server.post(commentsPath(product), { rating: 5, text: 'A secret of Zoe.' }, shop.server.as('zoe'));
  await write('shop-a/1');
  const { id } = (await write('shop-b/1')).expect(201).json;
  reader.mark = await reader.newest();
  const receipt = (await shop.server.post('/v1/customers/erase', { customer: 'zoe' }, shop.admin)).expect(200).json;
  assert.match(receipt.remains[0], /^The log of changes tells its readers that 2 of the person's comments are removed or emptied\./);
  const log = (await reader.changes('?limit=1000')).expect(200).text;
  assert.doesNotMatch(log, /Zoe|zoe/);
  assert.deepEqual(log.split('\n').filter((line) => line.includes(id)).map((line) => JSON.parse(line).type), ['comment.removed'], 'the events before are told no more');
  reader.copy = new Map();
  const lines = await reader.read();
  assert.deepEqual(lines.at(-1), { mark: lines.at(-1).mark, time: lines.at(-1).time, type: 'customer.erased' });
  reader.close();
});

test('a token is told of the products of its prefix alone, and its mark goes on', async () => {
  const { token } = await newToken({ file: shop.file, scopes: 'feed', args: ['--product', 'shop-a/'] });
  await shop.isTaken(token);
  const part = new Follower(shop.server.url, token);
  part.mark = await part.newest();
  part.copy = new Map();
  const post = async (product) => (await shop.server.post(commentsPath(product), { rating: 5 }, shop.admin)).expect(201).json.id;
  const seen = await post('shop-a/1');
  await post('shop-b/1');
  assert.deepEqual((await part.read()).map(({ comment }) => comment?.id), [seen, undefined]);
  assert.equal(part.mark, await part.newest());
  part.close();
});

test('a reader of one prefix is told that a comment has moved to another, and of nothing in it', async () => {
  const readers = await Promise.all(['former/', 'present/'].map(async (prefix) => {
    const { token } = await newToken({ file: shop.file, scopes: 'feed', args: ['--product', prefix] });
    await shop.isTaken(token);
    const reader = new Follower(shop.server.url, token);
    return Object.assign(reader, { mark: await reader.newest(), copy: new Map() });
  }));
  const [former, present] = readers;
  const { id } = (await shop.server.post(commentsPath('former/1'), { rating: 5, text: 'Well.' }, shop.admin)).expect(201).json;
  const late = former.mark;
  await former.readAll();
  assert.deepEqual([...former.copy.keys()], [id]);
  (await shop.server.post('/v1/products/former%2F1/move', { to: 'present/1' }, shop.admin)).expect(200);
  for (const reader of readers) await reader.readAll();
  assert.deepEqual([...former.copy.keys()], []);
  assert.deepEqual([...present.copy.values()].map((comment) => [comment.id, comment.product]), [[id, 'present/1']]);
  assert.doesNotMatch((await former.changes(`?after=${late}`)).expect(200).text, /Well|present/);
  for (const reader of readers) reader.close();
});

test('a reader waits for a first event; when the server stops, the answer comes at once', { timeout: 60_000 }, async () => {
  const tokens = await newToken({ scopes: 'admin' });
  const file = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(file, '[feeds]\nchanges = true\n');
  const server = await serveWithToken({ store: newStore(), tokens, args: ['--shop', file, '--threads', '1'] });
  const readers = Array.from({ length: 20 }, () => new Follower(server.url, tokens.token));
  for (const reader of readers) Object.assign(reader, { mark: await reader.newest(), copy: new Map() });
  const untold = await readers[0].read({ wait: 1 });
  assert.deepEqual(untold, [{ mark: readers[0].mark }], 'nothing happened');
  const waiting = Promise.all(readers.map((reader) => reader.read({ wait: 25 })));
  await sleep(300);
  const { id } = await server.add('42', { rating: 4 }); // the one thread is free
  for (const lines of await waiting) assert.deepEqual(lines.map(({ comment }) => comment.id), [id]);
  const still = Promise.all(readers.map((reader) => reader.changes(`?after=${reader.mark}&wait=25`)));
  await sleep(300);
  const begun = performance.now();
  const ended = server.stop();
  for (const [i, answer] of (await still).entries()) {
    assert.equal(answer.expect(200).text, `{"mark":${readers[i].mark}}\n`);
    assert.equal(answer.headers.connection, 'close');
  }
  assert.equal((await ended).status, 0);
  assert.ok(performance.now() - begun < 20_000, 'nobody waited for the deadline');
  for (const reader of readers) reader.close();
});

test('a mark that the log does not have is a 410 that says what to do', async () => {
  const reader = follower();
  (await reader.changes('?after=1')).problem('too-late', { parameter: 'after' });
  const { detail } = (await reader.changes(`?after=${await reader.newest() + 1}`)).problem('too-late', { parameter: 'after' });
  assert.match(detail ?? '', /export/);
  for (const query of ['?after=x', '?after=-1', '?after=', '?after=1.5', '?wait=31', '?wait=x', '?limit=0', '?limit=1001', '?type=x', '?after=1&after=2'])
    (await reader.changes(query)).problem('invalid-parameter');
  reader.close();
});

test('a server keeps the log while its shop file asks for it, and another one ends it', { timeout: 60_000 }, async () => {
  const tokens = await newToken({ scopes: 'admin' });
  const store = newStore();
  const file = join(temporaryDirectory(), 'shop.toml');
  const open = async (text) => {
    writeFileSync(file, text);
    const server = await serveWithToken({ store, tokens, args: ['--shop', file] });
    return { server, reader: new Reader(server.url, tokens.token) };
  };
  const off = '[shop]\nname = "S"\n';
  let { server, reader } = await open(off);
  (await reader.changes()).problem('forbidden');
  await server.add('42', { rating: 1 });
  writeFileSync(file, `${off}[feeds]\nchanges = true\n`);
  while ((await reader.changes('?after=now')).status === 403) await sleep(100);
  const mark = await reader.newest();
  assert.equal((await reader.lines())[0].mark, mark, 'it begins with the first reader');
  await server.add('42', { rating: 2 });
  await server.stop();
  reader.close();
  ({ server, reader } = await open(`${off}[feeds]\nchanges = true\n`));
  assert.deepEqual((await reader.lines(`?after=${mark}`)).map(({ comment }) => comment.rating), [2]);
  await server.stop();
  reader.close();
  ({ server, reader } = await open(off));
  await server.stop();
  reader.close();
  ({ server, reader } = await open(`${off}[feeds]\nchanges = true\n`));
  (await reader.changes(`?after=${mark}`)).problem('too-late');
  await server.stop();
  reader.close();
});

test('of a backup that was restored a reader goes on, unless it has read what the backup lacks', { timeout: 60_000 }, async () => {
  const tokens = await newToken({ scopes: 'admin' });
  const file = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(file, '[feeds]\nchanges = true\n');
  const open = (store) => serveWithToken({ store, tokens, args: ['--shop', file] });
  let server = await open(newStore());
  const early = await new Follower(server.url, tokens.token).begin(server.store);
  await server.add('42', { rating: 1 });
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', server.store]);
  await server.add('42', { rating: 2 });
  const late = await new Follower(server.url, tokens.token).begin(server.store);
  await server.stop();
  [early, late].forEach((each) => each.close());

  server = await open(`lmdb:${copy}`);
  const again = (reader) => Object.assign(new Follower(server.url, tokens.token), { mark: reader.mark, copy: reader.copy });
  const [goesOn, readFurther] = [again(early), again(late)];
  const tooLate = async () => (await readFurther.changes(`?after=${readFurther.mark}`)).problem('too-late', { parameter: 'after' });
  await tooLate();
  for (const rating of [3, 4]) await server.add('42', { rating });
  await tooLate();
  await goesOn.readAll();
  assert.deepEqual([...goesOn.copy.values()].map(({ rating }) => rating), [1, 3, 4]);
  assert.deepEqual(goesOn.copy, await exported(server.store));
  await server.stop();
  [goesOn, readFurther].forEach((each) => each.close());
});

/** A program that appends what it reads to a file; whatever it had written whole is there when it is killed. */
const startReader = (file) => spawn(process.execPath, [join(here, 'changes/reader.mjs'), shop.server.url, shop.feed, file], { stdio: ['ignore', 'ignore', 'inherit'] });

test(`a reader that is killed ${kills} times has everything once it has read on`, { timeout: 600_000 }, async () => {
  const file = join(temporaryDirectory(), 'changes.jsonl');
  const reader = await follower().begin(shop.server.store);
  const copy = reader.copy;
  writeFileSync(file, `{"mark":${reader.mark}}\n`);
  for (let killed = 0; killed < kills; ++killed) {
    const process_ = startReader(file);
    const ended = new Promise((done) => process_.once('close', done));
    await Promise.all([shop.happen(30), sleep(150 + shop.random() * 400)]);
    process_.kill('SIGKILL');
    await ended;
  }
  const newest = await reader.newest();
  const last = startReader(file);
  const linesOf = () => readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
  for (const deadline = Date.now() + 60_000; linesOf().at(-1).mark < newest;) {
    assert.ok(Date.now() < deadline, 'the reader does not come to the newest mark');
    await sleep(50);
  }
  last.kill('SIGKILL');
  for (const line of linesOf()) apply(copy, line);
  assert.deepEqual(copy, await exported(shop.server.store));
  reader.close();
});
