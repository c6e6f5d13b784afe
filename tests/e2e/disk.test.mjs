// What may happen to the store's directory: kills while facets are built, damage, a full disk, deleted files, and eyes that should not
// read it. Kills while a store is compacted are in torture.test.mjs. QUIRE_KILLS sets the number of kills, QUIRE_SEED repeats a run.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { commentPath, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, run, serve, serveWithToken, start, temporaryDirectory } from './support/harness.mjs';
import { sampleRows, seed, seeded } from './support/data.mjs';

const kills = Math.max(2, Number(process.env.QUIRE_KILLS ?? 12));
console.log(`disk.test: ${kills} kills`);

const rowsOf = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
const directoryOf = (store) => store.slice('lmdb:'.length);
const dataOf = (store) => join(directoryOf(store), 'data.mdb');

/** Starts a command and kills it after a random part of `span` milliseconds; whether it was killed. */
async function killed(args, span, random) {
  const { child, ended } = start(args);
  await sleep(random() * span);
  child.kill('SIGKILL');
  const { signal, status, stderr } = await ended;
  if (signal !== 'SIGKILL') assert.equal(status, 0, stderr);
  return signal === 'SIGKILL';
}

/** Kills `quire facet add` and `drop`, and servers that build for them; at the end each facet has what the comments have. */
test('kills while facets are built and dropped', { timeout: 60_000 + kills * 5_000 }, async () => {
  const random = seeded(seed + 2);
  const store = newStore();
  const rows = sampleRows(204, 20_000, (choose) => `p ${Math.floor(choose() * 3)}`).map((row, i) => ({ ...row, attributes: { size: ['S', 'M', 'L'][i % 3], votes: i % 700, tags: i % 4 ? ['gift'] : ['gift', 'warm'], verified: i % 5 > 0 } }));
  const facets = Object.entries({ size: 'choice', votes: 'number', tags: 'tags', verified: 'flag' });
  await importRows(store, rows);
  const total = async (server, product, query) => (await server.page(product, { limit: 1, ...query })).total;
  const expected = (product, wanted) => rows.filter((row) => row.product === product && wanted(row.attributes)).length;
  let count = 0;
  for (let round = 0; count < kills; ++round) {
    assert.ok(round < kills * 10, `only ${count} of ${round} lived long enough to be killed`);
    for (const [name, type] of facets) {
      count += await killed(['facet', 'add', name, '--type', type, '--store', store], 400, random);
      await mustVerify(store, `after kill ${count} (seed ${seed})`);
    }
    const building = await serve({ store });
    await sleep(random() * 200);
    await building.kill();
    await mustVerify(store, `after a server was killed that built (seed ${seed})`);
    for (const [name, type] of facets) await mustRun(['facet', 'add', name, '--type', type, '--store', store]);
    const server = await serve({ store });
    for (const product of ['p 0', 'p 1', 'p 2']) {
      for (const [query, wanted] of [[{ size: 'M' }, ({ size }) => size === 'M'], [{ 'votes.min': 100, 'votes.max': 399 }, ({ votes }) => votes >= 100 && votes < 400],
        [{ tags: 'warm', verified: 'true' }, ({ tags, verified }) => tags.includes('warm') && verified]])
        assert.equal(await total(server, product, query), expected(product, wanted), `${Object.keys(query)} after kill ${count} (seed ${seed})`);
    }
    assert.equal((await server.stop()).status, 0);
    for (const [name] of facets) {
      count += await killed(['facet', 'drop', name, '--store', store], 200, random);
      await mustVerify(store, `after kill ${count} (seed ${seed})`);
      const { stdout } = await mustRun(['facet', 'list', '--store', store]);
      if (stdout.includes(`${name} `)) await mustRun(['facet', 'drop', name, '--store', store]);
    }
  }
  assert.equal((await exportRows(store)).length, rows.length);
});

