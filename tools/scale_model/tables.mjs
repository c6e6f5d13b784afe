// The model's results as tables of Markdown.

import { inputs } from './inputs.mjs';
import { bytesOf, ends, hotPosts, loadUnits, partsNeeded, provisionedReads, readUnits, tableBytes, total, unitsOfAFullPage, unitsOfAPage, ways, writeUnits } from './model.mjs';

const titles = {
  embedded: 'embedded store',
  none: 'table, no page index',
  lmdb: 'table, `lmdb:` on each server',
  sql: 'table, SQL',
  redis: 'table, Redis',
};

function number(value, digits = 0) {
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
const plain = (value) => value.toLocaleString('en-GB', { maximumSignificantDigits: 9 });
const rounded = (value) => Number(value.toPrecision(2)).toLocaleString('en-GB');
const billions = (value) => `${number(value / 1e9, 1)} × 10⁹`;
const gigabytes = (bytes) => `${number(bytes / 1e9)} GB`;
const dollars = (value) => `$${number(value)}`;
const time = (hours) => (hours >= 48 ? `${number(hours / 24, 1)} days` : `${number(hours, 1)} h`);
const memory = (bytes) => (bytes === Infinity ? 'none is enough' : `${number(bytes / 2 ** 30)} GiB`);

const markdown = ([head, ...rows]) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

// A row of one figure of each way that has it.
const row = (name, all, of, format) => [name, ...Object.values(all).map(of).map((value) => (value === undefined ? '–' : format(value)))];

function size(all) {
  return markdown([
    ['', ...Object.keys(all).map((name) => titles[name])],
    row('comments', all, ({ bytes }) => bytes, gigabytes),
    row('page index', all, ({ index }) => index, gigabytes),
    row('memory', all, (way) => way.memory, memory),
    row('of it, branches of the trees', all, ({ branches }) => branches, memory),
    row('cores that pages take', all, ({ busy }) => busy, (cores) => number(cores, 1)),
    row('time to load the comments', all, ({ hours }) => hours, time),
    row('the same, with memory for the whole file', all, ({ hoursInMemory }) => hoursInMemory, time),
    row('time to build the page index', all, ({ indexHours }) => indexHours, time),
    row('cost of loading', all, ({ loadDollars }) => loadDollars, dollars),
  ]);
}

const items = {
  storage: 'storage of the table',
  recovery: 'point-in-time recovery',
  reads: 'reads, on demand',
  writes: 'writes, on demand',
  stream: 'reads of the stream',
  index: 'page index, and its machines',
  machine: 'machine',
  servers: 'servers without an index',
  backup: 'a backup',
};

function cost(all) {
  return markdown([
    ['a month', ...Object.keys(all).map((name) => titles[name])],
    ...Object.entries(items).map(([key, name]) => row(name, all, (way) => way.dollars[key], dollars)),
    row('**together**', all, total, (sum) => `**${dollars(sum)}**`),
  ]);
}

function units(i) {
  const writes = writeUnits(i);
  const load = loadUnits(i);
  const bytes = tableBytes(i);
  return markdown([
    ['of the table', ''],
    ['read units of a page', number(unitsOfAPage(i), 2)],
    ['the same, of a product with many comments', number(unitsOfAFullPage(i), 2)],
    ['read units a second', number(readUnits(i))],
    ['the same, provisioned, a month', dollars(provisionedReads(i))],
    ['write units of a new comment, `statistics=write`', number(writes.write, 1)],
    ['the same, `statistics=stream`', number(writes.stream, 1)],
    ['write units of loading, by transactions', billions(load.write)],
    ['the same, by puts, then `quire backfill`', billions(load.stream)],
    ['statistics among the bytes', `${number((100 * (bytes.all - i.comments * (5 * i.overhead + i.item + 4 * i.entry))) / bytes.all)} %`],
    ['shards of the stream', number(Math.ceil(bytes.base / (i.partition * 1e9)))],
  ]);
}

// The same bytes with the same comments in fewer products.
function spread(i) {
  const counts = [1e8, 1e7, 1e6, 1e5];
  const of = (products) => bytesOf({ ...i, products });
  return markdown([
    ['products', 'embedded store', '`lmdb:` index', 'SQL index', 'table'],
    ...counts.map((products) => {
      const { store, lmdb, sql } = of(products);
      return [number(products), gigabytes(store), gigabytes(lmdb), gigabytes(sql), gigabytes(tableBytes({ ...i, products }).all)];
    }),
  ]);
}

function origins(i) {
  return markdown([
    ['input', 'value', 'unit', 'from'],
    ...Object.entries(inputs).map(([name, { unit, from }]) => [`\`${name}\``, plain(i[name]), unit, from]),
  ]);
}

function limits(i) {
  const most = ends(i);
  return markdown([
    ['way', 'ends at', 'because'],
    ['embedded store', `${rounded(most.storeComments)} comments`, 'the disk of the machine is full to four fifths'],
    ['', `${rounded(most.storePages)} pages a second`, 'its cores wait for leaves that are not in memory'],
    ['', `${rounded(most.storePosts)} posts a second`, 'one writer reads such leaves, and writes them'],
    ['table', `${rounded(most.tablePages)} pages a second`, 'the default quota of reads; the service raises it'],
    ['', `${rounded(most.productPages)} pages of one product a second`, 'one partition; the page cache answers most of them'],
    ['`lmdb:` index', `${rounded(most.lmdbComments)} comments`, 'with the machine\'s memory the build takes longer than the stream keeps its records'],
    ['', `${most.lmdbServers} servers`, 'all indexes together may read a shard so often a second, each once'],
    ['SQL index', `${rounded(most.sqlComments)} comments`, 'as `lmdb:`'],
    ['Redis', `${most.redisNodes} nodes, twice`, 'no limit of its own: memory is bought in proportion'],
  ]);
}

function hot(i) {
  const undivided = { all: 1, byLang: 1, byRating: 1, byLangAndRating: 1 };
  const needed = partsNeeded(i);
  const divided = [undivided, { ...undivided, byRating: 4 }, { ...undivided, all: needed.all }, { all: 4, byLang: 4, byRating: 4, byLangAndRating: 4 }, needed];
  return markdown([
    ['parts of `all`', '`byLang`', '`byRating`', '`byLangAndRating`', 'comments a second'],
    ...divided.map((parts) => [...Object.values(parts), number(hotPosts(i, parts))]),
  ]);
}

/** All tables, in the order of docs/scale.md. */
export function tables(i) {
  const all = ways(i);
  return [size(all), cost(all), units(i), spread(i), limits(i), hot(i), origins(i)];
}
