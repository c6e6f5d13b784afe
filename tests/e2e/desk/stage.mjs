// The servers that the cells of the golden table are asked of: each with a shop of its own kind, and for each cell a product, a comment and a client of its own.

import crypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityTable } from '../support/customers.mjs';
import { importRows, mustRun, newStore, serve, temporaryDirectory } from '../support/harness.mjs';
import { admin, customerHeaders, shop, tokensFile } from './writers.mjs';

const shopFile = (who, lists = 'private') => `[shop]\nlists = "${lists}"\nembed = ["https://embed.example"]\nmedia = ["img.example"]\n[writing]\n${who ? `who = "${who}"\n` : ''}once = true\nfields = ["size"]\nedit_days = 30\n`
  + `[moderation]\nhold = "rules"\nlinks = true\nreports = 1\n[feeds]\nchanges = true\n[votes]\nwho = "customers"\n${identityTable}`;

/** Of each kind of shop: its file, and whether the server has tokens. */
export const houses = {
  customers: { shop: shopFile('customers') },
  anyone: { shop: shopFile('anyone', 'public') },
  nobody: { shop: shopFile('') },
  'no shop file': {},
  demo: { args: ['--demo'] },
  'no tokens': { shop: shopFile('customers'), tokens: false },
};

export const absent = '01JD5ZK3V8Q6W3N0A9B7C5D2EF';
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of a comment of this time: 48 bits of milliseconds, then 80 that tell it from others. */
function ulid(ms, number) {
  const digits = (value, count) => Array.from({ length: count }, () => { const digit = letters[Number(value % 32n)]; value /= 32n; return digit; }).reverse().join('');
  return digits(BigInt(ms), 10) + digits(BigInt(number), 16);
}

const begun = Date.now();

/** A client, a product, customers and a comment that no other cell has. `state`: of the comment. */
export class Place {
  static #count = 0;

  constructor(state, { age = 60 * 60 * 1000 } = {}) {
    const number = ++Place.#count;
    this.number = number;
    this.state = state;
    this.product = `in/${number}`;
    this.owner = `owner-${number}`;
    this.stranger = `stranger-${number}`;
    this.created = begun - age;
    this.id = ulid(this.created, number);
  }

  get row() {
    const status = { pending: { status: 'pending', held_by: 'links' }, rejected: { status: 'rejected', reason: 'spam', note: 'n' } }[this.state];
    return { id: this.id, product: this.product, language: 'en', rating: 5, author: 'Ann', title: 'Fits', text: 'Well.', created_at: new Date(this.created).toISOString(), customer_id: this.owner, ...status };
  }
}

export class Stage {
  #addresses = 0;

  /** A server whose store has the comments of these places. */
  static async open(house, places, args = []) {
    const stage = new Stage();
    const folder = temporaryDirectory();
    const file = (name, text) => { const path = join(folder, name); writeFileSync(path, text); return path; };
    stage.house = house;
    stage.file = file;
    stage.folder = folder;
    stage.audit = join(folder, 'audit.log');
    stage.store = newStore();
    await mustRun(['facet', 'add', 'size', '--type', 'choice', '--store', stage.store]);
    await importRows(stage.store, places.filter(({ state }) => state !== 'absent').map(({ row }) => row));
    stage.customerKey = Buffer.from(/^[0-9a-f]{64}$/m.exec(readFileSync(join(stage.store.slice('lmdb:'.length), 'customer-key'), 'utf8'))[0], 'hex');
    file('jwks.json', JSON.stringify(shop.keys));
    const kind = houses[house];
    stage.server = await serve({ store: stage.store, args: ['--audit-log', stage.audit, '--trusted-proxy', '127.0.0.1', '--posts-per-minute-client', '1', '--posts-per-minute-product', '1', '--access-log', 'none',
      ...(kind.shop ? ['--shop', file('shop.toml', kind.shop)] : []), ...(kind.tokens === false ? [] : ['--tokens', file('tokens', tokensFile)]), ...(kind.args ?? []), ...args] });
    await stage.#invite(places.filter(({ invited }) => invited));
    return stage;
  }

  get hasCustomers() { return houses[this.house].shop !== undefined; }

  /** The address of a client that has sent nothing yet. */
  client() {
    const number = ++this.#addresses;
    return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  }

  ask(method, path, { headers = {}, body, from = this.client() } = {}) {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const length = bytes ? { 'Content-Length': bytes.length, 'Content-Type': 'application/json' } : {};
    return this.server.request(method, path, { headers: { 'X-Forwarded-For': from, ...length, ...headers }, body: bytes });
  }

  /** Each place gets its ticket. */
  async #invite(places) {
    const invitations = places.map((place) => ({ product: place.invited === 'in/' ? place.product : `${place.invited}${place.number}`, customer: place.owner }));
    for (let at = 0; at < places.length; at += 1000) {
      const some = invitations.slice(at, at + 1000);
      const answer = await this.ask('POST', '/v1/invitations', { headers: admin, body: { invitations: some } });
      answer.expect(201).json.invitations.forEach(({ ticket }, i) => { places[at + i].ticket = ticket; });
    }
  }

  /** What this request of a place was counted as: the limits are one, so the next request of its kind is refused. */
  async counted(place, from, customer) {
    const refused = async (answer) => (await answer).status === 429;
    const report = { reason: 'spam' };
    const probes = {
      w: this.ask('POST', `/v1/comments/${absent}/reports`, { body: report, from }),
      r: this.ask('GET', '/v1/moderation/comments', { from }),
      c: customer && this.hasCustomers ? this.ask('POST', `/v1/comments/${absent}/reports`, { body: report, headers: customerHeaders(customer) }) : {},
      p: this.ask('POST', `/v1/products/${encodeURIComponent(place.product)}/comments`, { body: { rating: 9 }, headers: houses[this.house].tokens === false ? customerHeaders(`probe-${place.number}`) : admin }),
    };
    const found = await Promise.all(Object.entries(probes).map(async ([name, answer]) => (await refused(answer) ? name : '')));
    return found.join('');
  }

  /** The status of the place's comment; without tokens, as the public sees it. */
  async stateOf(place) {
    const answer = await this.ask('GET', `/v1/comments/${place.id}`, { headers: admin });
    return answer.status === 404 ? 'absent' : answer.json.status ?? 'published';
  }

  hashOf(customer) { return crypto.createHmac('sha256', this.customerKey).update(customer).digest('base64url'); }

  /** Ends the server. Gives the lines of its audit log by request. */
  async close() {
    await this.server.stop();
    const lines = new Map();
    for (const line of readFileSync(this.audit, 'utf8').split('\n').filter(Boolean).map((each) => JSON.parse(each))) lines.set(line.request, [...(lines.get(line.request) ?? []), line]);
    return lines;
  }
}
