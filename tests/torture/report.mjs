// Counts the cases and prints the finds.

const shown = 20;

export class Report {
  constructor(seed) {
    this.seed = seed;
    this.rows = new Map();
    this.finds = 0;
    this.began = performance.now();
  }

  /** Counts a case by operation and kind of call. Prints a find at once, with the command that repeats it. */
  add(operation, name, { order, moment, power }, { outcome, told, undone, workspace }) {
    const kind = order?.kills || moment !== undefined ? `kill${power ? ', power cut' : ''}` : order ? order.call : 'none, power cut';
    const key = `${operation}\t${kind}`;
    const row = this.rows.get(key) ?? { cases: 0, done: 0, refused: 0, killed: 0, 'not reached': 0, undone: 0, finds: 0 };
    this.rows.set(key, row);
    row.cases += 1;
    row[outcome] += 1;
    row.undone += undone;
    if (told.length === 0) return;
    row.finds += 1;
    if (++this.finds > shown) return;
    console.log(`FOUND  ${operation}: ${name} (files in ${workspace.files})`);
    for (const sentence of told) console.log(`         ${sentence}`);
    if (order) console.log(`         again: tools/torture ${operation} --case '${order}' --seed ${this.seed}`);
  }

  /** Prints the table. */
  print() {
    const columns = ['cases', 'done', 'refused', 'killed', 'not reached', 'undone', 'finds'];
    const line = (first, second, figures) => console.log(`${first.padEnd(12)}${second.padEnd(18)}${figures.map((figure) => String(figure).padStart(12)).join('')}`);
    line('operation', 'fault', columns);
    const sums = Object.fromEntries(columns.map((column) => [column, 0]));
    for (const [key, row] of this.rows) {
      line(...key.split('\t'), columns.map((column) => row[column]));
      for (const column of columns) sums[column] += row[column];
    }
    line('all', '', columns.map((column) => sums[column]));
    console.log(`"refused": the program ended or answered with a clear message; "undone": pages and names that a power cut lost.`);
    console.log(`${((performance.now() - this.began) / 1000).toFixed(0)} s, seed ${this.seed}${this.finds > shown ? `; ${this.finds - shown} finds are not shown` : ''}`);
  }
}
