// The service refuses, stalls, breaks off and lies, one fault at a time and all together, while clients write and read comments.
// Every page is exactly right or a clear 503. Each acknowledged comment is there once. A repeated request settles a 503.
// QUIRE_SEED repeats a run, as far as the order of the answers allows.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath, serveWithToken } from '../support/harness.mjs';
import { expected, languages, pick, randomQuery, ratings, seed, seeded } from '../support/data.mjs';
import { createTable, scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { FaultProxy, always, faults, never, sometimes } from '../support/fault_proxy.mjs';
import { adjustedAverage, recount, sameFigures } from '../support/recount.mjs';
import { startDynalite } from '../support/servers/servers.mjs';

const products = ['42', 'tea & cake'];
/** Faults that a client survives although they never end. */
const harmless = ['slow', 'clockAhead', 'shortPages'];
/** Milliseconds that Quire waits for an answer of the table. A busy machine may need longer, so a later 503 is no sign of a fault. */
const tryTimeout = 4_000;

let database;
let other;
before(async () => { [database, other] = await Promise.all([startDynamoDb(), startDynalite()]); });
after(() => Promise.all([database?.stop(), other?.stop()]));

/** A server whose table is behind a proxy, and the comments that must be there after its answers. */
class Trial {
  comments = new Map();
  posted = 0;
  unavailable = 0;
  early = 0; // of these, sooner than a try can have timed out
  onUnavailable = () => {};

  static async start(table, random, { at = database, parameters = '' } = {}) {
    const trial = new Trial();
    await createTable(at.endpoint, table);
    trial.proxy = await FaultProxy.start(at.endpoint);
    trial.server = await serveWithToken({ store: storeAt(trial.proxy.endpoint, table) + parameters, args: ['--access-log', 'none'] });
    return Object.assign(trial, { table, random, database: at });
  }

  /** Sends the request until the answer is no 503. Each 503 must be a clear one. Returns the answer, and whether a 503 came before. */
  async settle(send) {
    for (let sent = 1; ; ++sent) {
      const sentAt = performance.now();
      const answer = await send();
      if (answer.status !== 503) return { answer, repeated: sent > 1 };
      answer.problem('backend-unavailable');
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/, `${answer.name}: Retry-After`);
      this.unavailable += 1;
      if (performance.now() - sentAt < tryTimeout) this.early += 1;
      this.onUnavailable();
      assert.ok(sent < 100, `${answer.name}: answered 503 a hundred times; ${this.told}\n${answer.text}`);
      await sleep(50);
    }
  }

  async post() {
    const key = `post ${++this.posted} to ${this.table}`;
    const body = { language: pick(this.random, languages), rating: pick(this.random, ratings), author: 'Ann', title: key, text: 'Größer "als" gedacht' };
    const path = commentsPath(pick(this.random, products));
    const { answer } = await this.settle(() => this.server.post(path, body, { 'Idempotency-Key': key }));
    const comment = answer.expect(201).json;
    assert.deepEqual({ ...comment, ...body }, comment, 'what was posted');
    this.comments.set(comment.id, comment);
  }

  async patch(comment) {
    const change = pick(this.random, [{ rating: pick(this.random, ratings) }, { language: pick(this.random, languages) }, { text: `changed ${this.random()}` }, { language: pick(this.random, languages), rating: pick(this.random, ratings), author: '' }]);
    const { answer } = await this.settle(() => this.server.patch(commentPath(comment.id), change));
    assert.deepEqual(answer.expect(200).json, { ...comment, ...change });
    this.comments.set(comment.id, answer.json);
  }

  async remove(comment) {
    const { answer, repeated } = await this.settle(() => this.server.delete(commentPath(comment.id)));
    answer.expect(...(repeated ? [204, 404] : [204])); // 404: an earlier try got through
  }

  /** Makes one random write. Its comment leaves the model until the write ends, so that no other write changes it too. */
  async write() {
    const chosen = pick(this.random, [...this.comments.values()]);
    const kind = this.random();
    if (!chosen || kind < 0.6) return this.post();
    this.comments.delete(chosen.id);
    return kind < 0.85 ? this.patch(chosen) : this.remove(chosen);
  }

  postMany(count) { return Promise.all(Array.from({ length: count }, () => this.post())); }
  async writeMany(count) { for (let n = 0; n < count; ++n) await this.write(); }

  /** Checks every page under a random filter, while nobody writes. */
  async walk() {
    const product = pick(this.random, products);
    const query = randomQuery(this.random, 9);
    const wanted = expected([...this.comments.values()].filter((comment) => comment.product === product), query);
    const name = `${product} ${JSON.stringify(query)}`;
    let cursor;
    let seen = 0;
    do {
      const { answer } = await this.settle(() => this.server.get(commentsPath(product, { ...query, after: cursor })));
      const { comments, page, total } = answer.expect(200).json;
      assert.deepEqual(comments, wanted.slice(seen, seen + query.limit), `${name} from ${seen}`);
      seen += comments.length;
      assert.deepEqual([total, page.has_next, page.next !== undefined], [wanted.length, seen < wanted.length, seen < wanted.length], name);
      cursor = page.next;
    } while (cursor);
  }

  /** Works under a fault that ends when Quire has given up a request. */
  async storm(name) {
    this.proxy.plan = always(name);
    const known = this.unavailable;
    this.onUnavailable = () => { this.proxy.plan = never; };
    await Promise.all([this.post(), this.post(), this.write()]);
    if (faults[name].of('Query')) {
      this.proxy.plan = always(name);
      await this.walk();
    }
    this.onUnavailable = () => {};
    return this.unavailable - known;
  }

  get told() { return `${this.proxy.total} requests, ${[...this.proxy.injected].map(([name, count]) => `${count} ${name}`).join(', ')}; ${this.unavailable} times 503`; }

  async stop() {
    assert.equal((await this.server.stop()).status, 0);
    await this.proxy.stop();
  }
}

