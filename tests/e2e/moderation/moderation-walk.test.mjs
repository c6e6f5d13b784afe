// Nothing leaks: every public address is compared with a plain list of the published comments, while comments are posted, held,
// published, rejected, edited, reported and removed. With the page cache and without it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentPath, commentsPath, mustVerify, newStore } from '../support/harness.mjs';
import { declare } from '../support/facets.mjs';
import { bearer, serveShop } from '../support/moderation.mjs';
import { pick, seeded } from '../support/data.mjs';
import { recount, recountLeaders, sameFigures } from '../support/recount.mjs';

const products = ['lamp', 'desk', 'chair']; // the last one never has a published comment
const shop = '[moderation]\nhold = "rules"\nlinks = true\nreports = 2\n';

/** The comments as a plain list. A text has a mark of its own, by which a leak is found. */
class List {
  comments = new Map();
  marks = 0;

  mark() { return `mark${++this.marks}x`; }
  put(comment, status) { this.comments.set(comment.id, { comment, status }); }
  with(...statuses) { return [...this.comments.values()].filter(({ status }) => statuses.includes(status)).map(({ comment }) => comment); }
  published(product) { return this.with('published').filter((one) => product === undefined || one.product === product).sort((a, b) => (a.id < b.id ? 1 : -1)); }
}

/** All that the public can ask, with the answers of now. A tag of an earlier answer must not say that a changed answer is as it was. */
class Public {
  tags = new Map();
  constructor(server) { this.server = server; }

  async get(path, headers = {}) {
    const answer = await this.server.get(path, headers);
    const earlier = this.tags.get(path);
    if (earlier) {
      const again = await this.server.get(path, { ...headers, 'If-None-Match': earlier.tag });
      if (again.status === 304) assert.equal(answer.text, earlier.text, `${path}: a 304 for another answer`);
    }
    if (answer.headers.etag && !answer.headers.etag.startsWith('W/')) this.tags.set(path, { tag: answer.headers.etag, text: answer.text });
    this.answers.push({ path, text: answer.text + JSON.stringify(answer.headers) });
    return answer;
  }
}

async function checkComment(there, { comment, status }) {
  const seen = status === 'published';
  const { id } = comment;
  const one = await there.get(commentPath(id));
  assert.equal(one.status, seen ? 200 : 404, `${status} ${id}`);
  if (seen) assert.deepEqual(one.json, comment);
  for (const path of [`/comments/${id}`, `${commentPath(id)}/page`, `/comments/${id}/page`]) {
    const answer = await there.get(path);
    assert.ok((seen ? [200, 302] : [404]).includes(answer.status), `${path} of a ${status} comment answers ${answer.status}`);
  }
}

async function checkLists(there, list, product) {
  const wanted = list.published(product);
  const ids = (comments) => comments.map(({ id }) => id);
  for (const query of [{}, { sort: 'created_at' }, { rating: [1, 5] }, { language: 'en' }, { color: 'red' }, { sort: '-rating' }, { explain: 'true' }]) {
    const walked = [];
    let total, next;
    do {
      const answer = (await there.get(commentsPath(product, { ...query, limit: 4, after: next }))).expect(200);
      ({ total, page: { next } } = answer.json);
      assert.equal(answer.headers['x-total-count'], String(total));
      walked.push(...answer.json.comments);
    } while (next);
    const matching = wanted.filter((one) => (!query.rating || query.rating.includes(one.rating)) && (!query.language || one.language === query.language) && (!query.color || one.attributes?.color === query.color));
    assert.deepEqual(new Set(ids(walked)), new Set(ids(matching)), `${product} ${JSON.stringify(query)}`);
    assert.equal(walked.length, matching.length);
    assert.equal(total, matching.length, `${product} ${JSON.stringify(query)}: total`);
    if (Object.keys(query).length === 0) assert.deepEqual(walked, matching);
  }
  const counts = (await there.get(commentsPath(product, { facets: 'true', limit: 1 }))).expect(200).json.facets;
  const sum = (values) => Object.values(values).reduce((all, one) => all + one, 0);
  assert.deepEqual([sum(counts.rating), sum(counts.language), sum(counts.color)], [wanted.length, wanted.length, wanted.filter((one) => one.attributes?.color).length], product);
}

async function checkPages(there, list, product) {
  const wanted = list.published(product);
  const page = await there.get(`/products/${product}`);
  assert.equal(page.status, wanted.length ? 200 : 404, product);
  assert.deepEqual([...page.text.matchAll(/ id="c-(\w{26})"/g)].map(([, id]) => id), wanted.slice(0, 20).map(({ id }) => id));
  const data = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(page.text);
  if (wanted.length) assert.ok(data[1].includes(`"ratingCount":${wanted.length}`), `${product}: ${data[1].slice(0, 300)}`);
  for (const query of ['?sort=created_at', '?rating=5', '?explain=true', '?page=2']) await there.get(`/products/${product}${query}`);
  const feed = (await there.get(`/products/${product}/comments.atom`)).expect(200, 404);
  const entries = [...feed.text.matchAll(/<entry>[^]*?<\/entry>/g)];
  assert.equal(entries.length, Math.min(wanted.length, 50), `${product}: the feed`);
}

async function checkNumbers(there, list) {
  for (const product of products)
    sameFigures((await there.get(`/v1/products/${product}/statistics`)).expect(200).json, recount(product, list.published(product)), `statistics of ${product}`);
  const several = (await there.get(`/v1/statistics?${products.map((one) => `product=${one}`).join('&')}`)).expect(200).json.products;
  assert.deepEqual(several.map(({ product, total }) => [product, total]), products.map((one) => [one, list.published(one).length]));
  for (const by of ['five_star', 'average'])
    sameFigures((await there.get(`/v1/leaderboard?by=${by}`)).expect(200).json, recountLeaders(list.published(), { by }), `leaders by ${by}`);
}

