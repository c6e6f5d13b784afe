// The peer of pages on DynamoDB: a Go program (bench/peer) that asks every partition for a whole page.

import { join } from 'node:path';
import { region } from './dynamodb.mjs';
import { closeConnections } from './http.mjs';
import { listening, need, run, start, stop } from './processes.mjs';
import { build, product, root } from './quire.mjs';

const binary = join(build, 'quire_peer');

// Programs are built from Debian's packages alone.
const sources = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };

export async function buildGo(folder, program) {
  need('go');
  await run('go', ['build', '-o', program, folder], { cwd: root, env: sources });
}

export const buildPeer = () => buildGo('./bench/peer', binary);

/** `core`: the only core it may use. */
export async function servePeer({ endpoint, table, core }) {
  const started = start(binary, ['-table', table, '-region', region, '-endpoint', endpoint], { core });
  const url = await listening(started, 'the peer');
  return {
    url,
    pid: started.pid,
    comments: (query = '') => `${url}/products/${product}/comments${query && `?${query}`}`,
    async stop() {
      closeConnections();
      await stop(started);
    },
  };
}
