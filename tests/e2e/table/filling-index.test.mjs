// While the table fills an index, which may take hours, it answers no query of that index. The server stays ready, pages are read
// without it where another index will do, and the others are a clear 503.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, serveWithToken } from '../support/harness.mjs';
import { createTable, startDynamoDb, storeAt } from '../support/dynamodb.mjs';
import { FaultProxy, faults } from '../support/fault_proxy.mjs';

// As the service says it.
let filling = new Set();
const answer = (response, { status, body }) => { response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body) }); response.end(body); };
faults.filling = { of: (operation) => operation === 'Query', treat: ({ response, body }) => answer(response, { status: 400, body: JSON.stringify({
  __type: 'com.amazon.coral.validate#ValidationException', message: `Cannot read from backfilling global secondary index: ${body.IndexName}` }) }) };

let database, proxy, server;
before(async () => {
  database = await startDynamoDb();
  await createTable(database.endpoint, 'filling');
  proxy = await FaultProxy.start(database.endpoint);
  proxy.plan = ({ operation, body }) => (operation === 'Query' && filling.has(body.IndexName) ? 'filling' : undefined);
  server = await serveWithToken({ store: storeAt(proxy.endpoint, 'filling'), args: ['--cache', '0'] }); // a page that is kept needs no index
  for (let n = 0; n < 40; ++n) await server.add('42', { language: n % 3 ? 'en' : 'de', rating: 1 + n % 5, text: `${n}` });
});
after(async () => { await server?.stop(); await proxy?.stop(); await database?.stop(); });

const expected = { '': 40, 'language=en': 26, 'rating=5': 8, 'language=de&rating=1': 3 };
/** Each page is right; with `mayFail`, or a clear 503. Gives the number of those. */
async function mustAnswer(when, mayFail = false) {
  let failed = 0;
  for (const [query, count] of Object.entries(expected)) {
    const page = await server.get(`${commentsPath('42')}?${query}&limit=100`.replace('?&', '?'));
    if (mayFail && page.status === 503) {
      failed += 1;
      assert.match(page.problem('backend-unavailable').detail, /is filling the index/);
      assert.match(page.headers['retry-after'], /^\d+$/);
      continue;
    }
    assert.equal(page.expect(200).json.comments.length, count, `${query} ${when}`);
  }
  return failed;
}

test('each index by itself: the server is ready, and each page comes by another one', async () => {
  for (const index of ['all', 'byLang', 'byRating', 'byLangAndRating']) {
    filling = new Set([index]);
    (await server.get('/readyz')).expect(200); // as a load balancer asks
    await mustAnswer(index);
    const posted = await server.add('other', { language: 'en', rating: 4, text: 'x' });
    (await server.get(commentPath(posted.id))).expect(200);
    filling = new Set();
    (await server.get('/readyz')).expect(200);
    await mustAnswer('full again');
  }
});

test('without a look at /readyz a page finds out: one of each index fails at most', async () => {
  filling = new Set(['byLang', 'byLangAndRating']);
  assert.ok(await mustAnswer('first', true) <= 2);
  await mustAnswer('then');
  filling = new Set();
  (await server.get('/readyz')).expect(200);
});

test('a page that no other index has is a clear 503, and the others come', async () => {
  filling = new Set(['all', 'byRating']);
  (await server.get('/readyz')).expect(200);
  assert.equal(await mustAnswer('two', true), 2, 'those of all languages');
  filling = new Set();
  (await server.get('/readyz')).expect(200);
});

test('a server starts beside an index that is being filled', async () => {
  filling = new Set(['byLang', 'byLangAndRating']);
  const other = await serveWithToken({ store: storeAt(proxy.endpoint, 'filling') });
  assert.equal((await other.get(`${commentsPath('42')}?language=en`)).expect(200).json.comments.length, 20);
  (await other.get('/readyz')).expect(200);
  await other.stop();
});

test('where all are being filled, or one is not there, the server is not ready', async () => {
  filling = new Set(['all', 'byLang', 'byRating', 'byLangAndRating']);
  (await server.get('/readyz')).problem('backend-unavailable');
  filling = new Set();
  (await server.get('/readyz')).expect(200);
});
