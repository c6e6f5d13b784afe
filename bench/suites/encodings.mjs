// Encodings of a comment's `data` and of a cursor: Quire's beside the alternatives. On generated comments, whose texts are
// regular and compress too well: `quire_encodings FILE` measures the comments of a file.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Broken, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { encodingsBinary, generation, needBinary } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';

export const title = 'forms of data and cursors';

const max_comments = 100_000;  // comments; more only take longer

export async function measure(report, size, progress) {
  needBinary();
  if (!existsSync(encodingsBinary)) {
    report.note('Built without protobuf, so forms of data and cursors were left out: tools/setup test installs it.');
    return undefined;
  }
  const comments = Math.min(size.comments, max_comments);
  const directory = temporaryDirectory();
  const file = join(directory, 'comments.jsonl');
  await writeRows(file, [...generation(comments, 50), '--stdout']);
  progress(`${comments} comments`);
  const { stdout } = await run(encodingsBinary, ['--json', file], { core: serverCore });
  remove(directory);
  const results = JSON.parse(stdout);
  if (results.comments !== comments) throw new Broken(`quire_encodings read ${results.comments} of ${comments} comments`);
  addData(report, results.data);
  addCursors(report, results.cursors);
  return results;
}

const dataFigures = [
  ['data of a comment, mean', 'bytes', 'mean'],
  ['read units of 20 comments, mean', '', 'pageUnits'],
  ['answer with 20 comments, mean', 'bytes', 'wire'],
  ['reading that answer', 'µs', 'decode'],
  ['writing it', 'µs', 'encode'],
];

function addData(report, [ours, ...others]) {
  const protobuf = others.find(({ form }) => form === 'protobuf');
  for (const [name, unit, field] of dataFigures) {
    report.add({ name, unit, quire: ours[field], peer: { name: protobuf.form, value: protobuf[field] } });
  }
}

function addCursors(report, cursors) {
  for (const { lists, ours, json, jsonZipped } of cursors.filter((row) => [1, 3, 20].includes(row.lists))) {
    const name = `cursor into ${lists} ${lists === 1 ? 'list' : 'lists'}`;
    report.add({ name, unit: 'characters', quire: ours, peer: { name: 'a key for each list, JSON', value: json } });
    report.add({ name: 'the same', unit: 'characters', quire: ours, peer: { name: 'the same, compressed', value: jsonZipped } });
  }
  const different = cursors.find(({ ours }) => ours !== cursors[0].ours);
  if (different) throw new Broken(`a cursor into ${different.lists} lists has another length than one into one`);
}
