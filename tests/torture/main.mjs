// tools/torture: see usage below. Each case takes a fresh copy of a store, runs an operation under torture, and judges the store.

import { parseArgs } from 'node:util';
import { pick, seeded } from '../e2e/support/data.mjs';
import { Order, calls, everyOrder } from './fault.mjs';
import { endOf, judgeStore } from './judge.mjs';
import { operations } from './operations.mjs';
import { Workspace } from './workspace.mjs';
import { cutPower } from './power.mjs';
import { Report } from './report.mjs';

const usage = `tools/torture [OPERATION…] [--faults all|N] [--kills N] [--seed S] [--case CASE]

Fails each system call of the embedded store in turn, and kills the program. Then checks that nothing is lost.
Build first: cmake --preset release && cmake --build --preset release

  --faults all   fails the N-th call of each kind, for every N, once and forever, with every fitting error
  --faults N     N random ones of these faults for each operation
  --kills N      N kills for each operation, at random calls and moments; half of them also cut the power
  --seed S       repeats the random choices of an earlier run
  --case CASE    runs one case alone, as printed: "write 3 once short"

TORTURE_KEEP=1 keeps the files of finds.

Operations: ${Object.entries(operations).map(([name, { about }]) => `\n  ${name.padEnd(12)} ${about}`).join('')}
`;

/** Starts the program under torture: `start` and `run` work like those of Workspace. */
class Torture {
  constructor(workspace, { order, journal, moment } = {}) { Object.assign(this, { workspace, order, journal, moment }); }

  start(args, options) {
    const started = this.workspace.start(args, { ...options, torture: this });
    if (this.moment !== undefined) {
      const timer = setTimeout(() => started.child.kill('SIGKILL'), this.moment);
      started.ended.then(() => clearTimeout(timer));
    }
    return started;
  }

  run(args, options) { return this.start(args, options).ended; }
}

/** Runs one case: {outcome: 'done' | 'refused' | 'killed' | 'not reached', told: sentences, counts}. */
async function oneCase(operation, template, { order, moment, power }, random) {
  const workspace = new Workspace(template);
  const began = performance.now();
  const acted = await operation.act(workspace, new Torture(workspace, { order, moment, journal: power }), template);
  const span = performance.now() - began;
  const killed = order?.kills || moment !== undefined;
  const told = [...(acted.told ?? [])];
  const wrong = endOf(acted.end, { killed });
  if (wrong) told.push(wrong);
  const counts = workspace.counts.read();
  const undone = power ? cutPower(workspace.journal, workspace.files, random) : 0;
  await operation.recover?.(workspace, acted);
  told.push(...await judgeStore(workspace, acted.expected));
  if (operation.judge) told.push(...await operation.judge(workspace, acted, template));
  if (told.length === 0) workspace.remove();
  const reached = counts.faults > 0 || acted.end.signal === 'SIGKILL' || !killed && !order;
  return { outcome: !reached ? 'not reached' : acted.end.signal ? 'killed' : acted.end.status === 0 ? 'done' : 'refused', told, counts, span, undone, workspace };
}

/** A kill at a random call (before it, after it or midway through a write) or at a random moment. */
function kill(random, { counts, span }) {
  const power = random() < 0.5;
  if (random() < 0.25) return { moment: random() * span, power };
  const way = pick(random, ['kills', 'kills_late', 'kills_midway']);
  return { order: new Order('any', 1 + Math.floor(random() * counts.any), 'once', way), power };
}

const nameOf = ({ order, moment, power }) => `${order ?? (moment === undefined ? 'undisturbed' : `killed after ${moment.toFixed(1)} ms`)}${power ? ', power cut' : ''}`;

async function torture(name, options, report) {
  const operation = operations[name];
  const random = seeded(options.seed);
  const template = await operation.template();
  await oneCase(operation, template, {}, random); // warms up, so that the next case takes its usual time
  const undisturbed = await oneCase(operation, template, { power: true }, random);
  if (undisturbed.counts.any === 0) throw new Error(`${name} makes no call that the shim sees`);
  report.add(name, 'undisturbed, power cut', { power: true }, undisturbed);
  for (const one of casesOf(options, undisturbed, random)) {
    report.add(name, nameOf(one), one, await oneCase(operation, template, one, random));
  }
  template.remove();
}

function casesOf({ faults, kills, chosen }, measured, random) {
  if (chosen) return [{ order: chosen }, { order: chosen, power: true }];
  let orders = everyOrder(measured.counts);
  if (faults !== Infinity) orders = Array.from({ length: Math.min(faults, orders.length) }, () => orders.splice(Math.floor(random() * orders.length), 1)[0]);
  return [...orders.map((order) => ({ order })), ...Array.from({ length: kills }, () => kill(random, measured))];
}

const number = (text, name) => {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} ${text} is no number`);
  return Number(text);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { faults: { type: 'string', default: '20' }, kills: { type: 'string', default: '20' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) }, case: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  process.stdout.write(usage);
} else {
  const options = {
    faults: values.faults === 'all' ? Infinity : number(values.faults, 'faults'), kills: number(values.kills, 'kills'), seed: number(values.seed, 'seed'),
    chosen: values.case && Order.parse(values.case),
  };
  const names = positionals.length ? positionals : Object.keys(operations);
  for (const name of names) if (!operations[name]) throw new Error(`no operation "${name}"\n${usage}`);
  const report = new Report(options.seed);
  process.on('exit', () => report.print()); // also after an interruption
  for (const name of names) await torture(name, options, report);
  process.exitCode = report.finds > 0 ? 1 : 0;
}
