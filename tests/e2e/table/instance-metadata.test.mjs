// A container on an instance whose metadata has a hop limit of 1: connections are taken, and the answer to a PUT never comes back. It runs
// itself again in a network of its own, where the address of the metadata service is this machine's.
// Only in ./test --all: a network of its own, for which one must be root.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import { test } from 'node:test';
import { cleanEnvironment, run, temporaryDirectory } from '../support/harness.mjs';

const service = '169.254.169.254';

if (process.argv.includes('inside')) {
  const asked = [];
  const silent = net.createServer((socket) => { socket.on('error', () => {}).on('data', (bytes) => asked.push(`${bytes}`.split(' HTTP')[0])); });
  await new Promise((done) => silent.listen(80, service, done));
  const nothingElse = { HOME: temporaryDirectory(), AWS_ACCESS_KEY_ID: '', AWS_PROFILE: '', AWS_EC2_METADATA_DISABLED: '' };
  const { status, stderr } = await run(['page', 'lamp', '--store', 'dynamodb:reviews?region=eu-west-1'], { env: nothingElse });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /credentials.* while its metadata has a hop limit of 1\./);
  assert.deepEqual(asked, ['PUT /latest/api/token']);
  silent.close();
} else {
  test('a hop limit of 1 is said', () => {
    const script = ['ip link set lo up', `ip address add ${service}/32 dev lo`, `exec "${process.execPath}" "${import.meta.filename}" inside`];
    const done = spawnSync('unshare', ['--net', 'sh', '-ec', script.join('\n')], { env: cleanEnvironment(), encoding: 'utf8' });
    assert.equal(done.status, 0, done.stdout + done.stderr);
  });
}
