// The peer for writes: SQLite's own command-line tool, with a table and indexes that answer the same filters.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Broken, remove, run, temporaryDirectory } from './processes.mjs';

// Clustered as in Quire; durable at every commit, like Quire; counts kept in the same transaction, like Quire's.
const schema = `
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE comments (product TEXT, id TEXT, language TEXT, rating INTEGER, created_at TEXT, author TEXT, title TEXT, text TEXT,
  PRIMARY KEY (product, id)) WITHOUT ROWID;
CREATE INDEX by_id ON comments (id);
CREATE INDEX by_language ON comments (product, language, id);
CREATE INDEX by_rating ON comments (product, rating, id);
CREATE INDEX by_language_and_rating ON comments (product, language, rating, id);
CREATE TABLE counts (product TEXT, language TEXT, rating INTEGER, comments INTEGER, PRIMARY KEY (product, language, rating)) WITHOUT ROWID;
`;

const countOne = `
CREATE TRIGGER count_one AFTER INSERT ON comments BEGIN
  INSERT INTO counts VALUES (new.product, new.language, new.rating, 1)
    ON CONFLICT DO UPDATE SET comments = comments + 1;
END;
`;

export async function script(directory, text) {
  const file = join(directory, 'script.sql');
  writeFileSync(file, text);
  const input = openSync(file, 'r');
  const begun = process.hrtime.bigint();
  const { stdout } = await run('sqlite3', ['-bail', join(directory, 'data.db')], { input }).finally(() => closeSync(input));
  return { seconds: Number(process.hrtime.bigint() - begun) / 1e9, stdout };
}

function expectCount({ stdout }, comments) {
  if (stdout.trim().split('\n').at(-1) !== String(comments)) throw new Broken(`SQLite counts ${stdout.trim()}, not ${comments}`);
}

/** Comments a second when `file`, JSON Lines, is loaded in one transaction, with the indexes last: SQLite's fast way. */
export async function importRate(file, comments) {
  const directory = temporaryDirectory();
  const [table, ...rest] = schema.split(/(?=CREATE)/);
  const tables = rest.filter((statement) => statement.startsWith('CREATE TABLE')).join('');
  const indexes = rest.filter((statement) => statement.startsWith('CREATE INDEX')).join('');
  const fields = ['product', 'id', 'language', 'rating', 'created_at', 'author', 'title', 'text'];
  const result = await script(directory, `${table}${tables}
CREATE TEMP TABLE lines (line TEXT);
.mode ascii
.separator "\\037" "\\n"
.import '${file}' lines
BEGIN;
INSERT INTO comments SELECT ${fields.map((field) => `json_extract(line, '$.${field}')`).join(', ')} FROM lines;
INSERT INTO counts SELECT product, language, rating, count(*) FROM comments GROUP BY product, language, rating;
${indexes}COMMIT;
SELECT sum(comments) FROM counts;
`);
  remove(directory);
  expectCount(result, comments);
  return comments / result.seconds;
}

/** Comments a second when one connection inserts each in a transaction of its own. */
export async function insertRate(comments) {
  const directory = temporaryDirectory();
  const inserts = Array.from({ length: comments }, (_, i) => {
    const key = `'product-1', '01JD5ZK3V8${String(i).padStart(16, '0')}', '${i % 3 ? 'en' : 'de'}', ${1 + (i % 5)}`;
    return `INSERT INTO comments VALUES (${key}, '2024-11-20T12:01:00.123Z', 'reader', 'Fits', 'I use it every day, number ${i}.');`;
  });
  const result = await script(directory, `${schema}${countOne}${inserts.join('\n')}\nSELECT sum(comments) FROM counts;\n`);
  remove(directory);
  expectCount(result, comments);
  return comments / result.seconds;
}
