// Questions in words, alone and beside facets, beside SQLite's FTS5 and PostgreSQL's GIN; and what words cost those who write.

import { join } from 'node:path';
import { needPostgres } from '../lib/postgres.mjs';
import { Broken, need, remove, temporaryDirectory } from '../lib/processes.mjs';
import { needBinary, wordsBinary } from '../lib/quire.mjs';
import { median } from '../lib/statistics.mjs';
import { askPostgres, askSqlite } from '../lib/word_peers.mjs';
import { askQuire, kinds, questionsOf } from '../lib/word_questions.mjs';
import { changeRows } from '../lib/rows.mjs';
import { writeWordRows } from '../lib/word_texts.mjs';
import { addTurns } from './words_turns.mjs';
import { addWritingFigures, buildStores } from './words_writing.mjs';

export const title = 'words: finding, building, posting';

export async function measure(report, size, progress) {
  need('sqlite3', 'taskset');
  needPostgres();
  needBinary();
  needBinary(wordsBinary);
  const directory = temporaryDirectory();
  const [rows, columns] = [join(directory, 'rows.jsonl'), join(directory, 'rows.tsv')];
  progress('writing comments of words');
  await writeWordRows(rows, size.comments);
  await changeRows(rows, columns, columnsOf());
  const stores = await buildStores(report, size, { directory, rows }, progress);
  progress('asking Quire');
  const questions = questionsOf(size);
  const quire = await askQuire(stores.words, questions, size);
  questions.forEach((question, i) => { question.middle = quire[i].middle; });
  const peers = {};
  for (const [name, ask] of [['FTS5', askSqlite], ['PostgreSQL', askPostgres]]) {
    progress(name);
    peers[name] = await ask(columns, size.comments, questions);
    mustBeEqual(name, questions, quire, peers[name].answers);
  }
  addAnswers(report, size, questions, quire, peers);
  await addTurns(report, size, { directory, rows }, questions, progress);
  await addWritingFigures(report, size, stores, peers, progress);
  remove(directory);
  return { questions, quire, peers };
}

// Rows of the peers: a number that grows with the time, and what is asked for.
function columnsOf() {
  let number = 0;
  return (line) => {
    const { id, rating, title, text, attributes } = JSON.parse(line);
    return [++number, id, rating, attributes.verified ?? 'false', `${title} ${text}`].join('\t');
  };
}

function mustBeEqual(name, questions, quire, peer) {
  questions.forEach((question, i) => {
    for (const part of ['total', 'first', 'deep']) {
      const [own, other] = [quire[i][part], peer[i][part]].map((each) => JSON.stringify(each));
      if (own !== other) throw new Broken(`${JSON.stringify(question)}: ${part} is ${own}, and of ${name} ${other}`);
    }
  });
}

const parts = { total: 'total', first: 'first page', middle: 'page in the middle' };

// Medians over the questions of a kind. Quire's pages have their total; so the peers' time for both is beside them.
function addAnswers(report, { comments }, questions, quire, peers) {
  const of = (answers, kind, part) => median(answers.filter((_, i) => questions[i].kind === kind).map(({ micros }) => micros[part]));
  for (const [kind, name] of Object.entries(kinds)) {
    for (const [part, what] of Object.entries(parts)) {
      const own = of(quire, kind, part);
      for (const [peer, { answers }] of Object.entries(peers)) {
        const value = of(answers, kind, 'total') + (part === 'total' ? 0 : of(answers, kind, part));
        report.add({ name: `${name}: ${what}${part === 'total' ? '' : ', with the total'}`, unit: 'µs', quire: own, peer: { name: peer, value } });
      }
    }
    const wanted = kind === 'wordsAndFacets' ? { at: 'max', of: 'quire', value: 15 } : undefined;
    report.add({ name: `${name}: page in the middle, from kept totals`, unit: 'µs', quire: of(quire, kind, 'kept'), wanted });
  }
  const beside = (name, kind, value) => report.add({
    name, unit: 'µs', quire: of(quire, kind, 'total'), peer: { name: 'two facets', value: of(quire, 'facets', 'total') },
    wanted: { at: 'max', of: 'ratio', value },
  });
  const many = comments >= 20_000_000;
  beside('total of two words and two facets', 'wordsAndFacets', many ? 1.7 : 2.3);
  beside('total of two words', 'twoWords', many ? 0.2 : 0.5);
}
