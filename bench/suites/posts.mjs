// How many posts a second are acknowledged, each durable, with 64 clients; beside PostgreSQL, SQLite, and what the disk can sync.

import { join } from 'node:path';
import { commits, syncRate } from '../lib/disk.mjs';
import { cpuNanoseconds, waitNanoseconds } from '../lib/proc.mjs';
import { Broken, need, remove, temporaryDirectory } from '../lib/processes.mjs';
import { copyOfGeneratedStore, generation, needBinary, openToPosts, product, serve, verify } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';
import * as shop from '../lib/shop_peer.mjs';
import * as sqlite from '../lib/sqlite.mjs';
import { median } from '../lib/statistics.mjs';
import { post } from '../lib/wrk.mjs';

export const title = 'durable posts';

const clients = 64;

export async function measure(report, size, progress) {
  need('wrk', 'sqlite3');
  needBinary();
  const store = await copyOfGeneratedStore(size.comments);
  const quire = await serve(store, { args: openToPosts });
  const before = commits(store);
  const postgres = await startPostgres(size, progress);
  const rounds = [];
  for (let round = 1; round <= size.repeats; ++round) {
    progress(`round ${round} of ${size.repeats}`);
    rounds.push(await measureOnce(quire, postgres, size));
  }
  const groups = commits(store) - before;
  await quire.stop();
  await postgres.verifyAndStop(rounds.reduce((sum, { go }) => sum + go.created, 0));
  progress('verifying');
  // A post in flight when the clients leave may be stored and not acknowledged. An acknowledged post is always stored.
  const acknowledged = rounds.reduce((sum, { posts }) => sum + posts.created, 0);
  const min = size.comments + acknowledged;
  const stored = await verify(store, min, min + size.repeats * clients) - size.comments;
  addFigures(report, rounds);
  const within = (percentile) => `${(median(rounds.map(({ posts }) => posts[percentile])) / 1000).toFixed(1)} ms`;
  report.note(`Posts: ${acknowledged} acknowledged, ${stored} stored; half were answered within ${within('p50')}, 99 of 100 within ${within('p99')}`
    + (groups > 0 ? `; ${groups} commits, ${(stored / groups).toFixed(1)} posts each.` : '.'));
  const waited = median(rounds.map((round) => round.waited));
  report.note(`Posts: one of Quire's threads could have run, and had no core, for ${(100 * waited).toFixed(0)} % of the time. That is no time of the disk.`);
  return rounds;
}

// The same comments in PostgreSQL, and the program over it with a connection to the database for each client.
async function startPostgres(size, progress) {
  progress('filling PostgreSQL');
  const directory = temporaryDirectory();
  const rows = join(directory, 'rows.jsonl');
  await writeRows(rows, [...generation(size.comments), '--stdout']);
  const cluster = await shop.fill(rows);
  const program = await shop.serveShop(cluster, 'counting', { connections: clients });
  remove(directory);
  return {
    ...program,
    pgbench: (seconds) => cluster.pgbench(insert, 'counting', seconds),
    async verifyAndStop(acknowledged) {
      await program.stop();
      const stored = Number(await cluster.sql('SELECT count(*) FROM comments', 'counting')) - size.comments;
      if (stored < acknowledged) throw new Broken(`PostgreSQL has ${stored} of ${acknowledged} comments that were acknowledged`);
      await cluster.end();
    },
  };
}

const insert = `\\set n random(1, 100)
INSERT INTO comments (product, language, rating, author, title, text)
  VALUES ('${product}', 'en', 5, 'reader', 'Fits', 'I use it every day, number ' || :n);
`;

// Quire, the bare disk, SQLite, the program over PostgreSQL and PostgreSQL by itself take turns.
async function measureOnce(quire, postgres, { postSeconds, syncSeconds, inserts }) {
  const before = waitNanoseconds(quire.pid);
  const posts = await postsWithCpu(quire.comments(), () => cpuNanoseconds(quire.pid), postSeconds);
  const waits = [...waitNanoseconds(quire.pid)].map(([thread, waited]) => waited - (before.get(thread) ?? 0));
  const syncs = syncRate(syncSeconds);
  return {
    posts,
    waited: Math.max(...waits) / 1000 / posts.microseconds,
    syncs,
    inserts: await sqlite.insertRate(inserts),
    go: await postsWithCpu(`${postgres.url}/v1/products/${product}/comments`, postgres.cpu, postSeconds),
    pgbench: await postgres.pgbench(postSeconds),
  };
}

async function postsWithCpu(url, cpu, seconds) {
  const before = cpu();
  const posts = await post(url, { connections: clients, seconds });
  return { ...posts, cpu: (cpu() - before) / posts.created / 1000 };
}

function addFigures(report, rounds) {
  const of = (figure) => median(rounds.map(figure));
  const rate = of(({ posts }) => posts.perSecond);
  const beside = (name, value, wanted) => ({ peer: { name, value }, wanted });
  const name = `durable posts, ${clients} clients`;
  report.add({ name, unit: '/s', quire: rate, ...beside('sqlite3, one connection', of(({ inserts }) => inserts), { at: 'min', of: 'quire', value: 5000 }) });
  report.add({ name: 'the same, per sync that the disk can do', unit: '/s', quire: rate, ...beside('fdatasync of 4 KiB appended', of(({ syncs }) => syncs)) });
  const twice = { at: 'min', of: 'ratio', value: 2 };
  report.add({ name, unit: '/s', quire: rate, ...beside('Go over PostgreSQL', of(({ go }) => go.perSecond), twice) });
  report.add({ name, unit: '/s', quire: rate, ...beside('PostgreSQL alone, INSERT by pgbench', of(({ pgbench }) => pgbench), twice) });
  report.add({ name: 'the same, CPU per post', unit: 'µs', quire: of(({ posts }) => posts.cpu), ...beside('Go over PostgreSQL', of(({ go }) => go.cpu)) });
}
