// A power cut loses some of the writes and names that no sync has put on disk. The journal of the shim (journal.h) lists
// them. Each page keeps its writes up to a random point, as a disk may; names are lost from a random point on, as in a file
// system with a journal.

import { existsSync, closeSync, fstatSync, ftruncateSync, linkSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const page = 4096;

function read(journal) {
  const notes = [];
  for (const line of readFileSync(journal, 'latin1').split('\n')) {
    const match = /^(\w) (\d+) (.*)$/.exec(line);
    if (!match) continue;
    const [, kind, number, rest] = match;
    notes.push({ kind, number: Number(number), rest: Buffer.from(rest, 'latin1').toString('utf8') });
  }
  return notes;
}

/** The unsynced entries of the journal: {writes, names}, each in order. */
export function unsynced(journal) {
  const writes = [];
  const names = [];
  const durable = new Set();
  const syncs = [];
  for (const { kind, number, rest } of existsSync(journal) ? read(journal) : []) {
    const words = rest.split(' ');
    if (kind === 'W') writes.push({ number, inode: Number(words[0]), offset: Number(words[1]), size: Number(words[2]), length: Number(words[3]), old: Buffer.from(words[4] ?? '', 'hex') });
    if (kind === 'D') durable.add(Number(words[0]));
    if (kind === 'S') syncs.push({ inode: Number(words[0]), upTo: Number(words[1]) });
    if ('CRU'.includes(kind)) names.push({ kind, number, inode: Number(words[0]), paths: rest.slice(words[0].length + 1).split('\t') });
  }
  const lost = ({ number, inode }) => !durable.has(number) && !syncs.some((sync) => sync.inode === inode && sync.upTo >= number);
  return { writes: writes.filter(lost), names: names.filter(lost) };
}

/** Undoes some unsynced writes and names under `directory`. Returns how many it undid. */
export function cutPower(journal, directory, random) {
  const { writes, names } = unsynced(journal);
  let undone = 0;
  for (const [inode, path] of files(directory)) undone += undoWrites(path, writes.filter((write) => write.inode === inode), random);
  const kept = Math.floor(random() * (names.length + 1));
  for (const name of names.slice(kept).reverse()) undone += undoName(name);
  return undone;
}

function files(directory) {
  const found = new Map();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !path.endsWith('.lock') && entry.name !== 'lock.mdb') found.set(statSync(path).ino, path);
  }
  return found;
}

/** The parts of a write, page by page. */
function* pieces(write) {
  for (let at = write.offset; at < write.offset + write.size;) {
    const end = Math.min(write.offset + write.size, (Math.floor(at / page) + 1) * page);
    yield { page: Math.floor(at / page), at, end, old: write.old.subarray(at - write.offset, end - write.offset) };
    at = end;
  }
}

function undoWrites(path, writes, random) {
  if (writes.length === 0) return 0;
  const pages = new Map();
  for (const write of writes) {
    for (const piece of pieces(write)) pages.set(piece.page, [...(pages.get(piece.page) ?? []), piece]);
  }
  const file = openSync(path, 'r+');
  let end = writes[0].length; // the smallest size to which the file may be cut
  let undone = 0;
  for (const [, changes] of pages) {
    const kept = Math.floor(random() * (changes.length + 1));
    for (const { at, end: until, old } of changes.slice(kept).reverse()) {
      const bytes = Buffer.alloc(until - at);
      old.copy(bytes);
      writeSync(file, bytes, 0, bytes.length, at);
      undone += 1;
    }
    if (kept > 0) end = Math.max(end, ...changes.slice(0, kept).map((piece) => piece.end));
  }
  if (random() < 0.5 && fstatSync(file).size > end) ftruncateSync(file, end);
  closeSync(file);
  return undone;
}

function undoName({ kind, paths }) {
  const [aside, from, to] = kind === 'R' ? paths : [paths[0], undefined, paths[1] ?? paths[0]];
  if (kind === 'C') { rmSync(to, { recursive: true, force: true }); return 1; }
  if (kind === 'R' && existsSync(to)) renameSync(to, from);
  if (aside === '/') mkdirSync(to);
  else if (aside !== '-' && existsSync(dirname(to))) linkSync(aside, to); // its directory may be lost too
  return 1;
}
