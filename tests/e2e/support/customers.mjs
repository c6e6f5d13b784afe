// A shop that signs for its customers, and a server that believes it.

import crypto from 'node:crypto';
import { join } from 'node:path';
import { startDynamoDb, storeAt } from './dynamodb.mjs';
import { mustRun, serve, unlimited } from './harness.mjs';
import { bearer, serveShop } from './moderation.mjs';

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key pair of ES256, its key set, and what it signs. */
export function signer({ kid = 'a' } = {}) {
  // As texts: the key that is exported is another then. Node 20 waits for itself where the garbage collector removes the job that made
  // a key while that key is exported as JWK, for both lock it.
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
  const keys = { keys: [{ ...crypto.createPublicKey(publicKey).export({ format: 'jwk' }), kid, use: 'sig' }] };
  const sign = (claims, header = {}) => {
    const text = `${encoded({ alg: 'ES256', typ: 'JWT', kid, ...header })}.${encoded(claims)}`;
    return `${text}.${crypto.sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  return { keys, sign };
}

const seconds = () => Math.floor(Date.now() / 1000);
export const identityTable = '[[identity]]\nissuer = "https://shop.example"\naudience = "reviews"\nalgorithm = "ES256"\nkeys = "jwks.json"\n';

export const tokenFor = (shop, id, claims = {}) => shop.sign({ iss: 'https://shop.example', aud: 'reviews', sub: id, exp: seconds() + 600, ...claims });

/** A server whose shop lets customers write; `as(id, claims)` are the headers of a customer. */
export async function serveCustomers({ writing = 'who = "customers"\n', more = '', args = [], store } = {}) {
  const shop = signer();
  const server = await serveShop({ store, args, files: { 'jwks.json': JSON.stringify(shop.keys) },
    shop: `[writing]\n${writing}${more}${identityTable}` });
  const tokenOf = (id, claims) => tokenFor(shop, id, claims);
  return Object.assign(server, { shop, tokenOf, as: (id, claims) => bearer(tokenOf(id, claims)) });
}

/** Two such servers on one table, in a database that is started for them. */
export async function serveTable(options) {
  const database = await startDynamoDb();
  const store = storeAt(database.endpoint);
  await mustRun(['table', 'create', '--store', store]);
  const server = await serveCustomers({ store, ...options });
  const other = await serve({ store, args: ['--tokens', join(server.folder, 'tokens'), '--shop', join(server.folder, 'shop.toml'), ...unlimited] });
  const stop = async () => { await Promise.all([server.stop(), other.stop()]); await database.stop(); };
  return { database, store, server, other, stop };
}
