// Customers who post, edit, remove, vote, are held, published, invited and erased, at once and through kills; the plain list of what they
// wrote; and the comparison of each customer's own comments, and of the votes on them, with it after every answer.

import assert from 'node:assert/strict';
import { commentPath, commentsPath } from '../support/harness.mjs';
import { bearer, newShop } from '../support/moderation.mjs';
import { identityTable, signer, tokenFor } from '../support/customers.mjs';
import { pick } from '../support/data.mjs';
import { Ballots } from './ballots.mjs';

const products = ['lamp', 'desk', 'chair'];

/** A shop whose customers write one comment for a product, and vote; comments with links wait. */
export async function newCustomersShop() {
  const shop = signer();
  const kept = await newShop(`[writing]\nwho = "customers"\nonce = true\nedit_days = 1\n[moderation]\nhold = "rules"\nlinks = true\n[votes]\nwho = "customers"\n${identityTable}`, { 'jwks.json': JSON.stringify(shop.keys) });
  return { kept, shop };
}

/** One customer: deeds, one after another, and the plain list of the comments that they leave. Other customers act at the same time. */
export class Person {
  comments = new Map(); // of any status, by id
  left = new Set(); // ids of comments that are of nobody now, but for their ratings
  posts = 0;

  /** `all`: everyone, who votes on each other's comments; `ballots`: their votes. */
  constructor({ stand, shop, random, name, all, ballots }) { Object.assign(this, { stand, shop, random, name, all, ballots, id: `id-of-${name}` }); }

  as(more = {}) { return { ...bearer(tokenFor(this.shop, this.id, { name: `name-of-${this.name}` })), ...more }; }
  of(product) { return [...this.comments.values()].filter((one) => one.product === product); }
  any(...statuses) { return pick(this.random, [...this.comments.values()].filter(({ status }) => statuses.length === 0 || statuses.includes(status))); }
  body(link) { return { rating: 1 + Math.floor(this.random() * 5), language: pick(this.random, ['en', 'de']), text: `text-of-${this.name}-${++this.posts}${link ? ' https://spam.example/x' : ''}` }; }

  /** A comment that an answer gave is listed from now on. The answer has a status only when it is held; the list always has one. */
  keep({ attributes, ...comment }, status) {
    assert.equal(comment.status ?? 'published', status);
    this.ballots.check({ id: comment.id, attributes }, this.since);
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
  async decided(comment = this.any(), status = pick(this.random, ['published', 'rejected', 'pending'])) {
    if (!comment) return;
    const reason = status === 'rejected' ? { reason: 'off_topic' } : {};
    const [{ problem }] = await this.stand.decide([{ id: comment.id, status, ...reason }]);
    assert.ok(!problem, JSON.stringify(problem));
    const { reason: _, ...rest } = comment;
    this.comments.set(comment.id, { ...rest, status, ...reason });
  }
  /** The comments of others, and of those who are not known any more. */
  votable() {
    const others = this.all.filter((one) => one !== this).flatMap(({ comments }) => [...comments.values()]).filter(({ status }) => status === 'published');
    return [...others.map(({ id }) => id), ...this.all.flatMap(({ left }) => [...left])];
  }
  async vote(id = pick(this.random, this.votable()), vote = pick(this.random, ['helpful', 'unhelpful', 'none'])) {
    if (!id) return;
    const { server } = this.stand;
    const since = this.ballots.now();
    this.ballots.begin(id, this.name, vote);
    const path = `${commentPath(id)}/vote`;
    const answer = vote === 'none' ? await this.stand.delete(path, this.as()) : await this.stand.put(path, { vote }, this.as());
    answer.expect(vote === 'none' ? 204 : 200, 404); // 404: another removed it, or it waits again
    if (answer.status !== 404) this.ballots.taken(id, this.name);
    else if (this.stand.server === server) this.ballots.refused(id, this.name); // otherwise it may have been taken before a kill
    if (answer.status !== 200) return;
    const attributes = Object.fromEntries(['helpful', 'unhelpful'].filter((kind) => answer.json[kind] !== 0).map((kind) => [kind, answer.json[kind]]));
    assert.equal(answer.json.vote, vote);
    this.ballots.check({ id, attributes }, since);
  }
  async voteOnOwn() {
    const comment = this.any('published');
    if (comment) (await this.stand.put(`${commentPath(comment.id)}/vote`, { vote: 'helpful' }, this.as())).problem('forbidden');
  }
  async erase(keepRatings = this.random() < 0.5) {
    const voted = this.ballots.of(this.name);
    for (const id of voted) this.ballots.begin(id, this.name, 'none');
    (await this.stand.post('/v1/customers/erase', { customer: this.id, ...(keepRatings && { keep_ratings: true }) }, bearer(this.stand.server.tokens.admin))).expect(200);
    for (const { id, status } of this.comments.values()) if (keepRatings && status === 'published') this.left.add(id);
    this.comments.clear();
    for (const id of voted) this.ballots.taken(id, this.name);
  }

  /** The customer's own comments are those of the list, newest first. */
  async check(after) {
    const own = [];
    const since = this.ballots.now();
    let next;
    do {
      const { json } = (await this.stand.get(`/v1/me/comments?limit=2${next ? `&after=${next}` : ''}`, this.as())).expect(200);
      for (const comment of json.comments) this.ballots.check(comment, since);
      own.push(...json.comments.map(({ etag, attributes, ...comment }) => comment));
      next = json.page.next;
    } while (next);
    const wanted = [...this.comments.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    assert.deepEqual(own, wanted, `the own comments of ${this.name} after ${after}`);
  }

  async act(count) {
    const deeds = { post: 4, race: 2, invited: 1, edit: 2, remove: 1.5, decided: 2, vote: 8, voteOnOwn: 0.3, erase: 0.3 };
    const all = Object.entries(deeds).flatMap(([name, share]) => Array(share * 10).fill(name));
    for (let i = 0; i < count; ++i) {
      const deed = pick(this.random, all);
      this.since = this.ballots.now();
      await this[deed]();
      await this.check(deed);
    }
  }
}

export function everyone({ names, ...shared }) {
  const [all, ballots] = [[], new Ballots()];
  all.push(...names.map((name, i) => new Person({ ...shared, name, random: shared.random(i), all, ballots })));
  return all;
}

/** Nobody acts: each comment counts the votes that it has. */
export async function checkVotes(persons) {
  for (const { stand, ballots, comments, left } of persons) {
    for (const id of [...comments.keys(), ...left]) {
      const since = ballots.now();
      ballots.check((await stand.get(commentPath(id), stand.server.moderator)).expect(200).json, since);
    }
  }
}

/** No vote is in doubt any more. */
export async function settleVotes(persons) {
  for (const person of persons) {
    for (const comment of person.comments.values()) if (comment.status !== 'published') await person.decided(comment, 'published');
  }
  for (const person of persons) {
    for (const id of person.votable()) if (person.ballots.inDoubt(id, person.name)) await person.vote(id);
    assert.ok(!person.votable().some((id) => person.ballots.inDoubt(id, person.name)));
  }
}

/** Erased of all, each person leaves ratings alone. */
export async function eraseAll(persons) {
  for (const person of persons) {
    await person.erase(false);
    await person.check('the last erasure');
    for (const id of person.left) {
      const { author, title, text, ...rest } = (await person.stand.get(commentPath(id))).expect(200).json;
      person.ballots.check({ id, ...rest }, person.ballots.now());
      assert.deepEqual([author, title, text].map((each) => each ?? ''), ['', '', ''], 'an emptied comment is a rating alone');
    }
  }
}