test('a comment that is deleted is gone with its idempotency key, and compact leaves no byte of it', async () => {
  const store = newStore();
  const server = await serveWithToken({ store });
  await server.add('p', { language: 'en', rating: 4, text: 'one that stays' });
  const secret = 'erase me, nobody else may read this';
  const body = { language: 'en', rating: 5, text: secret };
  const post = async () => (await server.post('/v1/products/p/comments', body, { 'Idempotency-Key': 'k' })).expect(201).json;
  const first = await post();
  assert.equal((await post()).id, first.id, 'the first answer again');
  (await server.delete(commentPath(first.id))).expect(204);
  const second = await post();
  assert.notEqual(second.id, first.id, 'a new comment');
  (await server.delete(commentPath(second.id))).expect(204);
  await mustRun(['backup', join(directoryOf(store), '..', 'copy'), '--store', store]);
  await server.stop();
  const holds = (directory) => readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(secret));
  assert.ok(holds(directoryOf(store)), 'free pages keep it for a while');
  assert.ok(!holds(join(directoryOf(store), '..', 'copy')), 'a backup does not have it');
  await mustRun(['compact', '--store', store]);
  assert.ok(!holds(directoryOf(store)), 'nor has the store');
  await mustVerify(store, 'after compact');
  assert.equal((await exportRows(store)).length, 1);
});

test('deleting writer.lock does not let a second process write', async () => {
  const store = newStore();
  const server = await serve({ store });
  rmSync(join(directoryOf(store), 'writer.lock'));
  for (const args of [['import', '-'], ['compact'], ['verify', '--repair']]) {
    const second = await run([...args, '--store', store], { input: '' });
    if (args[0] !== 'verify') assert.match(second.stderr, /is being written by another process/);
    assert.equal(second.status, args[0] === 'verify' ? 0 : 1);
  }
  await server.stop();
  await mustRun(['import', '-', '--store', store], { input: '' });
});

test('a data file of 0 bytes, or cut short, is refused with a way out, and left as it is', async () => {
  const store = newStore();
  await importRows(store, sampleRows(203, 300, 'p'));
  const whole = statSync(dataOf(store)).size;
  for (const size of [Math.floor(whole / 2), 8192, 5000, 100, 0]) {
    truncateSync(dataOf(store), size);
    for (const args of [['serve', '--demo', '--listen', '127.0.0.1:0'], ['verify'], ['export'], ['page', 'p'], ['import', '-'], ['compact']]) {
      const refused = await run([...args, '--store', store], { input: '' });
      assert.equal(refused.status, 1, `${args[0]} at ${size} bytes`);
      assert.match(refused.stderr, /^quire: .*data\.mdb is damaged: .*\. Restore a backup: docs\/operating\.md, Restoring\.\n$/, `${args[0]} at ${size} bytes`);
    }
    assert.equal(statSync(dataOf(store)).size, size);
  }
});

test('a data file that is cut short while it is served ends the server with one sentence', async () => {
  const store = newStore();
  await importRows(store, sampleRows(204, 3_000, 'p'));
  const server = await serve({ store });
  (await server.get('/v1/products/p/comments')).expect(200); // it knows now how long the file is
  truncateSync(dataOf(store), 16384);
  await server.get('/v1/products/p/comments?limit=100').catch(() => {});
  const end = await server.process.ended;
  assert.deepEqual([end.status, end.signal], [1, null]);
  assert.match(end.stderr, /quire: .*data\.mdb is damaged: reading it failed\. Restore a backup: docs\/operating\.md, Restoring\.\n/);
});

/** The heads of the nodes on leaf pages: where they lie in the file, and the sizes of key and value. */
function* nodesOf(bytes) {
  for (let page = 2 * 4096; page < bytes.length; page += 4096) {
    if (bytes.readUInt16LE(page + 10) !== 2 || Number(bytes.readBigUInt64LE(page)) !== page / 4096) continue;
    for (let at = page + 16; at < page + bytes.readUInt16LE(page + 12); at += 2) {
      const node = page + bytes.readUInt16LE(at);
      yield { node, key: bytes.readUInt16LE(node + 6), value: bytes.readUInt32LE(node), flags: bytes.readUInt16LE(node + 4) };
    }
  }
}

/** A store of 3,000 comments in which a bit of a node is flipped, of the last that `wanted` takes. */
async function flipped(rows, wanted, offset, bit) {
  const store = newStore();
  await importRows(store, rows);
  const bytes = readFileSync(dataOf(store));
  const { node } = [...nodesOf(bytes)].filter(wanted).at(-40);
  bytes[node + offset] ^= 1 << bit;
  writeFileSync(dataOf(store), bytes);
  return store;
}

