// One client floods each budget of the server, while another posts and reads: none of its requests fails, and how long they take.

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Broken } from '../lib/processes.mjs';
import { binary, copyOfGeneratedStore, needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';

export const title = 'floods by one client, and the time of another one';

/** The floods by the budget that they are after: connections, and what each of them does. */
export const floods = {
  'dear questions': { kind: 'dear', connections: 100 },
  'searches among products': { kind: 'find', connections: 100 },
  'bodies that do not end': { kind: 'bodies', connections: 260 },
  'forms that do not end': { kind: 'forms', connections: 260 },
  'bodies that are only announced': { kind: 'announced', connections: 260 },
  'headers that do not end': { kind: 'headers', connections: 260 },
  'answers that are not read': { kind: 'unread', connections: 260 },
  'idle connections': { kind: 'idle', connections: 1200 },
  'wrong tokens': { kind: 'tokens', connections: 50 },
};

export async function measure(report, size, progress) {
  needBinary();
  for (const one of await measureFloods(binary, size, progress)) {
    report.add({ name: `p99 of a post, ${one.name}`, unit: 'ms', quire: one.post });
    report.add({ name: `p99 of a page, ${one.name}`, unit: 'ms', quire: one.page });
  }
  report.note('Floods: a client at 127.0.0.2 floods, and one at 127.0.0.1 posts and reads, a request after the other. None of its requests failed.');
}

/** [{name, post, page}]: of the second client, in milliseconds. The first is beside no flood. */
export async function measureFloods(program, size, progress = () => {}, chosen = Object.keys(floods)) {
  const server = await serve(await copyOfGeneratedStore(size.comments), { program, cache: '64MiB', args: openToPosts });
  const out = [{ name: 'quiet', ...await timesOf(server, size.seconds * 2) }];
  for (const name of chosen) {
    progress(name);
    const { kind, connections } = floods[name];
    const worker = new Worker(new URL('../lib/flood_worker.mjs', import.meta.url), { workerData: { url: server.url, kind, product, connections, localAddress: '127.0.0.2' } });
    await sleep(500); // until the flood is there
    out.push({ name, ...await timesOf(server, size.seconds * 2) });
    await worker.terminate();
  }
  await server.stop();
  return out;
}

async function timesOf(server, seconds) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const posts = [];
  const pages = [];
  const end = performance.now() + 1000 * seconds;
  for (let n = 0; performance.now() < end || n < 20; ++n) {
    const body = JSON.stringify({ language: 'en', rating: 1 + n % 5, author: 'reader', title: 'Fits', text: `I use it every day, ${n}` });
    posts.push(await timed(server, agent, 201, { method: 'POST', path: `/v1/products/${product}/comments`, headers: { 'content-type': 'application/json' } }, body));
    pages.push(await timed(server, agent, 200, { path: `/products/${product}?rating=${1 + n % 5}` }));
  }
  agent.destroy();
  return { post: percentile(posts), page: percentile(pages) };
}

const percentile = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

/** Milliseconds until the answer is whole. */
function timed(server, agent, status, options, body) {
  const { hostname: host, port } = new URL(server.url);
  const begun = performance.now();
  return new Promise((done, fail) => {
    const request = http.request({ host, port, agent, ...options }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === status) done(performance.now() - begun);
        else fail(new Broken(`${options.path} of the other client is answered ${response.statusCode} beside a flood`));
      });
    });
    request.on('error', (error) => fail(new Broken(`${options.path} of the other client failed beside a flood: ${error.message}`)));
    request.end(body);
  });
}
