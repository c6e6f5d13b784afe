// A worker that keeps a table's page index, or its statistics, in step.

import { setTimeout as sleep } from 'node:timers/promises';
import { credentials } from '../lib/dynamodb.mjs';
import { fetchBody } from '../lib/http.mjs';
import { Broken, listening, run, serverCore, start, stop } from '../lib/processes.mjs';
import { binary } from '../lib/quire.mjs';

/** The store to follow, and the page index beside it; `none` for the store's statistics alone. */
const flags = ({ store, pages }) => ['--store', store, '--pages', pages];

export const command = (name, followed, ...more) => run(binary, [name, ...flags(followed), ...more], { env: credentials });

/** A worker that has begun: {pid, changes(): how many changes it has applied, stop()}. */
export async function work(followed, ...more) {
  const started = start(binary, ['project', ...flags(followed), '--listen', '127.0.0.1:0', ...more], { core: serverCore, env: credentials });
  const url = await listening(started, 'quire project');
  return {
    pid: started.pid,
    async changes() {
      const found = /^quire_projection_changes_total\{.*\} (\S+)$/m.exec(await fetchBody(`${url}/metrics`));
      if (!found) throw new Broken('quire project does not say how many changes it applied');
      return Number(found[1]);
    },
    async stop() {
      const { status, signal, stderr } = await stop(started);
      if (status !== 0) throw new Broken(`quire project ended with ${signal ?? `exit status ${status}`}\n${stderr.slice(-2000)}`);
    },
  };
}

/** Asks every few milliseconds until the answer is true. */
export async function until(what, milliseconds, ask) {
  for (const deadline = performance.now() + 300_000; !(await ask()); await sleep(milliseconds)) {
    if (performance.now() > deadline) throw new Broken(`${what}: not within five minutes`);
  }
}
