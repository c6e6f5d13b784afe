// Files of comments as JSON Lines.

import { closeSync, createReadStream, createWriteStream, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { run } from './processes.mjs';
import { binary } from './quire.mjs';

/** Writes the output of a quire command to a file. */
export async function writeRows(file, args) {
  const output = openSync(file, 'w');
  await run(binary, args, { output }).finally(() => closeSync(output));
}

/** Copies a file and applies `change` to each line. */
export async function changeRows(from, to, change) {
  const out = createWriteStream(to);
  for await (const line of createInterface({ input: createReadStream(from) })) {
    if (!out.write(`${change(line)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
