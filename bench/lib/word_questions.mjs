// Questions in words of the invented vocabulary, and Quire's answers.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remove, run, serverCore, temporaryDirectory } from './processes.mjs';
import { wordsBinary } from './quire.mjs';
import { rankOf, word } from './word_texts.mjs';

/** The kinds of questions, by the names that figures have. */
export const kinds = {
  facets: 'two facets', common: 'a common word', middling: 'a middling word', rare: 'a rare word', twoWords: 'two words',
  wordsAndFacets: 'two words, two facets',
};

/** Some of each kind. Common words are in 40 to 33 % of the comments, middling ones in 0.3 %, rare ones in about five comments. */
export function questionsOf({ comments, small }) {
  const each = small ? 2 : 10;
  const rare = rankOf(5, comments);
  const of = (kind, words) => Array.from({ length: each }, (_, i) => ({ kind, words: words(i).map(word).join(' '), faceted: /facets/i.test(kind) }));
  return [
    ...of('facets', () => []).slice(0, 1),
    ...of('common', (i) => [2 + i]),
    ...of('middling', (i) => [950 + 10 * i]),
    ...of('rare', (i) => [rare + i]),
    ...of('twoWords', (i) => [3 + i, 20 + 3 * i]),
    ...of('wordsAndFacets', (i) => [3 + i, 20 + 3 * i]),
  ];
}

/** Of each question {total, middle, first, deep, micros}: `middle` is how many matches are ahead of the page `deep`; micros are those of the processor. */
export async function askQuire(store, questions, { rounds }) {
  const directory = temporaryDirectory();
  const file = join(directory, 'questions');
  writeFileSync(file, questions.map(({ words, faceted }) => `${words}${faceted ? '\tfacets' : ''}\n`).join(''));
  const input = openSync(file, 'r');
  const { stdout } = await run(wordsBinary, ['ask', store, String(rounds)], { input, core: serverCore }).finally(() => closeSync(input));
  remove(directory);
  return stdout.trim().split('\n').map((line) => JSON.parse(line));
}
