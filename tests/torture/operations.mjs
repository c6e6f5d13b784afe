// The operations under torture. `template` makes the directory with which each case begins. `act` runs the operation and
// returns {end, expected}: how the process ended, and which comments the store must and may have. `recover` does what an
// operator would do next. `judge` returns more sentences where the operation makes more than the store.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRows, pick } from '../e2e/support/data.mjs';
import { Expected, judgeStore } from './judge.mjs';
import { Workspace, linesOf, rowsOf } from './workspace.mjs';
import { posts } from './posts.mjs';

const products = (choose) => pick(choose, ['shoe', 'lamp', 'book']);
const baseRows = () => sampleRows(1, 120, products);

/** A store with some comments, and the rows of its export. */
async function filled() {
  const workspace = new Workspace();
  await workspace.mustRun(['import', '--store', workspace.store, '-'], { input: linesOf(baseRows()) });
  return withRows(workspace);
}

export async function withRows(workspace) {
  workspace.rows = rowsOf(await workspace.mustRun(['export', '--store', workspace.store]));
  return workspace;
}

const newRows = sampleRows(2, 200, products).map((row) => ({ ...row, text: row.text.repeat(20) }));

/** The lines that an undisturbed import of the new rows adds. */
async function added(template) {
  if (template.added) return template.added;
  const workspace = new Workspace(template);
  await workspace.mustRun(['import', '--store', workspace.store, '-'], { input: linesOf(newRows) });
  const rows = rowsOf(await workspace.mustRun(['export', '--store', workspace.store]));
  workspace.remove();
  return (template.added = new Map([...rows].filter(([id]) => !template.rows?.has(id))));
}

async function importRows(workspace, torture, template) {
  const expected = new Expected(template.rows);
  const rows = await added(template);
  const end = await torture.run(['import', '--store', workspace.store, '-'], { input: linesOf(newRows) });
  for (const [id, line] of rows) {
    if (end.status === 0) expected.must.set(id, line);
    else expected.allow(id, undefined, line);
  }
  return { end, expected };
}

async function untouched(torture, template, args) {
  return { end: await torture.run(args), expected: new Expected(template.rows) };
}

/** The copy is whole or no store. After exit status 0 it is whole. */
async function judgeCopy(workspace, { end }, template) {
  const copy = workspace.path('copy');
  if (!existsSync(`${copy}/data.mdb`)) {
    return end.status === 0 ? ['the backup ended with status 0, and there is no copy'] : [];
  }
  const whole = Object.assign(Object.create(Workspace.prototype), workspace, { store: `lmdb:${copy}` });
  return (await judgeStore(whole, new Expected(template.rows))).map((sentence) => `the copy: ${sentence}`);
}

/** The language as the row of a product has it. */
const german = Buffer.from([0, 0, 8, 0x50, 0, 0, 0, 0]);

/** A store with one wrong bit in the counts of a product, in every copy of its row in the file. */
async function damaged() {
  const workspace = await filled();
  const file = workspace.path('store/data.mdb');
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('shoe'); at >= 0; at = bytes.indexOf('shoe', at + 1)) {
    const row = bytes.indexOf(Buffer.from([1, 0, 0, 0]), at); // follows the key of a row of `products`
    if (row - at <= 8 && bytes.subarray(row + 16, row + 24).equals(german)) bytes[row + 31] ^= 1;
  }
  writeFileSync(file, bytes);
  const { status } = await workspace.run(['verify', '--store', workspace.store]);
  if (status !== 3) throw new Error(`verify does not see the damage, and ends with ${status}`);
  return workspace;
}

/** An interrupted repair may leave the damage. A second repair must succeed. */
async function repairAgain(workspace, { end }) {
  const seen = await workspace.run(['verify', '--store', workspace.store]);
  if (seen.status === 3 && end.status !== 0) await workspace.mustRun(['verify', '--repair', '--store', workspace.store]);
}

const compaction = (workspace) => ['compact', '--store', workspace.store];
const addFacet = (workspace) => ['facet', 'add', 'size', '--type', 'choice', '--store', workspace.store];

export const operations = {
  create: { about: 'an import that makes the store', template: async () => new Workspace(), act: importRows },
  import: { about: 'an import into a store', template: filled, act: importRows },
  posts: { about: 'a server with clients that post, change and remove', template: filled, act: posts },
  export: { about: 'reading everything', template: filled, act: (workspace, torture, template) => untouched(torture, template, ['export', '--store', workspace.store]), judge: judgeExport },
  backup: { about: 'a copy of the store', template: filled, act: (workspace, torture, template) => untouched(torture, template, ['backup', workspace.path('copy'), '--store', workspace.store]), judge: judgeCopy },
  facet: { about: 'building a facet', template: filled, act: (workspace, torture, template) => untouched(torture, template, addFacet(workspace)), recover: (workspace) => workspace.mustRun(addFacet(workspace)) },
  compact: { about: 'compacting a store', template: filled, act: (workspace, torture, template) => untouched(torture, template, compaction(workspace)), judge: judgeRemains },
  repair: { about: 'verify --repair of a damaged store', template: async () => Object.assign(await damaged(), { rows: (await filled()).rows }), act: (workspace, torture, template) => untouched(torture, template, ['verify', '--repair', '--store', workspace.store]), recover: repairAgain },
};

/** Of an interrupted compaction the next writer leaves nothing, and another one succeeds. */
async function judgeRemains(workspace) {
  const left = readdirSync(workspace.path('store')).filter((name) => name.startsWith('data.mdb') && name !== 'data.mdb');
  const again = await workspace.run(compaction(workspace));
  return [...(left.length ? [`a compaction left ${left}`] : []), ...(again.status === 0 ? [] : [`a later compaction: status ${again.status}: ${again.stderr.slice(-500)}`])];
}

/** An export with exit status 0 has every comment. */
function judgeExport(workspace, { end }, template) {
  return end.status === 0 ? new Expected(template.rows).differences(rowsOf(end)) : [];
}
