// A shop that signs tokens for its customers (HS256).

import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the shop's file, with `settings` before its identity, into the directory: {file, token(customer, claims)}. */
export function signingShop(directory, settings) {
  const secret = randomBytes(32).toString('hex');
  writeFileSync(join(directory, 'secret'), secret, { mode: 0o600 });
  const file = join(directory, 'shop.toml');
  writeFileSync(file, `${settings}\n[[identity]]\nissuer = "shop"\naudience = "quire"\nalgorithm = "HS256"\nsecret = "secret"\n`);
  const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    file,
    token(customer, claims = {}) {
      const text = `${encoded({ alg: 'HS256' })}.${encoded({ iss: 'shop', aud: 'quire', sub: customer, exp: Math.floor(Date.now() / 1000) + 3600, ...claims })}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    },
  };
}
