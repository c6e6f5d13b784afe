// What votes of customers cost: the writer's thread by itself, durable ones of 64 clients, and those on a comment that has very many.

import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { signingShop } from '../lib/customers.mjs';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { Broken, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, copyOfGeneratedStore, generation, needBinary, openToPosts, serve, verify, votesBinary } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { median } from '../lib/statistics.mjs';
import { vote } from '../lib/wrk.mjs';

export const title = 'votes of customers';

const clients = 64;
const voters = 5000; // each votes on one of as many comments, and changes the vote in the next turn

export async function measure(report, size, progress) {
  need('wrk');
  needBinary();
  needBinary(votesBinary);
  progress('the writer alone');
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  await run(binary, [...generation(size.comments), '--facets', '--store', `lmdb:${store}`]);
  const alone = JSON.parse((await run(votesBinary, [store, String(size.inserts), String(size.comments)], { core: serverCore })).stdout);
  await verify(store, size.comments - 1);
  remove(directory);
  const rounds = await measureDurable(size, progress);
  addFigures(report, size, alone, rounds);
  return { alone, rounds };
}

async function measureDurable(size, progress) {
  const store = await copyOfGeneratedStore(size.comments);
  const directory = temporaryDirectory();
  const shop = signingShop(directory, '[votes]\nwho = "customers"');
  const quire = await serve(store, { args: [...openToPosts, '--shop', shop.file] });
  const file = join(directory, 'votes');
  const ids = await someComments(quire);
  const rounds = [];
  for (let round = 1; round <= size.repeats; ++round) {
    progress(`round ${round} of ${size.repeats}`);
    // Customers of their own, so that each vote changes something.
    writeFileSync(file, ids.map((id, i) => `/v1/comments/${id}/vote ${shop.token(`customer-${round}-${i}`)}`).join('\n'));
    const before = cpuNanoseconds(quire.pid);
    const votes = await vote(quire.url, file, { connections: clients, seconds: size.postSeconds });
    rounds.push({ ...votes, cpu: (cpuNanoseconds(quire.pid) - before) / votes.taken / 1000 });
  }
  await quire.stop();
  progress('verifying');
  await verify(store, size.comments);
  remove(directory);
  return rounds;
}

async function someComments(quire) {
  const ids = [];
  for (let next = ''; ids.length < voters;) {
    const { comments, page } = await (await fetch(quire.comments(`limit=100${next && `&after=${next}`}`))).json();
    ids.push(...comments.map(({ id }) => id));
    next = page.next;
    if (!next && ids.length < voters) throw new Broken(`the store has ${ids.length} comments, not ${voters}`);
  }
  return ids;
}

function addFigures(report, { comments }, { alone, together, crowd, bytes, swept }, rounds) {
  const of = (figure) => median(rounds.map(figure));
  const most = (value) => ({ at: 'max', of: 'quire', value });
  const into = `${number(comments)} with five facets`;
  report.add({ name: `the writer's time for a vote on one of ${into}, ${clients} in a commit, no sync, mean`, unit: 'µs', quire: together, wanted: most(30) });
  report.add({ name: 'the same, each with a commit of its own', unit: 'µs', quire: alone });
  report.add({ name: `the same, on a comment that has ${number(comments)} votes`, unit: 'µs', quire: crowd });
  report.add({ name: 'pages of the file a vote', unit: 'bytes', quire: bytes });
  report.add({ name: 'sweeping, a vote', unit: 'µs', quire: swept });
  report.add({ name: `durable votes, ${clients} clients`, unit: '/s', quire: of(({ perSecond }) => perSecond), wanted: { at: 'min', of: 'quire', value: 5000 } });
  report.add({ name: 'the same, CPU of the server per vote', unit: 'µs', quire: of(({ cpu }) => cpu) });
}
