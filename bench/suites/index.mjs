// The bitmap index by itself, within one process: the n-th under any filter, counts and sorts. Two sizes, one twenty times the other.

import { need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { bitmapsBinary, indexBinary, needBinary } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';

export const title = 'bitmap index: filters, counts and sorts within the process';

const most = (value) => ({ at: 'max', of: 'quire', value });

// What is wanted of a million comments, and of twenty million. Microseconds.
const wanted = {
  1_000_000: { bytes: 30, oneValue: 3, filters: 200, kept: 2, counts: 2000, votes: 1000 },
  20_000_000: { bytes: 30, oneValue: 12, filters: 6000, kept: 5, votes: 5000 },
};

export async function measure(report, size, progress) {
  need('taskset');
  needBinary(indexBinary);
  const results = [];
  for (const comments of [Math.ceil(size.members / 20), size.members]) {
    progress(`${comments} comments`);
    const directory = temporaryDirectory();
    const { stdout } = await run(indexBinary, [directory, comments, size.small ? 40 : 200].map(String), { core: serverCore });
    remove(directory);
    results.push(JSON.parse(stdout));
    addFigures(report, results.at(-1), wanted[comments] ?? {});
  }
  await edits(report, Math.ceil(size.members / 20), progress);
  return results;
}

function addFigures(report, result, limits) {
  const of = `of ${number(result.comments)}`;
  const add = (name, times, limit) => {
    report.add({ name: `${name} ${of}, p50`, unit: 'µs', quire: times.p50, wanted: limit && most(limit) });
    report.add({ name: 'the same, p99', unit: 'µs', quire: times.p99 });
  };
  report.add({ name: `index and ids ${of}, five facets and votes, a comment`, unit: 'bytes', quire: result.bytes, wanted: limits.bytes && most(limits.bytes) });
  add('n-th of one value', result.oneValue.nth, limits.oneValue);
  add('rank of an id under one value', result.oneValue.rank);
  add('n-th under a filter of 2 to 5 facets, the first time', result.filters.nth, limits.filters);
  add('n-th under such a filter, from totals kept', result.kept.nth, limits.kept);
  add('n-th under such a filter, from totals kept, a commit later', result.keptAfterACommit.nth, limits.kept);
  add('a page of 20 behind it', result.kept.page);
  add('counts of all facets, without a filter', result.counts[0], limits.counts);
  add('counts of all facets under three facets', result.counts[3], limits.counts);
  add('n-th by votes', result.votes.nth, limits.votes);
  add('n-th by votes under two facets, the first time', result.votesFiltered.nth);
  report.note(`The totals kept of one filter ${of}: ${number(result.bytesAFilter)} bytes. A commit tells them in ${number(result.telling.p50)} µs.`);
}

// Writing, on one core, without syncs: one JSON object a line.
async function edits(report, comments, progress) {
  needBinary(bitmapsBinary);
  progress('edits');
  const directory = temporaryDirectory();
  const { stdout } = await run(bitmapsBinary, [directory, String(comments)], { core: serverCore });
  remove(directory);
  for (const line of stdout.trim().split('\n')) {
    const { name, per_second: rate, within_us: within, alone_us: alone, all } = JSON.parse(line);
    if (rate) report.add({ name: `index alone: ${name}, ids`, unit: '/s', quire: rate });
    if (all) report.add({ name: `index alone: ${name}`, unit: 'bytes', quire: all });
    if (within) report.add({ name: `index alone: ${name}, in a transaction, p50`, unit: 'µs', quire: within.p50 });
    if (alone) report.add({ name: 'the same with its commit', unit: 'µs', quire: alone.p50 });
  }
}
