// Votes through kills: random votes, changes, withdrawals, removals, holds and erasures of many customers at once, while the server is
// killed. What was acknowledged counts, what was not may; each count is that of a model, and quire verify finds no difference.
// Only in ./test --all: kills.

import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { commentPath, mustVerify, newStore } from '../support/harness.mjs';
import { seed, seeded } from '../support/data.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { Ballots } from './ballots.mjs';

const rounds = Math.max(2, Math.floor(Number(process.env.QUIRE_KILLS ?? 12) / 2));
const customers = ['ann', 'bob', 'eve', 'dan', 'kim', 'lea'];
console.log(`votes-kill: ${rounds} kills`);

test('votes are exact through kills', { timeout: 60_000 + rounds * 30_000 }, async () => {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const store = newStore();
  const ballots = new Ballots();
  const writers = new Map(); // by comment
  let server;
  const deeds = async (who, until) => {
    const headers = server.as(who);
    while (!until.over) {
      const others = [...writers.keys()].filter((id) => writers.get(id) !== who);
      if (others.length === 0) return; // chance made it the writer of all
      const id = pick(others);
      const vote = pick(['helpful', 'unhelpful', 'none', 'helpful']);
      ballots.begin(id, who, vote);
      const path = `${commentPath(id)}/vote`;
      try {
        const answer = vote === 'none' ? await server.delete(path, headers) : await server.put(path, { vote }, headers);
        answer.expect(vote === 'none' ? 204 : 200, 404);
        if (answer.status === 404) ballots.refused(id, who);
        else ballots.taken(id, who);
      } catch (error) {
        if (!until.over) throw error;
        return; // it was killed
      }
    }
  };
  const disturb = async (until) => {
    const moderator = server.moderator;
    try {
      while (!until.over) {
        await sleep(20 + random() * 60);
        const id = pick([...writers.keys()]);
        await server.decide([{ id, status: 'pending' }], moderator);
        await sleep(random() * 10);
        await server.decide([{ id, status: 'published' }], moderator);
      }
    } catch (error) {
      if (!until.over) throw error;
    }
  };
  for (let round = 0; round < rounds; ++round) {
    server = await serveCustomers({ store, more: '[votes]\nwho = "customers"\n' });
    const check = async (id) => {
      const since = ballots.now();
      ballots.check((await server.get(commentPath(id))).expect(200).json, since);
    };
    const withdraw = async (id, who) => {
      ballots.begin(id, who, 'none');
      (await server.delete(`${commentPath(id)}/vote`, server.as(who))).expect(204);
      ballots.taken(id, who);
    };
    for (const id of writers.keys()) {
      await server.decide([{ id, status: 'published' }]);
      await check(id);
      for (const who of customers) if (ballots.inDoubt(id, who)) await withdraw(id, who);
      await check(id); // nothing is in doubt any more
    }
    if (round % 3 === 2) { // one is removed, and one customer is erased
      const gone = pick([...writers.keys()]);
      (await server.delete(commentPath(gone), bearer(server.tokens.edit))).expect(204);
      writers.delete(gone);
      const erased = pick(customers);
      for (const id of ballots.of(erased)) ballots.begin(id, erased, 'none');
      (await server.post('/v1/customers/erase', { customer: erased }, bearer(server.tokens.admin))).expect(200);
      for (const id of ballots.of(erased)) ballots.taken(id, erased);
      for (const [id, writer] of writers) if (writer === erased) writers.delete(id);
    }
    while (writers.size < 5) {
      const writer = pick(customers);
      const { id } = await server.add('42', { rating: 5 }, server.as(writer));
      writers.set(id, writer);
    }
    const until = { over: false };
    const works = customers.map((who) => deeds(who, until));
    works.push(disturb(until));
    await sleep(150 + random() * 500);
    until.over = true;
    await server.kill();
    await Promise.all(works);
    await mustVerify(store, `after kill ${round + 1} (seed ${seed})`);
  }
});
