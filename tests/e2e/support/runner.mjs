// Runs files of tests, some at once: node runner.mjs AT_ONCE FILE… A file that passes is one line.
// Node's own runner waits for a file without end, and a process of Node can wait for itself at its end (nodejs/node, issue 54918).

import { execFileSync, spawn } from 'node:child_process';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDynamoDbAlone } from './servers/servers.mjs';

const limit = 15 * 60_000 * Math.max(1, Number(process.env.QUIRE_KILLS ?? 0) / 12); // milliseconds for a file
const end = 30_000; // from its summary until its process has ended
const running = new Set(); // process groups

const kill = (group, signal) => { try { process.kill(-group, signal); } catch { /* it has ended */ } };
process.on('exit', () => { for (const group of running) kill(group, 'SIGKILL'); });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    for (const group of running) kill(group, 'SIGTERM');
    await sleep(2000);
    process.exit(1);
  });
}

/** Runs a file. Gives {file, tests, passed, seconds, output}. */
async function run(file, env) {
  const begun = Date.now();
  const child = spawn(process.execPath, ['--test-reporter=spec', file], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child.pid);
  let output = '', told, late;
  const summary = () => /^ℹ tests (\d+)$[^]*^ℹ fail (\d+)$[^]*^ℹ duration_ms/m.exec(output);
  const giveUp = (why) => {
    late = why;
    output += `\n${why}; its processes:\n${processes(child.pid)}`;
    kill(child.pid, 'SIGKILL');
  };
  const timers = [setTimeout(giveUp, limit, `It did not end within ${limit / 60_000} minutes`)];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (told || !summary()) return;
      told = true;
      timers.push(setTimeout(giveUp, end, `Its process did not end within ${end / 1000} s of its summary`));
    });
  }
  const status = await new Promise((done) => { child.once('close', done); });
  for (const timer of timers) clearTimeout(timer);
  kill(child.pid, 'SIGKILL'); // what a test left behind
  running.delete(child.pid);
  const [, tests = 0, failed] = summary() ?? [];
  const passed = told && late ? failed === '0' : status === 0;
  return { file, tests: Number(tests), passed, late, seconds: (Date.now() - begun) / 1000, output };
}

/** What the processes of a group wait for. */
function processes(group) {
  const rows = execFileSync('ps', ['-eLo', 'pgid,pid,lwp,stat,etime,time,wchan:24,args'], { encoding: 'utf8' }).split('\n');
  return rows.filter((row, i) => i === 0 || Number.parseInt(row, 10) === group).join('\n') + '\n';
}

const [atOnce, ...files] = process.argv.slice(2);
const env = { ...process.env };
// To start a server for each file takes as long as a short test.
if (files.length > 4) env.QUIRE_TEST_DYNAMODB = (await startDynamoDbAlone()).endpoint;
const waiting = [...files], failures = [];
let tests = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, async () => {
  for (let file; (file = waiting.shift());) {
    const end = await run(file, env);
    tests += end.tests;
    if (!end.passed) failures.push(file);
    console.log(`${end.passed ? '    ok' : 'FAILED'} ${end.seconds.toFixed(1).padStart(6)} s ${String(end.tests).padStart(4)} tests  ${relative('.', file)}`);
    if (!end.passed || end.late || files.length === 1) console.log(end.output);
  }
}));
console.log(`${tests} tests in ${files.length} files${failures.length ? `; ${failures.length} failed: ${failures.join(' ')}` : ''}`);
process.exit(failures.length || !tests ? 1 : 0);
