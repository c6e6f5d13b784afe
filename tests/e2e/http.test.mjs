// Reading a product's comments over HTTP: pages against a plain model, cursors, headers. That each filter, in each sort, gives what a plain vector gives
// is tested in tests/service; which parameters are refused, in tests/http.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, idsOf, importRows, newStore, parseLinks, serve } from './support/harness.mjs';
import { content, expected, languages, pick, ratings, sampleRows, seeded, sorts, subsets } from './support/data.mjs';

const product = 'model';
let server;
let comments; // all of the product's, as the server gives them

before(async () => {
  const store = newStore();
  const rows = sampleRows(11, 240, product);
  await importRows(store, rows);
  server = await serve({ store });
  comments = (await server.walk(product, { limit: 100 })).flatMap((page) => page.comments);
  assert.deepEqual(comments.map(content).sort(), rows.map(content).sort(), 'the imported rows come back, each once');
});
after(() => server?.stop());

test('ids are ULIDs whose time is created_at, and the order is by id', () => {
  const ids = comments.map((comment) => comment.id);
  assert.deepEqual(ids, [...ids].sort().reverse(), 'newest first is descending by id');
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  for (const { id, created_at } of comments) {
    const time = [...id.slice(0, 10)].reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0);
    assert.equal(new Date(time).toISOString(), created_at, `time in ${id}`);
  }
});

test('language=auto is the languages of Accept-Language that the product has', async () => {
  const auto = (query, accepted) => server.get(commentsPath(product, { language: 'auto', limit: 5, ...query }), { 'Accept-Language': accepted });
  const [first, second] = languages;
  for (const [accepted, chosen] of [[first, [first]], [`${second}-XX, ${first};q=0.1`, [first, second]], ['xx', []], ['*', []]]) {
    const answer = (await auto({}, accepted)).expect(200);
    const explicit = (await server.get(commentsPath(product, { language: [...chosen].sort(), limit: 5 }))).expect(200);
    assert.deepEqual(answer.json, explicit.json, accepted);
    assert.equal(answer.headers.link, explicit.headers.link, 'the links name the languages');
    assert.equal(answer.headers.vary, 'Accept-Encoding, Accept-Language');
    assert.deepEqual((await server.get(answer.headers['content-location'])).json, answer.json);
  }
  const { next } = (await auto({}, first)).json.page;
  const named = await server.page(product, { language: first, limit: 5, after: next });
  assert.deepEqual((await auto({ after: next }, first)).expect(200).json, named);
  (await auto({ after: next }, second)).problem('cursor-mismatch');
});

test('small pages: forward, then the same pages back', async () => {
  const random = seeded(12);
  for (let round = 0; round < 30; ++round) {
    const query = {
      language: pick(random, subsets(languages)), rating: pick(random, subsets(ratings)),
      sort: pick(random, sorts), limit: 1 + Math.floor(random() * 12),
    };
    const name = JSON.stringify(query);
    const forward = await server.walk(product, query);
    assert.deepEqual(idsOf(forward), expected(comments, query).map((comment) => comment.id), `forward under ${name}`);
    const back = await server.walkBack(product, query, forward.at(-1));
    assert.deepEqual(back.reverse().map(idsOf), forward.map(idsOf), `the pages back under ${name}`);
    forward.forEach(({ page, comments: shown }, index) => {
      assert.equal(page.size, query.limit, `size under ${name}`);
      assert.equal(page.has_previous, index > 0, `has_previous on page ${index} under ${name}`);
      assert.equal(page.has_next, index < forward.length - 1, `has_next on page ${index} under ${name}`);
      assert.equal('next' in page, page.has_next, `next is there with has_next, page ${index} under ${name}`);
      assert.equal('previous' in page, page.has_previous, `previous is there with has_previous, page ${index} under ${name}`);
      if (page.has_next) assert.equal(shown.length, query.limit, `page ${index} is full under ${name}`);
    });
  }
});

test('the defaults are 20 a page, newest first, without plan', async () => {
  const page = await server.page(product);
  assert.equal(page.page.size, 20);
  assert.deepEqual(idsOf(page), comments.slice(0, 20).map((comment) => comment.id));
  assert.ok(!('plan' in page), 'plan only with explain=true');
  assert.ok(!('plan' in (await server.page(product, { explain: 'false' }))), 'no plan with explain=false');
});

test('a language or product without comments is an empty page', async () => {
  for (const [name, query] of [[product, { language: 'xx' }], ['nobody-wrote-about-this', {}]]) {
    const page = await server.page(name, query);
    assert.deepEqual(page, { comments: [], page: { number: 1, count: 1, size: 20, has_next: false, has_previous: false }, total: 0 });
  }
});

test('what is no parameter, no cursor, or a cursor of another filter is refused by name', async () => {
  const refused = async (query, slug, parameter) => (await server.get(commentsPath(product, query))).problem(slug, { parameter });
  await refused({ ratng: 5 }, 'invalid-parameter', 'ratng');
  await refused({ rating: [5, 6] }, 'invalid-parameter', 'rating');
  const { page: { next } } = await server.page(product, { limit: 5, rating: 5 });
  await refused({ rating: 5, after: `${next}A` }, 'invalid-cursor', 'after');
  await refused({ before: next }, 'cursor-mismatch', 'before');
  await refused({ after: next }, 'cursor-mismatch', 'after');
  (await server.get(commentsPath('another', { rating: 5, after: next }))).problem('cursor-mismatch', { parameter: 'after' });
});

