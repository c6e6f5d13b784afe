// tools/faults: which tests find each of the deliberate faults.

import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faults } from './list.mjs';
import { keep, readResults, resultOf } from './results.mjs';
import { outcomeOf, prepare, root } from './tree.mjs';

const help = `tools/faults [--check | --report] [NAME…]

Puts each fault of tools/fault_campaign/list.mjs into a clone of HEAD, and runs ./test there to the first test that fails: first
of all the part of it that is likely to find the fault. For those that pass it then runs ./test FOLDER for the folder nearest to
the fault, and ./test --all. Results are kept in tools/fault_campaign/results.tsv: a later call goes on with the faults that have
none, or whose text has changed since.
NAME runs a fault again; a part of its name is enough. As root, because the clone is mounted in the place of this folder: so
the compiler's cache serves it. What is here stays as it is.

  --check    fails where a fault no longer fits the code
  --report   prints how many faults are found
`;

const left_over = 'more than ./test, perhaps'; // ./test does not find it; more was not asked yet

function fail(message, status = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(status);
}

const times = (name, text) => readFileSync(`${root}/${name}`, 'utf8').split(text).length - 1;

// In the clone the fault that is put in has no place any more.
function misfits() {
  return faults.filter(({ name }) => name !== process.env.QUIRE_FAULT).flatMap(({ name, file, text, tests }) => {
    if (!existsSync(`${root}/${file}`)) return `${name}: there is no ${file}.`;
    if (!existsSync(`${root}/tests/${tests}`)) return `${name}: there is no tests/${tests}.`;
    const count = times(file, text);
    return count === 1 ? [] : `${name}: ${file} has its text ${count} times, not once.`;
  });
}

function check() {
  const found = misfits();
  if (found.length) fail(`${found.join('\n')}\nGive each a text that stands once: tools/fault_campaign/list.mjs.`);
}

function report() {
  const results = faults.map((fault) => ({ name: fault.name, by: resultOf(readResults(), fault)?.by }));
  const by = (...ways) => results.filter((each) => ways.includes(each.by));
  const found = by('./test');
  const late = results.filter((each) => each.by && !['./test', 'nothing', left_over].includes(each.by));
  console.log(`${faults.length} faults: ./test finds ${found.length}, ./test --all finds ${found.length + late.length}`);
  for (const [title, some] of [['only by more than ./test', late], ['by nothing', by('nothing')], ['not by ./test, and ./test --all was not run', by(left_over)], ['not run yet', by(undefined)]]) {
    if (some.length) console.log(`${title}:\n${some.map(({ name }) => `  ${name}`).join('\n')}`);
  }
}

function chosen(names) {
  const settled = (fault) => (resultOf(readResults(), fault)?.by ?? left_over) !== left_over;
  if (!names.length) return faults.filter((fault) => !settled(fault));
  return names.map((part) => {
    const fitting = faults.filter(({ name }) => name.includes(part));
    return fitting.length === 1 ? fitting[0] : fail(`${fitting.length} faults have "${part}" in their names.`, 2);
  });
}

// Keeps what finds the faults. Of those that no way finds, it keeps `otherwise`.
function seek(some, commit, waysOf, otherwise) {
  for (const fault of some) {
    console.log(fault.name);
    const outcome = outcomeOf(fault, waysOf(fault));
    if (outcome.broken) {
      console.log(`  does not compile: ${outcome.log}`);
      process.exitCode = 1;
      continue;
    }
    if (outcome.by === 'nothing') console.log(`  not found (${outcome.seconds} s)`);
    else console.log(`  found by ${outcome.by} ${outcome.test} (${outcome.seconds} s)`);
    keep(faults, fault, { ...outcome, by: outcome.by === 'nothing' ? otherwise : outcome.by, commit });
  }
}

function run(names) {
  check();
  const some = chosen(names);
  const commit = some.length ? prepare() : '';
  const is_left_over = (fault) => resultOf(readResults(), fault)?.by === left_over;
  // What a part of ./test finds, ./test does.
  const soonest = ({ first }) => [...(first ? [{ command: `./test ${first}`, by: './test' }] : []), './test'];
  const latest = ({ tests, last }) => [`./test ${tests}`, ...(last ? [{ command: last, by: './test --all' }] : []), './test --all'];
  seek(names.length ? some : some.filter((fault) => !is_left_over(fault)), commit, soonest, left_over);
  seek(some.filter(is_left_over), commit, latest, 'nothing');
  report();
}

let parsed;
try {
  const flag = { type: 'boolean' };
  parsed = parseArgs({ options: { check: flag, report: flag, help: flag }, allowPositionals: true });
} catch (error) {
  fail(`${error.message}\n\n${help}`, 2);
}
const { values: options, positionals } = parsed;
if (options.help) process.stdout.write(help);
else if (options.check) check();
else if (options.report) report();
else run(positionals);
