// What tests of moderation share: a server with a shop file, and a token for each scope.

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
    partAdmin: await made('admin', 'part-admin', '--product', 'shop-a/') };
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