test('explain adds a plan that names what was read', async () => {
  const page = await server.page(product, { language: 'en', rating: [1, 5], explain: 'true', limit: 10 });
  const { plan } = page;
  assert.equal(plan.index, 'bitmap');
  assert.deepEqual(plan.lists, ['language en', 'rating 1 5'], 'the conditions of the filter');
  assert.ok(plan.blocks > 0, 'blocks were looked at');
  assert.ok(Number.isInteger(plan.microseconds), 'and it says how long it took');
  assert.ok(typeof plan.summary === 'string' && plan.summary && !plan.summary.includes('\n'), 'summary is one line');
  assert.ok(plan.read >= page.comments.length, 'at least what is shown was read');
  for (const field of ['residual', 'skipped', 'start', 'estimated_cost', 'discarded', 'requests', 'consumed_capacity', 'alternatives']) assert.ok(field in plan, `${field} is in the plan`);
  const { plan: _, ...rest } = page;
  assert.deepEqual(rest, await server.page(product, { language: 'en', rating: [1, 5], limit: 10 }), 'explain changes nothing else');
});

test('Link and X-Total-Count say the same as the body', async () => {
  for (let path = commentsPath(product, { rating: [4, 5], limit: 30 }), pages = 0; path; ++pages) {
    const answer = (await server.get(path)).expect(200);
    const { page, total } = answer.json;
    assert.equal(answer.headers['x-total-count'], String(total));
    const links = parseLinks(answer.headers.link);
    const follow = async (rel) => (await server.get(links[rel].replace(/^https?:\/\/[^/]+/, ''))).expect(200).json;
    assert.equal('next' in links, page.has_next, `rel next on page ${pages}`);
    assert.equal('prev' in links, page.has_previous, `rel prev on page ${pages}`);
    assert.deepEqual(idsOf(await follow('first')), idsOf(await server.page(product, { rating: [4, 5], limit: 30 })), 'rel first');
    if (page.has_next) assert.deepEqual(idsOf(await follow('next')), idsOf(await server.page(product, { rating: [4, 5], limit: 30, after: page.next })), 'rel next');
    if (page.has_previous) assert.deepEqual(idsOf(await follow('prev')), idsOf(await server.page(product, { rating: [4, 5], limit: 30, before: page.previous })), 'rel prev');
    path = links.next?.replace(/^https?:\/\/[^/]+/, '');
    assert.ok(pages < 100, 'rel next comes to an end');
  }
});

test('a page has a strong ETag, and is a 304 for a client that has it', async () => {
  for (const path of [commentsPath(product, { limit: 3 }), `/v1/comments/${comments[0].id}`, '/']) {
    const { headers } = (await server.get(path)).expect(200);
    assert.match(headers.etag ?? '', /^"[^"]+"$/, `strong ETag of ${path}`);
    assert.ok(headers['cache-control'], `Cache-Control of ${path}`);
    for (const value of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const answer = (await server.get(path, { 'If-None-Match': value })).expect(304);
      assert.equal(answer.bytes.length, 0, 'no body');
      assert.equal(answer.headers.etag, headers.etag);
      assert.ok(answer.headers['x-request-id'], 'X-Request-Id on a 304');
      (await server.head(path, { 'If-None-Match': value })).expect(304);
    }
    (await server.get(path, { 'If-None-Match': '"other"' })).expect(200);
  }
  const tags = await Promise.all([3, 4].map(async (limit) => (await server.get(commentsPath(product, { limit }))).headers.etag));
  assert.notEqual(tags[0], tags[1], 'different pages have different tags');
});

test('HEAD is GET without the body', async () => {
  const paths = [commentsPath(product, { limit: 3 }), `/v1/comments/${comments[0].id}`, '/', '/problems/not-found', '/healthz', '/readyz', '/openapi.json',
    commentsPath(product, { limit: 0 }), '/v1/comments/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/nowhere'];
  const comparable = ({ headers }) => Object.fromEntries(Object.entries(headers).filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)));
  for (const path of paths) {
    // with the same request id, because a problem may repeat it in its body
    const [get, head] = [await server.get(path, { 'X-Request-Id': 'same' }), await server.head(path, { 'X-Request-Id': 'same' })];
    assert.equal(head.status, get.status, `status of HEAD ${path}`);
    assert.equal(head.bytes.length, 0, `body of HEAD ${path}`);
    assert.deepEqual(comparable(head), comparable(get), `headers of HEAD ${path}`);
  }
});

test('one comment by its id', async () => {
  for (const comment of comments.slice(0, 5)) assert.deepEqual((await server.get(`/v1/comments/${comment.id}`)).expect(200).json, comment);
  for (const id of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '%00', 'é'.repeat(40), '../../etc']) {
    (await server.get(`/v1/comments/${encodeURIComponent(id)}`)).problem('not-found');
  }
  (await server.get(`/v1/comments/${comments[0].id}?bogus=1`)).problem('invalid-parameter', { parameter: 'bogus' });
});
