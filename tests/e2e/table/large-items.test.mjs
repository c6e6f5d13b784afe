// An item of a table has at most 400 KB: what is larger is refused by name, and costs no other row.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { commentPath, mustRun, newToken, run, serveWithToken } from '../support/harness.mjs';
import { startDynamoDb, storeAt } from '../support/dynamodb.mjs';

const database = await startDynamoDb();
const store = storeAt(database.endpoint, 'large');
await mustRun(['table', 'create', '--store', store]);
const server = await serveWithToken({ store, tokens: await newToken({ scopes: 'post,edit,reply' }) });
after(async () => { await server.stop(); await database.stop(); });

const longest = '𐍈'.repeat(50_000); // 200 KB
const half = '𐍈'.repeat(49_000);
const media = Array.from({ length: 8 }, (_, at) => ({ url: `https://img.example/${at}${'a'.repeat(1_900)}`, width: 1, height: 1, alt: '𐍈'.repeat(300) }));

const lines = (rows) => rows.map((row, at) => JSON.stringify({ product: 'imported', rating: 3, created_at: `2026-01-01T00:00:0${at}Z`, ...row })).join('\n');
const reply = (text) => ({ author: 'Shop', text, created_at: '2026-01-02T00:00:00Z' });

test('an import rejects such a row by its number, and takes the others', async () => {
  const rows = [{ text: 'before' }, { text: longest, media, reply: reply(longest) }, { text: half, reply: reply(half) }, { text: 'after' }];
  const { status, stdout, stderr } = await run(['import', '--store', store, '-'], { input: lines(rows) });
  assert.equal(status, 3, stderr);
  assert.match(stdout + stderr.slice(0, 1000), /^3 added, 0 known, 0 differing, 0 updated, 0 removed here, 1 rejected/);
  assert.match(stderr, /^-:2: .*400 KB/m);
});

test('a reply that makes a comment too large is refused, and changes nothing', async () => {
  const id = '01JGDS3XD4RKE2G35TBFMECCZF';
  await mustRun(['import', '--store', store, '-'], { input: lines([{ id, text: longest, media, created_at: undefined }]) });
  const put = (text) => server.put(`${commentPath(id)}/reply`, { author: 'Shop', text });
  const refused = (await put(longest)).problem('invalid-comment');
  assert.match(JSON.stringify(refused.errors), /"text":"is too long.*at most 400 KB/);
  assert.equal((await server.get(commentPath(id))).json.reply, undefined);
  (await put('Thanks')).expect(200, 201);
});
