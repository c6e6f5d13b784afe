// What a page costs the server, beside nginx serving the very same bytes; unions beside single lists; depth beside the first page.
// Server on one core, load on another; rounds of all contenders take turns, so that noise hits them alike.

import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fetchBody, fetchJson, hash } from '../lib/http.mjs';
import { serveFiles } from '../lib/nginx.mjs';
import { cpuNanoseconds, watchOthers } from '../lib/proc.mjs';
import { Broken, loadCore, need, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { generatedStore, needBinary, product, serve } from '../lib/quire.mjs';
import { median } from '../lib/statistics.mjs';
import { cursorAt } from '../lib/walk.mjs';
import { load } from '../lib/wrk.mjs';

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
  contenders.nginx = await copyOf(contenders.first, nginx, '/page.json');
  contenders.cached = await copyOf(contenders.first, nginx, '/cached/page.json');

  const results = await takeTurns(contenders, size, progress);
  for (const { url, body } of Object.values(contenders)) {
    if (hash(await fetchBody(url)) !== hash(body)) throw new Broken(`${url} changed its answer while it was measured`);
  }
  await nginx.stop();
  await quire.stop();
  addFigures(report, results, depth);
  noteDisturbance(report, results);
  return results;
}

// One of Quire's answers, and how it was found.
async function page(quire, accessLog, query, report, name) {
  const url = quire.comments(query);
  const body = await fetchBody(url);
  const { comments } = JSON.parse(body);
  if (comments.length !== 20) throw new Broken(`${url} has ${comments.length} comments, not 20`);
  const { plan } = await fetchJson(`${url}${query ? '&' : '?'}explain=true`);
  report.answer({ name, path: `/v1/products/${product}/comments${query && `?${query}`}`, bytes: body.length, hash: hash(body), plan: plan.summary });
  return { url, body, pid: quire.pid, accessLog };
}

async function copyOf({ body }, nginx, path) {
  const url = nginx.url + path;
  if (!body.equals(await fetchBody(url))) throw new Broken(`${url} does not serve the bytes that Quire serves`);
  return { url, body, pid: nginx.pid, accessLog: nginx.accessLog };
}

// Per contender: its rounds, each {microseconds of server CPU per request, requests per second}. The first round of each warms up.
async function takeTurns(contenders, { rounds, seconds, warm }, progress) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = warm ? 0 : 1; round <= rounds; ++round) {
    // Every other round in reverse: none is always next to the same neighbour.
    const names = round % 2 ? Object.keys(contenders) : Object.keys(contenders).reverse();
    for (const name of names) {
      progress(`round ${round} of ${rounds}: ${name}`);
      const result = await measureOnce(contenders[name], round === 0 ? 1 : seconds);
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

async function measureOnce({ url, body, pid, accessLog }, seconds) {
  truncateSync(accessLog, 0);
  const others = watchOthers(pid);
  const before = cpuNanoseconds(pid);
  const { requests, bytes, perSecond, p50, p99 } = await load(url, body.length, { core: loadCore, seconds });
  return { cpu: (cpuNanoseconds(pid) - before) / requests / 1000, perSecond, p50, p99, bytesPerAnswer: bytes / requests, others: others() };
}

// A machine that does other things meanwhile gives figures that mean less.
function noteDisturbance(report, results) {
  const rounds = Object.values(results).flat();
  const disturbed = rounds.filter(({ others }) => others > 0.1).length;
  report.note(`Pages: during ${disturbed} of ${rounds.length} rounds other processes used over a tenth of a core.`);
}

function addFigures(report, results, depth) {
  const cpu = (name) => median(results[name].map((round) => round.cpu));
  const rate = (name) => median(results[name].map((round) => round.perSecond));
  const comparing = (unit, figure) => (name, quire, peerName, peer, wanted) => {
    report.add({ name, unit, quire: figure(quire), peer: { name: peerName, value: figure(peer) }, wanted });
  };
  const compareCpu = comparing('µs', cpu);
  const compareRate = comparing('/s', rate);

  compareCpu('server CPU per request, first page of 20', 'first', 'nginx, the same bytes', 'nginx', { at: 'most', of: 'ratio', value: 1.5, goal: 1 });
  compareCpu('the same, nginx keeping files open', 'first', 'nginx with open_file_cache', 'cached');
  compareRate('first pages of 20, one core', 'first', 'nginx, the same bytes', 'nginx');
  compareRate('union of three ratings', 'union', 'one list (rating 5)', 'single', { at: 'least', of: 'ratio', value: 0.8 });
  compareRate('union of three languages, read as three lists', 'languages', 'one list (es)', 'language');
  compareRate(`page ${depth} by cursor`, 'deep', 'first page', 'first', { at: 'least', of: 'ratio', value: 0.95 });
  compareRate('the same, beside a page that takes a cursor too', 'deep', 'second page', 'second');
  compareCpu(`server CPU per request, page ${depth} by cursor`, 'deep', 'first page', 'first');
}
