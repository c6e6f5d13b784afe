// A page index loses its memory, a database is away for a while, a stream is replaced. Pages by cursor go on,
// messages say what to do, and the index recovers. QUIRE_SEED repeats a run, as far as the order of the answers allows.
// Only in ./test --all: servers of databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { seed, seeded } from '../support/data.mjs';
import { call, startDynamoDb } from '../support/dynamodb.mjs';
import { MariaDb, Redis, RedisCluster, backends } from '../support/servers/backends.mjs';
import { Stage, meanwhile, until } from '../support/project.mjs';

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

/** A table with comments, and its followers in step. */
async function make(test, table, index) {
  const stage = await Stage.make({ test, database, table, index, random: seeded(seed) });
  await stage.import(300, seed);
  await stage.mustRun('backfill');
  await stage.serve();
  return stage;
}

/** Writes comments and walks by cursor, in turns. */
async function goOn(stage, busy, when) {
  do {
    await stage.writeMany(12);
    await stage.checkWalk(stage.query(), when);
  } while (busy());
}
const once = () => false;

const losses = {
  'its memory is emptied': (redis) => redis.forget(),
  'it is restarted, and kept nothing': async (redis) => { await redis.stop(); await redis.start(); },
};

/** Switches the table's stream off or on. Each switch makes a new stream. */
async function stream(stage, StreamSpecification) {
  const TableName = stage.table;
  await call(database.endpoint, 'UpdateTable', { TableName, StreamSpecification });
  await until('the table has switched', async () => {
    const { Table } = await call(database.endpoint, 'DescribeTable', { TableName });
    return Table.TableStatus === 'ACTIVE' && (Table.StreamSpecification?.StreamEnabled ?? false) === StreamSpecification.StreamEnabled;
  });
}

describe('outages', { concurrency: 2 }, () => {
  test('Redis loses what it had: pages go on by cursor, the worker says what to do, and it repairs while all go on', { timeout: 300_000 }, async (test) => {
    const redis = await new Redis({ kept: false }).start();
    const stage = await make(test, 'forgetful', redis);
    const worker = stage.work();
    for (const [name, lose] of Object.entries(losses)) {
      const when = `when ${name} (seed ${seed})`;
      await stage.numbersBack();
      const { length } = worker.said();
      await meanwhile(lose(redis), () => stage.writeMany(50));
      await stage.numbersMissing(/empty.*quire backfill/);
      await worker.says(/Run quire backfill/, length);
      await goOn(stage, once, when);
      await meanwhile(stage.mustRun('backfill'), (busy) => goOn(stage, busy, when));
      await stage.numbersBack();
      await stage.check(when);
    }
    await worker.stop();
    await stage.end();
  });

  test('a master of a Redis Cluster is killed while all go on: its replica takes over, and nothing is lost', { timeout: 300_000 }, async (test) => {
    const cluster = await new RedisCluster().start();
    const stage = await make(test, 'failover', cluster);
    const worker = stage.work();
    const when = `while a master is away (seed ${seed})`;
    await stage.caughtUp('before a master is killed');
    const master = await cluster.masterOf(stage.table, 'shoe');
    await meanwhile(stage.writeMany(60), () => master.stop());
    for (let round = 0; round < 3; ++round) await goOn(stage, once, when);
    await stage.numbersBack();
    await stage.check(`after a failover (seed ${seed})`);
    await master.start();
    await cluster.whole();
    await stage.writeMany(20);
    await stage.check(`after the master came back (seed ${seed})`);
    await worker.stop();
    await stage.end();
  });

  for (const [name, Server] of Object.entries({ Redis, MariaDB: MariaDb })) {
    test(`${name} is away for a while: pages go on by cursor, and numbers come back with it`, { timeout: 300_000 }, async (test) => {
      const index = await new Server().start();
      const stage = await make(test, `away${name.toLowerCase()}`, index);
      const when = `while ${name} is away (seed ${seed})`;
      let worker = stage.work();
      await meanwhile(stage.writeMany(100), () => index.stop());
      await stage.numbersMissing(/cannot be asked now/);
      await goOn(stage, once, when);
      await worker.kill();
      if (name !== 'Redis') await stage.dropLeases(); // once, the dead one's shards are taken over in good time
      worker = stage.work(); // it waits, too
      await worker.says(/warning|error/);
      await stage.end();
      await stage.serve();
      await goOn(stage, once, when);
      await stage.numbersMissing(/cannot be asked now/);
      await meanwhile(index.start(), (busy) => goOn(stage, busy, when));
      await stage.numbersBack();
      await stage.check(`after ${name} was away (seed ${seed})`);
      await worker.stop();
      await stage.end();
    });
  }

  for (const [backend, how] of [['LMDB', []], ['SQLite', ['--again']]]) {
    test(`the stream is switched off and on: the worker tells that it is another one, and backfill ${how} repairs (${backend})`, { timeout: 300_000 }, async (test) => {
      const stage = await make(test, `streams${backend.toLowerCase()}`, await backends[backend]());
      const worker = stage.work();
      await stage.caughtUp('at first');
      await stream(stage, { StreamEnabled: false });
      await stage.writeMany(60); // of these no stream tells
      assert.equal((await stage.run('backfill', '--again')).status, 2, 'there is no stream to follow');
      await stream(stage, { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
      await worker.says(/has another stream than before.*Run quire backfill/);
      await stage.numbersMissing(/can no longer follow the table's stream.*quire backfill/);
      assert.equal((await stage.run('verify')).status, 1, 'what does not follow is not compared');
      await goOn(stage, once, 'without a stream');
      await stage.mustRun('backfill', ...how);
      await stage.check(`after another stream (seed ${seed})`);
      await worker.stop();
      await stage.end();
    });
  }
});
