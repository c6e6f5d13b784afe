// A peer for the page index: a Redis sorted set of the same ids, scored by the time in them. Optional.

import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broken, installed, remove, serverCore, start, stop, temporaryDirectory } from './processes.mjs';
import { connect } from './resp.mjs';
import { percentile } from './statistics.mjs';

export const available = () => installed('redis-server');

const key = 'ids';
const idsAtOnce = 500;
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const millisecondsOf = (id) => [...id.slice(0, 10)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);

async function fill({ send }, file) {
  let words = [];
  const flush = async () => { if (words.length > 0) await send('ZADD', key, ...words); words = []; };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const id = line.slice(line.indexOf('\t') + 1);
    words.push(millisecondsOf(id), id);
    if (words.length === 2 * idsAtOnce) await flush();
  }
  await flush();
}

// Microseconds of each call, as the client sees them; and as the server counts them, which leaves out the socket.
async function timed({ send }, calls, words) {
  await send('CONFIG', 'RESETSTAT');
  const taken = [];
  let command;
  for (let i = 0; i < calls; ++i) {
    const call = words(i);
    command = call[0].toLowerCase();
    const begun = performance.now();
    await send(...call);
    taken.push((performance.now() - begun) * 1000);
  }
  const percentiles = new RegExp(`^latency_percentiles_usec_${command}:p50=([\\d.]+),p99=([\\d.]+)`, 'm').exec(await send('INFO', 'latencystats'));
  const mean = new RegExp(`^cmdstat_${command}:.*usec_per_call=([\\d.]+)`, 'm').exec(await send('INFO', 'commandstats'));
  if (!percentiles || !mean) throw new Broken(`Redis does not say how long ${command} took`);
  return {
    client: { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) },
    server: { p50: Number(percentiles[1]), p99: Number(percentiles[2]), mean: Number(mean[1]) },
  };
}

/** The n-th newest, the rank of an id, one more id, at `samples` places; and bytes of memory an id. `idAt` answers a few depths. */
export async function measure({ file, members, samples, probes }) {
  const directory = temporaryDirectory();
  const socket = join(directory, 'socket');
  const args = ['--port', '0', '--unixsocket', socket, '--dir', directory, '--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
  const started = start('redis-server', args, { core: serverCore });
  for (let tries = 0; !existsSync(socket); ++tries) {
    if (tries === 400) throw new Broken(`redis-server does not start\n${started.text('stdout')}${started.text('stderr')}`);
    await sleep(25);
  }
  const client = await connect(socket);
  const memory = async () => Number(/^used_memory:(\d+)/m.exec(await client.send('INFO', 'memory'))[1]);
  const before = await memory();
  await fill(client, file);
  const bytes = (await memory() - before) / members;
  const anywhere = () => Math.floor(Math.random() * members);
  const answers = [];
  for (const [depth] of probes) answers.push((await client.send('ZREVRANGE', key, depth, depth))[0]);
  const known = [];
  for (let i = 0; i < samples; ++i) known.push((await client.send('ZRANGE', key, ...Array(2).fill(anywhere())))[0]);
  const nth = await timed(client, samples, () => { const n = anywhere(); return ['ZREVRANGE', key, n, n, 'WITHSCORES']; });
  const rank = await timed(client, samples, (i) => ['ZRANK', key, known[i]]);
  // Newer than all others, as new comments are: "Z" is past any time.
  const put = await timed(client, samples, (i) => ['ZADD', key, 2e12 + i, `Z${i}`.padEnd(26, '0')]);
  client.close();
  await stop(started);
  remove(directory);
  return { answers, nth, rank, put, bytes };
}
