// The stage for tests of `quire project`, `backfill` and `verify`: a table, the followers of its stream, and the comments that both must have.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath, idsOf, importRows, mustRun, newToken, queryString, run, serve, start, temporaryDirectory, unlimited } from './harness.mjs';
import { expected, languages, pagesOf, pick, randomQuery, ratings, sorts } from './data.mjs';
import { call, scan, storeAt } from './dynamodb.mjs';
import { recount, recountLeaders, sameFigures } from './recount.mjs';

/** Asks until the answer is true. After the time it throws an error that names the wait and the state at its end. */
export async function until(what, ask, instead = () => '') {
  for (const deadline = Date.now() + 90_000; !(await ask()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`${what}: not within 90 s. ${await instead()}`);
  }
}

/** The time up to which the server's page index has all writes, by its gauge; 0: the gauge has no time. */
export async function pagesAsOf(server) {
  const asked = Date.now();
  const lag = /^quire_pages_lag_seconds (\S+)$/m.exec((await server.get('/metrics')).expect(200).text);
  return Number(lag[1]) >= 0 ? asked - Number(lag[1]) * 1000 : 0;
}

/** Runs both to their end. `other` is told whether `one` goes on. */
export async function meanwhile(one, other) {
  let over = false;
  const ended = one.finally(() => { over = true; });
  await Promise.all([ended, other(() => !over)]);
}

export class Stage {
  comments = new Map(); // as they must be, by id
  products = ['shoe', 'shoe/en', 'größe 42'];
  written = Date.now(); // the last time anything was
  posted = 0;
  #children = new Set();
  #last;

