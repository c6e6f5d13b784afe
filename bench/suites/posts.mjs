// How many posts a second are acknowledged, each durable, with 64 clients; beside SQLite, and beside what the disk can sync.

import { commits, syncRate } from '../lib/disk.mjs';
import { need } from '../lib/processes.mjs';
import { copyOfGeneratedStore, needBinary, openToPosts, serve, verify } from '../lib/quire.mjs';
import * as sqlite from '../lib/sqlite.mjs';
import { median } from '../lib/statistics.mjs';
import { post } from '../lib/wrk.mjs';

export const title = 'durable posts';

const clients = 64;

export async function measure(report, size, progress) {
  need('wrk');
  needBinary();
  const store = await copyOfGeneratedStore(size.comments);
  const quire = await serve(store, { args: openToPosts });
  const before = commits(store);
  if (!sqlite.available()) report.note('No sqlite3 here, so posts have no peer but the disk.');
  const rounds = [];
  for (let round = 1; round <= size.repeats; ++round) {
    progress(`round ${round} of ${size.repeats}`);
    rounds.push(await measureOnce(quire, size));
  }
  const groups = commits(store) - before;
  await quire.stop();
  progress('verifying');
  // A post in flight when the clients leave may be stored and not acknowledged. An acknowledged post is always stored.
  const acknowledged = rounds.reduce((sum, { posts }) => sum + posts.created, 0);
  const min = size.comments + acknowledged;
  const stored = await verify(store, min, min + size.repeats * clients) - size.comments;
  addFigures(report, rounds);
  const within = (percentile) => `${(median(rounds.map(({ posts }) => posts[percentile])) / 1000).toFixed(1)} ms`;
  report.note(`Posts: ${acknowledged} acknowledged, ${stored} stored; half were answered within ${within('p50')}, 99 of 100 within ${within('p99')}`
    + (groups > 0 ? `; ${groups} commits, ${(stored / groups).toFixed(1)} posts each.` : '.'));
  return rounds;
}

// Quire, the bare disk and SQLite take turns.
async function measureOnce(quire, { postSeconds, syncSeconds, inserts }) {
  const posts = await post(quire.comments(), { connections: clients, seconds: postSeconds });
  const syncs = syncRate(syncSeconds);
  return { posts, syncs, inserts: sqlite.available() ? await sqlite.insertRate(inserts) : undefined };
}

function addFigures(report, rounds) {
  const rate = median(rounds.map(({ posts }) => posts.perSecond));
  const inserts = median(rounds.map((round) => round.inserts));
  const disk = { name: 'fdatasync of 4 KiB appended', value: median(rounds.map(({ syncs }) => syncs)) };
  const peer = inserts && { name: 'sqlite3, one connection', value: inserts };
  const wanted = { at: 'min', of: 'quire', value: 5000 };
  report.add({ name: `durable posts, ${clients} clients`, unit: '/s', quire: rate, peer, wanted });
  report.add({ name: 'the same, per sync that the disk can do', unit: '/s', quire: rate, peer: disk });
}
