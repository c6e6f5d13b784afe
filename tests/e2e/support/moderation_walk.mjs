// A walk of every public address beside moderation: the deeds of writers, readers and moderators, the plain list of what they make of
// the comments, and the comparison of each public answer with the published ones.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentPath, commentsPath } from './harness.mjs';
import { bearer } from './moderation.mjs';
import { pick } from './data.mjs';
import { recount, recountLeaders, sameFigures } from './recount.mjs';

export const products = ['lamp', 'desk', 'chair']; // the last one never has a published comment
export const shop = '[moderation]\nhold = "rules"\nlinks = true\nreports = 2\n';

/** The comments as a plain list. A text has a mark of its own, by which a leak is found. */
export class List {
  comments = new Map();
  marks = 0;

  mark() { return `mark${++this.marks}x`; }
  put(comment, status) { this.comments.set(comment.id, { comment, status }); }
  with(...statuses) { return [...this.comments.values()].filter(({ status }) => statuses.includes(status)).map(({ comment }) => comment); }
  published(product) { return this.with('published').filter((one) => product === undefined || one.product === product).sort((a, b) => (a.id < b.id ? 1 : -1)); }
}

/** The server of a walk, which is killed now and then. A request that a kill breaks is sent once more: each deed below may be repeated. */
export class Stand {
  /** `open` starts a server of serveShop(), the same one each time. */
  static async make(open) {
    const stand = Object.assign(new Stand(), { open });
    await (stand.starting = stand.#start());
    return stand;
  }

  async #start() { this.server = await this.open(); }

  /** Kills the server after this time, and starts it again. */
  async killAfter(milliseconds) {
    await sleep(milliseconds);
    this.server.killed = true;
    await (this.starting = this.server.kill().then(() => this.#start()));
  }

  async #ask(method, ...request) {
    for (;;) {
      await this.starting;
      const { server } = this;
      try {
        return await server[method](...request);
      } catch (error) {
        if (!server.killed || error.code === 'ERR_ASSERTION') throw error;
      }
    }
  }
  get(...request) { return this.#ask('get', ...request); }
  post(...request) { return this.#ask('post', ...request); }
  put(...request) { return this.#ask('put', ...request); }
  patch(...request) { return this.#ask('patch', ...request); }
  delete(...request) { return this.#ask('delete', ...request); }
  decide(...request) { return this.#ask('decide', ...request); }
}

/** All that the public can ask, with the answers of now. A tag of an earlier answer must not say that a changed answer is as it was. */
export class Public {
  answers = [];
  tags = new Map();
  /** `facets`: whether the store has an index of facets. */
  constructor(stand, { facets = true } = {}) { Object.assign(this, { stand, facets }); }

  async get(path, headers = {}) {
    const at = Date.now();
    const answer = await this.stand.get(path, headers);
    const earlier = this.tags.get(path);
    if (earlier) {
      const again = await this.stand.get(path, { ...headers, 'If-None-Match': earlier.tag });
      if (again.status === 304) assert.equal(answer.text, earlier.text, `${path}: a 304 for another answer`);
    }
    if (answer.headers.etag && !answer.headers.etag.startsWith('W/')) this.tags.set(path, { tag: answer.headers.etag, text: answer.text });
    this.answers.push({ path, at, text: answer.text + JSON.stringify(answer.headers) });
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
  for (const query of [{}, { sort: 'created_at' }, { rating: [1, 5] }, { language: 'en' }, { explain: 'true' }, ...(there.facets ? [{ color: 'red' }, { sort: '-rating' }] : [])]) {
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
  if (!there.facets) return;
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
  const { text: sought } = await there.get('/?find=chair');
  assert.match(sought, /No products for “chair”/);
  assert.ok(!sought.includes('/products/chair'), 'no chair was published');
  assert.ok((await named('/')).every((one) => shown.includes(one)), 'the best products');
  for (const path of ['/metrics', '/healthz', '/readyz', '/robots.txt', '/v1/facets']) (await there.get(path)).expect(200);
}

/** No answer since this time tells of a comment that nobody may see. */
export function tellsNoSecrets(there, list, since = 0) {
  const secrets = list.with('pending', 'rejected').flatMap(({ id, text, author }) => [id, text.match(/mark\d+x/)[0], author]);
  for (const { path, text } of there.answers.filter(({ at }) => at >= since)) {
    assert.doesNotMatch(text, /"(held_by|held_at|note)"|"status":"(published|pending|rejected)"/, path);
    for (const secret of secrets) assert.ok(path.includes(secret) || !text.includes(secret), `${path} tells of ${secret}`);
  }
}

/** Each public answer is that of the published comments. */
export async function check(there, list) {
  there.answers = [];
  for (const each of list.comments.values()) await checkComment(there, each);
  for (const product of products) {
    await checkLists(there, list, product);
    await checkPages(there, list, product);
  }
  await checkNumbers(there, list);
  await checkSite(there, list);
  tellsNoSecrets(there, list);
}

/** The deeds of writers, readers and moderators. Each changes the list as it must change the store. */
export function deeds(stand, list, random) {
  const { tokens, moderator } = stand.server;
  const int = (low, high) => low + Math.floor(random() * (high - low + 1));
  const any = (...statuses) => pick(random, list.with(...statuses));
  const body = (link) => {
    const mark = list.mark();
    return { rating: int(1, 5), language: pick(random, ['en', 'de']), author: `author-${mark}`, text: `${mark}${link ? ' https://spam.example/x' : ''}`, attributes: { color: pick(random, ['red', 'blue']) } };
  };
  const plain = ({ status, reason, note, held_by, held_at, ...comment }) => comment;
  const post = async (link) => {
    const product = link ? pick(random, products) : pick(random, products.slice(0, 2));
    const { json } = (await stand.post(commentsPath(product), body(link), { 'Idempotency-Key': `post ${list.marks}` })).expect(link ? 202 : 201);
    list.put(plain(json), link ? 'pending' : 'published');
  };
  const decide = async (comment, status) => {
    const [{ comment: now, problem }] = await stand.decide([{ id: comment.id, status, ...(status === 'rejected' ? { reason: 'spam', note: 'Note.' } : {}) }]);
    assert.ok(!problem, JSON.stringify(problem));
    list.put(plain(now), status);
  };
  const edit = async (comment, link) => {
    const { status } = list.comments.get(comment.id);
    const { text, rating } = body(link);
    const { json } = (await stand.patch(commentPath(comment.id), { text, rating }, bearer(tokens.edit))).expect(200);
    list.put(plain(json), status === 'published' && !link ? 'published' : 'pending');
  };
  const report = async (comment) => { // of two persons: it waits again, unless a moderator published it
    const at = () => `198.51.${int(0, 255)}.${int(1, 254)}`;
    for (const address of [at(), `203.0.113.${int(1, 254)}`])
      (await stand.post(`${commentPath(comment.id)}/reports`, { reason: 'fake' }, { Authorization: '', 'X-Forwarded-For': address })).expect(202, 404);
    list.comments.get(comment.id).status = (await stand.get(commentPath(comment.id), moderator)).json.status;
  };
  const remove = async (comment) => {
    (await stand.delete(commentPath(comment.id), bearer(tokens.edit))).expect(204, 404); // 404: a kill broke the answer
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

/** Some deeds, and a kill among them. */
export async function deedsThroughAKill(stand, all, random, { count, within }) {
  const killed = stand.killAfter(random() * within);
  for (let i = 0; i < count; ++i) await pick(random, all)();
  await killed;
}
