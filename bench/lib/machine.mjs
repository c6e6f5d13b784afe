// The machine of the figures, and how quiet it was.

import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import * as postgres from './postgres.mjs';
import { machineTicks } from './proc.mjs';
import { cores } from './processes.mjs';
import { binary, root } from './quire.mjs';

// As in linux/magic.h.
const fileSystems = { 0xef53: 'ext4', 0x58465342: 'xfs', 0x9123683e: 'btrfs', 0x01021994: 'tmpfs', 0x794c7630: 'overlay', 0x2fc12fc1: 'zfs' };

const firstLine = (command, ...args) => {
  const { stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return `${stdout ?? ''}${stderr ?? ''}`.split('\n')[0].trim();
};

function commit() {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? ` (${stdout.trim()})` : '';
}

/** The file system's name; tmpfs has nothing to sync, so durable writes on it cost nothing. */
export function fileSystemOf(directory) {
  const type = statfsSync(directory).type;
  return fileSystems[type] ?? `0x${type.toString(16)}`;
}

/** A table of facts. */
export function machineFacts(temporary) {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus()[0].model.trim()}, ${cores.length} ${cores.length === 1 ? 'core' : 'cores'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${release()}`,
    hypervisor: /^flags.*\bhypervisor\b/m.test(readFileSync('/proc/cpuinfo', 'utf8')) ? 'a virtual machine' : 'none',
    files: fileSystemOf(temporary),
    'load before': loadavg()[0].toFixed(2),
    quire: firstLine(binary, '--version') + commit(),
    nginx: firstLine('nginx', '-v').replace('nginx version: ', ''),
    wrk: firstLine('wrk', '-v').replace(/ Copyright.*/, ''),
    sqlite3: firstLine('sqlite3', '--version').split(' ')[0] || 'none',
    redis: /v=(\S+)/.exec(firstLine('redis-server', '--version'))?.[1] ?? 'none',
    postgresql: postgres.available() ? postgres.version().replace('postgres (PostgreSQL) ', '') : 'none',
    go: /go([\d.]+)/.exec(firstLine('go', 'version'))?.[1] ?? 'none',
    node: process.version,
  };
}

/** Starts to watch. Returns a function that tells the share of the cores' time that other machines took. */
export function watchStolenTime() {
  const before = machineTicks();
  return () => {
    const now = machineTicks();
    return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  };
}
