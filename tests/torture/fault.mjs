// Orders to the shim (fault.h): which call fails, and how. The text of an order, such as "write 3 once short", is also the
// argument of tools/torture --case.

import { constants } from 'node:os';
import { readFileSync, writeFileSync } from 'node:fs';

/** Kinds of calls, in the order of fault.h. */
export const calls = ['open', 'read', 'write', 'sync', 'truncate', 'allocate', 'map', 'rename', 'link', 'unlink', 'lock', 'make_directory', 'any'];

const ways = ['', 'fails', 'late', 'short', 'kills', 'kills_late', 'kills_midway', 'lies'];

/** The errors that fit each kind of call. "late:": an error after the call has worked; "short": half a write. */
export const failures = {
  open: ['EMFILE', 'ENOSPC', 'EACCES'],
  read: ['EIO'],
  write: ['ENOSPC', 'EIO', 'short', 'late:EIO'],
  sync: ['EIO', 'ENOSPC', 'late:EIO'],
  truncate: ['ENOSPC', 'EIO'],
  allocate: ['ENOSPC', 'EIO'],
  map: ['ENOMEM'],
  rename: ['ENOSPC', 'EIO', 'late:EIO'],
  link: ['ENOSPC'],
  unlink: ['EIO'],
  lock: ['ENOLCK', 'EAGAIN'],
  make_directory: ['ENOSPC', 'EACCES'],
};

/** {call, nth, times: 'once' | 'ever', way: 'EIO' | 'late:EIO' | 'short' | 'kills' …} */
export class Order {
  constructor(call, nth, times, way) { Object.assign(this, { call, nth, times, way }); }

  static parse(text) {
    const [call, nth, times, way] = text.split(' ');
    if (!calls.includes(call) || !(Number(nth) > 0) || !['once', 'ever'].includes(times) || !way) throw new Error(`no case: "${text}". An example: "write 3 once short"`);
    return new Order(call, Number(nth), times, way);
  }

  get kills() { return this.way.startsWith('kills'); }
  toString() { return `${this.call} ${this.nth} ${this.times} ${this.way}`; }

  get environment() {
    const [first, second] = this.way.split(':');
    const how = ways.includes(first) && first ? first : 'fails';
    const error = constants.errno[second ?? first] ?? 0;
    return { TORTURE_FAULT: `${calls.indexOf(this.call)} ${this.nth} ${this.times} ${ways.indexOf(how)} ${error}` };
  }
}

/** Every order for a program with these numbers of calls: each call of each kind, once and forever. */
export function everyOrder(counted) {
  return Object.entries(failures).flatMap(([call, errors]) =>
    Array.from({ length: counted[call] ?? 0 }, (_, at) => at + 1).flatMap((nth) =>
      errors.flatMap((way) => ['once', 'ever'].map((times) => new Order(call, nth, times, way)))));
}

/** The file in which the shim counts calls. */
export class Counts {
  constructor(file) {
    this.file = file;
    writeFileSync(file, Buffer.alloc((calls.length + 1) * 8));
  }

  read() {
    const bytes = readFileSync(this.file);
    const number = (at) => Number(bytes.readBigUInt64LE(at * 8));
    return { ...Object.fromEntries(calls.map((call, at) => [call, number(at)])), faults: number(calls.length) };
  }
}
