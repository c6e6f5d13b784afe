// The results that are kept: a row for each fault, in the order of the list.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const path = new URL('results.tsv', import.meta.url);
const columns = ['fault', 'by', 'test', 'seconds', 'commit', 'text'];

// Tells whether a result is of the fault as it is now.
const digest = ({ file, text, fault }) => createHash('sha256').update([file, text, fault].join('\0')).digest('hex').slice(0, 8);

/** The rows by the name of their fault. */
export function readResults() {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(1) : [];
  const rows = lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [columns[i], value])));
  return new Map(rows.map((row) => [row.fault, row]));
}

/** Undefined: the fault was not run since it is as it is. */
export function resultOf(results, fault) {
  const row = results.get(fault.name);
  return row?.text === digest(fault) ? row : undefined;
}

export function keep(faults, fault, outcome) {
  const results = readResults();
  results.set(fault.name, { ...outcome, fault: fault.name, text: digest(fault) });
  const rows = faults.map(({ name }) => results.get(name)).filter(Boolean);
  const lines = rows.map((row) => columns.map((column) => row[column]).join('\t'));
  writeFileSync(path, `${[columns.join('\t'), ...lines].join('\n')}\n`);
}
