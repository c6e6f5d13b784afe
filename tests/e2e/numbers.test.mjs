// Pages by number: the same pages as by cursor, under every filter, sort and limit; where a comment stands; what is refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, idsOf, importRows, newStore, parseLinks, queryString, serve } from './support/harness.mjs';
import { expected, languages, pagesOf, pick, randomQuery, ratings, sampleRows, seeded, sorts, subsets } from './support/data.mjs';

const product = 'numbers';
let server;
let comments; // all of the product's, as the server gives them

before(async () => {
  const store = newStore();
  await importRows(store, sampleRows(101, 700, (random) => pick(random, [product, product, 'another', `${product}/en`])));
  server = await serve({ store });
  comments = (await server.walk(product, { limit: 100 })).flatMap((page) => page.comments);
  assert.ok(comments.length > 300, 'the product has comments');
  assert.ok(new Set(comments.map((comment) => comment.created_at)).size < comments.length - 50, 'many share their time');
});
after(() => server?.stop());

const list = (query) => server.get(commentsPath(product, query));
const place = (id, query) => server.get(`${commentPath(id)}/page${queryString(query)}`);

/** The answers of a walk along `next`, whole. */
async function answersOf(query) {
  const answers = [(await list(query)).expect(200)];
  for (let next; (next = answers.at(-1).json.page.next);) answers.push((await list({ ...query, after: next })).expect(200));
  return answers;
}

const forms = ({ headers }) => [headers.etag, headers.link, headers['x-total-count'], headers['cache-control']];

test('page N is what walking N pages gives, byte for byte, under any filter, sort and limit', async () => {
  const random = seeded(102);
  for (let round = 0; round < 40; ++round) {
    const query = randomQuery(random, 40);
    const name = JSON.stringify(query);
    const walked = await answersOf(query);
    assert.deepEqual(idsOf(walked.map((answer) => answer.json)), expected(comments, query).map((comment) => comment.id), `the walk under ${name}`);
    for (const [at, answer] of walked.entries()) {
      const numbered = (await list({ ...query, page: at + 1 })).expect(200);
      assert.equal(numbered.text, answer.text, `page ${at + 1} under ${name}`);
      assert.deepEqual(forms(numbered), forms(answer), `headers of page ${at + 1} under ${name}`);
      assert.deepEqual([answer.json.page.number, answer.json.page.count], [at + 1, walked.length], `number and count of page ${at + 1} under ${name}`);
    }
  }
});

test('Link names the first, the last and the neighbours of a page reached by number', async () => {
  const random = seeded(105);
  for (let round = 0; round < 20; ++round) {
    const query = randomQuery(random, 60);
    const all = expected(comments, query).map((comment) => comment.id);
    const count = pagesOf(all.length, query.limit);
    const shown = (number) => all.slice((number - 1) * query.limit, number * query.limit);
    for (const number of new Set([1, 1 + Math.floor(random() * count), count])) {
      const links = parseLinks((await list({ ...query, page: number })).expect(200).headers.link);
      const wanted = { first: 1, last: count, ...(number > 1 && { prev: number - 1 }), ...(number < count && { next: number + 1 }) };
      assert.deepEqual(Object.keys(links).sort(), Object.keys(wanted).sort(), `on page ${number} of ${count}`);
      for (const [rel, to] of Object.entries(wanted)) {
        const { json } = (await server.get(links[rel])).expect(200);
        assert.deepEqual([idsOf(json), json.page.number, json.page.count, json.page.size], [shown(to), to, count, query.limit], `${rel} of page ${number} under ${JSON.stringify(query)}: ${links[rel]}`);
      }
    }
  }
});

test('a number past the last page is a 404 that says how many there are', async () => {
  for (const query of [{}, { limit: 7 }, { rating: 5, sort: '-rating' }, { language: 'xx' }, { rating: [1, 4], language: 'de', sort: 'rating', limit: 100 }]) {
    const count = pagesOf(expected(comments, query).length, query.limit ?? 20);
    (await list({ ...query, page: count })).expect(200);
    for (const page of [count + 1, count + 1_000_000, '9223372036854775807']) {
      const { detail } = (await list({ ...query, page })).problem('page-out-of-range', { parameter: 'page' });
      assert.match(detail, new RegExp(`\\b${count}\\b`), JSON.stringify(query));
    }
  }
  (await server.get(commentsPath('nobody', { page: 2 }))).problem('page-out-of-range');
  assert.deepEqual((await server.page('nobody', { page: 1 })).page, { number: 1, count: 1, size: 20, has_next: false, has_previous: false });
});

test('a comment is found on the page that its place names, in every sort and under filters', async () => {
  const random = seeded(106);
  for (let round = 0; round < 120; ++round) {
    const comment = pick(random, comments);
    const filters = { language: pick(random, subsets(languages)), rating: pick(random, subsets(ratings)) };
    const holds = (set, value) => set.length === 0 || set.includes(value);
    const query = { ...filters, sort: sorts[round % sorts.length], limit: 1 + Math.floor(random() * 30) };
    const answer = await place(comment.id, query);
    if (!holds(filters.language, comment.language) || !holds(filters.rating, comment.rating)) {
      answer.problem('not-found');
      continue;
    }
    const { number, href, ...rest } = answer.expect(200).json;
    assert.deepEqual(rest, {}, 'nothing else is said');
    const at = expected(comments, query).findIndex(({ id }) => id === comment.id);
    assert.equal(number, Math.floor(at / query.limit) + 1, `${comment.id} under ${JSON.stringify(query)}`);
    const page = (await server.get(href)).expect(200);
    assert.ok(idsOf(page.json).includes(comment.id), `${href} holds ${comment.id}`);
    assert.deepEqual(page.json, await server.page(product, { ...query, page: number }), `${href} is the page under ${JSON.stringify(query)}`);
  }
});

test('the place of a comment that is not there, or asked for wrongly', async () => {
  const [{ id }] = comments;
  for (const missing of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '%00']) (await place(missing, {})).problem('not-found');
  const wrong = { page: 1, after: 'x', before: 'x', explain: 'true', product, limit: 0, rating: 6, language: 'E', sort: 'id' };
  for (const [parameter, value] of Object.entries(wrong)) (await place(id, { [parameter]: value })).problem('invalid-parameter', { parameter });
  (await server.request('POST', `${commentPath(id)}/page`)).problem('method-not-allowed');
});

test('a plan under a sort by rating, and one of a page by number, names what was read', async () => {
  for (const query of [{ sort: '-rating' }, { sort: 'rating', language: ['de', 'en'] }, { page: 4 }, { page: 2, sort: '-rating', rating: [1, 2] }]) {
    const { plan, ...rest } = await server.page(product, { ...query, limit: 10, explain: 'true' });
    const conditions = [query.language && `language ${[...query.language].sort().join(' ')}`, query.rating && `rating ${query.rating.join(' ')}`].filter(Boolean);
    assert.deepEqual(plan.lists, conditions, 'the conditions of the filter');
    assert.match(plan.summary, /^bitmap: /);
    assert.ok(plan.read >= rest.comments.length, 'at least what is shown was read');
    assert.deepEqual(rest, await server.page(product, { ...query, limit: 10 }), 'explain changes nothing else');
  }
});
