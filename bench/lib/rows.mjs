// Files of comments as JSON Lines.

import { closeSync, createReadStream, createWriteStream, openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { run } from './processes.mjs';
import { binary, generation } from './quire.mjs';

/** Writes the output of a quire command to a file. */
export async function writeRows(file, args) {
  const output = openSync(file, 'w');
  await run(binary, args, { output }).finally(() => closeSync(output));
}

/** Copies a file and applies `change` to each line. Lines of which that makes nothing are left out. */
export async function changeRows(from, to, change) {
  const out = createWriteStream(to);
  for await (const line of createInterface({ input: createReadStream(from) })) {
    const changed = change(line);
    if (changed !== undefined && !out.write(`${changed}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

// Generated comments are short: this brings the entries of a table's index to about 490 bytes.
const more = ' I compared it with two others before I bought it, and have used it nearly every day since:'
  + ' so this is what I think of it after half a year, and not after one evening.';

/** Writes generated comments with texts of usual length. */
export async function writeLongRows(file, comments, products) {
  const generated = `${file}.short`;
  await writeRows(generated, [...generation(comments, products), '--stdout']);
  await changeRows(generated, file, (line) => {
    const row = JSON.parse(line);
    return JSON.stringify({ ...row, text: `${row.text ?? ''}${more}`.trim() });
  });
  rmSync(generated);
}
