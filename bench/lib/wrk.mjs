// Load over HTTP with wrk: one thread, keep-alive connections. A request that fails in any way is an error, never a figure.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Broken, run } from './processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));

async function wrk(url, script, { core, paths = [], connections, seconds }) {
  // wrk takes whole seconds. Ended by a signal, it prints what it has measured until then.
  const args = ['--preserve-status', '--signal=INT', String(seconds), 'wrk', '-t1', `-c${connections}`, '-d1h', '--timeout', '30s', '-s', join(here, script), url, ...paths];
  const { stdout } = await run('timeout', args, { core });
  const found = /^RESULT (.+)$/m.exec(stdout);
  if (!found) throw new Broken(`wrk printed no result for ${url}:\n${stdout}`);
  const result = JSON.parse(found[1]);
  const failed = Object.entries(result.errors).filter(([, count]) => count > 0);
  if (failed.length > 0) throw new Broken(`${url}: ${failed.map(([what, count]) => `${count} ${what} errors`).join(', ')}\n${stdout}`);
  if (result.requests === 0) throw new Broken(`${url}: not one request was answered`);
  result.perSecond = result.requests / (result.microseconds / 1e6);
  return result;
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