test('a flipped bit in the structure of a page ends no command by a signal', async () => {
  const rows = sampleRows(207, 3_000, (random) => `p ${Math.floor(random() * 5)}`);
  const isComment = ({ key, value, flags }) => key === 20 && value > 50 && flags === 0;
  const isId = ({ key, value, flags }) => key === 16 && value === 8 && flags === 0;
  // A false F_DUPDATA, and a key that has no size: of a comment, and of an id.
  for (const [wanted, offset, bit] of [[isComment, 4, 2], [isComment, 6, 4], [isId, 6, 4]]) {
    const store = await flipped(rows, wanted, offset, bit);
    const what = `${wanted.name}, ${offset}, ${bit}`;
    const exported = await run(['export', '--store', store]);
    assert.equal(exported.status, 3, what);
    const lost = 3_000 - exported.stdout.split('\n').filter(Boolean).length;
    assert.ok(lost > 0 && lost < 200, `${what}: ${lost}`);
    assert.match(exported.stderr, new RegExp(`(^|\\n)quire: ${lost} (of 3000 comments are missing, because pages of the store are damaged|damaged rows? (is|are) left out); quire verify names `), what);
    const before = readFileSync(dataOf(store));
    const compacted = await run(['compact', '--store', store]);
    assert.equal(compacted.status, 3, what);
    assert.match(compacted.stderr, /would lack \d+ .*Nothing was changed/);
    assert.ok(before.equals(readFileSync(dataOf(store))), 'nothing was changed');
    assert.equal((await run(['verify', '--store', store])).status, 3, what);

    const server = await serve({ store });
    for (let product = 0; product < 5; ++product) {
      const page = await server.get(`/v1/products/p%20${product}/comments?limit=100`);
      assert.ok([200, 500, 503].includes(page.status), `${what}: ${page.status}`);
    }
    assert.equal((await server.get('/healthz')).status, 200, 'the server lives on');
    await server.stop();

    const copy = join(directoryOf(store), '..', 'copy');
    const copied = await run(['backup', copy, '--store', store]);
    assert.equal(copied.status, 3, what);
    assert.match(copied.stderr, /the copy lacks \d+ .*Keep earlier backups\. To use the copy, run quire verify --repair --store lmdb:/);
    await run(['verify', '--repair', '--store', `lmdb:${copy}`]);
    await mustVerify(`lmdb:${copy}`, what);
    const kept = await exportRows(`lmdb:${copy}`);
    assert.ok(kept.length >= 3_000 - lost, `${what}: ${kept.length}`);
    if (wanted === isId) assert.equal(kept.length, 3_000, 'ids are made anew from the comments');
    if (wanted === isId) continue;
    const added = await run(['facet', 'add', 'verified', '--type', 'flag', '--store', store]);
    assert.equal(added.status, 1, what);
    assert.match(added.stderr, /\nquire: Building verified failed\. The write was given up: page \d+ of .* is not whole: run quire verify\.\n$/);
  }
});

test('a flipped bit in a comment costs that comment, and verify names it', async () => {
  const store = newStore();
  const rows = sampleRows(205, 200, 'p');
  rows[50].text = 'the text of which a bit will flip';
  await importRows(store, rows);
  const before = await exportRows(store);
  const bytes = readFileSync(dataOf(store));
  const at = bytes.indexOf('of which a bit');
  bytes[at] ^= 1;
  writeFileSync(dataOf(store), bytes);
  const lost = before.find((row) => row.text === rows[50].text);
  const exported = await run(['export', '--store', store]);
  assert.equal(exported.status, 3);
  assert.match(exported.stderr, /1 damaged row is left out; quire verify names each/);
  assert.deepEqual(rowsOf(exported.stdout), before.filter((row) => row.id !== lost.id));
  const verified = await run(['verify', '--store', store]);
  assert.equal(verified.status, 3);
  assert.match(verified.stdout, new RegExp(`comment ${lost.id} is damaged`));
  const server = await serve({ store });
  const shown = [];
  for (let page = await server.page('p', { limit: 30 }); ; page = await server.page('p', { limit: 30, after: page.page.next })) {
    shown.push(...idsOf(page));
    if (!page.page.next) break;
  }
  assert.deepEqual(shown.sort(), before.filter((row) => row.id !== lost.id).map((row) => row.id).sort());
  (await server.get(commentPath(lost.id))).expect(500);
  assert.match((await server.get('/metrics')).expect(200).text, /^quire_store_damaged_total [1-9]/m);
  await server.says(/warning: comment \w+ in the store is damaged, and left out/);
  await server.stop();
});