/** A comment as an item, its data parsed. */
function itemOf({ id, product, language, rating, author, title, text }) {
  const list = `PRODUCT#${encodeURIComponent(product)}`;
  return {
    PK: `COMMENT#${id}`, SK: `COMMENT#${id}`, GSISK: id, language, rating, data: { author, title, text },
    GSIPK: `${list}/${language}/${rating}`, GSI2PK: `${list}/${language}`, GSI3PK: `${list}/${rating}`, GSI4PK: list,
  };
}

const sorted = (items) => items.sort((a, b) => (a.PK + a.SK < b.PK + b.SK ? -1 : 1));

/** Checks that the table, seen past the proxy, has these comments and no others. */
async function checkComments({ database: at, table, comments }) {
  const stored = (await scan(at.endpoint, table)).filter((item) => item.PK.startsWith('COMMENT#'));
  for (const { once } of stored) assert.match(once ?? 'ONCE#', /^ONCE#[0-9a-f]*$/, 'the item of the idempotency key, if it came with one');
  assert.deepEqual(sorted(stored.map(({ once, ...item }) => ({ ...item, data: JSON.parse(item.data) }))), sorted([...comments.values()].map(itemOf)), 'comments in the table');
}

/** Checks that the statistics items and the leaderboards' entries equal a recount, over all languages and for each. */
async function checkStatistics({ database: at, table, comments, server }) {
  const items = await scan(at.endpoint, table);
  const stored = items.filter((item) => item.PK.startsWith('PRODUCT#') && item.count_total !== 0);
  const wanted = products.flatMap((product) => [undefined, ...languages].flatMap((language) => {
    const { total, ratings: counts } = recount(product, [...comments.values()].filter((comment) => comment.product === product), language);
    if (total === 0) return [];
    const PK = `PRODUCT#${encodeURIComponent(product)}`, of = language ? `#${language}` : '';
    const leader = counts[5] > 0 && { GSIPK: `LEADERS${of}`, GSISK: String(counts[5]).padStart(12, '0') };
    return [
      { PK, SK: `S${of}`, ...Object.fromEntries(ratings.map((rating) => [`count_${rating}`, counts[rating]])), count_total: total, ...leader },
      { PK, SK: `A${of}`, GSIPK: `AVERAGE${of}`, GSISK: adjustedAverage(counts).toFixed(4) },
    ];
  }));
  assert.deepEqual(sorted(stored), sorted(wanted), 'statistics in the table');
  for (const product of products) {
    const own = [...comments.values()].filter((comment) => comment.product === product);
    const told = (await server.get(`/v1/products/${encodeURIComponent(product)}/statistics`)).expect(200).json;
    sameFigures(told, recount(product, own), `statistics of ${product}`);
    assert.equal(items.some((item) => item.PK === 'PRODUCTS' && item.SK === product), own.length > 0, `${product} in the list of products`);
  }
}

/** How often each fault happens; the rest is below. A silence lasts as long as the client's patience, and a refusal breaks all requests under way. */
const rates = { appliedThenSilence: 0.02, connectionsRefused: 0.05, throughputExceeded: 0.15, throttling: 0.15 };
const allTheTime = Object.keys(faults).filter((name) => name !== 'appliedThenSilence');

test('each fault alone', { concurrency: 16, timeout: 600_000 }, (t) => Promise.all(Object.keys(faults).map((name, place) => t.test(name, async (t) => {
  const trial = await Trial.start(`alone-${name}`, seeded(seed + place));
  await trial.postMany(25);
  trial.proxy.plan = sometimes(trial.random, rates[name] ?? 0.3, [name]);
  await Promise.all([1, 2, 3].map(() => trial.writeMany(8)));
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => trial.walk()));
  while (!trial.proxy.injected.has(name)) { // chance can spare a hundred requests
    await trial.write();
    await trial.walk();
  }
  t.diagnostic(trial.told);
  const refused = await trial.storm(name);
  if (harmless.includes(name)) assert.equal(trial.early, 0, `${name} is made up for`);
  else assert.ok(refused > 0, `${name}, if it does not end, is told by a 503`);
  trial.proxy.plan = never;
  await checkComments(trial);
  await checkStatistics(trial);
  await trial.walk();
  t.diagnostic(trial.told);
  await trial.stop();
}))));

