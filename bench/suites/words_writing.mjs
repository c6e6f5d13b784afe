// What words cost those who write: building, importing, room, and the writer's hold for a post.

import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { random } from '../lib/facet_questions.mjs';
import { run, serverCore } from '../lib/processes.mjs';
import { binary, verify, wordsBinary } from '../lib/quire.mjs';
import { changeRows } from '../lib/rows.mjs';

const aProduct = 20;  // comments

/** The stores {plain, words} of the file, and the costs of making them. */
export async function buildStores(report, size, { directory, rows }, progress) {
  const costs = {};
  const make = async (name, { file = rows, wordsFirst }) => {
    const store = join(directory, name);
    await quire(store, 'facet', 'add', 'verified', '--type', 'flag');
    if (wordsFirst) await quire(store, 'words', 'add');
    progress(`importing: ${name}`);
    costs[name] = await quire(store, 'import', file);
    return store;
  };
  const plain = await make('plain', {});
  const words = join(directory, 'words');
  mkdirSync(words);
  copyFileSync(join(plain, 'data.mdb'), join(words, 'data.mdb'), constants.COPYFILE_FICLONE);
  progress('building words');
  costs.build = await quire(words, 'words', 'add');
  const next = random(5);
  const mixed = join(directory, 'mixed.jsonl');
  await changeRows(rows, mixed, (line) => line.replace('"product-1"', `"product-${1 + Math.floor(next() * size.comments / aProduct)}"`));
  const stores = { plain, words, imported: await make('imported with words', { wordsFirst: true }), mixed: await make('mixed', { file: mixed, wordsFirst: true }) };
  return { ...stores, costs, directory };
}

// Microseconds of the processor that a command takes, in user and kernel mode.
async function quire(store, ...args) {
  const { stderr } = await run('bash', ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', binary, ...args, '--store', `lmdb:${store}`]);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1e6;
}

async function bytes(store, comments) {
  const { stdout } = await run(binary, ['words', 'list', '--json', '--store', `lmdb:${store}`]);
  return JSON.parse(stdout).bytes / comments;
}

const atMost = (of, value) => ({ at: 'max', of, value });

export async function addWritingFigures(report, size, stores, peers, progress) {
  const { comments } = size;
  const each = Object.entries(peers);
  const own = await bytes(stores.words, comments);
  for (const [name, peer] of each) report.add({ name: 'words on disk, a comment, one product', unit: 'bytes', quire: own, peer: { name, value: peer.bytes }, wanted: atMost('quire', 36) });
  report.add({ name: 'the same, imported with words', unit: 'bytes', quire: await bytes(stores.imported, comments), wanted: atMost('quire', 36) });
  report.add({ name: `the same, products of ${aProduct} on average, mixed`, unit: 'bytes', quire: await bytes(stores.mixed, comments), wanted: atMost('quire', 40) });
  const build = stores.costs.build / comments;
  for (const [name, peer] of each) report.add({ name: 'building words, CPU a comment', unit: 'µs', quire: build, peer: { name, value: peer.build } });
  const terms = (await inProcess('terms', stores.words)).micros;
  report.add({ name: 'building words without making terms', unit: 'µs', quire: build - terms, peer: { name: 'making terms', value: terms }, wanted: atMost('ratio', 0.4) });
  const [withWords, without] = [stores.costs['imported with words'], stores.costs.plain].map((cost) => cost / comments);
  report.add({ name: 'import into a store with words, CPU a comment', unit: 'µs', quire: withWords, peer: { name: 'without words', value: without }, wanted: atMost('ratio', 2) });
  if (!realTime) report.note('Posts had no real-time priority here, so other programs lengthen what a transaction takes by the clock.');
  for (const group of [1, 20]) {
    progress(`posts, ${group} in a transaction`);
    await addPosts(report, size, stores, group);
  }
  progress('verifying');
  await verify(stores.imported, comments);
  await verify(stores.words, comments, Infinity);
}

async function inProcess(...args) {
  return JSON.parse((await run(wordsBinary, args, { core: serverCore })).stdout);
}

// Other programs of the machine wait meanwhile.
const soon = ['--fifo', '1'];
const realTime = spawnSync('chrt', [...soon, 'true']).status === 0;

async function postAll(store, posts, group) {
  const command = [wordsBinary, 'post', store, String(posts), String(group)];
  const [file, ...args] = realTime ? ['chrt', ...soon, ...command] : command;
  return JSON.parse((await run(file, args, { core: serverCore })).stdout);
}

async function addPosts(report, { posted }, { plain, words }, group) {
  const without = await postAll(plain, posted, group);
  const beside = await postAll(words, posted, group);
  const name = `post with words, ${group} in a transaction`;
  const add = (what, part, wanted) => report.add({ name: `${name}: ${what}`, unit: 'µs', quire: beside[part], peer: { name: 'without words', value: without[part] }, wanted });
  add('the writer\'s CPU, mean', 'mean', atMost('quire', without.mean + 20));
  add('a transaction, 99 of 100 within', 'p99');
  add('the longest transaction', 'longest', atMost('quire', 2000));
  add('the longest by the clock', 'longest_by_clock');
}
