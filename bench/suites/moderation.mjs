// What moderation and customers cost: a decision, and a post by a customer, beside a post by a token; and the first page of a long queue
// beside that of a product.

import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { signingShop } from '../lib/customers.mjs';
import { anonymousBytes, cpuNanoseconds } from '../lib/proc.mjs';
import { Broken, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation, needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { changeRows, writeRows } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';

export const title = 'decisions of moderators, their queue, and posts by customers';

const clients = 8;

export async function measure(report, size, progress) {
  needBinary();
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  progress('filling the queue');
  await fillQueue(directory, store, size.comments);
  const tokens = join(directory, 'tokens');
  const { stdout: token } = await run(binary, ['token', 'new', '--tokens', tokens, '--scopes', 'moderate,post', '--name', 'moderator']);
  const shop = signingShop(directory, '[writing]\nwho = "customers"\nonce = true');
  const quire = await serve(store, { args: [...openToPosts, '--tokens', tokens, '--shop', shop.file] });
  const client = new Client(quire, token.trim());
  const rounds = [];
  for (let round = 1; round <= size.repeats; ++round) {
    progress(`round ${round} of ${size.repeats}`);
    rounds.push(await measureOnce(client, size.inserts, (customer) => shop.token(`${round} ${customer}`, { name: 'Ann', purchases: [product] })));
  }
  const memory = anonymousBytes(quire.pid);
  client.close();
  await quire.stop();
  addFigures(report, rounds, memory);
  return rounds;
}

/** A store with as many comments that wait as published ones. */
async function fillQueue(directory, store, comments) {
  const rows = join(directory, 'rows.jsonl');
  await writeRows(rows, [...generation(comments), '--stdout']);
  await changeRows(rows, `${rows}.pending`, (line) => JSON.stringify({ ...JSON.parse(line), author: 'waits', status: 'pending' }));
  for (const file of [rows, `${rows}.pending`]) await run(binary, ['import', '--store', `lmdb:${store}`, file]);
}

class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: clients });
  constructor(quire, token) { Object.assign(this, { quire, token }); }

  close() { this.#agent.destroy(); }

  ask(method, path, value, token = this.token) {
    const body = value && JSON.stringify(value);
    const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }) };
    return new Promise((done, fail) => {
      const sent = request(`${this.quire.url}${path}`, { method, headers, agent: this.#agent }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode < 300) done(JSON.parse(text));
          else fail(new Broken(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`));
        });
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  /** The server's microseconds on a core for each of `count` deeds of several clients. */
  async cost(count, deed) {
    const before = cpuNanoseconds(this.quire.pid);
    await Promise.all(Array.from({ length: clients }, async (_, first) => { for (let i = first; i < count; i += clients) await deed(i); }));
    return (cpuNanoseconds(this.quire.pid) - before) / count / 1000;
  }
}

async function measureOnce(client, count, tokenOf) {
  const comments = `/v1/products/${product}/comments`;
  const ids = [];
  const comment = (i) => ({ rating: 1 + (i % 5), language: 'en', title: 'Fits', text: `I use it every day, number ${i}.` });
  const tokens = Array.from({ length: count }, (_, i) => tokenOf(i));
  const customer = await client.cost(count, (i) => client.ask('POST', comments, comment(i), tokens[i]));
  const post = await client.cost(count, async (i) => { ids[i] = (await client.ask('POST', comments, comment(i))).id; });
  const decide = (decision) => client.cost(count, async (i) => {
    const { decisions: [{ problem }] } = await client.ask('POST', '/v1/moderation/decisions', { decisions: [{ id: ids[i], ...decision }] });
    if (problem) throw new Broken(`a decision failed: ${JSON.stringify(problem)}`);
  });
  const reject = await decide({ status: 'rejected', reason: 'spam' });
  const publish = await decide({ status: 'published' });
  const page = await client.cost(count, () => client.ask('GET', comments));
  const queue = await client.cost(count, () => client.ask('GET', '/v1/moderation/comments'));
  return { post, customer, reject, publish, page, queue };
}

function addFigures(report, rounds, memory) {
  const of = (name) => median(rounds.map((round) => round[name]));
  const beside = (name, value) => ({ peer: { name, value }, wanted: { at: 'max', of: 'ratio', value: 2 } });
  for (const name of ['reject', 'publish']) report.add({ name: `CPU of a decision: ${name}`, unit: 'µs', quire: of(name), ...beside('a post', of('post')) });
  report.add({ name: 'CPU of a post by a customer, once a product, HS256', unit: 'µs', quire: of('customer'), peer: { name: 'a post by a token', value: of('post') }, wanted: { at: 'max', of: 'ratio', value: 1.3 } });
  report.add({ name: 'CPU of the first page of the queue', unit: 'µs', quire: of('queue'), peer: { name: 'first page of a product', value: of('page') } });
  report.add({ name: 'private memory beside the queue', unit: 'MiB', quire: memory, wanted: { at: 'max', of: 'quire', value: 64 * 2 ** 20 } });
}