test('all faults together', { concurrency: 3, timeout: 600_000 }, (t) => Promise.all([1, 2, 3].map((round) => t.test(`round ${round}`, async (t) => {
  const trial = await Trial.start(`together-${round}`, seeded(seed + 100 + round));
  await trial.postMany(25);
  trial.proxy.plan = sometimes(trial.random, 0.25, allTheTime);
  await Promise.all([1, 2, 3, 4].map(() => trial.writeMany(10)));
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => trial.walk()));
  trial.proxy.plan = never;
  await checkComments(trial);
  await checkStatistics(trial);
  for (let n = 0; n < 5; ++n) await trial.walk();
  t.diagnostic(trial.told);
  await trial.stop();
}))));

/** After these a client cannot know whether its write was applied. */
const unclear = ['appliedThenError', 'appliedThenReset', 'wrongChecksum', 'truncated'];

// Where the stream keeps the statistics, a write changes the comment alone. No worker runs here, so there are no pages.
test('unclear answers to writes without transactions', { concurrency: 2, timeout: 600_000 }, (t) => Promise.all(['database', 'other'].map((which, place) => t.test(which, async (t) => {
  const trial = await Trial.start('alone', seeded(seed + 200 + place), { at: { database, other }[which], parameters: '&statistics=stream' });
  for (const names of [unclear, allTheTime]) {
    trial.proxy.plan = sometimes(trial.random, 0.3, names);
    await Promise.all([1, 2, 3].map(() => trial.writeMany(16)));
  }
  trial.proxy.plan = never;
  await checkComments(trial);
  t.diagnostic(trial.told);
  await trial.stop();
}))));
