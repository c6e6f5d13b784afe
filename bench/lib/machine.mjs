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

export const processor = () => `${cpus()[0].model.trim()}, ${cores.length} ${cores.length === 1 ? 'core' : 'cores'}`;

const processorFlags = () => new Set(/^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1].trim().split(' '));

/** The instructions that OpenSSL says it takes, by their bits in its own notation (man OPENSSL_ia32cap). */
function opensslInstructions() {
  const masks = /=(0x[0-9a-f]+):(0x[0-9a-f]+)/.exec(firstLine('openssl', 'info', '-cpusettings'));
  if (!masks) return 'not known';
  const bits = { AES: [1, 57], AVX: [1, 60], AVX2: [2, 5], 'AVX-512': [2, 16], SHA: [2, 29] };
  const taken = Object.keys(bits).filter((name) => BigInt(masks[bits[name][0]]) >> BigInt(bits[name][1]) & 1n);
  return taken.join(' ') || 'none';
}

/**
 * The vector instructions that are chosen when a program begins. Of Quire's own code by the same rules: src/base/hash.cc asks for
 * AVX2, src/bitmap_index/words.cc for a level; of the libraries as they tell it.
 */
export function vectors() {
  if (process.arch !== 'x64') return `none are chosen on ${process.arch}`;
  const { stdout } = spawnSync('/lib64/ld-linux-x86-64.so.2', ['--help'], { encoding: 'utf8' });
  const level = /(x86-64-v\d) \(supported/.exec(stdout)?.[1] ?? 'x86-64';
  const bitmaps = /v[34]$/.test(level) ? level : 'x86-64';
  return `hashes ${processorFlags().has('avx2') ? 'AVX2' : 'SSE2'}, bitmaps ${bitmaps}, C library ${level}, OpenSSL ${opensslInstructions()}`;
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
    processor: processor(),
    vectors: vectors(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${release()}`,
    hypervisor: processorFlags().has('hypervisor') ? 'a virtual machine' : 'none',
    files: fileSystemOf(temporary),
    'load before': loadavg()[0].toFixed(2),
    quire: firstLine(binary, '--version') + commit(),
    nginx: firstLine('nginx', '-v').replace('nginx version: ', ''),
    wrk: firstLine('wrk', '-v').replace(/ Copyright.*/, ''),
    sqlite3: firstLine('sqlite3', '--version').split(' ')[0] || 'none',
    redis: /v=(\S+)/.exec(firstLine('redis-server', '--version'))?.[1] ?? 'none',
    postgresql: postgres.version()?.replace('postgres (PostgreSQL) ', '') ?? 'none',
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
