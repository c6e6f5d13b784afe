// A stream's shards end and others continue them. That happens every few hours on DynamoDB, and in DynamoDB Local too seldom for a test:
// a proxy makes many shards out of one. Workers are killed around that, and iterators expire.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, seed, seeded } from '../support/data.mjs';
import { scan, startDynamoDb } from '../support/dynamodb.mjs';
import { FaultProxy, faults } from '../support/fault_proxy.mjs';
import { backends } from '../support/servers/backends.mjs';
import { Stage, meanwhile, until } from '../support/project.mjs';

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

const errors = { ExpiredIteratorException: 'Iterator expired. The iterator was created at time past the limit.' };

/**
 * One shard as a chain of shards. Each begins behind the record whose sequence number is its `start`, and all but the last have ended with
 * the record of their `end`. An iterator is the service's own, with the number of its shard and the last record before it in front.
 */
class Shards {
  #shards = [{ number: 0, start: undefined, end: undefined }]; // oldest first
  #shown = 0n; // the last record that was given to anyone
  #ending = false;
  expired = 0;

  constructor(random) { this.random = random; }

  get last() { return this.#shards.at(-1); }
  get count() { return this.last.number + 1; }

  /** Ends the last shard with a record that comes next or, if none comes, where it is. Resolves when the shard has ended. */
  async roll(quiet) {
    const { count } = this;
    this.#ending = true;
    if (quiet) this.#end(this.#shown);
    await until('the shard has ended', () => this.count > count);
  }

  /** Forgets all shards but these, as the service does after a day. */
  keep(count) { this.#shards.splice(0, this.#shards.length - count); }

  #end(sequence) {
    this.#shown = sequence;
    this.last.end = sequence;
    this.#shards.push({ number: this.count, start: sequence, end: undefined });
    this.#ending = false;
  }

  treat = async ({ request, response, body, forward }) => {
    const operation = request.headers['x-amz-target'].split('.')[1];
    const answer = await this[operation](body, async (other) => {
      const { status, body: bytes } = await forward({ ...body, ...other });
      assert.equal(status, 200, `${operation}: ${bytes}`);
      return JSON.parse(bytes);
    });
    const bytes = Buffer.from(JSON.stringify(answer));
    response.writeHead(answer.__type ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': bytes.length });
    response.end(bytes);
  };

  /** Three at a time. */
  async DescribeStream({ ExclusiveStartShardId: after }, ask) {
    const { StreamDescription: stream } = await ask({ ExclusiveStartShardId: undefined });
    assert.equal(stream.Shards.length, 1, 'the service has one shard');
    this.id = stream.Shards[0].ShardId;
    const all = this.#shards.map(({ number, end }) => ({
      ShardId: this.#name(number),
      ...(number > 0 && { ParentShardId: this.#name(number - 1) }),
      SequenceNumberRange: { StartingSequenceNumber: '1', ...(end !== undefined && { EndingSequenceNumber: String(end) }) },
    }));
    const from = after ? 1 + all.findIndex(({ ShardId }) => ShardId === after) : 0;
    const Shards = all.slice(from, from + 3);
    return { StreamDescription: { ...stream, Shards, LastEvaluatedShardId: from + 3 < all.length ? Shards.at(-1).ShardId : undefined } };
  }

  async GetShardIterator({ ShardId, ShardIteratorType, SequenceNumber }, ask) {
    const shard = this.#shards.find(({ number }) => this.#name(number) === ShardId);
    if (!shard) return error('ResourceNotFoundException');
    if (!SequenceNumber) assert.equal(ShardIteratorType, 'TRIM_HORIZON');
    const after = SequenceNumber ?? (shard.start && String(shard.start).padStart(21, '0'));
    const { ShardIterator } = await ask({ ShardId: this.id, ...(after && { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }) });
    return { ShardIterator: [shard.number, BigInt(after ?? 0), ShardIterator].join(' ') };
  }

  async GetRecords({ ShardIterator }, ask) {
    if (this.random() < 0.05) { this.expired += 1; return error('ExpiredIteratorException'); }
    const [number, after, iterator] = ShardIterator.split(' ');
    const answer = await ask({ ShardIterator: iterator });
    const shard = this.#shards.find((each) => each.number === Number(number));
    if (!shard) return error('TrimmedDataAccessException');
    const fresh = answer.Records.map(sequenceOf).filter((sequence) => sequence > this.#shown);
    if (this.#ending && shard === this.last && fresh.length) this.#end(pick(this.random, fresh));
    const Records = answer.Records.filter((record) => shard.end === undefined || sequenceOf(record) <= shard.end);
    const place = Records.map(sequenceOf).at(-1) ?? BigInt(after);
    if (shard === this.last && place > this.#shown) this.#shown = place;
    const ended = shard.end !== undefined && place >= shard.end;
    return { Records, NextShardIterator: ended ? undefined : [number, place, answer.NextShardIterator].join(' ') };
  }

  #name(number) { return `${this.id}-${String(number).padStart(4, '0')}`; }
}

const sequenceOf = (record) => BigInt(record.dynamodb.SequenceNumber);
const error = (type) => ({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: errors[type] ?? 'Requested resource not found' });

test('shards end and go on in others while workers are killed', { timeout: 600_000 }, async (test) => {
  const random = seeded(seed);
  const shards = new Shards(random);
  const proxy = await FaultProxy.start(database.endpoint);
  faults.shards = { of: (operation) => operation in shards, treat: shards.treat };
  proxy.plan = ({ operation }) => (faults.shards.of(operation) ? 'shards' : undefined);
  const stage = await Stage.make({ test, database, endpoint: proxy.endpoint, table: 'shards', index: await backends.LMDB(), random });
  await stage.import(200, seed);
  await stage.mustRun('backfill');
  await stage.serve();
  for (const round of [1, 2]) {
    const when = `after rollovers, ${round} (seed ${seed})`;
    await meanwhile(rollOver(shards, 8), (busy) => Promise.all([stage.writeNowAndThen(busy), killWorkers(stage, busy)]));
    const workers = [stage.work(), stage.work()];
    await stage.check(when);
    shards.keep(2);
    await until('marks of shards that are gone are forgotten', async () => (await marks(stage)) <= 3);
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  await stage.mustRun('backfill', '--again'); // begins behind shards that have ended
  const worker = stage.work();
  await meanwhile(rollOver(shards, 2), () => stage.writeMany(40));
  await stage.check(`after a backfill (seed ${seed})`);
  await worker.stop();
  assert.equal(shards.count, 19);
  assert.ok(shards.expired > 0, 'iterators expired');
  await stage.end();
  await proxy.stop();
});

async function rollOver(shards, times) {
  for (let n = 0; n < times; ++n) {
    await shards.roll(n % 4 === 3);
    await sleep(shards.random() * 200);
  }
}

/** How many shards the statistics have a mark of. */
const marks = async (stage) => (await scan(database.endpoint, stage.table)).filter(({ PK, SK }) => PK === 'PROJECTION#statistics' && SK.startsWith('SHARD#')).length;

/** Each lives a little longer than the ones before, so that on a machine of any speed some get to read before they are killed. */
async function killWorkers(stage, busy) {
  for (let round = 0; busy(); ++round) {
    const workers = Array.from({ length: 1 + Math.floor(stage.random() * 2) }, () => stage.work());
    await sleep(50 + stage.random() * 600 + 25 * round);
    await Promise.all(workers.map((worker) => worker.kill()));
    await stage.dropLeases();
  }
}
