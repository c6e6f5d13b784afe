// Runs the real quire binary: servers on free ports, single commands, temporary directories.
// Everything that a test starts or creates here is gone when the test process ends, however it ends.
// The HTTP side is in client.mjs, raw sockets in wire.mjs, sample comments in data.mjs.

import { spawn } from 'node:child_process';
import { after } from 'node:test';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from './client.mjs';

export * from './client.mjs';

export const here = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const root = resolve(here, '../..');
export const binary = process.env.QUIRE_BIN ? resolve(process.env.QUIRE_BIN) : join(root, 'build/release/quire');

/** Flags that lift the rate limits for tests of something else. */
export const unlimited = ['--posts-per-minute-client', '1000000', '--posts-per-minute-product', '1000000'];

const patience = 60_000; // milliseconds until a server has surely started, and written its log, on a busy machine

const children = new Set();
const directories = new Set();

function cleanUp() {
  for (const child of children) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  children.clear();
  directories.clear();
}
process.on('exit', cleanUp);
after(cleanUp); // a server that a failed test left behind would keep this process alive
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'quire-e2e-'));
  directories.add(directory);
  return directory;
}

/** A store address in a new temporary directory. */
export function newStore() {
  return `lmdb:${join(temporaryDirectory(), 'store')}`;
}

/** The environment without the caller's QUIRE_ settings, and without those of a service that is installed. Servers stop at once. */
export function cleanEnvironment(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_') && !name.startsWith('NODE_'));
  return { ...Object.fromEntries(kept), QUIRE_CONFIG: '/dev/null', QUIRE_DRAIN: '0', ...extra };
}

/** Starts the binary and collects its output, but for `stderr` if that is a descriptor; `ended` resolves to {status, signal, stdout, stderr}. */
export function start(args, { input, env, cwd, stderr = 'pipe' } = {}) {
  if (!existsSync(binary)) throw new Error(`no quire binary at ${binary}: build it, or set QUIRE_BIN`);
  const child = spawn(binary, args, { env: cleanEnvironment(env), cwd, stdio: ['pipe', 'pipe', stderr] });
  children.add(child);
  const output = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk) => output.stdout.push(chunk));
  child.stderr?.on('data', (chunk) => output.stderr.push(chunk));
  child.stdin.on('error', () => {}); // a command may end before it has read everything
  child.stdin.end(input);
  const text = (stream) => Buffer.concat(output[stream]).toString('utf8');
  const ended = new Promise((done, fail) => {
    child.once('error', (error) => { children.delete(child); fail(error); });
    child.once('close', (status, signal) => {
      children.delete(child);
      done({ status, signal, stdout: text('stdout'), stderr: text('stderr') });
    });
  });
  ended.catch(() => {});
  return { child, ended, text };
}

/** Runs one command to its end. */
export async function run(args, options = {}) {
  const { timeout = 120_000, ...rest } = options;
  const { child, ended } = start(args, rest);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  const result = await ended.finally(() => clearTimeout(timer));
  if (result.signal) {
    throw new Error(`quire ${args.join(' ')} ended by ${result.signal} (limit ${timeout} ms)\n${result.stderr.slice(-2000)}`);
  }
  return result;
}

/** Runs one command that must succeed; a failure shows what it printed. */
export async function mustRun(args, options = {}) {
  const result = await run(args, options);
  const expected = options.status ?? 0;
  if (result.status !== expected) {
    throw new Error(`quire ${args.join(' ')} exited ${result.status}, expected ${expected}\nstdout: ${result.stdout.slice(-2000)}\nstderr: ${result.stderr.slice(-2000)}`);
  }
  return result;
}

/** `quire verify` must find no differences. */
export async function mustVerify(store, when) {
  const result = await run(['verify', '--store', store]);
  if (result.status !== 0) {
    throw new Error(`verify ${when}: exit status ${result.status}\n${result.stdout.slice(-4000)}\n${result.stderr.slice(-2000)}`);
  }
}

/** Imports rows (objects, or ready lines) through standard input. */
export function importRows(store, rows, { args = ['--new-customers'], ...options } = {}) {
  const input = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)) + '\n').join('');
  return mustRun(['import', '--store', store, '-', ...args], { input, ...options });
}

