// Load over HTTP with ab: a fixed number of requests, each by a connection of its own, as the articles on the subject measure.

import { Broken, loadCore, run } from './processes.mjs';

/** GETs of one address, each of which must bring `body`: requests per second. */
export async function requestsPerSecond(url, body, { requests = 1000, connections = 20 } = {}) {
  const { stdout } = await run('ab', ['-q', '-n', String(requests), '-c', String(connections), url], { core: loadCore });
  const number = (name) => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(stdout)?.[1] ?? 0);
  const wrong = number('Failed requests') + number('Non-2xx responses');
  const all = number('Complete requests') === requests && number('Document Length') === body.length;
  if (wrong > 0 || !all) throw new Broken(`${url}: not every answer was whole\n${stdout}`);
  return number('Requests per second');
}
