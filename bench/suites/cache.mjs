// Pages from the page cache, beside nginx and h2o serving the very same bytes; and what a shop's visitors ask for, with and without it.

import { join } from 'node:path';
import { fetchBody, hash } from '../lib/http.mjs';
import { serveFilesByH2o } from '../lib/h2o.mjs';
import { serveFiles } from '../lib/nginx.mjs';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { Broken, loadCore, need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, copyOfGeneratedStore, generatedStore, generation, needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { shopMix } from '../lib/shop_mix.mjs';
import { median } from '../lib/statistics.mjs';
import { compare, noteDisturbance, takeTurns } from '../lib/turns.mjs';
import { mix } from '../lib/wrk.mjs';

export const title = 'the page cache';

const size64 = '64MiB';

export async function measure(report, size, progress) {
  need('nginx', 'h2o', 'wrk', 'taskset');
  needBinary();
  const rounds = await samePages(report, size, progress);
  return { ...rounds, ...await shop(report, size, progress) };
}

async function samePages(report, size, progress) {
  const store = await generatedStore(size.comments);
  const accessLog = join(temporaryDirectory(), 'access.log');
  const cached = await serve(store, { core: serverCore, accessLog, cache: size64 });
  const rendered = await serve(await copyOfGeneratedStore(size.comments), { core: serverCore, accessLog: `${accessLog}.rendered` });
  const paths = { json: `/v1/products/${product}/comments`, html: `/products/${product}` };
  const contenders = {};
  const files = {};
  for (const [name, path] of Object.entries(paths)) {
    const body = files[`page.${name}`] = await fetchBody(cached.url + path);
    report.answer({ name, path, bytes: body.length, hash: hash(body) });
    contenders[name] = { url: cached.url + path, body, pid: cached.pid, accessLog };
    contenders[`rendered ${name}`] = { url: rendered.url + path, body: body.subarray(0, body.length - 100), pid: rendered.pid, accessLog: `${accessLog}.rendered` };
  }
  const peers = { nginx: await serveFiles(files, { core: serverCore }), h2o: await serveFilesByH2o(files, { core: serverCore }) };
  for (const [peer, { url, pid, accessLog: log }] of Object.entries(peers)) {
    for (const name of Object.keys(paths)) contenders[`${peer} ${name}`] = await copyOf(`${url}/page.${name}`, contenders[name].body, pid, log);
  }
  const results = await takeTurns(contenders, size, progress);
  for (const server of [cached, rendered, ...Object.values(peers)]) await server.stop();
  const { cpu } = compare(report, results);
  for (const name of Object.keys(paths)) {
    const what = `server CPU per request, first page in ${name.toUpperCase()}`;
    cpu(`${what}, from the cache`, name, 'nginx, the same bytes', `nginx ${name}`, { at: 'max', of: 'ratio', value: 0.8 });
    cpu(`${what}, from the cache`, name, 'h2o, the same bytes', `h2o ${name}`, { at: 'max', of: 'ratio', value: 1 });
    cpu(`${what}, from the cache`, name, 'rendered each time', `rendered ${name}`);
  }
  noteDisturbance(report, 'Cached pages', results);
  return results;
}

async function copyOf(url, body, pid, accessLog) {
  if (!body.equals(await fetchBody(url))) throw new Broken(`${url} does not serve the bytes that Quire serves`);
  return { url, body, pid, accessLog };
}

async function shop(report, size, progress) {
  progress('filling a shop');
  const directories = [temporaryDirectory(), temporaryDirectory()];
  const servers = {};
  for (const [i, cache] of [size64, '0'].entries()) {
    const store = join(directories[i], 'store');
    await run(binary, [...generation(size.comments, size.products), '--store', `lmdb:${store}`]);
    servers[cache] = await serve(store, { core: serverCore, cache, args: openToPosts });
  }
  const { file, writes } = await shopMix(servers[0], size.products);
  const results = { mix: [], 'mix without cache': [] };
  for (let round = size.warm ? 0 : 1; round <= size.rounds; ++round) {
    for (const [cache, name] of [[size64, 'mix'], ['0', 'mix without cache']]) {
      progress(`round ${round} of ${size.rounds}: ${name}`);
      const result = await measureMix(servers[cache], file, size.seconds);
      if (round > 0) results[name].push(result);
    }
  }
  for (const server of Object.values(servers)) await server.stop();
  directories.forEach(remove);
  addMix(report, results, writes);
  return results;
}

// As fast as it goes; then at 80 % of that.
async function measureMix(server, file, seconds) {
  const connections = 512;
  const hits = await counters(server);
  const before = cpuNanoseconds(server.pid);
  const fast = await mix(server.url, file, { core: loadCore, seconds });
  const cpu = (cpuNanoseconds(server.pid) - before) / fast.requests / 1000;
  const delay = Math.round(connections / (0.8 * fast.perSecond) * 1000);
  const calm = await mix(server.url, file, { core: loadCore, seconds, connections, delay });
  const after = await counters(server);
  const [hit, missed] = after.map((value, i) => value - hits[i]);
  return { cpu, perSecond: fast.perSecond, p50: calm.p50, p99: calm.p99, calm: calm.perSecond / fast.perSecond, hitRate: hit / (hit + missed || 1) };
}

async function counters(server) {
  const text = (await fetchBody(`${server.url}/metrics`)).toString();
  return ['hits', 'misses'].map((name) => Number(new RegExp(`^quire_cache_${name}_total (\\S+)`, 'm').exec(text)[1]));
}

function addMix(report, results, writes) {
  const of = (name, field) => median(results[name].map((round) => round[field]));
  const add = (name, unit, field) => report.add({ name: `a shop's mix, ${name}`, unit, quire: of('mix', field), peer: { name: 'without the cache', value: of('mix without cache', field) } });
  add('server CPU per request', 'µs', 'cpu');
  add('requests on one core', '/s', 'perSecond');
  add('p50 at 80 % of that', 'µs', 'p50');
  add('p99 at 80 % of that', 'µs', 'p99');
  report.add({ name: 'the same, rate of hits', unit: '%', quire: 100 * of('mix', 'hitRate') });
  report.note(`The mix has ${(100 * writes).toFixed(1)} % posts; the calmer load reached ${(100 * of('mix', 'calm')).toFixed(0)} and ${(100 * of('mix without cache', 'calm')).toFixed(0)} % of the rate before.`);
}
