// A table, what follows its stream, and what must be in both: the stage for tests of `quire project`, `backfill` and `verify`.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath, idsOf, importRows, mustRun, newToken, queryString, run, serve, start, temporaryDirectory, unlimited } from './harness.mjs';
import { expected, languages, pagesOf, pick, randomQuery, ratings, sorts } from './data.mjs';
import { call, storeAt } from './dynamodb.mjs';
import { recount, recountLeaders, sameFigures } from './recount.mjs';

/** Asks until the answer is true. What does not come in time is an error that says what was waited for. */
export async function until(what, ask, seconds = 90) {
  for (const deadline = Date.now() + seconds * 1000; !(await ask()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
  }
}

export class Stage {
  comments = new Map(); // as they must be, by id
  products = ['shoe', 'shoe/en', 'größe 42'];
  written = Date.now(); // the last time anything was

  /** `endpoint`: by which quire reaches the database, if by another than the test. */
  static async make({ database, endpoint = database.endpoint, table, index, random }) {
    const stage = Object.assign(new Stage(), { database, table, index, random });
    stage.store = `${storeAt(endpoint, table)}&statistics=stream`;
    stage.flags = ['--store', stage.store, '--pages', index.pages];
    stage.env = { ...index.env, TMPDIR: temporaryDirectory() };
    await mustRun(['table', 'create', '--store', stage.store]);
    return stage;
  }

  run(command, ...args) { return run([command, ...this.flags, ...args], { env: this.env }); }
  mustRun(command, ...args) { return mustRun([command, ...this.flags, ...args], { env: this.env }); }
  start(command, ...args) { return start([command, ...this.flags, ...args], { env: this.env }); }

  async serve() {
    const { file, token } = await newToken();
    this.server = await serve({ store: this.store, token, env: this.env, args: ['--pages', this.index.pages, '--tokens', file, '--access-log', 'none', ...unlimited] });
    return this.server;
  }

  /** One that lives until it is stopped or killed. */
  work() {
    const { child, ended, text } = this.start('project', '--poll', '20');
    const end = async (signal) => {
      child.kill(signal);
      const { status, signal: by, stderr } = await ended;
      assert.ok(signal === 'SIGKILL' ? by === signal : status === 0, `a worker ended by itself, or badly: status ${status}, signal ${by}\n${stderr}`);
    };
    return { kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), says: (words) => words.test(text('stderr')), text };
  }

  // Writes, and what there must be after them.

  async import(count, seed) {
    const { stdout } = await mustRun(['generate', '--comments', String(count), '--products', '3', '--seed', String(seed), '--stdout']);
    const rows = stdout.trim().split('\n').map((line, at) => ({ ...JSON.parse(line), product: this.products[at % 3] }));
    await importRows(this.store, rows);
    this.#remember(...rows);
  }

  /** One write at random. What it changes is taken out of the comments meanwhile, so that no other write changes it, too. */
  async write() {
    const { random, server } = this;
    const kind = random();
    const chosen = pick(random, [...this.comments.values()]);
    const facets = { rating: pick(random, ratings), language: pick(random, languages) };
    if (!chosen || kind < 0.5) {
      const time = random() < 0.5 ? {} : { created_at: new Date(Date.UTC(2024, 0, 1) + Math.floor(random() * 300) * 86_400_000).toISOString() };
      return this.#remember(await server.add(pick(random, this.products), { ...facets, ...time, title: 'Größe', text: `${random()}` }));
    }
    this.comments.delete(chosen.id);
    if (kind < 0.8) return this.#remember((await server.patch(commentPath(chosen.id), pick(random, [facets, { rating: facets.rating }, { text: 'changed' }]))).expect(200).json);
    (await server.delete(commentPath(chosen.id))).expect(204);
    return this.#remember();
  }

  writeMany(count, writers = 4) {
    return Promise.all(Array.from({ length: writers }, async () => { for (let n = 0; n < count / writers; ++n) await this.write(); }));
  }

  #remember(...comments) {
    for (const comment of comments) this.comments.set(comment.id, comment);
    this.written = Date.now();
  }

  of(product) { return [...this.comments.values()].filter((comment) => comment.product === product); }

  /** A dead worker's shards are taken over when nothing was heard of it for a while; here, at once. */
  async dropLeases() {
    const found = { ProjectionExpression: 'PK, SK', FilterExpression: 'begins_with(SK, :lease)', ExpressionAttributeValues: { ':lease': { S: 'LEASE#' } } };
    for (let from; ;) {
      const { Items, LastEvaluatedKey } = await call(this.database.endpoint, 'Scan', { TableName: this.table, ...found, ...(from && { ExclusiveStartKey: from }) });
      for (const Key of Items) await call(this.database.endpoint, 'DeleteItem', { TableName: this.table, Key });
      if (!(from = LastEvaluatedKey)) return;
    }
  }

  // What the server tells.

  async statistics(product, language) { return (await this.server.get(`/v1/products/${encodeURIComponent(product)}/statistics${queryString({ language })}`)).expect(200).json; }
  async leaders(query) { return (await this.server.get(`/v1/leaderboard${queryString(query)}`)).expect(200).json; }

  /** What was written before then is in the page index, so its gauge says; 0: it does not. */
  async #pagesAsOf() {
    const asked = Date.now();
    const lag = /^quire_pages_lag_seconds (\S+)$/m.exec((await this.server.get('/metrics')).expect(200).text);
    return Number(lag[1]) >= 0 ? asked - Number(lag[1]) * 1000 : 0;
  }

  /** Until page index and statistics have, as they say, all that was written. */
  async caughtUp(when) {
    await until(`page index and statistics are in step ${when}`, async () =>
      (await this.#pagesAsOf()) > this.written && Date.parse((await this.statistics(this.products[0])).as_of) > this.written);
  }

  async mustVerify(when) {
    const { status, stdout, stderr } = await this.run('verify');
    assert.equal(status, 0, `verify ${when}: ${stdout.slice(-4000)}\n${stderr.slice(-2000)}`);
    assert.match(stdout, new RegExp(`^${this.comments.size} comments, 0 differences$`, 'm'), `verify ${when}`);
  }

  /** By cursor, whatever becomes of the page index. */
  async checkWalk(query, when) {
    const product = pick(this.random, this.products);
    const pages = await this.server.walk(product, query);
    assert.deepEqual(idsOf(pages), expected(this.of(product), query).map(({ id }) => id), `${product} under ${JSON.stringify(query)} ${when}`);
    return pages;
  }

  /** Each page by its number is the page that the walk came to, which has its number. */
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

  /** When nobody writes, and all is in step: verify, pages under every sort, statistics and leaderboards. */
  async check(when) {
    await this.caughtUp(when);
    await this.mustVerify(when);
    for (const sort of [...sorts, ...sorts]) await this.checkNumbers({ ...randomQuery(this.random, 60), sort }, when);
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
