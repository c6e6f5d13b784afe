// tools/torture in small: system calls fail, the program is killed, the power is cut. QUIRE_SEED repeats a run.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { seed } from './support/data.mjs';
import { binary, root } from './support/harness.mjs';

function torture(...args) {
  const env = { ...process.env, QUIRE_BIN: binary, QUIRE_SHIM: join(dirname(binary), 'libtorture_shim.so') };
  const { status, stdout, stderr } = spawnSync(join(root, 'tools/torture'), [...args, '--seed', String(seed)], { encoding: 'utf8', env });
  return { status, text: stdout + stderr };
}

function mustHold(...args) {
  const { status, text } = torture(...args);
  assert.equal(status, 0, text);
  return text;
}

/** The figures in the table's last line: cases, done, refused, killed, not reached, undone, finds. */
const sums = (text) => /^all\s+(.*)$/m.exec(text)[1].trim().split(/\s+/).map(Number);

// All but the building of a facet, which waits for a full disk.
const quick = ['create', 'import', 'posts', 'export', 'backup', 'compact', 'repair'];

test('after faults, kills and power cuts nothing acknowledged is lost, and nothing is torn', { timeout: 300_000 }, () => {
  const [cases, done, refused, killed, , , finds] = sums(mustHold(...quick, '--faults', '10', '--kills', '10'));
  assert.ok(cases > 100 && done > 0 && refused > 20 && killed > 20, `${cases} cases: ${done} done, ${refused} refused, ${killed} killed`);
  assert.equal(finds, 0);
});

test('a power cut takes what a kill kept from the disk', { timeout: 120_000 }, () => {
  const [, , , , , undone, finds] = sums(mustHold('create', '--faults', '0', '--kills', '30'));
  assert.ok(undone > 0);
  assert.equal(finds, 0);
});

test('a facet is built after kills and power cuts', { timeout: 120_000 }, () => {
  assert.equal(sums(mustHold('facet', '--faults', '0', '--kills', '10')).at(-1), 0);
});

test('a store whose making is cut short is made by the next command', () => {
  for (const way of ['write 2 once short', 'write 2 ever ENOSPC', 'sync 1 once EIO', 'rename 1 once EIO', 'any 20 once kills']) mustHold('create', '--case', way);
});

test('a server writes again after a failed write of any page, the meta page too', () => {
  for (const nth of [3, 4, 5, 6]) for (const way of ['EIO', 'late:EIO']) mustHold('posts', '--case', `write ${nth} once ${way}`);
});

test('writes and syncs that only seem to happen are found', () => {
  for (const [operation, way] of [['import', 'write 2 ever lies'], ['import', 'sync 1 ever lies'], ['posts', 'sync 1 ever lies'], ['backup', 'sync 1 ever lies']]) {
    const { status, text } = torture(operation, '--case', way);
    assert.equal(status, 1, text);
    assert.match(text, /^FOUND /m);
  }
});
