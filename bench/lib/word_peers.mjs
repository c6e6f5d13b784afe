// Peers for questions in words: SQLite's FTS5 and PostgreSQL's GIN. Each answers all questions, tells the processor time of each answer,
// of building, and the bytes a comment.

import { Broken, remove, serverCore, temporaryDirectory } from './processes.mjs';
import * as postgres from './postgres.mjs';
import * as sqlite from './sqlite.mjs';

const facets = "rating IN (4, 5) AND verified = 'true'";

// Each question is three statements: the total, the first page and the page in the middle.
const three = ({ middle }, count, page) => [count, `${page(0)}`, `${page(middle)}`];
const perQuestion = 3;

function bySqlite(question) {
  const { words, faceted } = question;
  const found = `f WHERE f MATCH '${words}'`;
  const joined = `f CROSS JOIN c ON c.n = f.rowid WHERE f MATCH '${words}' AND ${facets}`;
  const rows = !words ? `c WHERE ${facets}` : faceted ? joined : found;
  const order = words ? 'f.rowid' : 'n';
  const page = (skip) => (words && !faceted
    ? `SELECT id FROM (SELECT rowid AS n FROM ${found} ORDER BY rowid DESC LIMIT 20 OFFSET ${skip}) CROSS JOIN c USING (n) ORDER BY n DESC;`
    : `SELECT id FROM ${rows} ORDER BY ${order} DESC LIMIT 20 OFFSET ${skip};`);
  return three(question, `SELECT count(*) FROM ${rows};`, page);
}

function byPostgres(question) {
  const { words, faceted } = question;
  const conditions = [...(words ? [`words @@ plainto_tsquery('english', '${words}')`] : []), ...(faceted ? [facets] : [])];
  const rows = `c WHERE ${conditions.join(' AND ')}`;
  return three(question, `SELECT count(*) FROM ${rows};`, (skip) => `SELECT id FROM ${rows} ORDER BY n DESC LIMIT 20 OFFSET ${skip};`);
}

// The lines of each statement's answer, and those that tell its time.
const mark = '--';
const split = (printed) => printed.split(`${mark}\n`).slice(1).map((part) => part.split('\n').filter(Boolean));

// {total, first, deep, micros} of each question, of the statements' {lines, micros} in their order.
function answers(statements, questions, who) {
  if (statements.length !== perQuestion * questions.length) throw new Broken(`${who} answered ${statements.length} of ${perQuestion * questions.length} statements`);
  return questions.map((_, i) => {
    const [count, first, deep] = statements.slice(perQuestion * i, perQuestion * (i + 1));
    return { total: Number(count.lines[0]), first: first.lines, deep: deep.lines, micros: { total: count.micros, first: first.micros, middle: deep.micros } };
  });
}

/** FTS5 without positions and without a copy of the texts, in process. */
export async function askSqlite(file, comments, questions) {
  const directory = temporaryDirectory();
  const built = await sqlite.script(directory, `PRAGMA journal_mode=OFF;
PRAGMA synchronous=OFF;
PRAGMA cache_size=-1000000;
CREATE TABLE c (n INTEGER PRIMARY KEY, id TEXT, rating INTEGER, verified TEXT);
CREATE VIRTUAL TABLE f USING fts5(text, content='', detail=none, tokenize='porter unicode61');
CREATE TEMP TABLE rows (n INTEGER, id TEXT, rating INTEGER, verified TEXT, text TEXT);
.mode tabs
.import '${file}' rows
INSERT INTO c SELECT n, id, rating, verified FROM rows;
CREATE INDEX by_rating ON c (rating, n);
CREATE INDEX by_verified ON c (verified, n);
.timer on
INSERT INTO f (rowid, text) SELECT n, text FROM rows;
INSERT INTO f (f) VALUES ('optimize');
.timer off
ANALYZE;
SELECT 'bytes ' || sum(pgsize) FROM dbstat WHERE name LIKE 'f\\_%' ESCAPE '\\';`);
  const statements = questions.flatMap(bySqlite).map((statement) => `.print ${mark}\n${statement}`).join('\n');
  const { stdout } = await sqlite.script(directory, `PRAGMA cache_size=-4000000;\n${statements}\n.timer on\n.print ${mark}${mark}\n${statements}`);
  remove(directory);
  const timed = split(stdout.slice(stdout.indexOf(`${mark}${mark}\n`) + 2 * mark.length + 1)).map((lines) => ({ lines: lines.slice(0, -1), micros: timeOf(lines.at(-1)) }));
  const build = built.stdout.split('\n').filter((line) => line.startsWith('Run Time')).reduce((sum, line) => sum + timeOf(line), 0);
  return { answers: answers(timed, questions, 'sqlite3'), build: build / comments, bytes: bytesIn(built.stdout) / comments };
}

function timeOf(line) {
  const found = /^Run Time: real [\d.]+ user ([\d.]+) sys ([\d.]+)/.exec(line);
  if (!found) throw new Broken(`sqlite3 tells no time: ${line}`);
  return (Number(found[1]) + Number(found[2])) * 1e6;
}

const bytesIn = (printed) => Number(/^bytes (\d+)/m.exec(printed)[1]);

// The nanoseconds of the processor that PostgreSQL's process for the connection took until it last waited for a statement.
const spent = `\\echo ${mark}\nSELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 1);`;

/** A column of words of each comment with an index of the kind GIN, through a Unix socket. One process does all work. */
export async function askPostgres(file, comments, questions) {
  const cluster = await postgres.cluster({ core: serverCore });
  try {
    const built = await cluster.sql(`
CREATE UNLOGGED TABLE rows (n integer, id text, rating integer, verified text, text text);
CREATE TABLE c (n integer PRIMARY KEY, id text, rating integer, verified text, words tsvector);
\\copy rows FROM '${file}'
SET max_parallel_maintenance_workers = 0;
${spent}
INSERT INTO c SELECT n, id, rating, verified, to_tsvector('english', text) FROM rows;
CREATE INDEX ON c USING gin (words);
${spent}
DROP TABLE rows;
CREATE INDEX ON c (rating);
CREATE INDEX ON c (verified);
VACUUM (FREEZE, ANALYZE) c;
SELECT 'bytes ' || pg_relation_size('c_words_idx') + (SELECT sum(pg_column_size(words)) FROM c);`);
    const [before, after] = split(built).map(([nanoseconds]) => Number(nanoseconds));
    const statements = ['', ...questions.flatMap(byPostgres)].map((statement) => `${statement}\n${spent}`).join('\n');
    const settings = 'SET max_parallel_workers_per_gather = 0;\nSET jit = off;\n';
    const printed = await cluster.sql(`${settings}${spent}\n${statements}\n${spent}\n${statements}`);
    const asked = split(`${printed}\n`).map(([nanoseconds, ...lines]) => ({ nanoseconds: Number(nanoseconds), lines }));
    return { answers: answers(timed(asked, questions.length), questions, 'PostgreSQL'), build: (after - before) / 1000 / comments, bytes: bytesIn(built) / comments };
  } finally {
    await cluster.end();
  }
}

// Of the second time that all was asked: each statement stands between two looks at the clock, as do two looks without one.
function timed(asked, questions) {
  const last = asked.slice(-(perQuestion * questions + 2));
  const between = last.slice(1).map(({ nanoseconds }, i) => nanoseconds - last[i].nanoseconds);
  return last.slice(1, -1).map(({ lines }, i) => ({ lines, micros: Math.max(0, between[i + 1] - between[0]) / 1000 }));
}
