// `quire lambda` against a runtime API of the test's own, which hands it real records of a table's stream: batch by batch, some
// twice, and some to a function that is killed meanwhile.
// Only in ./test --all: servers of databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run, start } from '../support/harness.mjs';
import { seed, seeded } from '../support/data.mjs';
import { startDynamoDb } from '../support/dynamodb.mjs';
import { Runtime, records as recordsOf } from '../support/lambda.mjs';
import { backends } from '../support/servers/backends.mjs';
import { Stage } from '../support/project.mjs';

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

const records = (table) => recordsOf(database.endpoint, table);
const sequenceOf = (record) => record.dynamodb.SequenceNumber;

for (const backend of ['LMDB', 'Redis']) {
  describe(`statistics and a page index in ${backend}, kept by a function`, () => {
    let runtime, stage, random;
    const ends = []; // what the stage wants to be done after all
    before(async () => {
      random = seeded(seed);
      runtime = await Runtime.listen();
      stage = await Stage.make({ test: { after: (end) => ends.push(end) }, database, table: `lambda${backend.toLowerCase()}`, index: await backends[backend](), random });
      await stage.serve();
    });
    after(async () => { runtime?.close(); await stage?.end(); for (const end of ends) end(); });

    const begin = () => start(['lambda', ...stage.flags], { env: { ...stage.env, AWS_LAMBDA_RUNTIME_API: runtime.address } });

    test('before anything was built, calls fail, so that they are made again', async () => {
      const { child, ended } = begin();
      const { outcome, answer } = await runtime.invoke({ Records: [] });
      assert.equal(outcome, 'error');
      assert.match(answer.errorMessage, /run quire backfill/);
      child.kill('SIGKILL');
      await ended;
      runtime.forget();
    });

    test('what is no event is refused', async () => {
      const { child, ended } = begin();
      for (const event of ['{"Records":[{"eventName":"INSERT"}]}', 'no JSON', '[]'])
        assert.equal((await runtime.invoke(event)).outcome, 'error', event);
      child.kill('SIGKILL');
      await ended;
      runtime.forget();
    });

    test('records that come twice, and functions that are killed, change nothing', async () => {
      // Earlier records come as well: Lambda gives a stream from its oldest record.
      await stage.import(80, seed % 1000 + 1);
      await stage.writeMany(40);
      await stage.mustRun('backfill', '--lambda');
      await stage.mustVerify('before any call');
      await stage.import(80, seed % 1000 + 2);
      await stage.writeMany(200);
      let lambda = begin();
      let left = [];
      for await (const record of records(stage.table)) left.push(record);
      assert.ok(left.length > 300, `${left.length} records`);
      while (left.length) {
        const batch = left.slice(0, 1 + Math.floor(random() * 120));
        const kill = random() < 0.15;
        if (kill) setTimeout(() => lambda.child.kill('SIGKILL'), random() * 30);
        const result = await runtime.invoke({ Records: batch }, kill ? 1000 : 60_000);
        if (kill) {
          await lambda.ended;
          runtime.forget();
          lambda = begin();
        }
        if (result?.outcome !== 'response' || random() < 0.2) continue; // the very same comes again
        const [failed] = result.answer.batchItemFailures;
        const done = failed ? batch.findIndex((record) => sequenceOf(record) === failed.itemIdentifier) : batch.length;
        assert.ok(done >= 0, `no record ${failed?.itemIdentifier} in the batch`);
        left = left.slice(done);
      }
      assert.deepEqual(await runtime.invoke({}), { outcome: 'response', answer: { batchItemFailures: [] } }); // a schedule's: time goes by
      await stage.check('after all batches');
      lambda.child.kill('SIGKILL');
      await lambda.ended;
      runtime.forget();
    });

    test('where a worker was first, a function waits until it is handed over, and nothing is counted twice', async () => {
      await stage.mustRun('backfill', '--again');
      const worker = stage.work();
      await stage.writeMany(40);
      await stage.caughtUp('by a worker');
      await worker.stop();
      const lambda = begin();
      const all = [];
      for await (const record of records(stage.table)) all.push(record);
      const early = await runtime.invoke({ Records: all.slice(-50) });
      assert.equal(early.outcome, 'error');
      assert.match(early.answer.errorMessage, /backfill --lambda --again/);
      await stage.mustRun('backfill', '--lambda', '--again');
      await stage.writeMany(40);
      const later = [];
      for await (const record of records(stage.table)) later.push(record);
      for (; later.length; later.splice(0, 100)) {
        const result = await runtime.invoke({ Records: later.slice(0, 100) });
        assert.deepEqual(result, { outcome: 'response', answer: { batchItemFailures: [] } });
      }
      await runtime.invoke({});
      await stage.check('after the hand-over');
      lambda.child.kill('SIGKILL');
      await lambda.ended;
      runtime.forget();
    });

    test('another table\'s records are refused', async () => {
      const lambda = begin();
      for await (const record of records(stage.table)) {
        const { outcome, answer } = await runtime.invoke({ Records: [{ ...record, eventSourceARN: 'arn:aws:dynamodb:eu-west-1:1:table/other/stream/2026' }] });
        assert.equal(outcome, 'error');
        assert.match(answer.errorMessage, /records of the table other/);
        break;
      }
      lambda.child.kill('SIGKILL');
      await lambda.ended;
      runtime.forget();
    });

    test('a call whose time is over does nothing more, and is made again', async () => {
      await stage.writeMany(20);
      const lambda = begin();
      await runtime.invoke({}); // time goes by, which tells nothing of what is to come
      const all = [];
      for await (const record of records(stage.table)) all.push(record);
      const { outcome, answer } = await runtime.invoke({ Records: all }, 60_000, 0);
      assert.equal(outcome, 'error');
      assert.match(answer.errorMessage, /time of the call is over/);
      while (all.length) assert.equal((await runtime.invoke({ Records: all.splice(0, 100) })).outcome, 'response');
      await runtime.invoke({});
      await stage.check('after a call whose time was over');
      lambda.child.kill('SIGKILL');
      await lambda.ended;
      runtime.forget();
    });

    test('a worker leaves alone what a function keeps', async () => {
      const worker = stage.work();
      await worker.says(/quire lambda keeps it/);
      await worker.stop();
      await stage.mustVerify('after the worker');
    });
  });
}

test('without the runtime API it says what it is for', async () => {
  const { status, stderr } = await run(['lambda', '--store', 'dynamodb:any?region=eu-west-1', '--pages', 'none']);
  assert.equal(status, 2);
  assert.match(stderr, /AWS_LAMBDA_RUNTIME_API.*quire project/s);
});
