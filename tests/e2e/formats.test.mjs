// Formats of the store, as an operator meets them: another one is refused by every command, and left alone.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRows, importRows, newStore, run, temporaryDirectory } from './support/harness.mjs';
import { sampleRows } from './support/data.mjs';

const fileOf = (store) => join(store.slice('lmdb:'.length), 'data.mdb');

/** The commands that open a store, each as it would be typed. */
const readers = [['page', 'p'], ['get', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], ['export'], ['statistics', 'p'], ['facet', 'list'], ['verify'], ['backup']];
const writers = [['import', '-'], ['post', 'p'], ['delete', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], ['compact'], ['verify', '--repair'], ['facet', 'add', 'size', '--type', 'choice'], ['serve', '--demo', '--listen', '127.0.0.1:0']];

async function refusal(store, args) {
  const target = args[0] === 'backup' ? [join(temporaryDirectory(), 'copy')] : [];
  const { status, stdout, stderr } = await run([...args, ...target, '--store', store], { input: '{"rating":5}\n', timeout: 20_000 });
  assert.deepEqual([status, stdout], [1, ''], `quire ${args.join(' ')}\n${stderr}`);
  return stderr;
}

// An earlier program meets a later store in just this way.
test('a store of another format is refused by every command and left alone', async () => {
  const store = newStore();
  await importRows(store, sampleRows(81, 5, 'p'));
  const file = fileOf(store);
  const written = readFileSync(file);
  const mark = Buffer.from('quire-comments');
  const now = written.readUInt32BE(written.indexOf(mark) + mark.length);
  for (const format of [now - 1, now + 1, 200]) {
    const bytes = Buffer.from(written);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes.writeUInt32BE(format, at + mark.length);
    writeFileSync(file, bytes);
    const wanted = new RegExp(`has format ${format}, this program reads and writes format ${now}\\. Use the version of quire that made it`);
    for (const args of [...readers, ...writers]) assert.match(await refusal(store, args), wanted, `quire ${args.join(' ')}`);
    assert.ok(readFileSync(file).equals(bytes), 'not a byte is changed');
  }
  writeFileSync(file, written);
  assert.equal((await exportRows(store)).length, 5);
});
