// Release binaries are hardened (cmake/hardening.cmake), and so is the systemd unit (packaging/quire.service).
// Only in ./test --all: other programs.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, binary, commentPath, newToken, root, temporaryDirectory } from './support/harness.mjs';

function output(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout + stderr;
}

const readelf = (option) => output('readelf', '--wide', option, binary);

test('the binary is loaded at a random address, and its tables are read-only once it runs', () => {
  assert.match(readelf('--file-header'), /Type:\s+DYN \(Position-Independent Executable file\)/);
  assert.match(readelf('--dynamic'), /\(FLAGS_1\)\s+Flags:.*\bNOW\b.*\bPIE\b/);
  assert.match(readelf('--program-headers'), /^\s*GNU_RELRO\s/m);
});

test('the stack of the binary is not executable, and is checked', () => {
  const [, flags] = /^\s*GNU_STACK\s.*?\s(R\S*)\s+0x\S+$/m.exec(readelf('--program-headers').replace(/\bR W\b/g, 'RW'));
  assert.equal(flags, 'RW');
  assert.match(readelf('--dyn-syms'), / __stack_chk_fail@/);
});

test('copies of the C library check the length of their target, and the standard library its indices', () => {
  assert.match(readelf('--dyn-syms'), / _ZSt\d+__glibcxx_assert_fail/);
  assert.match(readelf('--dyn-syms'), / __mem(cpy|move|set)_chk@/);
});

test('returns and indirect jumps can be checked, where the processor does', () => {
  const beginning = () => output('objdump', '--disassemble=main', '--no-show-raw-insn', binary);
  if (process.arch === 'x64') assert.match(readelf('--notes'), /x86 feature:.*SHSTK/);
  if (process.arch === 'x64') assert.match(beginning(), /<main>:\n\s+\w+:\s+endbr64/);
  if (process.arch === 'arm64') assert.match(beginning(), /<main>:\n\s+\w+:\s+(paciasp|bti)/);
});

const unit = join(root, 'packaging/quire.service');

test('systemd judges the unit\'s exposure to be below 3.0', () => {
  const judged = output('systemd-analyze', 'security', '--offline=true', '--no-pager', '--threshold=29', unit);
  const [, exposure] = /Overall exposure level for quire\.service: ([\d.]+)/.exec(judged);
  assert.ok(Number(exposure) < 3, judged);
});

test('the unit has no mistakes, and starts the program with options that exist', () => {
  const text = readFileSync(unit, 'utf8');
  const copy = join(temporaryDirectory(), 'quire.service');
  writeFileSync(copy, text.replace('/usr/bin/quire', binary));
  assert.equal(output('systemd-analyze', 'verify', '--man=no', copy), '');
  assert.doesNotMatch(text, /^LimitAS=/m, 'the store needs address space');
  const [, command] = /^ExecStart=\/usr\/bin\/quire (.*)$/m.exec(text);
  assert.match(output(binary, ...command.split(' ').filter((word) => !word.startsWith('/') && word !== '--config'), '--help'), /serve/);
});

/** The system calls of a set of systemd's, and of the sets in it. */
function callsOf(set) {
  const names = [...output('systemd-analyze', 'syscall-filter', set).matchAll(/^ {4}([@a-z]\S*)$/gm)].map(([, name]) => name);
  return new Set(names.flatMap((name) => (name.startsWith('@') ? [...callsOf(name)] : [name])));
}

/** The system calls of a server that starts, takes posts, answers pages and ends. */
async function callsOfServer() {
  const directory = temporaryDirectory();
  const trace = join(directory, 'trace');
  const { file, token } = await newToken();
  const strace = spawn('strace', ['-f', '-o', trace, binary, 'serve', '--store', `lmdb:${directory}/store`, '--listen', '127.0.0.1:0', '--tokens', file, '--access-log', join(directory, 'log')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(strace, 'close');
  const [line] = await once(strace.stdout, 'data');
  const client = new Client(/http:\S+/.exec(line)[0], token);
  const { id } = await client.add('42', { language: 'en', rating: 5, title: 'Fits' });
  for (const path of ['/products/42', '/metrics', '/healthz', '/readyz', '/sitemap.xml']) await client.get(path);
  (await client.delete(commentPath(id))).expect(204);
  client.close();
  const [server] = readFileSync(`/proc/${strace.pid}/task/${strace.pid}/children`, 'utf8').split(' ');
  process.kill(Number(server), 'SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  return new Set([...readFileSync(trace, 'utf8').matchAll(/^\d+ +(?:<\.\.\. )?([a-z]\w+)(?=\(| resumed)/gm)].map(([, call]) => call));
}

test('the unit\'s filter lets every system call through that a server with posts makes', async () => {
  const [allowed, refused] = [...readFileSync(unit, 'utf8').matchAll(/^SystemCallFilter=(~?)(.*)$/gm)].map(([, , sets]) => sets.split(' '));
  const open = new Set(allowed.flatMap((set) => [...callsOf(set)]));
  for (const set of refused) for (const call of callsOf(set)) open.delete(call);
  for (const call of callsOf('@default')) open.add(call);
  const made = await callsOfServer();
  assert.ok(made.size > 30, `the trace has calls: ${[...made].join(' ')}`);
  assert.deepEqual([...made].filter((call) => !open.has(call)), []);
});
