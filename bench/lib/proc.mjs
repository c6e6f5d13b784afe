// A process as Linux sees it: its time on a core and its private memory.

import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Nanoseconds that the process's living threads have spent on a core, in user and kernel mode. */
export function cpuNanoseconds(pid) {
  if (!existsSync('/proc/self/schedstat')) return cpuTicks(pid) * 1e7;
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch { /* this thread has just ended */ }
  }
  return sum;
}

/** Of each living thread, the nanoseconds for which it could have run and had no core. */
export function waitNanoseconds(pid) {
  const read = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
  return new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, read(thread)]));
}

/** The same as cpuNanoseconds() of a process, of its living children and of those it has waited for, which are counted in hundredths of a second. */
export function familyNanoseconds(pid) {
  const ended = (cpuTicks(pid, true) - cpuTicks(pid)) * 1e7;
  return childrenOf(pid).reduce((sum, child) => sum + whileThere(() => cpuNanoseconds(child)), ended + cpuNanoseconds(pid));
}

// A figure of a process that may end meanwhile, also while it is read; 0: it has ended.
function whileThere(figure) {
  try {
    return figure();
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error;
    return 0;
  }
}

// Time on a core in ticks, of which a second has a hundred: the process's own, and that of children it has waited for.
function cpuTicks(pid, withChildren = false) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ').slice(11, withChildren ? 15 : 13);
  return fields.reduce((sum, each) => sum + Number(each), 0);
}

/**
 * Starts to watch. Returns a function that tells how many cores were busy with other processes than these,
 * this process, and its children that have ended.
 */
export function watchOthers(...pids) {
  const spent = (pid) => whileThere(() => cpuTicks(pid));
  const busy = () => {
    const { all, idle, stolen } = machineTicks();
    return all - idle - stolen - cpuTicks('self', true) - pids.reduce((sum, pid) => sum + spent(pid), 0);
  };
  const begun = performance.now();
  const before = busy();
  return () => Math.max(0, (busy() - before) / ((performance.now() - begun) / 10));
}

/** Bytes of memory in use that belong to no file: the heap and the stacks. */
export const anonymousBytes = (pid) => status(pid, 'RssAnon');

/** Bytes of mapped files in use, which the system takes back when it needs the memory. */
export const mappedBytes = (pid) => status(pid, 'RssFile');

function status(pid, name) {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}

/** The children of a process's first thread. */
export function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** Ticks of all cores since the machine began: all of them, those spent idle, those the hypervisor gave to others. */
export function machineTicks() {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each), idle: ticks[3] + ticks[4], stolen: ticks[7] };
}
