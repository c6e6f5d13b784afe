// Generated comments with texts of invented words: as many different ones, as common and as rare, as English comments of a shop have.

import { rmSync } from 'node:fs';
import { random } from './facet_questions.mjs';
import { generation } from './quire.mjs';
import { changeRows, writeRows } from './rows.mjs';

// The part of comments that have the word of a rank, measured with 44,695 comments: straight lines between these in logarithms.
// Beyond them it falls so that the number of different words grows with the 0.52th power of the number of comments.
const knots = [[1, 0.51], [10, 0.33], [100, 0.046], [1000, 0.0029]];
const [lastRank, lastPart] = knots.at(-1);
const slope = 1 / 0.52;

function part(rank) {
  const next = knots.findIndex(([to]) => rank <= to) || 1;
  const [[from, high], [to, low]] = [knots[next - 1], knots[next]];
  return high * (rank / from) ** (Math.log(low / high) / Math.log(to / from));
}

/** The rank of a word that about so many of the comments have. They are fewer than one in 350. */
export const rankOf = (wanted, comments) => Math.round(lastRank * ((lastPart * comments) / wanted) ** (1 / slope));

// How many words of a comment have at most this rank, on average; and how many have any.
const drawn = [0];
for (let rank = 1; rank <= lastRank; ++rank) drawn.push(drawn.at(-1) - Math.log(1 - part(rank)));
const all = drawn.at(-1) + (lastPart * lastRank) / (slope - 1);

function rankAt(point) {
  if (point >= drawn.at(-1)) return Math.ceil(lastRank * ((all - drawn.at(-1)) / (all - point)) ** (1 / (slope - 1)));
  let [low, high] = [1, lastRank];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (drawn[middle] > point) high = middle; else low = middle + 1;
  }
  return low;
}

const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const syllables = [...'bcdfghjklmnprstv'].flatMap((consonant) => vowels.map((vowel) => consonant + vowel));
const mixing = 40_503;  // odd, as the numbers of words are powers of two

/** The word of a rank. The rarer, the longer. Ending in k it is left as it is by stemmers of English, and by lists of words to leave out. */
export function word(rank) {
  let [size, index] = [syllables.length, rank - 1];
  for (; index >= size; size *= syllables.length) index -= size;
  let left = (index * mixing) % size;
  let text = 'k';
  for (; size > 1; size /= syllables.length) {
    text = syllables[left % syllables.length] + text;
    left = Math.floor(left / syllables.length);
  }
  return text;
}

const common = Array.from({ length: 20_000 }, (_, index) => word(index + 1));

/** Writes generated English comments of one product with such texts, of 6 to 46 words. */
export async function writeWordRows(file, comments) {
  const generated = `${file}.generated`;
  await writeRows(generated, [...generation(comments), '--facets', '--stdout']);
  const next = random(4);
  const draw = () => {
    const rank = rankAt(next() * all);
    return common[rank - 1] ?? word(rank);
  };
  await changeRows(generated, file, (line) => {
    const row = JSON.parse(line);
    const words = Array.from({ length: 6 + Math.floor(next() * 41) }, draw);
    return JSON.stringify({ ...row, language: 'en', title: words.slice(0, 3).join(' '), text: words.slice(3).join(' ') });
  });
  rmSync(generated);
}
