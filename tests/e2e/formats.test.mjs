// Formats of the store, as an operator meets them: an earlier one is upgraded by a command and keeps its comments, a later one is refused.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { exportRows, importRows, mustRun, mustVerify, newStore, root, run, temporaryDirectory } from './support/harness.mjs';
import { sampleRows } from './support/data.mjs';

const fixtures = join(root, 'tests/store/embedded/fixtures');
const fixture = (format, name) => gunzipSync(readFileSync(join(fixtures, format, name)));
const fileOf = (store) => join(store.slice('lmdb:'.length), 'data.mdb');
const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();

/** The commands that open a store, each as it would be typed. */
const readers = [['page', 'p'], ['get', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], ['export'], ['statistics', 'p'], ['facet', 'list'], ['verify'], ['backup']];
const writers = [['import', '-'], ['post', 'p'], ['delete', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], ['compact'], ['verify', '--repair'], ['facet', 'add', 'size', '--type', 'choice'], ['serve', '--demo', '--listen', '127.0.0.1:0']];

async function refusal(store, args) {
  const target = args[0] === 'backup' ? [join(temporaryDirectory(), 'copy')] : [];
  const { status, stdout, stderr } = await run([...args, ...target, '--store', store], { input: '{"rating":5}\n', timeout: 20_000 });
  assert.deepEqual([status, stdout], [1, ''], `quire ${args.join(' ')}\n${stderr}`);
  return stderr;
}

/** A store as a program of that format made it. */
function madeBefore(format) {
  const store = newStore();
  mkdirSync(store.slice('lmdb:'.length));
  writeFileSync(fileOf(store), fixture(format, 'data.mdb.gz'));
  return store;
}
const exported = (format) => sorted(fixture(format, 'export.jsonl.gz').toString().trim().split('\n').map((line) => JSON.parse(line)));
const former = 'format-4'; // read and written as it is

for (const format of readdirSync(fixtures).filter((format) => format !== former)) {
  test(`a store of ${format} is upgraded by the command that readers name, and keeps its comments`, async () => {
    const store = madeBefore(format);
    const before = fixture(format, 'data.mdb.gz');
    await Promise.all(readers.map(async (args) => assert.match(await refusal(store, args), /run quire compact --store/, `quire ${args.join(' ')}`)));
    assert.ok(readFileSync(fileOf(store)).equals(before), 'readers change nothing');
    assert.match((await mustRun(['compact', '--store', store])).stderr, /is being upgraded to format/);
    assert.deepEqual(sorted(await exportRows(store)), exported(format));
    await mustVerify(store, `after the upgrade from ${format}`);
  });
}

test(`a store of ${former} is read, written and compacted as it is, and its export makes one of the present format`, async () => {
  const store = madeBefore(former);
  const formatOf = (store) => { const bytes = readFileSync(fileOf(store)); return bytes[bytes.indexOf('quire-store') + 14]; };
  assert.deepEqual(sorted(await exportRows(store)), exported(former));
  assert.deepEqual(readFileSync(fileOf(store)), fixture(former, 'data.mdb.gz'), 'readers change nothing');
  await importRows(store, sampleRows(82, 2000, '42'));
  assert.doesNotMatch((await mustRun(['compact', '--store', store])).stderr, /upgraded/);
  await mustVerify(store, 'after an import and compact');
  assert.equal(formatOf(store), 4);
  const anew = newStore();
  await importRows(anew, await exportRows(store));
  assert.equal(formatOf(anew), 5);
  assert.deepEqual(sorted(await exportRows(anew)), sorted(await exportRows(store)));
});

// An earlier program meets a later store in just this way. The first format, which nothing upgrades, is refused likewise.
test('a store of a later format, or of the first, is refused by every command and left alone', async () => {
  const store = newStore();
  await importRows(store, sampleRows(81, 5, 'p'));
  const file = fileOf(store);
  const written = readFileSync(file);
  const mark = Buffer.from('quire-store');
  for (const format of [1, 200]) {
    const bytes = Buffer.from(written);
    const now = bytes.readUInt32BE(bytes.indexOf(mark) + mark.length);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes.writeUInt32BE(format, at + mark.length);
    writeFileSync(file, bytes);
    const wanted = new RegExp(`has format ${format}, this program reads and writes format ${now}\\. Use the version of quire that made it`);
    for (const args of [...readers, ...writers]) assert.match(await refusal(store, args), wanted, `quire ${args.join(' ')}`);
    assert.ok(readFileSync(file).equals(bytes), 'not a byte is changed');
  }
  writeFileSync(file, written);
  assert.equal((await exportRows(store)).length, 5);
});
