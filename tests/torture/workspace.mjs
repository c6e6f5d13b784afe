// Directories and processes of the torture. Its exit removes the directories and kills the processes.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Counts } from './fault.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const binary = resolve(process.env.QUIRE_BIN ?? join(root, 'build/release/quire'));
const shim = resolve(process.env.QUIRE_SHIM ?? join(dirname(binary), 'libtorture_shim.so'));
for (const file of [binary, shim]) if (!existsSync(file)) throw new Error(`there is no ${file}: cmake --preset release && cmake --build --preset release`);

const children = new Set();
const work = mkdtempSync(join(tmpdir(), 'quire-torture-'));
process.on('exit', (status) => {
  for (const child of children) child.kill('SIGKILL');
  if (status === 0 || !process.env.TORTURE_KEEP) rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** How long a command may take before it counts as hanging. */
const patience = 30_000;

let made = 0;

/** The directory of one case. The store and the files made from it are in `files`; only calls on those files fail. */
export class Workspace {
  constructor(template) {
    this.directory = join(work, `${++made}`);
    this.files = join(this.directory, 'files');
    mkdirSync(this.directory);
    if (template) cpSync(template.files, this.files, { recursive: true });
    else mkdirSync(this.files);
    this.store = `lmdb:${join(this.files, 'store')}`;
    this.journal = join(this.directory, 'journal');
    this.counts = new Counts(join(this.directory, 'counts'));
  }

  path(name) { return join(this.files, name); }
  aside(name) { return join(this.directory, name); }
  remove() { rmSync(this.directory, { recursive: true, force: true }); }

  /** Starts the program. `torture`: {order, journal}: the shim counts calls, fails one as ordered, and writes the journal. */
  start(args, { torture, input } = {}) {
    const tortured = torture && {
      LD_PRELOAD: shim, TORTURE_DIRECTORY: this.files, TORTURE_COUNTS: this.counts.file,
      ...torture.order?.environment, ...(torture.journal && { TORTURE_JOURNAL: this.journal }),
    };
    const child = spawn(torture?.binary ?? binary, args, { env: { PATH: process.env.PATH, ...tortured }, stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    const output = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => output[name].push(chunk));
    const text = (name) => Buffer.concat(output[name]).toString('utf8');
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    let late = false;
    const timer = setTimeout(() => { late = true; child.kill('SIGKILL'); }, patience);
    const ended = new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (status, signal) => {
        clearTimeout(timer);
        children.delete(child);
        done({ status, signal, late, stdout: text('stdout'), stderr: text('stderr') });
      });
    });
    return { child, ended, text };
  }

  run(args, options) { return this.start(args, options).ended; }

  async mustRun(args, options) {
    const end = await this.run(args, options);
    if (end.status !== 0) throw new Error(`quire ${args.join(' ')}: status ${end.status}, signal ${end.signal}\n${end.stdout.slice(-1500)}${end.stderr.slice(-1500)}`);
    return end;
  }
}

/** A comment as one text, without regard to escapes in its JSON. */
export const lineOf = ({ id, product, language, rating, created_at, author, title, text }) => JSON.stringify({ id, product, language, rating, created_at, author, title, text });

/** The comments of an export, by id. */
export function rowsOf({ stdout }) {
  return new Map(stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)).map((row) => [row.id, lineOf(row)]));
}

export const linesOf = (rows) => rows.map((row) => JSON.stringify(row) + '\n').join('');
