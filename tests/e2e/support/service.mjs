// A server in a Debian tree, started as systemd or a container would: as its user, and ready when it says so.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { Client } from './harness.mjs';

// Listens where NOTIFY_SOCKET says, and prints each message. Node has no such sockets.
const manager = `use Socket; $| = 1; umask 0;
  socket(S, AF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) or die;
  print "listening\\n";
  while (defined recv(S, $told, 4096, 0)) { print "$told\\n" }`;

const children = new Set();
after(() => { for (const child of children) child.kill('SIGKILL'); });

export class Service {
  static async start(tree, { command, user, env = {} }) {
    const service = new Service();
    const notify = '/run/notify';
    rmSync(tree.path(notify), { force: true });
    service.manager = tree.start(['perl', '-e', manager, notify]);
    const told = createInterface({ input: service.manager.stdout })[Symbol.asyncIterator]();
    service.told = async () => (await told.next()).value;
    assert.equal(await service.told(), 'listening');
    service.process = tree.start(['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--no-new-privs', ...command], { env: { ...env, NOTIFY_SOCKET: notify } });
    children.add(service.manager).add(service.process);
    service.output = '';
    for (const stream of ['stdout', 'stderr']) service.process[stream].on('data', (text) => { service.output += text; });
    service.ended = once(service.process, 'close');
    const first = await Promise.race([service.told(), service.ended]);
    assert.equal(first, 'READY=1', service.output);
    while (!/listening on \S+\s/.test(service.output)) await once(service.process.stdout, 'data'); // printed before, but read apart
    service.client = new Client(/listening on (http:\S+)/.exec(service.output)[1].replace('0.0.0.0', '127.0.0.1'));
    return service;
  }

  /** It must say that it stops, and end well. */
  async stop() {
    this.client.close();
    this.process.kill('SIGTERM');
    assert.equal(await this.told(), 'STOPPING=1');
    assert.deepEqual(await this.ended, [0, null]);
    this.manager.kill();
  }
}
