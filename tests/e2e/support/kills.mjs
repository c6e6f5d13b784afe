// After any kill the page index, the statistics and the leaderboards are right. The tests of one kind of page
// index; each kind has a test file of its own, so that the kinds run in parallel.
// QUIRE_KILLS sets the number of kills. QUIRE_SEED repeats a run, as far as the order of the answers allows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRows, newStore, serve } from './harness.mjs';
import { languages, pick, seed, seeded, subsets } from './data.mjs';
import { call, startDynamoDb } from './dynamodb.mjs';
import { backends } from './servers/backends.mjs';
import { Stage, meanwhile } from './project.mjs';

const mostKills = Math.max(2, Number(process.env.QUIRE_KILLS ?? 6));

/**
 * Kills workers often while the stage is busy, each after it has applied something. Half of the time two workers run, and one takes over the shards of
 * the other. Each lives a little longer than the ones before, so that on a machine of any speed some get to read before they are killed.
 */
async function killWorkers(stage, kills, busy) {
  for (let round = 0, killed = 0; killed < kills || busy() || !(await stage.counted()); ++round) {
    const workers = Array.from({ length: 1 + (round % 2) }, () => stage.work());
    for (const _ of workers) {
      await sleep(20 + stage.random() * 380 + 10 * round);
      await stage.dropLeases();
    }
    await Promise.all(workers.map((worker) => worker.kill()));
    await stage.dropLeases();
    killed += workers.length;
  }
}

/** Kills a backfill half-way and calls it again, many times. */
async function killBackfills(stage, wanted) {
  const began = performance.now();
  await stage.mustRun('backfill');
  let span = performance.now() - began;
  let again = ['--again'];
  for (let killed = 0, round = 0; killed < wanted; ++round) {
    assert.ok(round < 20 * wanted, `only ${killed} of ${round} backfills lived long enough to be killed; one takes about ${span} ms`);
    const { child, ended } = stage.start('backfill', '--segments', '4', ...again);
    await sleep(stage.random() * span);
    child.kill('SIGKILL');
    const { signal, status, stderr } = await ended;
    killed += signal === 'SIGKILL';
    if (signal !== 'SIGKILL') assert.equal(status, 0, `backfill: ${stderr}`);
    again = signal === 'SIGKILL' ? [] : ['--again'];
    if (again.length) span *= 0.9;
  }
  await stage.mustRun('backfill');
}

const statisticsOf = (product) => ({ PK: { S: `PRODUCT#${encodeURIComponent(product)}` }, SK: { S: 'S' } });

/** Damages the data behind Quire's back: statistics count a comment too many, and the page index loses a comment where the test can reach it. */
async function damage(stage) {
  const [product] = stage.products;
  await call(stage.database.endpoint, 'UpdateItem', { TableName: stage.table, Key: statisticsOf(product), UpdateExpression: 'ADD count_5 :one, count_total :one', ExpressionAttributeValues: { ':one': { N: '1' } } });
  const [oldest] = stage.of(product).sort((a, b) => (a.id < b.id ? -1 : 1));
  await stage.index.lose?.(stage.table, oldest);
}

async function checkRepair(stage, when) {
  await damage(stage);
  const found = await stage.run('verify');
  assert.equal(found.status, 3, `verify finds damage ${when}: ${found.stdout}\n${found.stderr}`);
  assert.match(found.stdout, /^Item PRODUCT#shoe S /m);
  if (stage.index.lose) assert.match(found.stdout, /^Page index: PRODUCT#shoe.*: 1 comments are missing, 0 do not belong there\.$/m);
  const repaired = await stage.run('verify', '--repair');
  assert.equal(repaired.status, 0, `verify --repair ${when}: ${repaired.stdout}\n${repaired.stderr}`);
  stage.written = Date.now();
  await stage.check(`${when}, and a repair`);
}

/** A change that is not applied yet is not repaired: repairing would count it twice. */
async function checkBacklog(stage) {
  const next = async () => /<link rel="next" href="([^"]*)">/.exec((await stage.server.get('/products/shoe?limit=5')).expect(200).text)[1];
  assert.match(await next(), /page=2/);
  await stage.postNow('shoe');
  await stage.writeMany(40);
  await stage.postNow('shoe');
  assert.match(await next(), /after=/, 'page 2 begins beyond what the index has not heard of');
  const verified = stage.run('verify', '--repair');
  await sleep(1000); // so that it finds a difference first, and waits
  const worker = stage.work();
  const { status, stdout, stderr } = await verified;
  assert.equal(status, 0, `verify --repair while a worker catches up: ${stdout}\n${stderr}`);
  await stage.check('after a backlog that was not repaired');
  await worker.stop();
}

