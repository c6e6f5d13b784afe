// What webhooks cost: the server's processor time of a post while none, or two webhooks are told of it, and of a message until its receiver has it.
// Once as fast as clients post, and once at steady rates, at which each post pays for its messages.

import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuNanoseconds } from '../lib/proc.mjs';
import { Broken, remove, temporaryDirectory } from '../lib/processes.mjs';
import { needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { median } from '../lib/statistics.mjs';

export const title = 'posts that webhooks are told of';

const clients = 8;
const patience = 120_000;
const rates = [25, 160]; // posts a second
const messagesOfAPost = 1.4; // to a program that is told of all, and a chat of those of one and two stars of five

/** Takes every message at once, and counts them. */
async function receiver() {
  const it = { taken: 0 };
  const server = createServer((message, answer) => {
    message.resume().on('end', () => { ++it.taken; answer.writeHead(204).end(); });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  it.url = `http://127.0.0.1:${server.address().port}/`;
  it.close = () => { server.closeAllConnections(); server.close(); };
  return it;
}

const copyTo = (url) => `[[webhook]]\nname = "copy"\nurl = "${url}"\nsecret = "secret"\nprivate = true\n`;
const chatAt = (url) => `[[webhook]]\nname = "bad"\nurl = "${url}"\nformat = "slack"\nrating.max = 2\nprivate = true\n`;

/** The webhooks of a setting, and the ratings of its posts in turns. */
const settings = {
  'no webhook': {},
  'a log of events': { shop: () => '[feeds]\nchanges = true\n' },
  'a chat of bad ones, and none is bad': { shop: chatAt, ratings: [5] },
  'a program and a chat of bad ones': { shop: (url) => copyTo(url) + chatAt(url), told: true },
};

export async function measure(report, size, progress) {
  needBinary();
  const rounds = Object.fromEntries(Object.keys(settings).map((name) => [name, []]));
  for (let round = 0; round <= size.repeats; ++round) { // the first one warms up
    for (const name of Object.keys(settings)) {
      progress(`round ${round} of ${size.repeats}: ${name}`);
      const spent = await measureOnce(settings[name], size.inserts);
      if (round > 0) rounds[name].push(spent);
    }
  }
  const of = (name, part) => median(rounds[name].map((spent) => spent[part]));
  const [none, ...others] = Object.keys(settings);
  for (const name of others) {
    report.add({ name: `CPU of a post: ${name}`, unit: 'µs', quire: of(name, 'post'), peer: { name: none, value: of(none, 'post') }, wanted: { at: 'max', of: 'ratio', value: 1.05 } });
  }
  report.add({ name: 'CPU of a message', unit: 'µs', quire: (of(others.at(-1), 'untilTold') - of(none, 'post')) / messagesOfAPost });
  await measureRates(report, size, progress);
  report.note(`${clients} clients posted ${number(of(others.at(-1), 'rate'))} comments a second.`);
  return rounds;
}

/** Posts at a steady rate, until their messages are taken; in turns, because a machine's speed changes. */
async function measureRates(report, size, progress) {
  const [none, told] = ['no webhook', 'a program and a chat of bad ones'];
  for (const rate of rates) {
    const spent = { [none]: [], [told]: [] };
    for (let round = 0; round < size.repeats; ++round) {
      for (const name of [none, told]) {
        progress(`round ${round + 1} of ${size.repeats}: ${rate} posts a second, ${name}`);
        const posts = Math.ceil(size.inserts / size.repeats);
        spent[name].push(await withServer(settings[name], (quire, to, ratings) => costUntilTold(quire, settings[name].told ? to : undefined, posts, ratings, rate)));
      }
    }
    report.add({ name: `CPU of a post, ${rate} a second: ${told}`, unit: 'µs', quire: median(spent[told]), peer: { name: none, value: median(spent[none]) } });
  }
}

async function measureOnce(setting, posts) {
  return withServer(setting, async (quire, to, ratings) => {
    const spent = {};
    if (setting.told) spent.untilTold = await costUntilTold(quire, to, 5 * Math.ceil(posts / 25), ratings);
    const [before, begun] = [cpuNanoseconds(quire.pid), performance.now()];
    await postAll(quire, posts, ratings);
    spent.post = (cpuNanoseconds(quire.pid) - before) / posts / 1000;
    spent.rate = 1000 * posts / (performance.now() - begun);
    return spent;
  });
}

/** What `work(quire, receiver, ratings)` gives for a server of this setting. */
async function withServer({ shop = () => '', ratings = [1, 2, 3, 4, 5] }, work) {
  const directory = temporaryDirectory();
  const to = await receiver();
  writeFileSync(join(directory, 'secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  writeFileSync(join(directory, 'shop.toml'), `[shop]\n${shop(to.url)}`);
  const quire = await serve(join(directory, 'store'), { args: [...openToPosts, '--shop', join(directory, 'shop.toml')] });
  const spent = await work(quire, to, ratings);
  await quire.stop();
  to.close();
  remove(directory);
  return spent;
}

/** Microseconds of the server for each of some posts, until the receiver, where there is one, has their messages. `rate`: posts a second; absent: as fast as they go. */
async function costUntilTold(quire, to, posts, ratings, rate) {
  const before = cpuNanoseconds(quire.pid);
  await postAll(quire, posts, ratings, rate);
  for (const deadline = Date.now() + patience; to && to.taken < posts * messagesOfAPost; await sleep(10)) {
    if (Date.now() > deadline) throw new Broken(`only ${to.taken} messages of ${posts} posts came in ${patience / 1000} s`);
  }
  return (cpuNanoseconds(quire.pid) - before) / posts / 1000;
}

async function postAll(quire, count, ratings, rate = Infinity) {
  const begun = performance.now();
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  await Promise.all(Array.from({ length: clients }, async (_, first) => {
    for (let i = first; i < count; i += clients) {
      const early = begun + 1000 * i / rate - performance.now();
      if (early > 0) await sleep(early);
      await post(agent, quire, { rating: ratings[i % ratings.length], language: 'en', title: 'Fits', text: `I use it every day, number ${i}.` });
    }
  }));
  agent.destroy();
}

function post(agent, quire, comment) {
  const body = JSON.stringify(comment);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const sent = request(`${quire.url}/v1/products/${product}/comments`, { method: 'POST', headers, agent }, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 201 ? done() : fail(new Broken(`a post was answered ${answer.statusCode}`))));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}
