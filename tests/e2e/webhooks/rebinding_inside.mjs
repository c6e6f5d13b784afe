// Names that lead to a public address, to this machine, or to one after the other. 203.0.114.7 is public, and here it is this machine's:
// rebinding.test.mjs runs this where that is so.

import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { mustRun, newToken, run, serve, unlimited } from '../support/harness.mjs';
import { nameServer } from './name_server.mjs';
import { shopWith, soon } from './receiver.mjs';

const outer = '203.0.114.7';
const inner = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '169.254.169.254', '::1', '::', '::ffff:7f00:1', '::ffff:a00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fd00::1'];

let names;
let shop;
const reached = []; // the addresses at which connections came
const listener = net.createServer((socket) => { reached.push(socket.localAddress.replace('::ffff:', '')); socket.destroy(); });

before(async () => {
  names = await nameServer();
  await new Promise((done) => listener.listen(0, '::', done));
  shop = shopWith(`name = "out"\nurl = "https://receiver.shop.example:${listener.address().port}/"\nformat = "slack"`);
});
beforeEach(() => { reached.length = 0; });
after(() => { names.close(); listener.close(); });

const testOf = async (...addresses) => {
  names.addresses = addresses;
  return run(['webhook', 'test', 'out', ...shop.args]);
};

test('a public address is reached, and no other of the same name', async () => {
  assert.equal((await testOf(outer)).status, 1);
  assert.deepEqual(reached, [outer]);
  for (const beside of ['127.0.0.1', '10.0.0.1', '::1']) {
    reached.length = 0;
    await testOf(beside, outer);
    assert.deepEqual(reached, [outer], beside);
  }
});

test('an inner address is not', async () => {
  for (const address of inner) {
    const { status, stderr } = await testOf(address);
    assert.equal(status, 1, address);
    assert.match(stderr, address.includes(':') ? /an address of this machine|Host not found/ : /an address of this machine/, address);
  }
  assert.deepEqual(reached, []);
});

test('a name that leads here from one moment to the next is looked up, and nothing here is reached', async () => {
  names.addresses = [outer];
  const tokens = await newToken({ scopes: 'admin' });
  const server = await serve({ token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...shop.args] });
  await server.add('lamp', { rating: 1 });
  await soon('the public address is reached', () => reached.length > 0);
  const listed = async () => JSON.parse((await mustRun(['webhook', 'list', '--store', server.store, '--json'])).stdout).trouble;
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
    names.addresses = [address];
    const asked = names.questions;
    await mustRun(['webhook', 'retry', 'out', '--store', server.store]);
    await soon('the name is looked up', () => names.questions > asked);
    await soon('the message is not sent', async () => /an address of this machine/.test(await listed()));
    reached.length = 0;
    names.addresses = [outer];
    await mustRun(['webhook', 'retry', 'out', '--store', server.store]);
    await soon('the public address is reached', () => reached.length > 0);
    assert.deepEqual(reached.filter((each) => each !== outer), []);
  }
  await server.stop();
});
