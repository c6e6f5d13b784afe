// rebinding_inside.mjs in a network of its own: only the loopback, with addresses of all kinds, and names are asked of 127.0.0.1.
// Only in ./test --all: a network of its own, for which one must be root.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanEnvironment, temporaryDirectory } from '../support/harness.mjs';

const here = ['203.0.114.7/32', '10.0.0.1/32', '169.254.169.254/32', 'fd00::1/128', '64:ff9b::7f00:1/128', '2002:7f00:1::/128'];

test('no name leads a message to this machine or its networks', () => {
  const names = join(temporaryDirectory(), 'resolv.conf');
  writeFileSync(names, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const script = ['ip link set lo up', ...here.map((address) => `ip address add ${address} dev lo`), `mount --bind ${names} /etc/resolv.conf`, `exec "${process.execPath}" --test "${join(import.meta.dirname, 'rebinding_inside.mjs')}"`];
  const done = spawnSync('unshare', ['--net', '--mount', 'sh', '-ec', script.join('\n')], { env: cleanEnvironment(), encoding: 'utf8' });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.match(done.stdout, /^# pass 3$/m);
});
