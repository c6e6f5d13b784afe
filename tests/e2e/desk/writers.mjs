// Who asks: nobody, a token of each scope and place, customers, invitations.

import crypto from 'node:crypto';
import { signer, tokenFor } from '../support/customers.mjs';
import { bearer } from '../support/moderation.mjs';

export const scopes = ['post', 'edit', 'import', 'moderate', 'reply', 'invite', 'products', 'atom', 'feed', 'admin'];

/** Prefixes of products: that of all comments here, and that of none. */
const places = { '': '', ', these products': 'in/', ', other products': 'out/' };

const day = 24 * 60 * 60 * 1000;

export const shop = signer();
const stranger = signer(); // signs with a key that the shop does not name

const secretOf = (name) => `quire_${crypto.createHash('sha256').update(name).digest('base64url')}`;

const tokens = scopes.flatMap((scope) => Object.entries(places).map(([place, product]) => ({ name: scope + place, scopes: scope, product })));
const others = [{ name: 'edit and import', scopes: 'edit,import' }, { name: 'an ended admin', scopes: 'admin', until: '2024-01-01' }];

const label = (name) => name.replace(/\W+/g, '-');

/** The line of a tokens file, as docs/formats/tokens.md has it. */
const lineOf = ({ name, scopes: held, product, until }) => [crypto.createHash('sha256').update(secretOf(name)).digest('hex'), `name=${label(name)}`, `scopes=${held}`,
  ...(until ? [`until=${until}`] : []), ...(product ? [`product=${encodeURIComponent(product)}`] : [])].join(' ') + '\n';

export const tokensFile = [...tokens, ...others].map(lineOf).join('');

export const admin = bearer(secretOf('admin'));
export { secretOf, label };

export const customerHeaders = (id, claims) => bearer(tokenFor(shop, id, claims));

/**
 * A writer: its name; `secret`, what its requests bear; `label`, as the audit log names it; `customer`, which one it is; `ticket`, to which product, "in/" being
 * that of the cell; how old the comments are that it meets.
 */
const none = { name: 'none' };
const byToken = ({ name }) => ({ name, label: label(name), secret: () => secretOf(name) });
const customer = { name: 'the customer', customer: (place) => place.owner, secret: (place) => tokenFor(shop, place.owner) };
const late = { ...customer, name: 'the customer, after edit_days', age: 40 * day };
const another = { name: 'another customer', customer: (place) => place.stranger, secret: (place) => tokenFor(shop, place.stranger) };
const forged = { name: 'a forged customer', secret: (place) => tokenFor(stranger, place.owner) };
const invited = { name: 'an invitation', customer: (place) => place.owner, ticket: 'in/' };
const elsewhere = { ...invited, name: 'an invitation to another product', ticket: 'other/' };

export const headersOf = (writer, place) => {
  if (writer.ticket) return { Invitation: place.ticket };
  return writer.secret ? bearer(writer.secret(place)) : {};
};

export const writers = [none, { name: 'an unknown token', secret: () => secretOf('nobody') }, ...tokens.map(byToken), ...others.map(byToken), customer, late, another, forged, invited, elsewhere];
export const writer = (name) => writers.find((each) => each.name === name);

/** Those that a shop tells apart by who may write. */
export const few = [none, writer('post'), writer('admin'), customer, invited];
/** Those who need no token of the server. */
export const visitors = [none, writer('admin'), customer, another, forged, invited, elsewhere];