/** The rows of `quire export`, without the line that tells the key of customers. */
export async function exportRows(store, ...args) {
  const { stdout } = await mustRun(['export', '--store', store, ...args]);
  return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((row) => !row.customer_key);
}

/** A token in a tokens file, a new one unless it is named. Without scopes it does not moderate: answers to moderators have a status. */
export async function newToken({ file = join(temporaryDirectory(), 'tokens'), scopes = 'post,edit,import', args = [] } = {}) {
  const { stdout } = await mustRun(['token', 'new', '--tokens', file, '--scopes', scopes, ...args]);
  const words = stdout.split(/\s+/).filter(Boolean);
  const token = words.sort((a, b) => b.length - a.length)[0];
  if (!token || token.length < 16) throw new Error(`token new printed no token: ${JSON.stringify(stdout)}`);
  return { file, token };
}

/** A shop file that says nothing, for demos which are to have no shop of their own. */
const emptyShop = () => {
  const file = join(temporaryDirectory(), 'shop.toml');
  writeFileSync(file, '[shop]\n');
  return file;
};

/** A server that answers; see Server. Options: store, `unnamed` (by the environment), args, env, stderr (see start), token (sent with every write), `bare` (a demo without a shop of its own). */
export async function serve({ store = newStore(), unnamed = false, args = ['--demo', ...unlimited], env, stderr, token, bare = true } = {}) {
  const shopless = bare && args.includes('--demo') && !args.includes('--shop') && !args.includes('--config') && !env?.QUIRE_SHOP;
  const named = unnamed ? [] : ['--store', store];
  const process_ = start(['serve', ...named, '--listen', '127.0.0.1:0', ...args, ...(shopless ? ['--shop', emptyShop()] : [])], { env: unnamed ? { QUIRE_STORE: store, ...env } : env, stderr });
  const url = await new Promise((done, fail) => {
    const timer = setTimeout(() => { process_.child.kill('SIGKILL'); fail(new Error(`serve printed no address within ${patience / 1000} s\n${process_.text('stderr')}`)); }, patience);
    process_.child.stdout.on('data', () => {
      const match = /listening on (http:\/\/\S+)\s/.exec(process_.text('stdout'));
      if (match) { clearTimeout(timer); done(match[1].replace(/\/$/, '')); }
    });
    process_.ended.then((end) => { clearTimeout(timer); fail(new Error(`serve ended at start: status ${end.status}, signal ${end.signal}\n${end.stderr.slice(-2000)}`)); }, fail);
  });
  return new Server(process_, url, store, token);
}

/** A server that takes writes with a token, which its client sends. */
export async function serveWithToken({ store, tokens, args = [] } = {}) {
  tokens ??= await newToken();
  const server = await serve({ store, token: tokens.token, args: ['--tokens', tokens.file, ...unlimited, ...args] });
  server.tokens = tokens;
  return server;
}

export class Server extends Client {
  constructor(process_, url, store, token) {
    super(url, token);
    this.process = process_;
    this.store = store;
    this.port = Number(new URL(url).port);
  }

  /** Waits until the output has the pattern: another thread of the server writes the log. */
  async says(pattern) {
    for (const deadline = Date.now() + patience; !pattern.test(this.output);) {
      if (Date.now() > deadline) throw new Error(`${pattern} is not said:\n${this.output}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  get output() { return this.process.text('stdout') + this.process.text('stderr'); }
  get running() { return this.process.child.exitCode === null && this.process.child.signalCode === null; }

  /** Ends it with SIGTERM; gives {status, signal, stdout, stderr}. One that does not end within 15 s is an error. */
  async stop() {
    this.close();
    const { child, ended } = this.process;
    if (this.running) child.kill('SIGTERM');
    let late = false;
    const timer = setTimeout(() => { late = true; child.kill('SIGKILL'); }, 15_000);
    const end = await ended.finally(() => clearTimeout(timer));
    if (late) throw new Error('serve did not end within 15 s of SIGTERM');
    if (['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'].includes(end.signal)) throw new Error(`serve ended by ${end.signal}\n${end.stderr.slice(-2000)}`);
    return end;
  }

  /** kill -9. */
  async kill() {
    this.process.child.kill('SIGKILL');
    const end = await this.process.ended;
    this.close();
    return end;
  }
}
