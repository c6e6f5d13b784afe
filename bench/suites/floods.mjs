// One client floods each budget of the server, while another posts and reads: none of its requests fails, and how long they take.

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OneClient } from '../lib/client_times.mjs';
import { binary, copyOfGeneratedStore, needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { percentile } from '../lib/statistics.mjs';

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
  const { quiet, flooded } = await measureFloods(binary, size, progress);
  for (const what of ['post', 'page']) {
    report.add({ name: `p99 of a ${what}, quiet`, unit: 'ms', quire: quiet[what] });
    for (const { name, here, elsewhere } of flooded) {
      const peer = { name: 'flood at another server', value: elsewhere[what] };
      report.add({ name: `p99 of a ${what}, ${name}`, unit: 'ms', quire: here[what], peer, wanted: { at: 'max', of: 'ratio', value: 2 } });
    }
  }
  report.note('Floods: a client at 127.0.0.2 floods, and one at 127.0.0.1 posts and reads, a request after the other. None of its requests failed.');
}

/** p99 in milliseconds of the second client's posts and pages: {quiet: {post, page}, flooded: [{name, here, elsewhere}]}. */
export async function measureFloods(program, size, progress = () => {}, chosen = Object.keys(floods)) {
  const serving = async () => serve(await copyOfGeneratedStore(size.comments), { program, cache: '64MiB', args: openToPosts });
  const [server, other] = [await serving(), await serving()];
  const quiet = new Times();
  const all = chosen.map((name) => ({ name, here: new Times(), elsewhere: new Times() }));
  for (let round = 1; round <= size.rounds; ++round) {
    await quiet.measure(server, size.seconds);
    for (const { name, here, elsewhere } of all) {
      progress(`round ${round} of ${size.rounds}: ${name}`);
      await beside(other, floods[name], () => elsewhere.measure(server, size.seconds));
      await beside(server, floods[name], () => here.measure(server, size.seconds));
    }
  }
  for (const each of [server, other]) await each.stop();
  return { quiet: quiet.p99(), flooded: all.map(({ name, here, elsewhere }) => ({ name, here: here.p99(), elsewhere: elsewhere.p99() })) };
}

/** Measures while a server is flooded. */
async function beside(flooded, { kind, connections }, measured) {
  const workerData = { url: flooded.url, kind, product, connections, localAddress: '127.0.0.2' };
  const worker = new Worker(new URL('../lib/flood_worker.mjs', import.meta.url), { workerData });
  await sleep(500); // until the flood is there
  await measured();
  await worker.terminate();
  await sleep(300); // until its connections are gone
}

/** Of posts and pages by turns. */
class Times {
  post = [];
  page = [];

  async measure(server, seconds) {
    const client = new OneClient(server, 'a flood');
    const end = performance.now() + 1000 * seconds;
    for (let n = 0; performance.now() < end || n < 20; ++n) {
      const body = JSON.stringify({ language: 'en', rating: 1 + n % 5, author: 'reader', title: 'Fits', text: `I use it every day, ${n}` });
      this.post.push(await client.timed(201, { method: 'POST', path: `/v1/products/${product}/comments`, headers: { 'content-type': 'application/json' } }, body));
      this.page.push(await client.timed(200, { path: `/products/${product}?rating=${1 + n % 5}` }));
    }
    client.end();
  }

  p99() { return { post: percentile(this.post, 0.99), page: percentile(this.page, 0.99) }; }
}
