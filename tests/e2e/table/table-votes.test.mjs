// Votes on a table: one customer at once through two servers, counts that were damaged, a removal that was cut off, and engines without transactions.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bearer } from '../support/moderation.mjs';
import { serveCustomers, serveTable } from '../support/customers.mjs';
import { commentPath, mustRun, mustVerify, run } from '../support/harness.mjs';
import { call, scan, storeAt } from '../support/dynamodb.mjs';
import { startDynalite } from '../support/servers/servers.mjs';

const votes = '[votes]\nwho = "customers"\n';
const votePath = (id) => `${commentPath(id)}/vote`;
const { database, store, server, other, stop } = await serveTable({ more: votes });
after(stop);

const put = (item) => call(database.endpoint, 'PutItem', { TableName: 'quire', Item: item });
const partition = async (id) => (await scan(database.endpoint)).filter(({ PK }) => PK === `COMMENT#${id}`);
const attributesOf = async (id) => (await server.get(commentPath(id))).expect(200).json.attributes;

test('one customer at once, through two servers, has one vote', async () => {
  const { id } = await server.add('42', { rating: 5 });
  const bob = server.as('bob');
  const deeds = [(to) => to.put(votePath(id), { vote: 'helpful' }, bob), (to) => to.put(votePath(id), { vote: 'unhelpful' }, bob), (to) => to.delete(votePath(id), bob)];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => deeds[(i * 5) % 3](i % 2 ? server : other)));
  for (const { status } of answers) assert.ok([200, 204, 503].includes(status), String(status)); // 503: others were faster ten times
  for (let answer; answer?.status !== 200;) answer = await server.put(votePath(id), { vote: 'helpful' }, bob);
  assert.deepEqual(await attributesOf(id), { helpful: 1 });
  await mustVerify(store, 'after many votes of one customer');
});

test('the other server knows at once what a customer voted', async () => {
  const ids = [];
  for (let i = 0; i < 3; ++i) ids.push((await server.add('of-ann', { rating: 5 }, server.as(`ann-${i}`))).id);
  const ask = async (who) => (await other.get(`/v1/me/votes?${ids.map((id) => `comment=${id}`).join('&')}`, server.as(who))).expect(200).json;
  for (const vote of ['helpful', 'unhelpful']) {
    (await server.put(votePath(ids[1]), { vote }, server.as('ann-0'))).expect(200);
    assert.deepEqual(await ask('ann-0'), { votes: { [ids[1]]: vote }, own: [ids[0]] });
  }
  (await server.delete(votePath(ids[1]), server.as('ann-0'))).expect(204);
  assert.deepEqual(await ask('ann-0'), { votes: {}, own: [ids[0]] });
});

test('verify names a count that is not that of the votes, and --repair mends it', async () => {
  const { id } = await server.add('42', { rating: 5 });
  for (const who of ['bob', 'eve', 'dan']) (await server.put(votePath(id), { vote: 'helpful' }, server.as(who))).expect(200);
  const vote = (await partition(id)).find(({ SK }) => SK.startsWith('VOTE#'));
  await call(database.endpoint, 'DeleteItem', { TableName: 'quire', Key: { PK: { S: vote.PK }, SK: { S: vote.SK } } });
  const verified = await run(['verify', '--store', store]);
  assert.equal(verified.status, 3, verified.stdout + verified.stderr);
  assert.match(verified.stdout + verified.stderr, new RegExp(`${id} has 2 helpful and 0 unhelpful votes, and counts others`));
  await run(['verify', '--repair', '--store', store]);
  await mustVerify(store, 'after the repair');
  assert.deepEqual(await attributesOf(id), { helpful: 2 });
});

test('what a removal left to be swept costs a comment of the same id nothing', async () => {
  const { id } = await server.add('42', { rating: 5 });
  (await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).expect(200);
  const [vote] = (await partition(id)).filter(({ SK }) => SK.startsWith('VOTE#'));
  const items = Array.from({ length: 1300 }, (_, i) => ({ PK: { S: vote.PK }, SK: { S: `VOTE#${String(i).padStart(43, 'A')}` }, vote: { S: 'helpful' } }));
  for (let i = 0; i < items.length; i += 50) await Promise.all(items.slice(i, i + 50).map(put));
  const { stdout: row } = await mustRun(['get', id, '--store', store, '--json']);
  (await server.delete(commentPath(id), bearer(server.tokens.edit))).expect(204);
  const left = await partition(id);
  assert.ok(left.some(({ SK }) => SK === 'SWEEP') && left.length > 200, `${left.length} items are left for later`);
  await mustVerify(store, 'with votes that wait to be swept');
  const { attributes, ...back } = JSON.parse(row);
  await mustRun(['import', '--store', store, '-'], { input: `${JSON.stringify(back)}\n` });
  await mustVerify(store, 'with a comment that came back');
  assert.deepEqual((await server.put(votePath(id), { vote: 'helpful' }, server.as('bob'))).expect(200).json, { vote: 'helpful', helpful: 1, unhelpful: 0 });
  assert.deepEqual((await partition(id)).map(({ SK }) => SK.split('#')[0]).sort(), ['COMMENT', 'VOTE']);
  await mustVerify(store, 'after the sweep');
});

test('an engine without transactions takes no votes', async () => {
  const engine = await startDynalite();
  const at = storeAt(engine.endpoint);
  await run(['table', 'create', '--store', at]);
  const shop = await serveCustomers({ store: `${at}&statistics=stream`, more: votes });
  const { id } = await shop.add('42', { rating: 5 });
  (await shop.put(votePath(id), { vote: 'helpful' }, shop.as('bob'))).problem('backend-unavailable');
  assert.equal((await shop.get(commentPath(id))).json.attributes, undefined);
  await shop.stop();
  await engine.stop();
});
