// Runs files of tests, some at once: node runner.mjs AT_ONCE FILE… A file that passes is one line.
// A file that does not end fails, and tells what its threads wait for: Node's own runner waits without end.

import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDynamoDbAlone } from './servers/servers.mjs';

const limit = 15 * 60_000 * Math.max(1, (Number(process.env.QUIRE_KILLS) || 0) / 12); // milliseconds for a file
const [atOnce, ...waiting] = process.argv.slice(2);
const count = waiting.length;
const running = new Set(); // process groups
let stopped = false;

const kill = (group, signal) => { try { process.kill(-group, signal); } catch { /* it has ended */ } };
process.on('exit', () => { for (const group of running) kill(group, 'SIGKILL'); });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    stopped = true;
    for (const group of running) kill(group, 'SIGTERM');
    await sleep(2000);
    process.exit(1);
  });
}

/** What the threads of a process group wait for. */
function threads(group) {
  const rows = execFileSync('ps', ['-eLo', 'pgid,pid,lwp,stat,etime,time,wchan:24,args'], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  return rows.filter((row, i) => i === 0 || Number.parseInt(row, 10) === group).join('\n');
}

/** Runs a file. Gives {tests, succeeded, passed, seconds, output}. */
async function run(file, env) {
  const begun = Date.now();
  const child = spawn(process.execPath, ['--test-reporter=spec', file], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += text; });
  const timer = setTimeout(() => {
    try {
      output += `\nIt did not end within ${limit / 60_000} minutes.\n${threads(child.pid)}\n`;
    } finally {
      kill(child.pid, 'SIGKILL');
    }
  }, limit);
  const closed = new Promise((done) => { child.once('close', done); });
  const status = await new Promise((done) => { child.once('exit', done); });
  clearTimeout(timer);
  kill(child.pid, 'SIGKILL'); // what a test left behind
  await Promise.race([closed, sleep(5000, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy(); // another group may hold them
  running.delete(child.pid);
  const number = (name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return { tests: number('tests'), succeeded: number('pass'), passed: status === 0, seconds: (Date.now() - begun) / 1000, output };
}

const { FORCE_COLOR: _, ...env } = process.env;
// To start a server for each file takes as long as a short test.
if (count > 4) env.QUIRE_TEST_DYNAMODB = (await startDynamoDbAlone()).endpoint;
const failures = [];
let tests = 0;
let succeeded = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, async () => {
  for (let file; !stopped && (file = waiting.shift());) {
    const end = await run(file, env);
    if (stopped) return;
    tests += end.tests;
    succeeded += end.succeeded;
    if (!end.passed) failures.push(file);
    console.log(`${end.passed ? '    ok' : 'FAILED'} ${end.seconds.toFixed(1).padStart(6)} s ${String(end.tests).padStart(4)} tests  ${relative('.', file)}`);
    if (!end.passed || count === 1) console.log(end.output);
  }
}));
if (!stopped) {
  // A file that fails before its tests is a failure, too.
  if (process.env.QUIRE_COUNTS) appendFileSync(process.env.QUIRE_COUNTS, `${succeeded} ${Math.max(tests - succeeded, failures.length)}\n`);
  console.log(`${tests} tests in ${count} files${failures.length ? `; ${failures.length} failed: ${failures.join(' ')}` : ''}`);
  process.exit(failures.length || !tests ? 1 : 0);
}
