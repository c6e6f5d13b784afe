// Rounds of load over HTTP in which contenders take turns, so that noise hits them alike. Server on one core, load on another.

import { truncateSync } from 'node:fs';
import { fetchBody, fetchJson, hash } from './http.mjs';
import { childrenOf, cpuNanoseconds, familyNanoseconds, watchOthers } from './proc.mjs';
import { Broken, loadCore } from './processes.mjs';
import { product } from './quire.mjs';
import { median } from './statistics.mjs';
import { load } from './wrk.mjs';

/** One of Quire's answers, and how it was found. */
export async function page(quire, accessLog, query, report, name) {
  const url = quire.comments(query);
  const body = await fetchBody(url);
  const { comments } = JSON.parse(body);
  if (comments.length !== 20) throw new Broken(`${url} has ${comments.length} comments, not 20`);
  const { plan } = await fetchJson(`${url}${query ? '&' : '?'}explain=true`);
  report.answer({ name, path: `/v1/products/${product}/comments${query && `?${query}`}`, bytes: body.length, hash: hash(body), plan: plan.summary });
  return { url, body, pid: quire.pid, accessLog };
}

/** A contender that serves the same bytes as Quire: of nginx or h2o. */
export async function sameBytes(body, { url: origin, pid, accessLog }, path) {
  const url = origin + path;
  if (!body.equals(await fetchBody(url))) throw new Broken(`${url} does not serve the bytes that Quire serves`);
  return { url, body, pid, accessLog };
}

/** Fails unless all of them still answer as before. */
export async function expectSameAnswers(answers) {
  for (const { url, body } of answers) {
    if (!body.equals(await fetchBody(url))) throw new Broken(`${url} changed its answer while it was measured`);
  }
}

/** Per contender: its rounds, each {microseconds of server CPU per request, requests per second}. The first round of each warms up. */
export async function takeTurns(contenders, { rounds, seconds, warm }, progress) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = warm ? 0 : 1; round <= rounds; ++round) {
    // Every other round runs in reverse, so that no contender always follows the same neighbour.
    const names = round % 2 ? Object.keys(contenders) : Object.keys(contenders).reverse();
    for (const name of names) {
      progress(`round ${round} of ${rounds}: ${name}`);
      const result = await measureOnce(contenders[name], round === 0 ? 1 : seconds);
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

// A contender is asked for `url`, or for `paths` there in turns; `behind` it are processes that it needs meanwhile, of which the
// time of that `beside` it is counted, too, with its children's.
async function measureOnce({ url, paths, connections, body, pid, accessLog, beside, behind = [] }, seconds) {
  if (accessLog) truncateSync(accessLog, 0);
  const others = watchOthers(pid, ...behind.flatMap((each) => [each, ...childrenOf(each)]));
  const spent = () => [cpuNanoseconds(pid), beside && familyNanoseconds(beside)];
  const before = spent();
  const { requests, bytes, perSecond, p50, p99 } = await load(url, body.length, { core: loadCore, paths, connections, seconds });
  const [cpu, besideCpu] = spent().map((after, i) => after && (after - before[i]) / requests / 1000);
  return { cpu, beside: besideCpu, perSecond, p50, p99, bytesPerAnswer: bytes / requests, others: others() };
}

/** Notes rounds in which other processes were busy: their figures mean less. */
export function noteDisturbance(report, what, results) {
  const rounds = Object.values(results).flat();
  const disturbed = rounds.filter(({ others }) => others > 0.1).length;
  report.note(`${what}: during ${disturbed} of ${rounds.length} rounds other processes used over a tenth of a core.`);
}

/** Functions that add a figure of one contender beside another: of server CPU, of requests per second. */
export function compare(report, results) {
  const cpu = (name) => median(results[name].map((round) => round.cpu));
  const rate = (name) => median(results[name].map((round) => round.perSecond));
  const comparing = (unit, figure) => (name, quire, peerName, peer, wanted) => {
    report.add({ name, unit, quire: figure(quire), peer: { name: peerName, value: figure(peer) }, wanted });
  };
  return { cpu: comparing('µs', cpu), rate: comparing('/s', rate) };
}
