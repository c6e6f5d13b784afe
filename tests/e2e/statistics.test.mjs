// Statistics and leaderboard equal a recount of the comments, whatever was imported, posted, changed or removed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, exportRows, importRows, mustRun, mustVerify, newStore, queryString, serveWithToken } from './support/harness.mjs';
import { languages, pick, ratings, sampleRows, seeded, subsets } from './support/data.mjs';
import { adjustedAverage, recount, recountLeaders, sameFigures } from './support/recount.mjs';

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

test('they change with every post, change and removal', async () => {
  const random = seeded(122);
  for (let round = 0; round < 120; ++round) {
    const id = pick(random, [...comments.keys()]);
    const { product } = comments.get(id);
    const action = pick(random, ['post', 'patch', 'delete']);
    const facets = { rating: pick(random, ratings), language: pick(random, languages) };
    if (action === 'delete') {
      (await server.delete(commentPath(id))).expect(204);
      comments.delete(id);
    } else {
      const { json } = action === 'post' ? { json: await server.add(product, facets) } : (await server.patch(commentPath(id), facets)).expect(200);
      comments.set(json.id, json);
    }
    const language = pick(random, subsets(languages));
    sameFigures((await server.get(statisticsPath(product, { language }))).expect(200).json, recount(product, of(product), language), `${product} in ${language} after round ${round}, a ${action}`);
    const query = { by: pick(random, ['five_star', 'average']), language: pick(random, [[], ...languages]), limit: 1 + Math.floor(random() * 10) };
    sameFigures((await server.get(`/v1/leaderboard${queryString(query)}`)).expect(200).json, recountLeaders([...comments.values()], query), `leaders ${JSON.stringify(query)} after round ${round}, a ${action}`);
  }
  await checkAll('after the changes');
  await mustVerify(store, 'after the changes');
});

test('a product without comments has zeros, also after its last comment was removed', async () => {
  const zeros = (product) => ({ product, total: 0, average: 0, ratings: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }, languages: {}, last_comment_at: null, latest_positive: null, latest_critical: null });
  assert.deepEqual((await server.get(statisticsPath('nobody'))).expect(200).json, zeros('nobody'));
  assert.deepEqual((await server.get(statisticsPath('shoe', { language: 'xx' }))).expect(200).json, zeros('shoe'));
  const { id } = await server.add('once', { rating: 5, language: 'fr' });
  const leaders = async () => (await server.get('/v1/leaderboard?language=fr')).expect(200).json.products.map(({ product }) => product);
  assert.deepEqual(await leaders(), ['once']);
  (await server.delete(commentPath(id))).expect(204);
  assert.deepEqual((await server.get(statisticsPath('once'))).expect(200).json, zeros('once'));
  assert.deepEqual(await leaders(), []);
});

test('equal products are in the order of the bytes of their names, and limit cuts anywhere among them', async () => {
  const names = ['tie b', 'tie a', 'tie', 'tie é', 'tie Z', 'tie 10', 'tie 9'];
  for (const name of names) for (const rating of [5, 5, 2]) await server.add(name, { rating, language: 'it' });
  await server.add('ahead', { rating: 5, language: 'it' });
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (let limit = 1; limit <= 9; ++limit) {
    const { products: shown } = (await server.get(`/v1/leaderboard${queryString({ language: 'it', limit })}`)).expect(200).json;
    assert.deepEqual(shown.map(({ product }) => product), [...sorted, 'ahead'].slice(0, limit), `limit ${limit}`);
  }
});

test('a few fives do not outrank many, and a product without any is ranked by average only', async () => {
  const add = async (name, ...rated) => { for (const rating of rated) await server.add(name, { rating, language: 'pl' }); };
  await add('many', ...Array.from({ length: 40 }, (_, n) => (n % 8 === 0 ? 4 : 5)));
  await add('few', 5, 5);
  await add('fours', 4, 4, 4);
  await add('ones', ...Array.from({ length: 30 }, () => 1));
  const leaders = async (by) => (await server.get(`/v1/leaderboard?language=pl&by=${by}`)).expect(200).json.products;
  assert.deepEqual((await leaders('average')).map(({ product }) => product), ['many', 'fours', 'few', 'ones'].sort((a, b) => adjustedOf(b) - adjustedOf(a)));
  assert.deepEqual((await leaders('five_star')).map(({ product }) => product), ['many', 'few']);
  assert.equal((await leaders('average'))[0].product, 'many', 'though the average of few is higher');
});
const adjustedOf = (name) => adjustedAverage({ many: { 1: 0, 2: 0, 3: 0, 4: 5, 5: 35 }, few: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 2 }, fours: { 1: 0, 2: 0, 3: 0, 4: 3, 5: 0 }, ones: { 1: 30, 2: 0, 3: 0, 4: 0, 5: 0 } }[name]);

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
