// What is tortured. An operation: `template` makes the directory that each case begins with; `act` does the deed under
// torture and gives {end, expected}: how the process ended, and which comments the store must and may have; `recover` does first
// what an operator would do; `judge`, where there is more to look at than the store, gives further sentences.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sampleRows, pick } from '../e2e/support/data.mjs';
import { Expected, judgeStore } from './judge.mjs';
import { Place, linesOf, rowsOf } from './place.mjs';
import { posts } from './posts.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const products = (choose) => pick(choose, ['shoe', 'lamp', 'book']);
const baseRows = () => sampleRows(1, 120, products);

/** A store with some comments, and what its export has. */
async function filled() {
  const place = new Place();
  await place.mustRun(['import', '--store', place.store, '-'], { input: linesOf(baseRows()) });
  return withRows(place);
}

export async function withRows(place) {
  place.rows = rowsOf(await place.mustRun(['export', '--store', place.store]));
  return place;
}

const newRows = sampleRows(2, 200, products).map((row) => ({ ...row, text: row.text.repeat(20) }));

/** Which lines an import of the new rows would add: found out once, undisturbed. */
async function added(template) {
  if (template.added) return template.added;
  const place = new Place(template);
  await place.mustRun(['import', '--store', place.store, '-'], { input: linesOf(newRows) });
  const rows = rowsOf(await place.mustRun(['export', '--store', place.store]));
  place.remove();
  return (template.added = new Map([...rows].filter(([id]) => !template.rows?.has(id))));
}

async function importRows(place, torture, template) {
  const expected = new Expected(template.rows);
  const rows = await added(template);
  const end = await torture.run(['import', '--store', place.store, '-'], { input: linesOf(newRows) });
  for (const [id, line] of rows) {
    if (end.status === 0) expected.must.set(id, line);
    else expected.allow(id, undefined, line);
  }
  return { end, expected };
}

async function untouched(torture, template, args) {
  return { end: await torture.run(args), expected: new Expected(template.rows) };
}

/** The copy is whole, or no store; where the command said "done", it is whole. */
async function judgeCopy(place, { end }, template) {
  const copy = place.path('copy');
  if (!existsSync(`${copy}/data.mdb`)) {
    return end.status === 0 ? ['the backup said that it is done, and there is none'] : [];
  }
  const whole = Object.assign(Object.create(Place.prototype), place, { store: `lmdb:${copy}` });
  return (await judgeStore(whole, new Expected(template.rows))).map((sentence) => `the copy: ${sentence}`);
}

/** Counts that are wrong by one bit, in every copy of the product's row in the file. */
async function damaged() {
  const place = await filled();
  const file = place.path('store/data.mdb');
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('shoe'); at >= 0; at = bytes.indexOf('shoe', at + 1)) {
    const row = bytes.indexOf(Buffer.from([1, 0, 0, 0]), at); // behind the key of an entry of `products`
    if (row - at <= 8 && bytes.subarray(row + 8, row + 12).equals(Buffer.from('\0de\0'))) bytes[row + 23] ^= 1;
  }
  writeFileSync(file, bytes);
  const { status } = await place.run(['verify', '--store', place.store]);
  if (status !== 3) throw new Error(`the damage for repair is not seen: verify ends with ${status}`);
  return place;
}

/** A repair that did not end may have left the damage: it is repaired again, and everything holds. */
async function repairAgain(place, { end }) {
  const seen = await place.run(['verify', '--store', place.store]);
  if (seen.status === 3 && end.status !== 0) await place.mustRun(['verify', '--repair', '--store', place.store]);
}

const fixture = (name) => gunzipSync(readFileSync(join(here, '../store/embedded/fixtures/format-2', name)));

/** A store of format 2, as the program of that time made it. */
async function old() {
  const place = new Place();
  mkdirSync(place.path('store'));
  writeFileSync(place.path('store/data.mdb'), fixture('data.mdb.gz'));
  place.rows = rowsOf({ stdout: fixture('export.jsonl.gz').toString('utf8') });
  return place;
}

/** Opening to write upgrades; an upgrade that did not end is begun again. */
const open = (place) => ['import', '--store', place.store, '-'];
const upgradeAgain = (place) => place.mustRun(open(place), { input: '' });

export const operations = {
  create: { about: 'an import that makes the store', template: async () => new Place(), act: importRows },
  import: { about: 'an import into a store', template: filled, act: importRows },
  posts: { about: 'a server with clients that post, change and remove', template: filled, act: posts },
  export: { about: 'reading everything', template: filled, act: (place, torture, template) => untouched(torture, template, ['export', '--store', place.store]), judge: judgeExport },
  backup: { about: 'a copy of the store', template: filled, act: (place, torture, template) => untouched(torture, template, ['backup', place.path('copy'), '--store', place.store]), judge: judgeCopy },
  upgrade: { about: 'opening a store of format 2 to write', template: old, act: (place, torture, template) => untouched(torture, template, open(place)), recover: upgradeAgain },
  compact: { about: 'a store written anew in its place', template: filled, act: (place, torture, template) => untouched(torture, template, ['compact', '--store', place.store]) },
  repair: { about: 'verify --repair of a damaged store', template: async () => Object.assign(await damaged(), { rows: (await filled()).rows }), act: (place, torture, template) => untouched(torture, template, ['verify', '--repair', '--store', place.store]), recover: repairAgain },
};

/** An export that said "done" has everything. */
function judgeExport(place, { end }, template) {
  return end.status === 0 ? new Expected(template.rows).differences(rowsOf(end)) : [];
}