async function checkSite(there, list) {
  const shown = products.filter((one) => list.published(one).length);
  const named = async (path) => {
    const { text } = await there.get(path);
    return products.filter((one) => text.includes(`/products/${one}`));
  };
  for (const path of ['/?by=average', '/sitemap.xml']) assert.deepEqual(await named(path), shown, path);
  assert.deepEqual(await named('/?find=ch'), [], 'no chair was published');
  assert.ok((await named('/')).every((one) => shown.includes(one)), 'the best products');
  for (const path of ['/metrics', '/healthz', '/readyz', '/robots.txt', '/v1/facets']) (await there.get(path)).expect(200);
}

async function check(server, there, list) {
  there.answers = [];
  for (const each of list.comments.values()) await checkComment(there, each);
  for (const product of products) {
    await checkLists(there, list, product);
    await checkPages(there, list, product);
  }
  await checkNumbers(there, list);
  await checkSite(there, list);
  const secrets = list.with('pending', 'rejected').flatMap(({ id, text, author }) => [id, text.match(/mark\d+x/)[0], author]);
  for (const { path, text } of there.answers) {
    assert.doesNotMatch(text, /"(held_by|held_at|note)"|"status":"(published|pending|rejected)"/, path);
    for (const secret of secrets) assert.ok(path.includes(secret) || !text.includes(secret), `${path} tells of ${secret}`);
  }
}

/** The deeds of writers, readers and moderators. Each changes the list as it must change the store. */
function deeds(server, list, random) {
  const { tokens } = server;
  const int = (low, high) => low + Math.floor(random() * (high - low + 1));
  const any = (...statuses) => pick(random, list.with(...statuses));
  const body = (link) => {
    const mark = list.mark();
    return { rating: int(1, 5), language: pick(random, ['en', 'de']), author: `author-${mark}`, text: `${mark}${link ? ' https://spam.example/x' : ''}`, attributes: { color: pick(random, ['red', 'blue']) } };
  };
  const plain = ({ status, reason, note, held_by, held_at, ...comment }) => comment;
  const post = async (link) => {
    const product = link ? pick(random, products) : pick(random, products.slice(0, 2));
    const { json } = (await server.post(commentsPath(product), body(link))).expect(link ? 202 : 201);
    list.put(plain(json), link ? 'pending' : 'published');
  };
  const decide = async (comment, status) => {
    const [{ comment: now, problem }] = await server.decide([{ id: comment.id, status, ...(status === 'rejected' ? { reason: 'spam', note: 'Note.' } : {}) }]);
    assert.ok(!problem, JSON.stringify(problem));
    list.put(plain(now), status);
  };
  const edit = async (comment, link) => {
    const { status } = list.comments.get(comment.id);
    const { text, rating } = body(link);
    const { json } = (await server.patch(commentPath(comment.id), { text, rating }, bearer(tokens.edit))).expect(200);
    list.put(plain(json), status === 'published' && !link ? 'published' : 'pending');
  };
  const report = async (comment) => { // of two persons: it waits again, unless a moderator published it
    const at = () => `198.51.${int(0, 255)}.${int(1, 254)}`;
    for (const address of [at(), `203.0.113.${int(1, 254)}`])
      (await server.post(`${commentPath(comment.id)}/reports`, { reason: 'fake' }, { Authorization: '', 'X-Forwarded-For': address })).expect(202, 404);
    list.comments.get(comment.id).status = (await server.get(commentPath(comment.id), server.moderator)).json.status;
  };
  const remove = async (comment) => {
    (await server.delete(commentPath(comment.id), bearer(tokens.edit))).expect(204);
    list.comments.delete(comment.id);
  };
  // Nothing of the last product is published.
  const hidden = () => pick(random, list.with('pending', 'rejected').filter(({ product }) => product !== 'chair'));
  const one = (choose, deed) => async () => { const chosen = choose(); if (chosen) await deed(chosen); };
  const published = () => any('published');
  return [() => post(false), () => post(false), () => post(true), one(hidden, (comment) => decide(comment, 'published')), one(published, (comment) => decide(comment, 'rejected')),
    one(published, (comment) => decide(comment, 'pending')), one(published, (comment) => edit(comment, false)), one(published, (comment) => edit(comment, true)),
    one(() => any('pending', 'rejected'), (comment) => edit(comment, false)), one(published, report), one(() => any('published', 'pending', 'rejected'), remove)];
}

for (const cache of ['64MiB', '0']) {
  test(`the public sees the published comments alone, with a cache of ${cache}`, async () => {
    const store = newStore();
    await declare(store, [{ name: 'color', type: 'choice' }]);
    const server = await serveShop({ store, shop, args: ['--cache', cache, '--trusted-proxy', '127.0.0.1', '--public-url', 'https://shop.example'] });
    const list = new List();
    const there = new Public(server);
    const random = seeded(cache === '0' ? 7 : 11);
    const all = deeds(server, list, random);
    for (let i = 0; i < 12; ++i) await all[i % 3]();
    let most = 0; // of comments that were hidden beside as many published ones
    for (let round = 0; round < 40; ++round) {
      await check(server, there, list);
      most = Math.max(most, Math.min(list.with('pending', 'rejected').length, list.with('published').length));
      for (let i = 0; i < 2; ++i) await pick(random, all)();
    }
    await check(server, there, list);
    assert.ok(most > 3, 'the walk had something to hide');
    await server.stop();
    await mustVerify(store, 'after the walk');
  });
}