  /** Lives as long as `test` runs. `endpoint`: the database's address for quire, if the test uses another. */
  static async make({ test, database, endpoint = database.endpoint, table, index, random }) {
    const stage = Object.assign(new Stage(), { database, table, index, random });
    test.after(() => { for (const child of stage.#children) child.kill('SIGKILL'); }); // what a failure left would slow down others
    stage.store = `${storeAt(endpoint, table)}&statistics=stream`;
    stage.flags = ['--store', stage.store, '--pages', index.pages];
    stage.env = { ...index.env, TMPDIR: temporaryDirectory(), QUIRE_POLL: 50 };
    await mustRun(['table', 'create', '--store', stage.store]);
    return stage;
  }

  run(command, ...args) { return run([command, ...this.flags, ...args], { env: this.env }); }
  async mustRun(command, ...args) {
    const ended = await mustRun([command, ...this.flags, ...args], { env: this.env });
    if (command === 'backfill') this.written = Date.now(); // its worker reads again what was written before it
    return ended;
  }
  start(command, ...args) {
    const process = start([command, ...this.flags, ...args], { env: this.env });
    this.#children.add(process.child);
    this.#last = process;
    return process;
  }

  async serve(...args) {
    const { file, token } = await newToken();
    this.server = await serve({ store: this.store, token, env: this.env, args: ['--pages', this.index.pages, '--tokens', file, '--access-log', 'none', ...unlimited, ...args] });
    this.#children.add(this.server.process.child);
  }

  /** Starts a worker that lives until it is stopped or killed. */
  work(...args) {
    const { child, ended, text } = this.start('project', '--poll', '100', ...args);
    const end = async (signal) => {
      child.kill(signal);
      const { status, signal: by, stderr } = await ended;
      assert.ok(signal === 'SIGKILL' ? by === signal : status === 0, `a worker ended by itself, or badly: status ${status}, signal ${by}\n${stderr}`);
    };
    const said = (from = 0) => text('stderr').slice(from);
    const says = (words, from) => until(`the worker says ${words}`, () => words.test(said(from)));
    const url = () => /^listening on (\S+)$/m.exec(text('stdout'))?.[1]; // with --listen
    return { kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), said, says, url };
  }

  // Writes, and the comments that must be there after them.

  async import(count, seed) {
    const { stdout } = await mustRun(['generate', '--comments', String(count), '--products', '3', '--seed', String(seed), '--stdout']);
    const rows = stdout.trim().split('\n').map((line, at) => ({ ...JSON.parse(line), product: this.products[at % this.products.length] }));
    while (rows.length) {
      const some = rows.splice(0, 250); // no more at once than a slow machine's database can take
      await importRows(this.store, some);
      this.#remember(...some);
    }
  }

  /** Makes one random write. Its comment leaves the model until the write ends, so that no other write changes it, too. */
  async write() {
    const { random } = this;
    const kind = random();
    const chosen = pick(random, [...this.comments.values()]);
    const facets = { rating: pick(random, ratings), language: pick(random, languages) };
    if (!chosen || kind < 0.5) {
      const time = random() < 0.5 ? {} : { created_at: new Date(Date.UTC(2024, 0, 1) + Math.floor(random() * 300) * 86_400_000).toISOString() };
      return this.#post(pick(random, this.products), { ...facets, ...time, title: 'Größe', text: `${random()}` });
    }
    this.comments.delete(chosen.id);
    const path = commentPath(chosen.id);
    if (kind < 0.8) return this.#remember((await this.#settle('patch', path, pick(random, [facets, { rating: facets.rating }, { text: 'changed' }]))).expect(200).json);
    (await this.#settle('delete', path)).expect(204, 404); // 404: where an earlier try got through
    return this.#remember();
  }

  /** Posts a comment that is the newest of its product. */
  postNow(product) { return this.#post(product, { rating: 5, language: 'en', title: 'new', text: 'new' }); }

  async #post(product, comment) {
    const key = { 'Idempotency-Key': `post ${++this.posted}` };
    this.#remember((await this.#settle('post', commentsPath(product), comment, key)).expect(201).json);
  }

  /** Sends the request until the answer is no 503: on two busy processors the database is slow. */
  async #settle(method, ...request) {
    let answer;
    await until(`${method} ${request[0]} is settled`, async () => (answer = await this.server[method](...request)).status !== 503);
    return answer;
  }

  writeMany(count, writers = 4) {
    return Promise.all(Array.from({ length: writers }, async () => { for (let n = 0; n < count / writers; ++n) await this.write(); }));
  }

  /** Writes with pauses. DynamoDB Local rounds times to minutes, so only a pause shows soon that the stream is caught up with. */
  async writeNowAndThen(busy) {
    for (; busy(); await sleep(300)) await this.writeMany(20);
  }

  #remember(...comments) {
    for (const comment of comments) this.comments.set(comment.id, comment);
    this.written = Date.now();
  }

  of(product) { return [...this.comments.values()].filter((comment) => comment.product === product); }

  /** Frees a dead worker's shards at once. A worker would take them over after a silence. */
  async dropLeases() {
    const { endpoint } = this.database;
    for (const { PK, SK } of await scan(endpoint, this.table)) {
      if (SK.startsWith('LEASE#')) await call(endpoint, 'DeleteItem', { TableName: this.table, Key: { PK: { S: PK }, SK: { S: SK } } });
    }
  }

  /** Tells whether the table has statistics of any product. */
  async counted() { return (await scan(this.database.endpoint, this.table)).some(({ SK }) => SK === 'S'); }

  // Answers of the server.

  async statistics(product, language) { return (await this.server.get(`/v1/products/${encodeURIComponent(product)}/statistics${queryString({ language })}`)).expect(200).json; }
  async leaders(query) { return (await this.server.get(`/v1/leaderboard${queryString(query)}`)).expect(200).json; }

  /** Waits until the page index and the statistics say that they have all writes. */
  async caughtUp(when) {
    const statisticsAsOf = async () => Date.parse((await this.statistics(this.products[0])).as_of);
    const inStep = async () => (await pagesAsOf(this.server)) > this.written && (await statisticsAsOf()) > this.written;
    await until(`page index and statistics are in step ${when}`, inStep, async () =>
      `Since the last write: page index ${(await pagesAsOf(this.server)) - this.written} ms, statistics ${(await statisticsAsOf()) - this.written} ms. The last process said: ${this.#last.text('stderr')}`);
  }

  async mustVerify(when) {
    const { status, stdout, stderr } = await this.run('verify');
    assert.equal(status, 0, `verify ${when}: ${stdout.slice(-4000)}\n${stderr.slice(-2000)}`);
    assert.match(stdout, new RegExp(`^${this.comments.size} comments, 0 differences$`, 'm'), `verify ${when}`);
  }

  /** Waits until pages say why they have no numbers. Cursors still work, and a page number is refused. */
  async numbersMissing(words) {
    const [product] = this.products;
    await until(`pages say ${words}`, async () => words.test((await this.server.page(product)).page.numbers_missing));
    const { page } = await this.server.page(product);
    assert.deepEqual([page.number, page.count], [undefined, undefined]);
    assert.match((await this.server.get(commentsPath(product, { page: 2 }))).problem('backend-unavailable', { parameter: 'page' }).detail, words);
  }

  async numbersBack() {
    await until('pages have numbers again', async () => (await this.server.page(this.products[0])).page.number === 1);
  }

  /** Walks by cursor, in any state of the page index. */
  async checkWalk(query, when) {
    const product = pick(this.random, this.products);
    const walked = await this.server.walk(product, query);
    assert.deepEqual(idsOf(walked), expected(this.of(product), query).map(({ id }) => id), `${product} under ${JSON.stringify(query)} ${when}`);
  }

  /** A random limit, not so small that a walk has very many pages. */
  query() { return { ...randomQuery(this.random, 1), limit: 20 + Math.floor(this.random() * 40) }; }

  /** Checks that each page by number is the page of the walk with that number. */
  async checkNumbers(query, when) {
    const product = pick(this.random, this.products);
    const name = `${product} under ${JSON.stringify(query)} ${when}`;
    const wanted = expected(this.of(product), query);
    const count = pagesOf(wanted.length, query.limit);
    let after;
    for (let number = 1; number <= count; ++number) {
      const walked = (await this.server.get(commentsPath(product, { ...query, after }))).expect(200);
      const numbered = (await this.server.get(commentsPath(product, { ...query, page: number }))).expect(200);
      const { comments, page, total } = walked.json;
      assert.deepEqual(comments, wanted.slice((number - 1) * query.limit, number * query.limit), `${name}: page ${number}`);
      assert.deepEqual([page.number, page.count, total, page.numbers_missing], [number, count, wanted.length, undefined], `${name}: page ${number}`);
      assert.equal(numbered.text, walked.text, `${name}: page ${number} by number is that by cursor`);
      after = page.next;
    }
    assert.equal(after, undefined, `${name}: pages end with the last`);
    (await this.server.get(commentsPath(product, { ...query, page: count + 1 }))).problem('page-out-of-range');
  }

  /** Checks verify, pages under every sort, statistics and leaderboards, while nobody writes and all is in step. */
  async check(when) {
    await this.caughtUp(when);
    await this.mustVerify(when);
    for (const sort of [...sorts, ...sorts]) await this.checkNumbers({ ...this.query(), sort }, when);
    for (const product of this.products) {
      const language = pick(this.random, [[], ...languages]);
      const { as_of, ...statistics } = await this.statistics(product, language);
      assert.ok(Date.parse(as_of) > this.written, `as_of ${as_of}`);
      sameFigures(statistics, recount(product, this.of(product), language), `statistics of ${product} in ${language} ${when}`);
    }
    for (const by of ['five_star', 'average']) {
      const { as_of, ...leaders } = await this.leaders({ by });
      sameFigures(leaders, recountLeaders([...this.comments.values()], { by }), `leaders by ${by} ${when}`);
    }
  }

  async end() {
    assert.equal((await this.server.stop()).status, 0);
  }
}
