// How fast JSON Lines become a store, beside SQLite loading the same file; and what a comment takes on disk.

import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Broken, remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, bytesOnDisk, generation, needBinary, verify } from '../lib/quire.mjs';
import { changeRows, writeRows } from '../lib/rows.mjs';
import * as sqlite from '../lib/sqlite.mjs';
import { median } from '../lib/statistics.mjs';

export const title = 'bulk import';

export async function measure(report, size, progress) {
  needBinary();
  const directory = temporaryDirectory();
  const file = join(directory, 'comments.jsonl');
  const bare = join(directory, 'without-ids.jsonl');
  progress('writing the files');
  await writeRows(file, [...generation(size.comments), '--stdout']);
  await changeRows(file, bare, withoutId);

  const withIds = await imports(file, size, progress);
  const withoutIds = await imports(bare, size, progress);
  progress('verifying');
  await verify(withIds.store, size.comments);
  await verify(withoutIds.store, size.comments);
  await exportMustEqual(withIds.store, file);

  let peer;
  if (sqlite.available()) {
    progress('SQLite');
    peer = { name: 'sqlite3', value: await sqlite.importRate(file, size.comments) };
  } else {
    report.note('No sqlite3 here, so the import has no peer.');
  }
  const wanted = { at: 'min', of: 'quire', value: 100_000 };
  report.add({ name: 'bulk import, comments', unit: '/s', quire: withIds.perSecond, peer, wanted });
  report.add({ name: 'bulk import of rows without ids, comments', unit: '/s', quire: withoutIds.perSecond, wanted });
  report.add({
    name: 'disk per comment', unit: 'bytes', quire: bytesOnDisk(withIds.store) / size.comments,
    peer: { name: 'as JSON Lines', value: statSync(file).size / size.comments },
  });
  for (const store of [withIds.store, withoutIds.store, directory]) remove(store);
}

// A row as a shop has it: without Quire's id.
const withoutId = (line) => line.replace(/^\{"id":"\w+",/, '{');

// Imports several times, each time into a new store. The last store stays.
async function imports(file, { comments, repeats }, progress) {
  const rates = [];
  let store;
  for (let i = 0; i < repeats; ++i) {
    if (store) remove(store);
    store = temporaryDirectory();
    progress(`import ${i + 1} of ${repeats}`);
    const begun = process.hrtime.bigint();
    const { stdout } = await run(binary, ['import', file, '--json', '--store', `lmdb:${store}`]);
    rates.push(comments / (Number(process.hrtime.bigint() - begun) / 1e9));
    const { added, known, rejected } = JSON.parse(stdout);
    if (added !== comments || known !== 0 || rejected !== 0) throw new Broken(`import of ${comments} comments: ${stdout}`);
  }
  return { store, perSecond: median(rates) };
}

async function digest(file) {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file)) sum.update(chunk);
  return sum.digest('hex');
}

async function exportMustEqual(store, file) {
  const exported = join(temporaryDirectory(), 'exported.jsonl');
  await writeRows(exported, ['export', '--store', `lmdb:${store}`]);
  if (await digest(exported) !== await digest(file)) throw new Broken('export does not give back the bytes that were imported');
  remove(join(exported, '..'));
}
