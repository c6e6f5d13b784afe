// A clone of HEAD in build/faults, in which a fault is put and tests run. Its builds are kept from one fault to the next.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const folder = `${root}/build/faults`;
const tree = `${folder}/tree`;
const limit = 90 * 60_000; // ms: a test that does not end has found the fault

const git = (...args) => execFileSync('git', args, { cwd: tree, encoding: 'utf8' }).trim();

// The clone as it was committed.
function take_back() {
  git('checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD');
}

// Runs a command in the clone, which has the place of this folder for it: its paths are the same. All that the command starts
// ends with it, and with this program.
function passes(log, fault, command) {
  const apart = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const script = 'mount --bind "$1" "$0" && cd "$0" && exec bash -c "$2"';
  const out = openSync(log, 'w');
  const { status } = spawnSync('setpriv', [...apart, 'bash', '-c', script, root, tree, command],
    { cwd: folder, env: { ...process.env, QUIRE_FAULT: fault }, stdio: ['ignore', out, out], timeout: limit, killSignal: 'SIGKILL' });
  closeSync(out);
  return status === 0;
}

// What failed, as the log of ./test says: the step, and in it the first test.
function failure(log) {
  const text = readFileSync(log, 'utf8');
  const step = [...text.matchAll(/^== (.+) \(\d+ s\)$/gm)].at(-1)?.[1];
  const file = /^FAILED +[\d.]+ s +\d+ tests +(\S+)/m.exec(text)?.[1];
  const test = /^\[  FAILED  \] ([^\s,]+)/m.exec(text)?.[1] ?? /^\s*✖ (.+) \([\d.]+ms\)/m.exec(text)?.[1];
  return [step, file, test].filter(Boolean).join(': ').replaceAll('\t', ' ');
}

/** Brings the clone to HEAD, whose commit it returns, and sees that its tests pass without a fault. */
export function prepare() {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(tree)) execFileSync('git', ['clone', '--quiet', root, tree]);
  git('fetch', '--quiet', root, 'HEAD');
  take_back();
  const commit = git('rev-parse', '--short', 'HEAD');
  const passed = `${folder}/passed`, log = `${folder}/none.log`;
  if (!existsSync(passed) || readFileSync(passed, 'utf8') !== commit) {
    console.log('without a fault');
    if (!passes(log, '', './test')) throw new Error(`./test fails without a fault: ${log}`);
    writeFileSync(passed, commit);
  }
  return commit;
}

/**
 * The first of `ways` that finds the fault: {by, test, seconds}, `by` is "nothing" where none does; or {broken, log}. A way is a
 * command, or {command, by}: of what else it is a part.
 */
export function outcomeOf({ name, file, text, fault }, ways) {
  const begun = Date.now();
  const log = `${folder}/${name.replace(/\W+/g, '-')}.log`;
  take_back();
  const path = `${tree}/${file}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(text, () => fault));
  try {
    const build = 'cmake --preset release && cmake --build --preset release --target quire';
    if (!passes(log, name, build)) return { broken: true, log };
    for (const way of ways) {
      const { command, by } = typeof way === 'string' ? { command: way, by: way } : way;
      if (passes(log, name, command)) continue;
      return { by, test: failure(log), seconds: seconds_since(begun) };
    }
    return { by: 'nothing', test: '', seconds: seconds_since(begun) };
  } finally {
    take_back();
  }
}

function seconds_since(begun) {
  return Math.round((Date.now() - begun) / 1000);
}
