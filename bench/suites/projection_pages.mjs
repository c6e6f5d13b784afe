// What page numbers cost over a table, at any depth, with each page index; and the bytes of the indexes. The indexes have a million
// comments, the table only the comments near the pages that are read: a request reads one page of a table of any size.

import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { credentials, importAll } from '../lib/dynamodb.mjs';
import { fetchBody } from '../lib/http.mjs';
import { Broken, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation, pagesBinary, serve } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { expectSameAnswers, page, takeTurns } from '../lib/turns.mjs';

const table = 'pages';
const rowsAPage = 20;
const margin = 100;

/** For each page index its bytes and the speed of filling it; for each page its rounds. */
export async function measurePages({ database, backends }, size, report, progress) {
  const store = database.address(table);
  const last = size.numbered / rowsAPage;
  const middle = last / 2 + 1;
  const depths = size.small ? [1, middle] : [1, last / 50, middle, last]; // of a million: 1, 1,000, 25,001, 50,000
  progress(`importing comments around pages ${depths.join(', ')}`);
  const ids = await fillTable(store, depths, size.numbered);
  const built = await fillIndexes(store, backends, size.numbered, progress);
  const servers = await startServers(store, backends);
  const contenders = await pagesOf(servers, depths, ids, size.numbered, report, database);
  const results = await takeTurns(contenders, size, progress);
  await expectSameAnswers(Object.values(contenders));
  for (const { quire } of Object.values(servers)) await quire.stop();
  return { depths, middle, built, results };
}

// The ids of each page, newest first, from a file of comments, oldest first.
async function fillTable(store, depths, comments) {
  const directory = temporaryDirectory();
  const generated = join(directory, 'generated.jsonl');
  await writeRows(generated, [...generation(comments), '--stdout']);
  const pages = Object.fromEntries(depths.map((depth) => [depth, []]));
  const rows = [];
  let place = comments;
  for await (const line of createInterface({ input: createReadStream(generated) })) {
    --place;
    if (depths.some((depth) => place >= (depth - 1) * rowsAPage - margin && place < depth * rowsAPage + margin)) rows.push(line);
    pages[1 + Math.floor(place / rowsAPage)]?.unshift(JSON.parse(line).id);
  }
  const file = join(directory, 'comments.jsonl');
  writeFileSync(file, rows.map((row) => `${row}\n`).join(''));
  await run(binary, ['table', 'create', '--store', store], { env: credentials });
  await importAll(store, file, rows.length);
  remove(directory);
  return pages;
}

async function fillIndexes(store, backends, comments, progress) {
  const built = {};
  for (const [name, { pages, bytes }] of Object.entries(backends)) {
    progress(`filling ${name} with ${comments} comments`);
    const { stdout } = await run(pagesBinary, [store, pages(table), String(comments)], { core: serverCore, env: credentials });
    built[name] = { perSecond: comments / JSON.parse(stdout).seconds, bytes: await bytes(table) / comments };
  }
  return built;
}

async function startServers(store, backends) {
  const servers = {};
  const all = { none: { pages: () => 'none' }, ...backends };
  for (const [name, { pages, pid }] of Object.entries(all)) {
    servers[name] = { quire: await serve(store, { core: serverCore, env: credentials, args: ['--pages', pages(table)] }), pid };
  }
  return servers;
}

// Checks each page of each server: it has the comments of the table, and the same bytes with every page index.
async function pagesOf({ none, ...numbering }, depths, ids, total, report, database) {
  const contender = ({ quire, pid }, url, body) => ({ url, body, pid: quire.pid, beside: pid, behind: [database.pid, pid].filter(Boolean), connections: 1 });
  const first = none.quire.comments();
  const contenders = { none: contender(none, first, await fetchBody(first)) };
  for (const depth of depths) {
    const query = depth === 1 ? '' : `page=${depth}`;
    let expected;
    for (const [name, server] of Object.entries(numbering)) {
      const url = server.quire.comments(query);
      const body = await fetchBody(url);
      const found = JSON.parse(body);
      const right = found.page.number === depth && found.total === total && found.comments.map(({ id }) => id).join() === ids[depth].join();
      if (!right) throw new Broken(`${name}: page ${depth} is not the comments there: ${body.toString().slice(0, 500)}`);
      if (!(expected ??= body).equals(body)) throw new Broken(`${name} answers page ${depth} otherwise than others`);
      contenders[nameOf(name, depth)] = contender(server, url, body);
    }
    await page(numbering.LMDB.quire, undefined, query, report, `over a table, page ${depth}`);
  }
  return contenders;
}

const nameOf = (name, depth) => `${name}, page ${depth}`;

export function addPagesFigures(report, { depths, middle, built, results }) {
  const figure = (contender, kind) => median(results[contender].map((round) => round[kind]));
  const first = (kind) => ({ name: 'first page, no page index', value: figure('none', kind) });
  const add = (name, unit, quire, peer) => report.add({ name, unit, quire, peer });
  for (const name of Object.keys(built)) {
    for (const depth of depths) {
      const contender = nameOf(name, depth);
      const milliseconds = ({ name: peer, value }) => ({ name: peer, value: value / 1000 });
      add(`${name} over a table, page ${depth}, p50`, 'ms', figure(contender, 'p50') / 1000, milliseconds(first('p50')));
      add('the same, server CPU', 'µs', figure(contender, 'cpu'), first('cpu'));
      if (results[contender][0].beside !== undefined) add(`the same, CPU of ${name} itself`, 'µs', figure(contender, 'beside'));
    }
  }
  for (const name of Object.keys(built)) {
    const p50 = (depth) => figure(nameOf(name, depth), 'p50') / 1000;
    const wanted = { at: 'max', of: 'ratio', value: 3 };
    report.add({ name: `${name}, page ${middle} beside its own page 1, p50`, unit: 'ms', quire: p50(middle), peer: { name: 'page 1', value: p50(1) }, wanted });
  }
  const lmdb = (name, kind) => (name === 'LMDB' ? undefined : { name: 'LMDB', value: built.LMDB[kind] });
  for (const [name, { bytes }] of Object.entries(built)) add(`${name}, room for a comment in its four lists`, 'bytes', bytes, lmdb(name, 'bytes'));
  for (const [name, { perSecond }] of Object.entries(built)) add(`${name}, filled in steps of a thousand`, '/s', perSecond, lmdb(name, 'perSecond'));
}
