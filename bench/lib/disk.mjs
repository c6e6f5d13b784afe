// How fast the disk takes durable writes, and how often a store asked it to.

import { closeSync, existsSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { remove, temporaryDirectory } from './processes.mjs';

/** Appends of 4 KiB, each followed by fdatasync, a second. */
export function syncRate(seconds) {
  const directory = temporaryDirectory();
  const file = openSync(join(directory, 'appended'), 'w');
  const block = Buffer.alloc(4096, 'q');
  const begun = performance.now();
  let synced = 0;
  for (; performance.now() - begun < seconds * 1000; ++synced) {
    writeSync(file, block);
    fdatasyncSync(file);
  }
  const rate = synced / ((performance.now() - begun) / 1000);
  closeSync(file);
  remove(directory);
  return rate;
}

// LMDB keeps its last transaction's number in two meta pages, the first of the file, at this place (mdb.c, MDB_meta).
const pageBytes = 4096;
const magicAt = 16;
const numberAt = 144;
const magic = 0xbeefc0de;

/** How many transactions a store has committed in all; undefined if its file is not laid out as expected. */
export function commits(store) {
  if (!existsSync(join(store, 'data.mdb'))) return undefined;
  const file = openSync(join(store, 'data.mdb'), 'r');
  const pages = Buffer.alloc(2 * pageBytes);
  readSync(file, pages, 0, pages.length, 0);
  closeSync(file);
  const starts = [0, pageBytes];
  if (starts.some((start) => pages.readUInt32LE(start + magicAt) !== magic)) return undefined;
  return Math.max(...starts.map((start) => Number(pages.readBigUInt64LE(start + numberAt))));
}
