// What a page by its number costs the server, at any depth, beside the first page, which needs no page index; and under a filter.

import { join } from 'node:path';
import { fetchJson } from '../lib/http.mjs';
import { Broken, need, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { generatedStore, needBinary, serve } from '../lib/quire.mjs';
import { compare, expectSameAnswers, noteDisturbance, page, takeTurns } from '../lib/turns.mjs';
import { cursorAt } from '../lib/walk.mjs';

export const title = 'pages by number over HTTP';

const filter = 'rating=4&rating=5';

export async function measure(report, size, progress) {
  need('wrk', 'taskset');
  needBinary();
  const accessLog = join(temporaryDirectory(), 'access.log');
  const quire = await serve(await generatedStore(size.comments), { core: serverCore, accessLog });
  const contenders = {};
  const add = async (name, query) => { contenders[name] = await page(quire, accessLog, query, report, name); };
  await add('first', '');
  const last = await pagesOf(quire, '');
  const depths = [Math.ceil(last / 50), Math.floor(last / 2) + 1, last];  // of a million: 1000, 25,001, 50,000
  for (const number of depths) {
    progress(`walking to page ${number}`);
    await add(`page ${number}`, await numbered(quire, '', number));
  }
  const middle = Math.ceil(await pagesOf(quire, filter) / 2);
  progress(`walking to page ${middle} of two ratings`);
  await add('first of two ratings', filter);
  await add(`page ${middle} of two ratings`, await numbered(quire, filter, middle));

  const results = await takeTurns(contenders, size, progress);
  await expectSameAnswers(Object.values(contenders));
  await quire.stop();
  addFigures(report, results, depths, middle);
  noteDisturbance(report, 'Pages by number', results);
  return results;
}

const pagesOf = async (quire, query) => (await fetchJson(quire.comments(query))).page.count;

// The query for a page by number. The page must be the one that cursors lead to.
async function numbered(quire, filter, number) {
  const join = (more) => [filter, more].filter(Boolean).join('&');
  const after = await cursorAt(quire.comments(filter), (number - 1) * 20);
  const query = join(`page=${number}`);
  const ids = async (each) => (await fetchJson(quire.comments(each))).comments.map(({ id }) => id).join(' ');
  if (await ids(query) !== await ids(join(`after=${after}`))) throw new Broken(`page ${number} of ${filter || 'all'} is not what cursors lead to`);
  return query;
}

function addFigures(report, results, depths, middle) {
  const { cpu, rate } = compare(report, results);
  const wanted = { at: 'min', of: 'ratio', value: 0.85 };
  for (const number of depths) {
    rate(`page ${number} by number`, `page ${number}`, 'first page', 'first', wanted);
    cpu(`server CPU per request, page ${number} by number`, `page ${number}`, 'first page', 'first');
  }
  const filtered = `page ${middle} of two ratings`;
  rate(`page ${middle} by number, two ratings`, filtered, 'first page of two ratings', 'first of two ratings');
  cpu(`server CPU per request, page ${middle} by number, two ratings`, filtered, 'first page of two ratings', 'first of two ratings');
}
