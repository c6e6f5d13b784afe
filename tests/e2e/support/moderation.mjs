// What tests of moderation share: a server with a shop file, and a token for each scope.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newToken, serve, temporaryDirectory, unlimited } from './harness.mjs';

export const bearer = (token) => ({ Authorization: `Bearer ${token}` });

/** What outlives a server: a shop file, and a token of each scope. */
export async function newShop(shop = '[moderation]\nhold = "rules"\nlinks = true\n', files = {}) {
  const folder = temporaryDirectory();
  const file = join(folder, 'tokens');
  const made = async (scopes, name, ...more) => (await newToken({ file, scopes, args: ['--name', name, ...more] })).token;
  const tokens = { post: await made('post', 'post'), edit: await made('edit', 'edit'), importer: await made('import', 'importer'), moderate: await made('moderate', 'ann'),
    other: await made('moderate', 'bob'), part: await made('moderate', 'part', '--product', 'shop-a/'), reply: await made('reply', 'mia'), admin: await made('admin', 'admin'),
    both: await made('moderate,reply', 'zoe'), partAdmin: await made('admin', 'part-admin', '--product', 'shop-a/') };
  const shopFile = join(folder, 'shop.toml');
  if (shop) writeFileSync(shopFile, shop);
  for (const [name, text] of Object.entries({ 'words.txt': 'casino\n', ...files })) writeFileSync(join(folder, name), text);
  return { folder, tokens, args: ['--tokens', file, ...(shop ? ['--shop', shopFile] : []), ...unlimited] };
}

/** The server's client posts with a token that rules bind; `tokens` has one of each scope, and one for products from "shop-a/" on. */
export async function serveShop({ shop, files, kept, args = [], store, env } = {}) {
  const { folder, tokens, args: ofShop } = kept ?? await newShop(shop, files);
  const server = await serve({ store, env, token: tokens.post, args: [...ofShop, ...args] });
  const moderator = bearer(tokens.moderate);
  return Object.assign(server, {
    tokens, folder, moderator,
    queue: async (query = '', headers = moderator) => (await server.get(`/v1/moderation/comments${query}`, headers)).expect(200).json,
    decide: async (decisions, headers = moderator) => (await server.post('/v1/moderation/decisions', { decisions }, headers)).expect(200).json.decisions,
  });
}

/** A comment that the rule of links holds. */
export const linked = (comment = {}) => ({ rating: 5, text: 'See https://spam.example/x', ...comment });

/** Sends a form as a browser does. */
export const sendForm = (server, path, fields, headers = {}) => fetch(server.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers });

/** Signs in on the page of moderators. `page` gives its text; `sent` sends a form there, and gives where it leads. */
export async function moderatorsSession(server, token) {
  const answer = await sendForm(server, '/moderation/session', { token });
  assert.equal(answer.status, 303);
  const [cookie, ...attributes] = answer.headers.get('set-cookie').split('; ');
  assert.deepEqual(attributes, ['Path=/moderation', 'Max-Age=3600', 'HttpOnly', 'SameSite=Strict']);
  const page = async (query = '') => (await server.get(`/moderation${query}`, { Cookie: cookie })).expect(200).text;
  const value = /name="form" value="([^"]+)"/.exec(await page())[1];
  const sent = async (name, fields) => (await sendForm(server, `/moderation/${name}`, { form: value, ...fields }, { Cookie: cookie })).headers.get('location');
  return { cookie, value, page, sent, decide: (fields) => sent('decisions', fields) };
}

/** What the buttons of the page send for each comment. */
export const valuesIn = (text) => [...text.matchAll(/name="publish" value="([^"]+)"/g)].map(([, value]) => value);
