// The table of another program is away, refuses, stalls and lies, while Quire reads it, builds and follows a page index, and
// verifies it. Each page is right or a clear 503; nothing is lost, and all is right afterwards. QUIRE_SEED repeats a run, as far
// as the order of the answers allows.
// Only in ./test --all: minutes.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentsPath, idsOf, mustRun, run, serve, start } from '../support/harness.mjs';
import { seed, seeded } from '../support/data.mjs';
import { startDynamoDb } from '../support/dynamodb.mjs';
import { comparePages, facetArguments, facets, found, ids } from '../support/facets.mjs';
import { meanwhile } from '../support/project.mjs';
import { Article, Sdk } from '../support/adopted.mjs';
import { AdoptedStage, product } from '../support/adopted_stage.mjs';
import { FaultProxy, always, batchFaults, faults, never, sometimes } from '../support/fault_proxy.mjs';

const ofReading = Object.keys(faults).filter((name) => faults[name].of('Query'));
const named = [...ofReading, ...Object.keys(batchFaults)];
/** Faults that a client survives although they never end. */
const harmless = ['slow', 'clockAhead', 'shortPages'];
/** Without the silence, which lasts as long as the client's patience, and without those that break what else is under way. */
const passing = named.filter((name) => !['appliedThenSilence', 'connectionsRefused'].includes(name));

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

/** A 503 that says what to do and when to try again. */
function mustBeClear(answer, when = '') {
  assert.equal(answer.status, 503, `${answer.name} ${when}`);
  answer.problem('backend-unavailable');
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/, `${answer.name}: Retry-After`);
}

/** A client that repeats a request until the answer is no 503. */
class Patient {
  unavailable = 0;

  constructor(server) { this.server = server; }

  async get(path) {
    for (let sent = 1; ; ++sent) {
      const answer = await this.server.get(path);
      if (answer.status !== 503) return answer;
      mustBeClear(answer);
      this.unavailable += 1;
      assert.ok(sent < 100, `${answer.name}: answered 503 a hundred times\n${answer.text}`);
      await sleep(50);
    }
  }

  async page(of, query) { return (await this.get(commentsPath(of, query))).expect(200).json; }

  async walk(query) {
    const pages = [await this.page(product, query)];
    while (pages.at(-1).page.next) pages.push(await this.page(product, { ...query, after: pages.at(-1).page.next }));
    return pages;
  }
}

/** Runs a command until it succeeds. It may give up with an error, and must not find differences. */
async function persist(...args) {
  for (let tries = 1; ; ++tries) {
    const { status, stdout, stderr } = await run(args);
    if (status === 0) return tries;
    assert.ok([1, 2].includes(status) && stderr.length > 0, `${args[0]} ended with ${status}\n${stdout}\n${stderr}`);
    assert.ok(tries < 30, `${args[0]} failed thirty times\n${stderr}`);
  }
}

/** A server of the stage behind a proxy of its own. */
async function serveBehindProxy(t, stage, ...pages) {
  const proxy = await FaultProxy.start(database.endpoint);
  const server = await serve({ store: stage.storeThrough(proxy.endpoint, pages.length ? stage.map : stage.mapWithIndex), args: [...pages, '--cache', '0', '--access-log', 'none'] });
  t.after(() => server.stop());
  return { proxy, server };
}

// One stream tells what the items are; for the other, each changed item is read.
test('faults while the index is built, followed and verified, and pages are read', { concurrency: 2, timeout: 300_000 }, (t) => Promise.all([Article, Sdk].map((Program) => t.test(Program.name, async (t) => {
  const random = seeded(seed);
  const proxy = await FaultProxy.start(database.endpoint);
  const stage = await AdoptedStage.make(new Program(), `faults-${Program.name}`, { database, through: proxy.endpoint });
  await Promise.all(facets.map((facet) => mustRun([...facetArguments(facet), ...stage.flags])));
  proxy.plan = sometimes(random, 0.15, passing);
  await meanwhile(persist('backfill', ...stage.flags, '--segments', '3'), () => stage.writeMany(30));
  const behind = await serveBehindProxy(t, stage, '--pages', stage.pages);
  t.after(() => stage.worker?.child.kill('SIGKILL'));
  proxy.plan = never; // a worker that cannot describe the table at its start gives up
  await stage.follow(behind.server);
  proxy.plan = sometimes(random, 0.15, passing);
  const client = new Patient(behind.server);
  behind.proxy.plan = sometimes(random, 0.25, passing);
  await Promise.all([comparePages(client, product, stage.comments, 15), persist('verify', ...stage.flags)]);

  // Away for a while.
  for (const each of [proxy, behind.proxy]) each.plan = always('connectionsRefused');
  await Promise.all([stage.writeMany(20), (async () => {
    mustBeClear(await behind.server.get(commentsPath(product)));
    const { status, stderr } = await run(['verify', ...stage.flags]);
    assert.ok(status === 1 || status === 2, `verify ended with ${status}`);
    assert.match(stderr, /does not answer now/);
  })()]);
  for (const each of [proxy, behind.proxy]) each.plan = never;
  await stage.caughtUp(behind.server);
  await comparePages(client, product, stage.comments, 5);
  await mustRun(['verify', ...stage.flags]);
  t.diagnostic(`${proxy.total + behind.proxy.total} requests, ${[...proxy.injected].map(([name, count]) => `${count} ${name}`).join(', ')}; ${client.unavailable} times 503`);
}))));

test('each fault without end is a clear 503, and pages are right after it', { timeout: 300_000 }, async (t) => {
  const { mapping } = new Sdk();
  const stage = await AdoptedStage.make(Object.assign(new Sdk(), { mapping: mapping.replace(/\[\[index\]\][^]*/, '') }), 'endless', { database });
  stage.mapWithIndex = `${stage.map}.index`;
  writeFileSync(stage.mapWithIndex, mapping);
  await mustRun(['backfill', ...stage.flags]);
  stage.worker = start(['project', ...stage.flags, '--poll', '50']);
  t.after(() => stage.worker.child.kill('SIGKILL'));
  const filter = { rating: [2, 5] };
  const query = { ...filter, limit: 60 };
  const wanted = ids(found(stage.comments, filter));
  const ways = [{ pages: ['--pages', stage.pages], names: named.filter((name) => name !== 'shortPages') }, { pages: [], names: ofReading }];
  const lanes = ways.flatMap(({ pages, names }) => [0, 1, 2, 3].map((lane) => ({ pages, names: names.filter((_, at) => at % 4 === lane) })));
  await Promise.all(lanes.map(async ({ pages, names }) => {
    const { proxy, server } = await serveBehindProxy(t, stage, ...pages);
    for (const name of names) {
      proxy.plan = always(name);
      let answer = await server.get(commentsPath(product, query));
      // On a busy machine the page index may be late, and no request goes to the table.
      for (let tries = 0; tries < 20 && !proxy.injected.has(name); ++tries) answer = await server.get(commentsPath(product, query));
      if (harmless.includes(name)) assert.deepEqual(idsOf(answer.expect(200).json), wanted.slice(0, query.limit), name);
      else mustBeClear(answer, name);
      assert.ok(proxy.injected.has(name), name);
      proxy.plan = never;
      assert.deepEqual(idsOf(await new Patient(server).walk(query)), wanted, `after ${name}`);
    }
  }));
});
