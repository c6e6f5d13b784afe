// What a page costs the server, beside nginx serving the very same bytes; unions beside single lists; depth beside the first page.
// Server on one core, load on another; rounds of all contenders take turns, so that noise hits them alike.

import { join } from 'node:path';
import { serveFiles } from '../lib/nginx.mjs';
import { need, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { generatedStore, needBinary, serve } from '../lib/quire.mjs';
import { compare, expectSameAnswers, noteDisturbance, page, sameBytes, takeTurns } from '../lib/turns.mjs';
import { cursorAt } from '../lib/walk.mjs';

export const title = 'pages over HTTP';

const queries = {
  first: '',
  single: 'rating=5',
  union: 'rating=1&rating=4&rating=5',
  language: 'language=es',
  languages: 'language=ar&language=es&language=ja',
};

export async function measure(report, size, progress) {
  need('nginx', 'wrk', 'taskset');
  needBinary();
  const store = await generatedStore(size.comments);
  const accessLog = join(temporaryDirectory(), 'access.log');
  const quire = await serve(store, { core: serverCore, accessLog });
  const depth = Math.floor(size.comments / 20) - 1;
  progress(`walking to page ${depth}`);
  queries.second = `after=${await cursorAt(quire.comments(), 20)}`;
  queries.deep = `after=${await cursorAt(quire.comments(), (depth - 1) * 20)}`;

  const contenders = {};
  for (const [name, query] of Object.entries(queries)) contenders[name] = await page(quire, accessLog, query, report, name);
  const nginx = await serveFiles({ 'page.json': contenders.first.body }, { core: serverCore });
  contenders.nginx = await sameBytes(contenders.first.body, nginx, '/page.json');
  contenders.cached = await sameBytes(contenders.first.body, nginx, '/cached/page.json');

  const results = await takeTurns(contenders, size, progress);
  await expectSameAnswers(Object.values(contenders));
  await nginx.stop();
  await quire.stop();
  addFigures(report, results, depth);
  noteDisturbance(report, 'Pages', results);
  return results;
}

function addFigures(report, results, depth) {
  const { cpu: compareCpu, rate: compareRate } = compare(report, results);
  compareCpu('server CPU per request, first page of 20', 'first', 'nginx, the same bytes', 'nginx', { at: 'max', of: 'ratio', value: 1 });
  compareCpu('the same, nginx keeping files open', 'first', 'nginx with open_file_cache', 'cached');
  compareRate('first pages of 20, one core', 'first', 'nginx, the same bytes', 'nginx');
  compareRate('union of three ratings', 'union', 'one list (rating 5)', 'single', { at: 'min', of: 'ratio', value: 0.8 });
  compareRate('union of three languages, read as three lists', 'languages', 'one list (es)', 'language');
  compareRate(`page ${depth} by cursor`, 'deep', 'first page', 'first', { at: 'min', of: 'ratio', value: 0.95 });
  compareRate('the same, beside a page that takes a cursor too', 'deep', 'second page', 'second');
  compareCpu(`server CPU per request, page ${depth} by cursor`, 'deep', 'first page', 'first');
}
