// Load over HTTP with wrk: one thread, keep-alive connections. A request that fails in any way is an error, never a figure.

import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitsFor } from './proc.mjs';
import { Broken, start, stop } from './processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));

// A load that nothing answers in a short time is repeated for a longer one: a busy machine can take that time for the first answers.
async function wrk(url, script, { seconds, ...options }) {
  for (let tried = seconds; ; tried *= 2) {
    const result = await loadFor(tried, url, script, options);
    if (result.requests > 0) return result;
    if (tried >= 8) throw new Broken(`${url}: not one request was answered in ${tried} s`);
  }
}

async function loadFor(seconds, url, script, { core, paths = [], connections }) {
  const started = start('wrk', ['-t1', `-c${connections}`, '-d1h', '--timeout', '30s', '-s', join(here, script), url, ...paths], { core });
  await begun(started);
  await sleep(1000 * seconds);
  const { status, stdout, stderr } = await stop(started, 'SIGINT');
  const found = /^RESULT (.+)$/m.exec(stdout);
  if (status !== 0 || !found) throw new Broken(`wrk printed no result for ${url}:\n${stdout}\n${stderr}`);
  const result = JSON.parse(found[1]);
  const failed = Object.entries(result.errors).filter(([, count]) => count > 0);
  if (failed.length > 0) throw new Broken(`${url}: ${failed.map(([what, count]) => `${count} ${what} errors`).join(', ')}\n${stdout}`);
  result.perSecond = result.requests / (result.microseconds / 1e6);
  return result;
}

// wrk takes whole seconds; ended by a signal, it prints what it has measured until then. It ignores signals while its script makes
// the requests. Then it catches them, and sleeps.
async function begun(started) {
  let ended = false;
  started.ended.finally(() => { ended = true; }).catch(() => {});
  for (const deadline = performance.now() + 30_000; !ended && !waitsFor(started.pid, 'SIGINT'); await sleep(2)) {
    if (performance.now() > deadline) throw new Broken('wrk did not begin within 30 s');
  }
}

/** GETs of one address, or of `paths` there in turns, each of which must bring at least `bytes` bytes. */
export async function load(url, bytes, { core, paths, connections = 32, seconds = 1 } = {}) {
  const result = await wrk(url, 'wrk.lua', { core, paths, connections, seconds });
  if (result.bytes < result.requests * bytes) throw new Broken(`${url}: answers were shorter than ${bytes} bytes`);
  return result;
}

/** The requests of a file, a line each ("GET /path"), by each connection in turn; `delay`: ms between two of a connection, on average. */
export const mix = (url, file, { core, connections = 64, seconds = 1, delay = 0 }) =>
  wrk(url, 'mix.lua', { core, paths: [file, String(delay)], connections, seconds });

/** Votes, a line of the file each ("/path TOKEN"), each of which must be answered 200; `taken` counts them. */
export async function vote(url, file, { core, connections = 64, seconds = 1 } = {}) {
  const result = await wrk(url, 'votes.lua', { core, paths: [file], connections, seconds });
  if (result.refused > 0) throw new Broken(`${url}: ${result.refused} votes were not answered 200`);
  result.perSecond = result.taken / (result.microseconds / 1e6);
  return result;
}

/** POSTs of comments, each of which must be answered 201; `created` counts them. */
export async function post(url, { core, connections = 64, seconds = 1 } = {}) {
  const result = await wrk(url, 'posts.lua', { core, connections, seconds });
  if (result.refused > 0) throw new Broken(`${url}: ${result.refused} posts were not answered 201`);
  result.perSecond = result.created / (result.microseconds / 1e6);
  return result;
}
