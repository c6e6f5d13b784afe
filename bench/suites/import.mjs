// How fast JSON Lines become a store, beside SQLite loading the same file; and what a comment takes on disk.

import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { withMemoryLimit } from '../lib/memory_limit.mjs';
import { Broken, need, remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, bytesOnDisk, generation, needBinary, verify } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { changeRows, writeRows } from '../lib/rows.mjs';
import { importsOfOthers } from './import_others.mjs';
import * as sqlite from '../lib/sqlite.mjs';
import { median } from '../lib/statistics.mjs';

export const title = 'bulk import';

export async function measure(report, size, progress) {
  need('sqlite3');
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

  progress('SQLite');
  const peer = { name: 'sqlite3', value: await sqlite.importRate(file, size.comments) };
  const wanted = { at: 'min', of: 'quire', value: 100_000 };
  report.add({ name: 'bulk import, comments', unit: '/s', quire: withIds.perSecond, peer, wanted });
  report.add({ name: 'bulk import of rows without ids, comments', unit: '/s', quire: withoutIds.perSecond, wanted });
  report.add({
    name: 'disk per comment', unit: 'bytes', quire: bytesOnDisk(withIds.store) / size.comments,
    peer: { name: 'as JSON Lines', value: statSync(file).size / size.comments },
  });
  for (const store of [withIds.store, withoutIds.store]) remove(store);
  await importsOfOthers(report, size, progress);
  await biggerThanMemory(report, size, directory, progress);
  remove(directory);
}

// Comments of many products in a store that is three times as large as the memory, in the order of time and in none.
async function biggerThanMemory(report, size, directory, progress) {
  const bytes = Math.max(768 * 2 ** 20, size.imported * 180);
  const files = { 'in order': join(directory, 'ordered.jsonl'), 'in no order': join(directory, 'mixed.jsonl') };
  await writeRows(files['in order'], ['generate', '--comments', String(size.imported), '--products', '2000', '--seed', '1', '--stdout']);
  await run('shuf', ['--random-source', files['in order'], '-o', files['in no order'], files['in order']]);
  for (const [order, file] of Object.entries(files)) {
    const store = join(directory, 'store');
    progress(`${size.imported} rows ${order}`);
    const measured = await withMemoryLimit(bytes, (limited) => timed(limited(binary, ['import', file, '--json', '--store', `lmdb:${store}`]), size.imported));
    if (!measured) { report.note('Memory cannot be limited here, so the import that is bigger than memory is left out.'); return; }
    await verify(store, size.imported);
    const name = `import of ${number(size.imported)} comments of 2,000 products within ${number(Math.round(bytes / 2 ** 20))} MiB, rows ${order}`;
    report.add({ name, unit: '/s', quire: measured });
    report.add({ name: 'the same, disk per comment', unit: 'bytes', quire: bytesOnDisk(store) / size.imported });
    remove(store);
  }
}

async function timed([command, args], comments) {
  const begun = process.hrtime.bigint();
  const { stdout } = await run(command, args);
  const rate = comments / (Number(process.hrtime.bigint() - begun) / 1e9);
  const { added, known, rejected } = JSON.parse(stdout);
  if (added !== comments || known !== 0 || rejected !== 0) throw new Broken(`import of ${comments} comments: ${stdout}`);
  return rate;
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
    rates.push(await timed([binary, ['import', file, '--json', '--store', `lmdb:${store}`]], comments));
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
