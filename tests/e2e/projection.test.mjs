// What follows a table's stream is right after any kill: page index, statistics and leaderboards, with each kind of page index.
// QUIRE_KILLS sets the number of kills, QUIRE_SEED repeats a run, as far as the order in which answers come allows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRows, newStore, serve } from './harness.mjs';
import { languages, seeded } from './data.mjs';
import { call, startDynamoDb } from './dynamodb.mjs';
import { backends } from './backends.mjs';
import { Stage } from './project.mjs';

const kills = Math.max(2, Number(process.env.QUIRE_KILLS ?? 20));
const seed = Number(process.env.QUIRE_SEED ?? Date.now() % 1_000_000);
console.log(`projection.test: ${kills} kills, QUIRE_SEED=${seed}`);

let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

const make = async (backend, table, random) => Stage.make({ database, table: `${table}-${backend}`, index: await backends[backend](), random });

/** Kills workers until they were killed often enough, and `busy` has ended. Half of the time there are two, and one takes over what the other is at. */
async function killWorkers(stage, busy) {
  let over = false;
  busy.finally(() => { over = true; }).catch(() => {});
  for (let killed = 0; killed < kills || !over;) {
    const workers = Array.from({ length: 1 + (killed % 2) }, () => stage.work());
    for (let left = workers.length; left > 0; --left) {
      await sleep(20 + stage.random() * 380);
      await stage.dropLeases();
    }
    await Promise.all(workers.map((worker) => worker.kill()));
    await stage.dropLeases();
    killed += workers.length;
  }
}

async function writesUnderKills(stage) {
  await stage.mustRun('backfill');
  await stage.serve();
  const writing = Promise.all([stage.import(1000, seed), stage.writeMany(1500)]);
  await Promise.all([writing, killWorkers(stage, writing)]);
}

test.todo;
