// The private memory of a process.

import { readFile } from 'node:fs/promises';

/** Bytes of private memory: they come free when the process ends. Mapped files do not count. */
export async function privateBytes(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return 1024 * Number(/^Anonymous:\s+(\d+) kB/m.exec(text)[1]);
}
