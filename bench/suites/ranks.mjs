// The page index: the n-th of one list at any depth, of a union of lists, and what keeping ranks costs; beside Redis, SQLite and
// PostgreSQL with the very same ids. Two sizes, one twenty times the other: the time of the n-th must hardly grow.

import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Broken, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import * as postgres from '../lib/postgres.mjs';
import { binary, generation, needBinary, ranksBinary } from '../lib/quire.mjs';
import { addFigures } from '../lib/ranks_figures.mjs';
import * as redis from '../lib/redis.mjs';
import * as sqlite from '../lib/sqlite.mjs';

export const title = 'page index: the n-th of a list, beside peers';

export async function measure(report, size, progress) {
  needBinary();
  needBinary(ranksBinary);
  const results = { sizes: [] };
  for (const members of [Math.ceil(size.members / 20), size.members]) {
    const quire = {};
    for (const lists of [1, 2, 4, 8]) {
      progress(`${members} ids in ${lists} ${lists === 1 ? 'list' : 'lists'}`);
      quire[lists] = await measureSet(members, lists, size.lookups);
    }
    results.sizes.push({ members, quire, ...await measurePeers(members, quire[1].probes, size, report, progress) });
  }
  progress('inserts');
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  await run(binary, [...generation(size.comments), '--facets', '--store', `lmdb:${store}`]);
  results.insert = JSON.parse((await ranks('insert', store, size.inserts)).stdout);
  remove(directory);
  addFigures(report, results, size);
  return results;
}

const ranks = (...args) => run(ranksBinary, args.map(String), { core: serverCore });

async function measureSet(members, lists, lookups) {
  const directory = temporaryDirectory();
  const { stdout } = await ranks('set', directory, members, lists, lookups);
  remove(directory);
  return JSON.parse(stdout);
}

// Measures the peers that are installed, one after the other. Each must find the ids that Quire finds.
async function measurePeers(members, probes, { lookups }, report, progress) {
  const directory = temporaryDirectory();
  const file = join(directory, 'ids.tsv');
  const output = openSync(file, 'w');
  await run(ranksBinary, ['ids', String(members)], { output }).finally(() => closeSync(output));
  const task = { file, members, probes, samples: lookups, depths: spread(members) };
  const peers = { redis: redis.measure, sqlite: sqlite.measureNth, postgres: postgres.measure };
  const there = { redis: redis.available(), sqlite: sqlite.available(), postgres: postgres.available() };
  const measured = {};
  for (const [name, measurePeer] of Object.entries(peers)) {
    if (!there[name]) {
      report.note(`No ${name} here, so the n-th of ${members} lacks this peer: tools/setup test installs it.`);
      continue;
    }
    progress(`${members} ids in ${name}`);
    const found = await measurePeer(task);
    if (found.failed) {
      report.note(`The n-th of ${members} lacks its peer ${name}, which failed to start: ${found.failed.trim().split('\n').at(-1)}`);
      continue;
    }
    probes.forEach(([depth, id], i) => {
      if (found.answers[i] !== id) throw new Broken(`at depth ${depth} of ${members} ${name} finds ${found.answers[i]}, Quire ${id}`);
    });
    measured[name] = found;
  }
  remove(directory);
  return measured;
}

// Depths for peers that count entries on their way: few, evenly spread, and fewer where each takes long.
function spread(members) {
  const count = Math.max(9, Math.min(41, Math.round(4e7 / members)));
  return Array.from({ length: count }, (_, i) => Math.floor((i + 0.5) / count * members));
}
