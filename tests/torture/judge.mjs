// The conditions after each case: the program ended and said why, the store opens, `quire verify` finds nothing, every
// acknowledged comment is there unchanged, and every other comment is there whole or not at all.

import { rowsOf } from './workspace.mjs';

/** The comments that a store may have. `must`: id -> exported line; `may`: id -> allowed lines, undefined for no comment;
 * `sent`: contents of posts without an answer, whose ids are unknown. */
export class Expected {
  constructor(must = new Map()) {
    this.must = new Map(must);
    this.may = new Map();
    this.sent = new Set();
  }

  allow(id, ...lines) {
    this.must.delete(id);
    this.may.set(id, lines);
  }

  /** Sentences about lost, torn and invented comments. */
  differences(found) {
    const left = new Set(this.sent);
    const told = [];
    for (const [id, line] of this.must) {
      if (found.get(id) !== line) told.push(`the acknowledged comment ${id} is ${found.has(id) ? `torn: ${found.get(id)} and not ${line}` : 'lost'}`);
    }
    for (const [id, lines] of this.may) {
      if (!lines.includes(found.get(id))) told.push(`the comment ${id} is neither as before nor as after: ${found.get(id) ?? 'gone'}`);
    }
    for (const [id, line] of found) {
      if (this.must.has(id) || this.may.has(id)) continue;
      if (!left.delete(content(JSON.parse(line)))) told.push(`the comment ${id} is none that was sent: ${line}`);
    }
    return told.slice(0, 5);
  }
}

/** The contents of a comment that has no id yet. */
export const content = ({ product, language, rating, title, text }) => JSON.stringify([product, language, rating, title, text]);

/** Judges the end of a process: undefined, or a sentence. `statuses`: allowed exit statuses besides 0 and 1. */
export function endOf({ status, signal, late, stderr }, { killed = false, statuses = [] } = {}) {
  if (late) return 'it did not end within 30 s';
  if (killed && signal === 'SIGKILL') return undefined;
  if (signal) return `it ended by ${signal}: ${stderr.slice(-500)}`;
  if (status === 0 || statuses.includes(status)) return undefined;
  if (status !== 1) return `it ended with exit status ${status}: ${stderr.slice(-500)}`;
  if (!/^quire: \S.*[.]$/m.test(stderr)) return `exit status 1 without a clear message: ${JSON.stringify(stderr.slice(-500))}`;
  return undefined;
}

const noStore = /There is no store in /;

/** Judges the store of a workspace: sentences. The store must also take one more row. */
export async function judgeStore(workspace, expected) {
  const told = [];
  const verified = await workspace.run(['verify', '--store', workspace.store]);
  const missing = verified.status === 1 && noStore.test(verified.stderr) && expected.must.size === 0;
  if (verified.status !== 0 && !missing) told.push(`verify: status ${verified.status}, signal ${verified.signal}: ${(verified.stdout + verified.stderr).slice(-600)}`);
  if (!missing) {
    const found = await workspace.run(['export', '--store', workspace.store]);
    if (found.status !== 0) told.push(`export: status ${found.status}, signal ${found.signal}: ${found.stderr.slice(-500)}`);
    else told.push(...expected.differences(rowsOf(found)));
  }
  const more = await workspace.run(['import', '--store', workspace.store, '-'], { input: '{"product":"after","language":"en","rating":5,"created_at":"2024-11-20T12:01:00Z","title":"after"}\n' });
  if (more.status !== 0) return [...told, `a later import: status ${more.status}, signal ${more.signal}: ${more.stderr.slice(-500)}`];
  const again = await workspace.run(['verify', '--store', workspace.store]);
  if (again.status !== 0) told.push(`verify after a later import: ${(again.stdout + again.stderr).slice(-600)}`);
  return told;
}
