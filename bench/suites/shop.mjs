// What a shop's visitors ask for: Quire with and without its page cache, beside a program over PostgreSQL as it is usually written.

import { join } from 'node:path';
import { fetchBody, fetchJson } from '../lib/http.mjs';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { Broken, loadCore, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation, needBinary, openToPosts, serve } from '../lib/quire.mjs';
import { writeRows } from '../lib/rows.mjs';
import { byNumber, fileOf, shopMix } from '../lib/shop_mix.mjs';
import * as peer from '../lib/shop_peer.mjs';
import { median } from '../lib/statistics.mjs';
import { mix } from '../lib/wrk.mjs';

export const title = "a shop's mix of requests";

const peers = { counting: 'Go over PostgreSQL, count(*)', keeping: 'Go over PostgreSQL, counts by a trigger' };

export async function measure(report, size, progress) {
  need('wrk', 'taskset');
  needBinary();
  const directory = temporaryDirectory();
  const contenders = await quireServers(directory, size, progress);
  const lines = await shopMix(contenders.cached, size.products);
  for (const each of Object.values(contenders)) each.file = fileOf(lines);
  const cluster = await addPeers(contenders, fileOf(byNumber(lines)), directory, size, progress);
  progress('comparing answers');
  for (const name of Object.keys(peers)) await mustAgree(contenders.cached, contenders[name], lines, size);
  const results = await takeTurns(contenders, size, progress);
  for (const each of Object.values(contenders)) await each.stop();
  await cluster.end();
  remove(directory);
  addFigures(report, results, lines);
  return results;
}

async function quireServers(directory, size, progress) {
  progress('filling a shop');
  const servers = {};
  for (const [name, cache] of [['cached', '64MiB'], ['rendered', '0']]) {
    const store = join(directory, name);
    await run(binary, [...generation(size.comments, size.products), '--store', `lmdb:${store}`]);
    const server = await serve(store, { core: serverCore, cache, args: openToPosts });
    servers[name] = { ...server, cpu: () => cpuNanoseconds(server.pid), hits: () => cacheCounters(server) };
  }
  return servers;
}

async function addPeers(contenders, file, directory, size, progress) {
  progress('filling PostgreSQL');
  const rows = join(directory, 'rows.jsonl');
  await writeRows(rows, [...generation(size.comments, size.products), '--stdout']);
  const cluster = await peer.fill(rows, { core: serverCore });
  for (const name of Object.keys(peers)) contenders[name] = { ...await peer.serveShop(cluster, name, { core: serverCore }), file };
  return cluster;
}

// Before any post, both have the same comments on the same pages, and the same totals.
async function mustAgree(quire, other, lines, size) {
  const gets = [...new Set(lines.filter((line) => line.startsWith('GET')))].slice(0, size.small ? 50 : 500).map((line) => line.slice(4));
  for (const path of gets) {
    const [ours, theirs] = [quire.url + path, other.url + byNumber([path])[0]];
    if (path.startsWith('/v1')) {
      const [a, b] = [await fetchJson(ours), await fetchJson(theirs)];
      if (shown(a) !== shown(b)) throw new Broken(`${theirs} gives ${shown(b)}, Quire ${shown(a)}`);
    } else {
      const [a, b] = [await fetchBody(ours), await fetchBody(theirs)].map(articles);
      if (a !== b) throw new Broken(`${theirs} shows ${b}, Quire ${a}`);
    }
  }
}

const shown = ({ comments, total }) => `${total}: ${comments.map(({ id }) => id).join(' ')}`;
const articles = (html) => [...html.toString().matchAll(/<article[^>]* id="(?:c-)?(\w{26})"/g)].map(([, id]) => id).join(' ');

async function takeTurns(contenders, size, progress) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = size.warm ? 0 : 1; round <= size.rounds; ++round) {
    const names = round % 2 ? Object.keys(contenders) : Object.keys(contenders).reverse();
    for (const name of names) {
      progress(`round ${round} of ${size.rounds}: ${name}`);
      const result = await measureOnce(contenders[name], size.seconds);
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

// As fast as it goes; then at 80 % of that.
async function measureOnce({ url, file, cpu, hits = () => [0, 0] }, seconds) {
  const connections = 512;
  const hitsBefore = await hits();
  const before = cpu();
  const fast = await mix(url, file, { core: loadCore, seconds });
  const spent = (cpu() - before) / fast.requests / 1000;
  const delay = Math.round(connections / (0.8 * fast.perSecond) * 1000);
  const calm = await mix(url, file, { core: loadCore, seconds, connections, delay });
  const [hit, missed] = (await hits()).map((value, i) => value - hitsBefore[i]);
  return { cpu: spent, perSecond: fast.perSecond, p50: calm.p50, p99: calm.p99, calm: calm.perSecond / fast.perSecond, hitRate: hit / (hit + missed || 1) };
}

async function cacheCounters(server) {
  const text = (await fetchBody(`${server.url}/metrics`)).toString();
  return ['hits', 'misses'].map((name) => Number(new RegExp(`^quire_cache_${name}_total (\\S+)`, 'm').exec(text)[1]));
}

function addFigures(report, results, lines) {
  const of = (name, field) => median(results[name].map((round) => round[field]));
  const figures = { 'CPU per request': ['µs', 'cpu'], 'requests on one core': ['/s', 'perSecond'], 'p50 at 80 % of that': ['µs', 'p50'], 'p99 at 80 % of that': ['µs', 'p99'] };
  for (const [name, text] of Object.entries({ rendered: 'without the cache', ...peers })) {
    for (const [what, [unit, field]] of Object.entries(figures)) {
      report.add({ name: `a shop's mix, ${what}`, unit, quire: of('cached', field), peer: { name: text, value: of(name, field) } });
    }
  }
  report.add({ name: 'the same, rate of hits', unit: '%', quire: 100 * of('cached', 'hitRate') });
  const writes = lines.filter((line) => line.startsWith('POST')).length / lines.length;
  const calm = Object.keys(results).map((name) => `${name} ${(100 * of(name, 'calm')).toFixed(0)} %`).join(', ');
  report.note(`The mix has ${(100 * writes).toFixed(1)} % posts; the calmer load reached of the rate before: ${calm}.`);
}
