// Commands with less memory than the machine has: a control group below this process's own, of either version.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const controllers = { memory: 'memory.limit_in_bytes', '': 'memory.max' };
const mounts = { memory: '/sys/fs/cgroup/memory', '': '/sys/fs/cgroup' };

function makeGroup(bytes) {
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')) {
    const [, controller, path] = line.split(':');
    if (!(controller in controllers)) continue;
    const directory = join(mounts[controller], path, `quire-bench-${process.pid}`);
    try { mkdirSync(directory); } catch { continue; }
    const limit = join(directory, controllers[controller]);
    if (existsSync(limit)) {
      writeFileSync(limit, String(bytes));
      return directory;
    }
    rmdirSync(directory);
  }
  return undefined;
}

/**
 * Calls `work` with a function that wraps a command, so that all its memory, cached files included, stays within `bytes`. Undefined,
 * without a call, where this machine does not let us limit memory.
 */
export async function withMemoryLimit(bytes, work) {
  const directory = makeGroup(bytes);
  if (!directory) return undefined;
  const wrapped = (command, args) => ['sh', ['-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', directory, command, ...args]];
  try { return await work(wrapped); } finally { rmdirSync(directory); }
}
