// Golden files: a section for each way to ask, a row for each writer, a column for each state. `QUIRE_GOLDEN=write` writes them anew.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here } from '../support/harness.mjs';

const folder = join(here, 'desk/golden');
const width = 26;

const aligned = (cells) => cells.map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(i === 0 ? width + 6 : width))).join(' | ').trimEnd();

/** A cell that says the same as the one to its left is a ditto. */
const row = (name, cells) => aligned([name, ...cells.map((cell, i) => (i > 0 && cell === cells[i - 1] ? '"' : cell))]);

/** `sections`: {title, columns, rows: [[name, cells…]]}. */
export function textOf(head, sections) {
  const parts = sections.map(({ title, columns, rows }) => [`== ${title}`, aligned(['', ...columns]), ...rows.map(([name, ...cells]) => row(name, cells)), ''].join('\n'));
  return `${head.split('\n').map((line) => `# ${line}\n`).join('')}\n${parts.join('\n')}`;
}

/** Fails with the lines that differ, each with the section that it is in. */
export function compare(name, text) {
  const file = join(folder, `${name}.golden`);
  if (process.env.QUIRE_GOLDEN === 'write') writeFileSync(file, text);
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (golden === text) return;
  const [was, is] = [golden.split('\n'), text.split('\n')];
  const differing = [];
  let section = '';
  for (let i = 0; i < Math.max(was.length, is.length) && differing.length < 40; ++i) {
    if (is[i]?.startsWith('== ')) section = is[i];
    if (was[i] !== is[i]) differing.push(`${section}\n- ${was[i] ?? ''}\n+ ${is[i] ?? ''}`);
  }
  assert.fail(`${file} says otherwise. If that is meant, run with QUIRE_GOLDEN=write, and give the reason in the commit.\n${differing.join('\n')}`);
}
