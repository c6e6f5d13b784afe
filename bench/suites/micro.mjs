// Steps of a request within one process, by Google Benchmark; and from them the constants of the embedded store's cost model.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Broken, run, serverCore } from '../lib/processes.mjs';
import { number } from '../lib/report.mjs';
import { generatedStore, microBinary, needBinary, root } from '../lib/quire.mjs';
import { leastSquares } from '../lib/statistics.mjs';

export const title = 'steps within the process';

export async function measure(report, size, progress) {
  needBinary();
  needBinary(microBinary);
  const store = await generatedStore(size.comments);
  progress('running quire_bench');
  const args = ['--benchmark_format=json', `--benchmark_min_time=${size.microSeconds}`];
  const { stdout } = await run(microBinary, args, { core: serverCore, env: { QUIRE_BENCH_STORE: store } });
  const results = JSON.parse(stdout).benchmarks;
  const failed = results.filter((result) => result.error_occurred);
  if (failed.length > 0) throw new Broken(`quire_bench: ${failed[0].name}: ${failed[0].error_message}`);

  for (const { name, cpu_time: nanoseconds } of results) {
    if (!name.startsWith('choice/')) report.step({ name, nanoseconds });
  }
  const ways = results.filter(({ name }) => name.startsWith('choice/')).map(wayOf);
  noteConstants(report, ways);
  noteChoices(report, ways);
  return results.map(({ name, cpu_time, lists, entries, estimated }) => ({ name, nanoseconds: cpu_time, lists, entries, estimated }));
}

// One way to answer a filter: its time, and the figures the planner has of it.
function wayOf({ name, cpu_time, lists, entries, estimated }) {
  const [, filter, rows, place, index] = name.split('/');
  const question = `${filter}, ${rows.slice('rows:'.length)} rows, ${place} page`;
  return { filter, question, place, index, microseconds: cpu_time / 1000, lists, entries, estimated };
}

// Least squares on relative errors, so that a page of 300 µs does not outweigh a hundred pages of 3 µs.
function fit(ways, row) {
  return leastSquares(ways.map((way) => row(way).map((each) => each / way.microseconds)), ways.map(() => 1));
}

// time = constant + lists · per_list + entries · per_entry. The constant is common to all ways, so it decides nothing.
function constants(ways) {
  // A way that reads far more than a page says nothing about pages. Without a filter there is no choice.
  const plain = ways.filter(({ entries, filter }) => entries < 1000 && filter !== 'no filter');
  const [, perList, all, others] = fit(plain, ({ lists, entries, index }) => (index === 'all' ? [1, lists, entries, 0] : [1, lists, 0, entries]));
  return { perList, all, others };
}

function noteConstants(report, ways) {
  const now = /constexpr CostModel measured\{(.+)\};/.exec(readFileSync(join(root, 'src/store/embedded/store.cc'), 'utf8'))?.[1];
  if (now) report.note(`Cost model of the embedded store as it is: ${now}`);
  for (const [what, chosen] of [['first pages', 'first'], ['pages at random places', 'random']]) {
    const { perList, all, others } = constants(ways.filter(({ place }) => place === chosen));
    const figures = `per_list ${number(perList)}, per_entry of all ${number(all)}, of other lists ${number(others)}`;
    report.note(`Measured on ${what}, in µs: ${figures}; in proportion: ${number(perList / all)} to 1 to ${number(others / all)}.`);
  }
}

// How often the planner's choice was not the fastest, and what that cost.
function noteChoices(report, ways) {
  const questions = grouped(ways);
  const slower = [];
  let asked = 0;
  for (const [question, each] of questions) {
    if (each.length < 2) continue;
    ++asked;
    const chosen = each.reduce((best, way) => (way.estimated < best.estimated ? way : best));
    const fastest = each.reduce((best, way) => (way.microseconds < best.microseconds ? way : best));
    if (chosen.microseconds > 1.25 * fastest.microseconds) slower.push({ question, chosen, fastest });
  }
  report.note(`The planner's choice was within 1.25 times of the fastest way for ${asked - slower.length} of ${asked} questions.`);
  slower.sort((a, b) => b.chosen.microseconds / b.fastest.microseconds - a.chosen.microseconds / a.fastest.microseconds);
  for (const { question, chosen, fastest } of slower.slice(0, 5)) {
    report.note(`${question}: chose ${chosen.index} (${number(chosen.microseconds)} µs), ${fastest.index} takes ${number(fastest.microseconds)} µs.`);
  }
}

function grouped(ways) {
  const groups = new Map();
  for (const way of ways) groups.set(way.question, [...(groups.get(way.question) ?? []), way]);
  return groups;
}
