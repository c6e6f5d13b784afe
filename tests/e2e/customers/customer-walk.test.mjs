// Customers who write and vote at once and through kills (QUIRE_KILLS): `once`, tickets, own lists and counts of votes are exact at
// every answer, on both stores. In the end all are erased, and nothing in the store tells of them.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { mustRun, mustVerify, newStore } from '../support/harness.mjs';
import { checkVotes, eraseAll, everyone, newCustomersShop, settleVotes } from './customer_walk.mjs';
import { seed, seeded } from '../support/data.mjs';
import { scan, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { serveShop } from '../support/moderation.mjs';
import { Stand } from '../support/moderation_walk.mjs';

const kills = Number(process.env.QUIRE_KILLS ?? 8);
let database;
before(async () => { database = await startDynamoDb(); });
after(() => database?.stop());

const forms = (hash) => [hash, ...['latin1', 'base64', 'hex'].map((form) => Buffer.from(hash, 'base64url').toString(form))];
const secretIn = (bytes, hashes) => [...hashes.flatMap(forms), 'id-of-', 'name-of-', 'text-of-'].find((secret) => bytes.includes(secret));

/** `everything` gives the bytes of the store. */
async function walk({ store, within, everything }) {
  const { kept, shop } = await newCustomersShop();
  const stand = await Stand.make(() => serveShop({ store, kept }));
  const persons = everyone({ stand, shop, random: (i) => seeded(seed * 10 + i), names: ['ann', 'bob', 'eve', 'joe'] });
  const random = seeded(seed);
  for (let round = 0; round < kills; ++round) {
    const killed = stand.killAfter(random() * within);
    await Promise.all(persons.map((person) => person.act(8)));
    await killed;
    await checkVotes(persons);
  }
  await settleVotes(persons);
  await checkVotes(persons);
  const { stdout } = await mustRun(['export', '--store', store]);
  const hashes = [...new Set(stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line).customer).filter(Boolean))];
  assert.ok(secretIn(await everything(), hashes), 'the search finds what is there');
  assert.ok(hashes.length > 1, 'the walk left something to erase');
  await eraseAll(persons);
  await stand.server.stop();
  await mustVerify(store, `after the walk (seed ${seed})`);
  if (store.startsWith('lmdb:')) await mustRun(['compact', '--store', store]);
  assert.equal(secretIn(await everything(), hashes), undefined, `after the erasure (seed ${seed})`);
}

test('customers of an embedded store write through kills, and an erasure and a compaction leave nothing', { timeout: 60_000 + kills * 20_000 }, async () => {
  const store = newStore();
  const folder = store.slice('lmdb:'.length);
  const everything = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')).join();
  await walk({ store, within: 150, everything });
});

test('customers of a table write through kills, and an erasure leaves nothing', { timeout: 60_000 + kills * 60_000 }, async () => {
  const store = storeAt(database.endpoint);
  await mustRun(['table', 'create', '--store', store]);
  await walk({ store, within: 600, everything: async () => JSON.stringify(await scan(database.endpoint)) });
});