test('the table of readers is reserved before it is mapped: on a full disk that is a sentence', async (t) => {
  const store = newStore();
  await importRows(store, sampleRows(206, 20, 'p'));
  const small = temporaryDirectory();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]);
  assert.equal(mounted.status, 0, `this test needs root, to mount a small disk: ${mounted.stderr}`);
  t.after(() => spawnSync('umount', [small]));
  copyFileSync(dataOf(store), join(small, 'data.mdb'));
  writeFileSync(join(small, 'lock.mdb'), '');
  const filler = join(small, 'filler');
  for (let size = 4096; ; size += 4096) {
    try { writeFileSync(filler, Buffer.alloc(size)); } catch { break; }
  }
  for (const args of [['export'], ['verify']]) {
    const refused = await run([...args, '--store', `lmdb:${small}`]);
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^quire: The disk of the store is full, or fails \(.*lock\.mdb.*\)\. Nothing was changed; make room and try again\.\n$/);
  }
  rmSync(filler);
  assert.deepEqual(await exportRows(`lmdb:${small}`), await exportRows(store));
});

test('compacting without enough room says how much it needs, and changes nothing', async (t) => {
  const whole = newStore();
  await importRows(whole, sampleRows(207, 2_000, 'p'));
  const before = readFileSync(dataOf(whole));
  const small = temporaryDirectory();
  const lockFile = 1_100_000;
  const size = Math.ceil(before.length * 1.4) + lockFile;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', small]);
  assert.equal(mounted.status, 0, `this test needs root, to mount a small disk: ${mounted.stderr}`);
  t.after(() => spawnSync('umount', [small]));
  writeFileSync(join(small, 'data.mdb'), before);
  const refused = await run(['compact', '--store', `lmdb:${small}`]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /\d+ MiB are needed beside the store in .*, and \d+ MiB are left/);
  assert.deepEqual(readFileSync(join(small, 'data.mdb')), before);
  assert.ok(!existsSync(join(small, 'data.mdb.new')));
});

test('files are for their owner, and the group at most', async () => {
  const store = newStore();
  const rejects = join(temporaryDirectory(), 'rejects');
  await run(['import', '--store', store, '--rejects', rejects, '-'], { input: 'nonsense\n' });
  const server = await serve({ store });
  await server.add('p', { language: 'en', rating: 4 });
  const copy = join(temporaryDirectory(), 'copy');
  await mustRun(['backup', copy, '--store', store]);
  await server.stop();
  await mustRun(['compact', '--store', store]);
  for (const directory of [directoryOf(store), copy]) {
    for (const name of ['.', ...readdirSync(directory)]) assert.equal(statSync(join(directory, name)).mode & 0o007, 0, name);
  }
  assert.equal(statSync(rejects).mode & 0o007, 0);
});

test('a cursor key file that everybody can read is warned of, and a key of zeros refused', async () => {
  const keys = join(temporaryDirectory(), 'keys');
  writeFileSync(keys, 'ab'.repeat(32) + '\n');
  chmodSync(keys, 0o644);
  const server = await serve({ args: ['--demo', '--cursor-keys', keys] });
  await server.stop(); // the log is written by then
  assert.match(server.output, /warning: everyone on this machine may read the cursor key file .*: chmod o-r /);
  chmodSync(keys, 0o600);
  const quiet = await serve({ args: ['--demo', '--cursor-keys', keys] });
  await quiet.stop();
  assert.doesNotMatch(quiet.output, /cursor key file/);
  writeFileSync(keys, 'ab'.repeat(32) + '\n' + '00'.repeat(32) + '\n');
  const refused = await run(['serve', '--demo', '--listen', '127.0.0.1:0', '--store', newStore(), '--cursor-keys', keys]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /has a key of zeros alone/);
});
