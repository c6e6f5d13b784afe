// Votes through kills: random votes, changes, withdrawals, removals, holds and erasures of many customers at once, while the server is
// killed. What was acknowledged counts, what was not may; each count is that of a model, and quire verify finds no difference.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { commentPath, mustVerify, newStore } from '../support/harness.mjs';
import { seeded } from '../support/data.mjs';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers } from '../support/customers.mjs';

const rounds = Math.max(2, Math.floor(Number(process.env.QUIRE_KILLS ?? 12) / 2));
const seed = Number(process.env.QUIRE_SEED ?? Date.now() % 1_000_000);
const customers = ['ann', 'bob', 'eve', 'dan', 'kim', 'lea'];
console.log(`votes-kill: ${rounds} kills, QUIRE_SEED=${seed}`);

test('votes are exact through kills', { timeout: 60_000 + rounds * 30_000 }, async () => {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const store = newStore();
  /** By comment and customer: the votes that it may have; by one at a time. */
  const model = new Map();
  const possible = (id, who) => model.get(id).votes[who] ?? ['none'];
  let server;
  const deeds = async (who, until) => {
    const headers = server.as(who);
    while (!until.over) {
      const ids = [...model.keys()];
      const id = pick(ids);
      const state = model.get(id);
      if (state.writer === who) continue;
      const vote = pick(['helpful', 'unhelpful', 'none', 'helpful']);
      state.votes[who] = [...possible(id, who), vote];
      const path = `${commentPath(id)}/vote`;
      try {
        const answer = vote === 'none' ? await server.delete(path, headers) : await server.put(path, { vote }, headers);
        answer.expect(vote === 'none' ? 204 : 200, 404);
        if (answer.status !== 404) state.votes[who] = [vote];
        else state.votes[who].pop();
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
        const id = pick([...model.keys()]);
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
    for (const id of model.keys()) await server.decide([{ id, status: 'published' }]);
    // What was in doubt is known now.
    for (const [id, state] of model) {
      const { attributes = {} } = (await server.get(commentPath(id))).expect(200).json;
      const low = { helpful: 0, unhelpful: 0 }, high = { helpful: 0, unhelpful: 0 };
      for (const votes of Object.values(state.votes))
        for (const kind of ['helpful', 'unhelpful']) {
          low[kind] += votes.every((one) => one === kind);
          high[kind] += votes.includes(kind);
        }
      for (const kind of ['helpful', 'unhelpful'])
        assert.ok(low[kind] <= (attributes[kind] ?? 0) && (attributes[kind] ?? 0) <= high[kind], `${kind} of ${id}: ${attributes[kind]}, expected ${low[kind]} to ${high[kind]} (seed ${seed})`);
      for (const who of Object.keys(state.votes)) {
        if (state.votes[who].length === 1) continue;
        (await server.delete(`${commentPath(id)}/vote`, server.as(who))).expect(204);
        state.votes[who] = ['none'];
      }
      const { attributes: settled = {} } = (await server.get(commentPath(id))).expect(200).json;
      const wanted = {};
      for (const [vote] of Object.values(state.votes)) if (vote !== 'none') wanted[vote] = (wanted[vote] ?? 0) + 1;
      assert.deepEqual(settled, wanted, `${id} (seed ${seed})`);
    }
    if (round % 3 === 2) { // one is removed, and one customer is erased
      const gone = pick([...model.keys()]);
      (await server.delete(commentPath(gone), bearer(server.tokens.edit))).expect(204);
      model.delete(gone);
      const erased = pick(customers);
      (await server.post('/v1/customers/erase', { customer: erased }, bearer(server.tokens.admin))).expect(200);
      for (const [id, state] of model) {
        if (state.writer === erased) model.delete(id);
        else delete state.votes[erased];
      }
    }
    while (model.size < 5) {
      const writer = pick(customers);
      const { id } = await server.add('42', { rating: 5 }, server.as(writer));
      model.set(id, { writer, votes: {} });
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
