// Customers who post, edit, remove, are held, published, invited and erased, at once and through kills; the plain list of what they
// wrote; and the comparison of each customer's own comments with it after every answer.

import assert from 'node:assert/strict';
import { commentPath, commentsPath } from '../support/harness.mjs';
import { bearer, newShop } from '../support/moderation.mjs';
import { identityTable, signer, tokenFor } from '../support/customers.mjs';
import { pick } from '../support/data.mjs';

const products = ['lamp', 'desk', 'chair'];

/** A shop whose customers write one comment for a product; comments with links wait. */
export async function newCustomersShop() {
  const shop = signer();
  const kept = await newShop(`[writing]\nwho = "customers"\nonce = true\nedit_days = 1\n[moderation]\nhold = "rules"\nlinks = true\n${identityTable}`, { 'jwks.json': JSON.stringify(shop.keys) });
  return { kept, shop };
}

/** One customer: deeds, one after another, and the plain list of the comments that they leave. Other customers act at the same time. */
export class Person {
  comments = new Map(); // of any status, by id
  left = new Set(); // ids of comments that are of nobody now, but for their ratings
  posts = 0;

  constructor({ stand, shop, random, name }) { Object.assign(this, { stand, shop, random, name, id: `id-of-${name}` }); }

  as(more = {}) { return { ...bearer(tokenFor(this.shop, this.id, { name: `name-of-${this.name}` })), ...more }; }
  of(product) { return [...this.comments.values()].filter((one) => one.product === product); }
  any(...statuses) { return pick(this.random, [...this.comments.values()].filter(({ status }) => statuses.length === 0 || statuses.includes(status))); }
  body(link) { return { rating: 1 + Math.floor(this.random() * 5), language: pick(this.random, ['en', 'de']), text: `text-of-${this.name}-${++this.posts}${link ? ' https://spam.example/x' : ''}` }; }

  /** A comment that an answer gave is listed from now on. The answer has a status only when it is held; the list always has one. */
  keep(comment, status) {
    assert.equal(comment.status ?? 'published', status);
    this.comments.set(comment.id, { ...comment, status });
  }

  async write(product, link, key) {
    const answer = await this.stand.post(commentsPath(product), this.body(link), this.as({ 'Idempotency-Key': `${this.name} ${key}` }));
    if (answer.status === 409) return { first: answer.problem('already-written').comment };
    return { comment: answer.expect(link ? 202 : 201).json };
  }
  async post() {
    const [product, link] = [pick(this.random, products), this.random() < 0.3];
    const before = this.of(product);
    const { comment, first } = await this.write(product, link, `post ${this.posts}`);
    assert.equal(Boolean(first), before.length > 0, `once: ${this.name} has ${before.length} comments of ${product}`);
    if (first) return assert.ok(before.some(({ id }) => id === first), 'the first comment is named');
    this.keep(comment, link ? 'pending' : 'published');
  }

  /** Two posts that race: one is taken. */
  async race() {
    const product = pick(this.random, products);
    const before = this.of(product).length;
    const link = this.random() < 0.3;
    const both = await Promise.all([1, 2].map((i) => this.write(product, link, `race ${this.posts} ${i}`)));
    const taken = both.filter(({ comment }) => comment);
    assert.equal(taken.length, before ? 0 : 1, `once: of two posts ${taken.length} were taken beside ${before}`);
    for (const { comment } of taken) this.keep(comment, link ? 'pending' : 'published');
  }
  /** A ticket that is used twice at once makes one comment, and none beside another of its customer. */
  async invited() {
    const product = pick(this.random, products);
    const before = this.of(product);
    const { admin } = this.stand.server.tokens;
    const [{ ticket }] = (await this.stand.post('/v1/invitations', { invitations: [{ product, customer: this.id, name: `name-of-${this.name}` }] }, bearer(admin))).expect(201).json.invitations;
    const text = this.body(false);
    const use = () => this.stand.post(commentsPath(product), text, { Authorization: '', Invitation: ticket });
    const answers = await Promise.all([use(), use()]);
    const [id, ...others] = new Set(answers.map((answer) => (answer.status === 201 ? answer.json.id : answer.problem('already-written').comment)));
    assert.deepEqual(others, [], 'a ticket makes one comment');
    if (before.length) return assert.ok(before.some((one) => one.id === id), 'once: the first comment is named');
    this.keep((await this.stand.get(commentPath(id))).expect(200).json, 'published');
  }
  async edit() {
    const comment = this.any();
    if (!comment) return;
    const link = this.random() < 0.3;
    const { rating, text } = this.body(link);
    const { json } = (await this.stand.patch(commentPath(comment.id), { rating, text }, this.as())).expect(200);
    this.keep(json, comment.status === 'published' && !link ? 'published' : 'pending');
  }
  async remove() {
    const comment = this.any();
    if (!comment) return;
    (await this.stand.delete(commentPath(comment.id), this.as())).expect(204, 404); // 404: a kill broke the answer
    this.comments.delete(comment.id);
  }
  async decided() {
    const comment = this.any();
    if (!comment) return;
    const status = pick(this.random, ['published', 'rejected', 'pending']);
    const reason = status === 'rejected' ? { reason: 'off_topic' } : {};
    const [{ problem }] = await this.stand.decide([{ id: comment.id, status, ...reason }]);
    assert.ok(!problem, JSON.stringify(problem));
    const { reason: _, ...rest } = comment;
    this.keep({ ...rest, status, ...reason }, status);
  }
  async erase(keepRatings = this.random() < 0.5) {
    (await this.stand.post('/v1/customers/erase', { customer: this.id, ...(keepRatings && { keep_ratings: true }) }, bearer(this.stand.server.tokens.admin))).expect(200);
    for (const { id, status } of this.comments.values()) if (keepRatings && status === 'published') this.left.add(id);
    this.comments.clear();
  }

  /** The customer's own comments are those of the list, newest first. */
  async check(after) {
    const own = [];
    let next;
    do {
      const { json } = (await this.stand.get(`/v1/me/comments?limit=2${next ? `&after=${next}` : ''}`, this.as())).expect(200);
      own.push(...json.comments.map(({ etag, ...comment }) => comment));
      next = json.page.next;
    } while (next);
    const wanted = [...this.comments.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    assert.deepEqual(own, wanted, `the own comments of ${this.name} after ${after}`);
  }

  async act(count) {
    const deeds = { post: 4, race: 2, invited: 1, edit: 2, remove: 2, decided: 2, erase: 0.3 };
    const all = Object.entries(deeds).flatMap(([name, share]) => Array(share * 10).fill(name));
    for (let i = 0; i < count; ++i) {
      const deed = pick(this.random, all);
      await this[deed]();
      await this.check(deed);
    }
  }
}

/** Erased of all, each person leaves ratings alone. */
export async function eraseAll(persons) {
  for (const person of persons) {
    await person.erase(false);
    await person.check('the last erasure');
    for (const id of person.left) {
      const { author, title, text } = (await person.stand.get(commentPath(id))).expect(200).json;
      assert.deepEqual([author, title, text].map((each) => each ?? ''), ['', '', ''], 'an emptied comment is a rating alone');
    }
  }
}
