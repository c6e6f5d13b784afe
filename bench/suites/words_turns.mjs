// A product whose comments came in turns with those of four others, beside the same product alone: their segments are renumbered.

import { join } from 'node:path';
import { run, serverCore } from '../lib/processes.mjs';
import { binary, wordsBinary } from '../lib/quire.mjs';
import { changeRows } from '../lib/rows.mjs';
import { askQuire, kinds } from '../lib/word_questions.mjs';
import { median } from '../lib/statistics.mjs';

const products = 5;

export async function addTurns(report, size, { directory, rows }, questions, progress) {
  const lines = { turns: (line, at) => line.replace('"product-1"', `"product-${1 + (at % products)}"`), alone: (line, at) => (at % products === 0 ? line : undefined) };
  const answers = {};
  for (const [name, change] of Object.entries(lines)) {
    progress(`importing: ${name}`);
    const [file, store] = [join(directory, `${name}.jsonl`), join(directory, name)];
    let at = 0;
    await changeRows(rows, file, (line) => change(line, at++));
    for (const command of [['facet', 'add', 'verified', '--type', 'flag'], ['words', 'add'], ['import', file]])
      await run(binary, [...command, '--store', `lmdb:${store}`]);
    progress(`asking: ${name}`);
    answers[name] = { arrived: await askQuire(store, questions, size) };
    answers[name].merged = JSON.parse((await run(wordsBinary, ['merge', store], { core: serverCore })).stdout);
    answers[name].asked = await askQuire(store, questions, size);
  }
  mustBeEqual(questions, answers);
  const of = (each, kind, part) => median(each.filter((_, i) => questions[i].kind === kind).map(({ micros }) => micros[part]));
  for (const [kind, name] of Object.entries(kinds)) {
    for (const [part, what] of [['total', 'total'], ['middle', 'page in the middle']]) {
      const [own, before, alone] = [answers.turns.asked, answers.turns.arrived, answers.alone.asked].map((each) => of(each, kind, part));
      for (const [peer, value] of [['the product alone', alone], ['as imported', before]])
        report.add({ name: `${name}, of ${products} products in turns: ${what}`, unit: 'µs', quire: own, peer: { name: peer, value } });
    }
  }
  const { micros, longest } = answers.turns.merged;
  report.add({ name: 'merging what an import left, CPU a comment', unit: 'µs', quire: micros / size.comments });
  report.add({ name: 'the longest transaction of it', unit: 'µs', quire: longest, wanted: { at: 'max', of: 'quire', value: 2000 } });
}

function mustBeEqual(questions, { turns, alone }) {
  questions.forEach((question, i) => {
    const of = (each) => JSON.stringify([each[i].total, each[i].first, each[i].deep]);
    const all = [turns.arrived, turns.asked, alone.arrived, alone.asked].map(of);
    if (new Set(all).size > 1) throw new Error(`${JSON.stringify(question)}: ${all.join(' and ')}`);
  });
}
