// How fast a worker applies what piled up in a table's stream: to each page index, and to the table's statistics.

import { join } from 'node:path';
import { credentials, importAll, startDatabase } from '../lib/dynamodb.mjs';
import { cpuNanoseconds, familyNanoseconds } from '../lib/proc.mjs';
import { Broken, loadCore, remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { command, until, work } from './projection_worker.mjs';

/** Per target its rounds, each {perSecond, cpu and serverCpu in µs a change}. */
export async function measureBacklog(backends, size, progress) {
  const directory = temporaryDirectory();
  const file = join(directory, 'comments.jsonl');
  await writeRows(file, [...generation(size.changes, 5), '--stdout']);
  const results = {};
  for (let round = 1; round <= size.repeats; ++round) {
    progress(`backlog, round ${round} of ${size.repeats}: importing ${size.changes} comments`);
    // A table of its own: DynamoDB Local writes slowly to one table after many writes to another.
    const database = await startDatabase({ core: loadCore, small: size.small });
    const targets = await prepare({ database, backends }, `backlog${round}`, file, size.changes);
    for (const name of beginningAt(round, Object.keys(targets))) {
      progress(`backlog, round ${round} of ${size.repeats}: ${name}`);
      (results[name] ??= []).push(await drain(targets[name], size.changes));
    }
    if (round === size.repeats) await verify(targets);
    await database.stop();
  }
  remove(directory);
  return results;
}

// The first target of a round finds DynamoDB Local cold, so each round begins with another target.
const beginningAt = (round, names) => names.map((_, i) => names[(i + round) % names.length]);

// Each target follows the stream from the empty table on. None has applied a change yet.
async function prepare({ database, backends }, table, file, comments) {
  const store = database.address(table);
  const byStream = `${store}&statistics=stream`;
  const targets = { statistics: { store: byStream, pages: 'none' } };
  for (const [name, { pages, pid }] of Object.entries(backends)) targets[name] = { store, pages: pages(table), pid };
  await run(binary, ['table', 'create', '--store', byStream], { env: credentials });
  for (const target of Object.values(targets)) await command('backfill', target);
  await importAll(byStream, file, comments);
  return targets;
}

async function drain(target, changes) {
  const worker = await work(target);
  const cpu = () => [cpuNanoseconds(worker.pid), target.pid && familyNanoseconds(target.pid)];
  const before = cpu();
  const begun = performance.now();
  await until(`${changes} changes in ${target.pages}`, 10, async () => await worker.changes() >= changes);
  const seconds = (performance.now() - begun) / 1000;
  const [ofWorker, ofServer] = cpu().map((after, i) => after && (after - before[i]) / 1000 / changes);
  const applied = await worker.changes();
  if (applied !== changes) throw new Broken(`${applied} changes were applied, of ${changes}`);
  await worker.stop();
  return { perSecond: changes / seconds, cpu: ofWorker, serverCpu: ofServer };
}

// Table, statistics and page index must agree.
async function verify({ statistics, ...indexes }) {
  for (const { pages } of Object.values(indexes)) await command('verify', { store: statistics.store, pages });
}

export function addBacklogFigures(report, results) {
  const { statistics, ...indexes } = results;
  for (const [name, rounds] of Object.entries({ ...indexes, statistics })) {
    const add = (what, unit, kind) => {
      const [mine, lmdb] = [rounds, indexes.LMDB].map((each) => median(each.map((round) => round[kind])));
      report.add({ name: what, unit, quire: mine, peer: name === 'LMDB' ? undefined : { name: 'LMDB', value: lmdb } });
    };
    add(`changes applied, ${name}`, '/s', 'perSecond');
    add('the same, worker CPU a change', 'µs', 'cpu');
    if (rounds[0].serverCpu === undefined) continue;
    report.add({ name: `the same, CPU of ${name} itself`, unit: 'µs', quire: median(rounds.map(({ serverCpu }) => serverCpu)) });
  }
}
