// How much memory a process has for itself.

import { readFile } from 'node:fs/promises';

/** Bytes of private memory: what would come free if the process ended, without the files it maps. */
export async function privateBytes(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return 1024 * Number(/^Anonymous:\s+(\d+) kB/m.exec(text)[1]);
}
