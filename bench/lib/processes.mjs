// Processes and temporary directories: whatever is started or made here is gone when the benchmarks end, however they end.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An error for a part that is broken or missing, not slow. */
export class Broken extends Error {}

const groups = new Set();
const directories = new Set();
let parent = tmpdir();

// Every child leads a process group, so that its own children (nginx's worker) go with it.
function endGroup(pid, signal) {
  try { process.kill(-pid, signal); } catch { /* gone already */ }
}

process.on('exit', () => {
  for (const pid of groups) endGroup(pid, 'SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** From now on temporary directories are made in this directory. */
export function keepTemporaryFilesIn(directory) { parent = directory; }

export function temporaryDirectory() {
  const directory = mkdtempSync(join(parent, 'quire-bench-'));
  directories.add(directory);
  return directory;
}

export function remove(directory) {
  rmSync(directory, { recursive: true, force: true });
  directories.delete(directory);
}

/** The cores this process may use. The server gets the first one, the load the last. */
export const cores = (() => {
  const allowed = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  return allowed.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
})();
export const serverCore = cores[0];
export const loadCore = cores.at(-1);

/** The environment without the caller's QUIRE_ settings. */
function cleanEnvironment(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_'));
  return { ...Object.fromEntries(kept), ...extra };
}

/** Starts a command; `ended` resolves to {status, signal, stdout, stderr}. `core`: the only one it may use. */
export function start(command, args, { core, cwd, env, input, output } = {}) {
  const [file, all] = core === undefined ? [command, args] : ['taskset', ['-c', String(core), command, ...args]];
  const child = spawn(file, all, { cwd, detached: true, env: cleanEnvironment(env), stdio: [input ?? 'ignore', output ?? 'pipe', 'pipe'] });
  const read = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr']) child[stream]?.on('data', (chunk) => read[stream].push(chunk));
  const text = (stream) => Buffer.concat(read[stream]).toString('utf8');
  if (child.pid) groups.add(child.pid);
  const ended = new Promise((done, fail) => {
    child.once('error', (error) => fail(new Broken(`cannot start ${command}: ${error.message}`)));
    child.once('close', (status, signal) => {
      groups.delete(child.pid);
      done({ status, signal, stdout: text('stdout'), stderr: text('stderr') });
    });
  });
  ended.catch(() => {});
  return { child, pid: child.pid, ended, text };
}

/** Runs a command to its end. Throws an error with the command's output if it fails. */
export async function run(command, args, options = {}) {
  const { ended } = start(command, args, options);
  const end = await ended;
  if (end.status !== 0) {
    const how = end.signal ?? `exit status ${end.status}`;
    throw new Broken(`${[command, ...args].join(' ')}: ${how}\n${end.stdout.slice(-2000)}\n${end.stderr.slice(-2000)}`);
  }
  return end;
}

/** The address that a started server prints once it answers: "listening on http://…". */
export function listening(started, name) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Broken(`${name} printed no address within 30 s\n${started.text('stderr')}`)), 30_000);
    started.child.stdout.on('data', () => {
      const found = /listening on (http:\/\/\S+)\s/.exec(started.text('stdout'));
      if (found) { clearTimeout(timer); done(found[1]); }
    });
    started.ended.then((end) => { clearTimeout(timer); fail(new Broken(`${name} ended at start\n${end.stderr}`)); }, fail);
  });
}

/**
 * A port that nothing listens on and that no outgoing connection gets: a connection to a port without a listener could get that
 * very port, and be connected to itself.
 */
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const server = createServer();
    const free = await new Promise((done) => { server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)); });
    await new Promise((done) => { server.close(done); });
    if (free) return port;
  }
}

/** Ends a process with a signal. Throws an error if the process takes over 30 s. */
export async function stop(started, signal = 'SIGTERM') {
  let late = false;
  const timer = setTimeout(() => { late = true; endGroup(started.pid, 'SIGKILL'); }, 30_000);
  started.child.kill(signal);
  const end = await started.ended.finally(() => clearTimeout(timer));
  if (late) throw new Broken(`process ${started.pid} did not end within 30 s of ${signal}`);
  return end;
}

function installed(command) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command]).status === 0;
}

/** Fails unless these commands are there. */
export function need(...commands) {
  const missing = commands.filter((command) => !installed(command));
  if (missing.length > 0) throw new Broken(`missing: ${missing.join(', ')}. Run tools/setup test, which installs what the benchmarks use.`);
}
