// Google's feed of all products: how fast it is made, and the memory that it takes.

import { createWriteStream, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { anonymousBytes } from '../lib/proc.mjs';
import { Broken, remove, run, temporaryDirectory } from '../lib/processes.mjs';
import { binary, generation, needBinary, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';

export const title = "Google's feed of all products";

const patience = 3_600_000;

export async function measure(report, size, progress) {
  needBinary();
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  progress(`filling a store of ${size.comments} comments of ${size.products} products`);
  await run(binary, [...generation(size.comments, size.products), '--store', `lmdb:${store}`]);
  const shop = join(directory, 'shop.toml');
  writeFileSync(shop, '[shop]\nproduct_url = "https://shop.example/p/{product}"\n[feeds]\ngoogle = true\n');
  const quire = await serve(store, { args: ['--shop', shop] });
  progress('making the feed');
  const before = { memory: anonymousBytes(quire.pid), time: performance.now() };
  let memory = before.memory;
  const made = fetchFeed(`${quire.url}/feeds/google-reviews.zip`, join(directory, 'feed.zip'));
  while (await Promise.race([sleep(20, true), made.then(() => false)])) memory = Math.max(memory, anonymousBytes(quire.pid));
  const seconds = (performance.now() - before.time) / 1000;
  const bytes = await made;
  report.add({ name: "Google's feed, comments looked at", unit: '/s', quire: size.comments / seconds });
  report.add({ name: 'private memory beside that of the server before', unit: 'MiB', quire: memory - before.memory, wanted: { at: 'max', of: 'quire', value: 64 * 2 ** 20 } });
  report.add({ name: 'the feed, compressed', unit: 'MiB', quire: bytes });
  report.note(`The feed is of ${number(size.comments)} comments in ${number(size.products)} products, and was made in ${seconds.toFixed(1)} s.`);
  await quire.stop();
  remove(directory);
  return { seconds, memory: memory - before.memory, bytes };
}

/** Asks until the feed is made; returns its bytes. */
async function fetchFeed(url, file) {
  for (const deadline = Date.now() + patience; ; await sleep(200)) {
    const answer = await new Promise((done, fail) => get(url, { agent: false }, done).on('error', fail));
    if (answer.statusCode === 200) {
      await pipeline(answer, createWriteStream(file));
      return Number(answer.headers['content-length']);
    }
    answer.resume();
    if (answer.statusCode !== 503 || Date.now() > deadline) throw new Broken(`the feed was answered ${answer.statusCode}`);
  }
}
