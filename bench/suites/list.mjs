// The list of all over many products: its first page under each filter, and pages at random times.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OneClient } from '../lib/client_times.mjs';
import { random } from '../lib/facet_questions.mjs';
import { fetchJson } from '../lib/http.mjs';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation, needBinary, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { median, percentile } from '../lib/statistics.mjs';

export const title = 'the list of all products, under each filter';

const week = 7 * 24 * 60 * 60 * 1000;

const filters = {
  'no filter': '',
  '1 star': 'rating=1',
  '1 star, with a proof of purchase': 'rating=1&verified=true',
  'a rare language': 'language=pl',
  'a language that no comment has': 'language=mt',
  'with a proof of purchase': 'verified=true',
  'without a text': 'has_text=false',
  'with a reply, which no comment has': 'replied=true',
  'of a product with many comments': 'product=product-1',
  'of a product with many comments, 1 star': 'product=product-1&rating=1',
};

export async function measure(report, size, progress) {
  needBinary();
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  progress(`filling a store of ${size.comments} comments of ${size.products} products`);
  await run(binary, [...generation(size.comments, size.products), '--facets', '--store', `lmdb:${store}`]);
  const shop = join(directory, 'shop.toml');
  writeFileSync(shop, '[shop]\nlists = "public"\n');
  const tokens = join(directory, 'tokens');
  const { stdout: token } = await run(binary, ['token', 'new', '--tokens', tokens, '--scopes', 'moderate', '--name', 'moderator']);
  const quire = await serve(store, { args: ['--shop', shop, '--tokens', tokens] });
  const reader = new OneClient(quire, 'nothing');
  const timed = (query, headers = {}) => reader.timed(200, { path: `/v1/comments?status=published&${query}`, headers });
  const rounds = {};
  const ask = async (name, queryOf, headers) => {
    progress(name);
    rounds[name] = [];
    const before = cpuNanoseconds(quire.pid);
    for (let i = 0; i < (size.small ? 20 : 500); ++i) rounds[name].push(1000 * await timed(queryOf(), headers));
    const cpu = (cpuNanoseconds(quire.pid) - before) / rounds[name].length / 1000;
    report.add({ name: `list of all, first page, ${name}, CPU`, unit: 'µs', quire: cpu });
    report.add({ name: 'the same, p50', unit: 'µs', quire: median(rounds[name]) });
    report.add({ name: 'the same, p99', unit: 'µs', quire: percentile(rounds[name], 0.99) });
  };
  const ends = await Promise.all(['created_at', '-created_at'].map(async (sort) => {
    const { comments: [comment] } = await fetchJson(`${quire.url}/v1/comments?status=published&limit=1&sort=${sort}`);
    return Date.parse(comment.created_at);
  }));
  for (const [name, query] of Object.entries(filters)) await ask(name, () => query);
  await ask('no filter, for a moderator', () => '', { Authorization: `Bearer ${token.trim()}` });
  await ask('of the last week', () => `since=${new Date(ends[1] - week).toISOString()}`);
  const next = random(7);
  const someTime = () => new Date(ends[0] + next() * (ends[1] - ends[0])).toISOString();
  await ask('before a random time', () => `until=${someTime()}`);
  await ask('before a random time, 1 star', () => `until=${someTime()}&rating=1`);
  report.note(`The list is of ${number(size.comments)} comments in ${number(size.products)} products; one client asks for one page after the other.`);
  reader.end();
  await quire.stop();
  remove(directory);
  return rounds;
}
