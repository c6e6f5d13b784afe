// The script ./run says how to call the binary that it built. Here stand-ins set up and build. And the script of these tests
// runs none where a name is wrong.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from './support/harness.mjs';

const script = new URL('../../run', import.meta.url);

/** Runs a copy of the script in a folder where every program it calls prints its arguments. */
function runScript(...args) {
  const folder = temporaryDirectory();
  for (const name of ['tools/setup', 'bin/cmake', 'build/release/quire']) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho called: ${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
  copyFileSync(script, join(folder, 'run'));
  const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
  delete env.QUIRE_STORE;
  return { folder, ...spawnSync(join(folder, 'run'), args, { encoding: 'utf8', env }) };
}

/** The command that the script told, run in a shell: what `quire` is then. */
function quireAfter({ folder, stderr }) {
  const [command] = /^ *export PATH=.*$/m.exec(stderr) ?? [''];
  return spawnSync('bash', ['-c', `${command}\ncommand -v quire`], { cwd: folder, encoding: 'utf8' }).stdout.trim();
}

test('./run --build says how to call the binary, and prints its path last', () => {
  const ran = runScript('--build');
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(ran.stdout.trimEnd().split('\n').at(-1), `${ran.folder}/build/release/quire`);
  assert.equal(quireAfter(ran), `${ran.folder}/build/release/quire`);
});

test('./run says how to call the binary before it serves', () => {
  const ran = runScript('--listen', '127.0.0.1:0');
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stdout.trimEnd().split('\n').at(-1), /^called: build\/release\/quire serve --demo .*--listen 127\.0\.0\.1:0$/);
  assert.equal(quireAfter(ran), `${ran.folder}/build/release/quire`);
  assert.match(ran.stderr, /quire leaderboard --store lmdb:\.\/demo-data/);
});

test('a test whose name is wrong is no test that passes', () => {
  const endToEnd = new URL('../../tools/end-to-end', import.meta.url).pathname;
  for (const names of [['formats', 'no/such'], ['no/such', 'formats'], ['--but', 'formats', 'no/such']]) {
    const ran = spawnSync(endToEnd, ['release', ...names], { encoding: 'utf8' });
    assert.deepEqual([ran.status, ran.stdout, ran.stderr], [2, '', 'There is no test no/such.\n'], names.join(' '));
  }
});