/** `backend`: a name among backends. `share`: of the usual kills and writes, for a backend whose code is mostly another's. */
export function testKills(backend, share = 1) {
  const kills = Math.ceil(mostKills * share);
  console.log(`${kills} kills`);
  describe(`beside a table is a page index of the kind ${backend}`, { concurrency: 2 }, () => {
    let database; // one each: with much in it, it becomes slow
    before(async () => { database = await startDynamoDb(); });
    after(() => database?.stop());
    const make = async (test, table) => Stage.make({ test, database, table, index: await backends[backend](), random: seeded(seed) });

    test(`${backend}: workers killed while comments are imported, posted, changed and removed; then damage is found and repaired`, { timeout: 600_000 }, async (test) => {
      const stage = await make(test, 'kills');
      await stage.mustRun('backfill');
      await stage.serve();
      const when = `after ${kills} kills (seed ${seed})`;
      await meanwhile(Promise.all([stage.import(300 * share, seed), stage.writeMany(500 * share)]), (busy) => killWorkers(stage, kills, busy));
      const worker = stage.work();
      await stage.check(when);
      await checkRepair(stage, when);
      await worker.stop();
      if (backend === 'LMDB') {
        await checkFigures(stage, when);
        await checkBacklog(stage);
      }
      await stage.end();
    });

    test(`${backend}: the building from a table is killed and called again while comments are written`, { timeout: 600_000 }, async (test) => {
      const stage = await make(test, 'backfills');
      await stage.import(500 * share, seed);
      const { stdout } = await stage.mustRun('page', stage.products[0]);
      assert.match(stdout, /^page numbers are missing: The page index is empty: run quire backfill\.$/m, 'before there is an index');
      await stage.serve();
      await stage.numbersMissing(/is empty/);
      await meanwhile(killBackfills(stage, Math.ceil(5 * share)), (busy) => stage.writeNowAndThen(busy));
      const worker = stage.work();
      await stage.check(`after a backfill that was killed (seed ${seed})`);
      await worker.stop();
      await stage.end();
    });
  });
}

/** Statistics and leaderboards equal those of an embedded store that has the same comments, word for word. */
async function checkFigures(stage, when) {
  const store = newStore();
  await importRows(store, [...stage.comments.values()]);
  const embedded = Object.assign(new Stage(), { server: await serve({ store }) });
  for (const product of [...stage.products, 'nobody']) {
    for (const language of subsets(languages)) {
      const { as_of, ...told } = await stage.statistics(product, language);
      assert.match(as_of, /^\d{4}-.*Z$/);
      assert.deepEqual(told, await embedded.statistics(product, language), `statistics of ${product} in ${language} ${when}`);
    }
  }
  for (const by of ['five_star', 'average']) {
    for (const language of [[], ...languages, 'xx']) {
      const query = { by, language, limit: pick(stage.random, [1, 2, 100]) };
      const { as_of, ...told } = await stage.leaders(query);
      assert.match(as_of, /^\d{4}-.*Z$/);
      assert.deepEqual(told, await embedded.leaders(query), `leaders, ${JSON.stringify(query)} ${when}`);
    }
  }
  await embedded.end();
  const [product] = stage.products;
  const printed = async (...args) => JSON.parse((await stage.mustRun(...args, '--json')).stdout);
  assert.deepEqual(await printed('page', product, '--page', '3', '--limit', '5'), await stage.server.page(product, { page: 3, limit: 5 }));
  for (const [told, wanted] of [[await printed('statistics', product), await stage.statistics(product)], [await printed('leaderboard'), await stage.leaders()]]) {
    assert.match(told.as_of, /^\d{4}-.*Z$/);
    assert.deepEqual({ ...told, as_of: undefined }, { ...wanted, as_of: undefined }, `the command line tells what the server tells ${when}`);
  }
}
