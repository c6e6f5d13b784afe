// Who may do what, by which door, with which answer, audit line and count: the golden table. docs/testing.md says how it is read and changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deeds } from './deeds.mjs';
import { asked } from './grid.mjs';
import { compare, textOf } from './table.mjs';

const made = await asked(deeds);
console.log(`${made.cells} cells`);

for (const { file, head, sections } of made.deeds) {
  test(`${file}: golden/${file}.golden has it so`, () => {
    assert.ok(sections.every(({ rows }) => rows.length > 0));
    compare(file, textOf(head, sections));
  });
}
