// A process as Linux sees it: its time on a core, its private memory, the signals that it waits for.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';

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

// Of a process that may end meanwhile, also while it is read; 0: it has ended.
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

const status = (pid, name) => Number(statusField(pid, name).replace(/ kB$/, '')) * 1024;

const statusField = (pid, name) => new RegExp(`^${name}:\\s*(.+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];

/** Whether the process's first thread sleeps and would catch that signal. A process that has ended waits for none. */
export function waitsFor(pid, signal) {
  return whileThere(() => {
    const caught = BigInt(`0x${statusField(pid, 'SigCgt')}`) >> BigInt(constants.signals[signal] - 1);
    return (caught & 1n) === 1n && statusField(pid, 'State').startsWith('S');
  });
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
