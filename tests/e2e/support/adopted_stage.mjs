// Tables that programs other than Quire write, for tests: the comments that must be there, and what follows the table.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { start, temporaryDirectory } from './harness.mjs';
import { pick, seeded } from './data.mjs';
import { storeAt } from './dynamodb.mjs';
import { facetRows, vocabulary } from './facets.mjs';
import { until } from './project.mjs';

/** The product of the comments. */
export const product = 'größe 42';

/** Comments of QUIRE_ADOPTED_FILE, JSON Lines in gzip; else none. */
const real = process.env.QUIRE_ADOPTED_FILE ? gunzipSync(readFileSync(process.env.QUIRE_ADOPTED_FILE)).toString().trim().split('\n').map((line) => JSON.parse(line)) : [];

/** Rows with attributes, by number. Times are whole seconds or the program's units, and differ if its key has nothing else. */
function rowsOf(count, { movable, unit = 1000 }) {
  return facetRows(77, count, product).map((made, number) => {
    const row = { ...made, ...real[number], product, number };
    const time = Math.floor(Date.parse(row.created_at) / unit) * unit;
    if (!real[number]) row.text = [row.text, ...vocabulary.filter((_, at) => number % (at + 2) === 0)].join(' ');
    return { ...row, created_at: new Date(time + (movable || unit > 1000 ? 0 : number)).toISOString() };
  });
}

/** Runs the tasks, some at a time. */
async function inTurns(tasks, atOnce = 8) {
  const left = [...tasks];
  await Promise.all(Array.from({ length: atOnce }, async () => { while (left.length) await left.pop()(); }));
}

/** A table of another program, the comments that it must have, and the flags with which quire reads it. */
export class AdoptedStage {
  rows = new Map(); // by number, as they must be

  /** `through`: the endpoint for quire, if it is another than the program's. */
  static async make(program, table, { database, through = database.endpoint, comments = 150 }) {
    const directory = temporaryDirectory();
    const stage = Object.assign(new AdoptedStage(), { program, table, random: seeded(comments), map: join(directory, 'comments.toml'), pages: `lmdb:${join(directory, 'pages')}` });
    writeFileSync(stage.map, program.mapping);
    stage.store = stage.storeThrough(through);
    stage.flags = ['--store', stage.store, '--pages', stage.pages];
    await program.make(database.endpoint, table);
    stage.fresh = rowsOf(comments * 2, program);
    const filled = stage.fresh.splice(-comments);
    for (const row of filled) stage.rows.set(row.number, row);
    await inTurns(Array.from({ length: Math.ceil(comments / 25) }, (_, at) => () => program.fill(filled.slice(25 * at, 25 * at + 25))));
    stage.written = Date.now();
    return stage;
  }

  storeThrough(endpoint, map = this.map) { return `${storeAt(endpoint, this.table)}&map=${map}`; }

  async put(row) {
    this.rows.delete(row.number);
    await this.program.put(row);
    this.rows.set(row.number, row);
    this.written = Date.now();
  }

  /** A write at random: a new comment, a change of one, or its end. */
  async write() {
    const kind = this.random();
    const row = pick(this.random, [...this.rows.values()]);
    if (kind < 0.4) return this.put(this.fresh.pop());
    this.rows.delete(row.number);
    if (kind < 0.6) { await this.program.remove(row); this.written = Date.now(); return; }
    const { rating, language, attributes } = this.fresh[Math.floor(this.random() * this.fresh.length)];
    const moved = this.program.movable && kind > 0.8 && { created_at: pick(this.random, this.fresh).created_at, ...(kind > 0.9 && { product: pick(this.random, [product, 'other']) }) };
    return this.put({ ...row, rating, language, attributes, ...moved });
  }

  async writeMany(some) { await inTurns(Array.from({ length: some }, () => () => this.write()), 4); }

  get comments() {
    return [...this.rows.values()].filter((row) => row.product === product).map((row) => ({ ...row, id: this.program.idOf(row) }));
  }

  async follow(server) {
    this.written = Date.now(); // the worker reads again what was written before the build
    this.worker = start(['project', ...this.flags, '--poll', '50']);
    await this.caughtUp(server);
  }

  async caughtUp(server) {
    await until('the page index is in step', async () => {
      const asked = Date.now();
      const lag = Number(/^quire_pages_lag_seconds (\S+)$/m.exec((await server.get('/metrics')).expect(200).text)[1]);
      return lag >= 0 && asked - lag * 1000 > this.written;
    }, () => this.worker.text('stderr'));
  }
}
