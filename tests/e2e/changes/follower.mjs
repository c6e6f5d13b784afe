// Programs that follow what happens to comments, and a shop in which much happens.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client, commentPath, commentsPath, exportRows, newToken } from '../support/harness.mjs';
import { pick, seeded } from '../support/data.mjs';
import { serveCustomers } from '../support/customers.mjs';
import { bearer, linked } from '../support/moderation.mjs';

/** A comment of an export as the log of changes tells it: as moderators see it. */
const asTold = ({ customer, decided, ...row }) => ({ status: 'published', ...row });

/** What a copy has of the comments of an export, by id. */
export async function exported(store) {
  const rows = await exportRows(store);
  return new Map(rows.filter(({ id }) => id).map((row) => [row.id, asTold(row)]));
}

/** Makes of a copy what a line of the log says. */
export function apply(copy, { comment, id, type }) {
  if (comment) copy.set(comment.id, comment);
  else if (id) copy.delete(id);
  else assert.ok(type === undefined || type === 'customer.erased', `a line of type ${type} has neither a comment nor an id`);
}

/** Asks for changes with a token, on connections of its own. */
export class Reader extends Client {
  changes(query = '') { return this.get(`/v1/changes${query}`, bearer(this.token)); }

  async lines(query) { return (await this.changes(query)).expect(200).text.split('\n').filter(Boolean).map((line) => JSON.parse(line)); }

  async newest() { return (await this.lines('?after=now'))[0].mark; }
}

/** Keeps a copy: begins at the newest mark with an export, and goes on from there. */
export class Follower extends Reader {
  async begin(store) {
    this.mark = await this.newest();
    this.copy = await exported(store);
    return this;
  }

  /** Reads once. Gives the lines. */
  async read({ limit = 100, wait = 0 } = {}) {
    const lines = await this.lines(`?after=${this.mark}&limit=${limit}&wait=${wait}`);
    for (const line of lines) {
      assert.ok(line.mark >= this.mark, 'marks rise');
      this.mark = line.mark;
      apply(this.copy, line);
    }
    return lines;
  }

  async readAll() { while ((await this.read()).length > 1); }
}

const customers = ['ann', 'bea', 'cem', 'dan', 'eva', 'fay'];
const moves = ['moves/1', 'moves/2', 'moves/3']; // each to the next one
const products = ['shop-a/1', 'shop-a/2', 'shop-b/1', ...moves];

/** A shop whose server keeps a log of changes, and what may happen there, by chance. */
export class Shop {
  static async open({ seed = 1, store, args } = {}) {
    const shop = new Shop();
    shop.random = seeded(seed);
    shop.server = await serveCustomers({ store, args, more: '[moderation]\nhold = "rules"\nlinks = true\nreports = 2\n[votes]\nwho = "customers"\n[feeds]\nchanges = true\n' });
    const { server } = shop;
    shop.file = join(server.folder, 'tokens');
    shop.admin = bearer(server.tokens.admin);
    shop.feed = (await newToken({ file: shop.file, scopes: 'feed' })).token;
    await shop.isTaken(shop.feed);
    shop.ids = [];
    shop.written = 0;
    shop.done = new Map();
    return shop;
  }

  /** A running server takes a new token within a second. */
  async isTaken(token) {
    const reader = new Reader(this.server.url, token);
    while ((await reader.changes('?after=now')).status === 401) await new Promise((done) => setTimeout(done, 50));
    reader.close();
  }

  get customer() { return pick(this.random, customers); }
  get id() { return pick(this.random, this.ids); }

  /** Of the deeds by chance, so many at a time in parallel. */
  async happen(count, together = 4) {
    for (let left = count; left > 0; left -= together) await Promise.all(Array.from({ length: Math.min(left, together) }, () => this.one()));
  }

  async one() {
    const deeds = { post: 8, edit: 4, decide: 4, reply: 3, vote: 5, report: 3, remove: 2, erase: 0.3, import: 1, move: 0.5 };
    const all = Object.values(deeds).reduce((sum, weight) => sum + weight);
    let at = this.random() * all;
    const name = this.ids.length < 5 ? 'post' : Object.keys(deeds).find((each) => (at -= deeds[each]) < 0);
    const answer = await this[name]();
    assert.ok(answer.status < 500 && ![400, 401, 403].includes(answer.status) || name === 'vote', `${answer.name}: ${answer.status} ${answer.text}`);
    if (answer.status < 300) this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  comment() {
    const text = `Number ${++this.written}.`;
    return { rating: 1 + (this.written % 5), language: pick(this.random, ['en', 'de', 'und']), title: 'Fits', ...(this.random() < 0.3 ? { text: `${linked().text} ${text}` } : { text }) };
  }

  async post() {
    const answer = await this.server.post(commentsPath(pick(this.random, products)), this.comment(), this.server.as(this.customer));
    if (answer.status === 201 || answer.status === 202) this.ids.push(answer.json.id);
    return answer;
  }

  edit() { return this.server.patch(commentPath(this.id), this.random() < 0.5 ? { rating: 3 } : this.comment(), this.admin); }
  decide() {
    const patch = pick(this.random, [{ status: 'published' }, { status: 'pending' }, { status: 'rejected', reason: 'spam', note: 'An advertisement.' }, { note: 'Asked.' }]);
    return this.server.patch(commentPath(this.id), patch, this.admin);
  }
  reply() {
    const path = `${commentPath(this.id)}/reply`;
    return this.random() < 0.3 ? this.server.delete(path, this.admin) : this.server.put(path, { text: `Thanks ${++this.written}.` }, this.admin);
  }
  vote() {
    const path = `${commentPath(this.id)}/vote`;
    const by = this.server.as(this.customer);
    return this.random() < 0.2 ? this.server.delete(path, by) : this.server.put(path, { vote: pick(this.random, ['helpful', 'unhelpful']) }, by);
  }
  report() { return this.server.post(`${commentPath(this.id)}/reports`, { reason: 'spam' }, this.server.as(this.customer)); }
  remove() { return this.server.delete(commentPath(this.id), this.admin); }
  erase() { return this.server.post('/v1/customers/erase', { customer: this.customer, keep_ratings: this.random() < 0.5 }, this.admin); }
  move() {
    const at = this.random() < 0.5 ? 0 : 1;
    return this.server.post(`/v1/products/${encodeURIComponent(moves[at])}/move`, { to: moves[at + 1] }, this.admin);
  }
  /** One at a time, as a server takes them from one client. */
  import() {
    this.imported = (this.imported ?? Promise.resolve()).then(() => this.importNow());
    return this.imported;
  }

  async importNow() {
    const known = [...(await exported(this.server.store)).values()].slice(0, 2).map((row) => ({ ...row, text: `Imported ${++this.written}.` }));
    const rows = Array.from({ length: 5 }, () => ({ product: pick(this.random, products), created_at: '2024-01-01T00:00:00Z', ...this.comment() }));
    const body = [...known, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('');
    return this.server.post('/v1/import?update=true', body, { ...this.admin, 'Content-Type': 'application/jsonl' });
  }
}
