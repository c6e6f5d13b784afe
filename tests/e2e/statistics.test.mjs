// Statistics and leaderboard equal a recount of the imported comments, over HTTP and by command. That they follow each write is tested in tests/service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exportRows, importRows, mustRun, newStore, queryString, serveWithToken } from './support/harness.mjs';
import { languages, ratings, sampleRows, subsets } from './support/data.mjs';
import { recount, recountLeaders, sameFigures } from './support/recount.mjs';

// Some names differ only in case, some have characters that are special in an address or a key, one is the prefix of another.
const products = ['shoe', 'shoes', 'Shoe', 'shoe/en', 'PRODUCT#1', 'größe', '鞋 😀', 'shoe%2Fen', 'S#en'];
const store = newStore();
const comments = new Map(); // as they should be, by id
let server;

before(async () => {
  await importRows(store, sampleRows(121, 900, (random) => products[Math.floor(random() ** 2 * products.length)]));
  for (const row of await exportRows(store)) comments.set(row.id, row);
  server = await serveWithToken({ store });
});
after(() => server?.stop());

const statisticsPath = (product, query) => `/v1/products/${encodeURIComponent(product)}/statistics${queryString(query)}`;
const of = (product) => [...comments.values()].filter((comment) => comment.product === product);

async function checkAll(when) {
  for (const product of products) {
    for (const language of subsets(languages)) {
      sameFigures((await server.get(statisticsPath(product, { language }))).expect(200).json, recount(product, of(product), language), `${product} in ${language} ${when}`);
    }
  }
  for (const by of ['five_star', 'average']) {
    for (const language of [[], ...languages, 'xx']) {
      const { json } = (await server.get(`/v1/leaderboard${queryString({ by, language, limit: 100 })}`)).expect(200);
      sameFigures(json, recountLeaders([...comments.values()], { by, language, limit: 100 }), `leaders by ${by} in ${language} ${when}`);
    }
  }
}

test('statistics and leaderboard equal a recount of the imported comments', () => checkAll('after the import'));


test('the leaderboard has ten products by default, and invalid parameters are refused by name', async () => {
  for (let n = 0; n < 12; ++n) await server.add(`filler ${n}`, { rating: 5 });
  assert.equal((await server.get('/v1/leaderboard')).expect(200).json.products.length, 10);
  const wrong = { limit: ['0', '101', '-1', 'x', '', '1.5'], by: ['', 'rating', 'FIVE_STAR'], language: ['e', '', 'engl', ['en', 'de']], product: ['shoe'], after: ['x'] };
  for (const [parameter, values] of Object.entries(wrong)) {
    for (const value of values) (await server.get(`/v1/leaderboard${queryString({ [parameter]: value })}`)).problem('invalid-parameter', { parameter });
  }
  for (const [parameter, value] of Object.entries({ language: 'E', rating: 6, limit: 5, sort: 'rating' })) (await server.get(statisticsPath('shoe', { [parameter]: value }))).problem('invalid-parameter', { parameter });
  (await server.get(statisticsPath('x'.repeat(257)))).problem('invalid-parameter', { parameter: 'product' });
});

test('statistics and leaderboard have ETags that change with the comments', async () => {
  for (const path of [statisticsPath('tagged'), '/v1/leaderboard?language=nl']) {
    const { headers } = (await server.get(path)).expect(200);
    assert.match(headers.etag, /^"[^"]+"$/);
    assert.equal((await server.get(path, { 'If-None-Match': headers.etag })).expect(304).bytes.length, 0);
    await server.add('tagged', { rating: 5, language: 'nl' });
    (await server.get(path, { 'If-None-Match': headers.etag })).expect(200);
  }
});

test('the command line gives the same JSON as the interface, and the same numbers for people', async () => {
  for (const [args, path] of [
    [['statistics', 'shoe'], statisticsPath('shoe')], [['statistics', '鞋 😀', '--language', 'en', '--language', 'de'], statisticsPath('鞋 😀', { language: ['en', 'de'] })], [['statistics', 'nobody'], statisticsPath('nobody')],
    [['leaderboard'], '/v1/leaderboard'], [['leaderboard', '--by', 'average', '--language', 'en', '--limit', '3'], '/v1/leaderboard?by=average&language=en&limit=3'], [['leaderboard', '--language', 'xx'], '/v1/leaderboard?language=xx'],
  ]) {
    const { stdout } = await mustRun([...args, '--store', store, '--json']);
    assert.equal(stdout.trimEnd(), (await server.get(path)).expect(200).text, args.join(' '));
  }
  const { total, ratings: counts } = (await server.get(statisticsPath('shoe'))).json;
  const people = (await mustRun(['statistics', 'shoe', '--store', store])).stdout;
  assert.match(people, new RegExp(`comments +${total}\\n`));
  for (const rating of ratings) assert.match(people, new RegExp(`\\n${rating} stars? +${counts[rating]}\\n`));
  const [headings, ...lines] = (await mustRun(['leaderboard', '--store', store])).stdout.trimEnd().split('\n');
  assert.deepEqual(headings.trim().split(/ {2,}/), ['five stars', 'average', 'adjusted', 'comments', 'product']);
  const { products: leaders } = (await server.get('/v1/leaderboard')).json;
  assert.deepEqual(lines.map((line) => [line.trim().split(/ +/)[0], line.endsWith(`  ${leaders[lines.indexOf(line)].product}`)]), leaders.map(({ five_star }) => [String(five_star), true]), lines.join('\n'));
});
