// A receiver of webhooks, and a shop file that names it.

import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import { temporaryDirectory } from '../support/harness.mjs';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Waits until the condition holds: messages take a second, or longer while other tests run. */
export async function soon(what, condition, patience = 60_000) {
  for (const deadline = Date.now() + patience; ;) {
    const found = await condition();
    if (found) return found;
    assert.ok(Date.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Verifies a message as Standard Webhooks says, and gives its content. */
export function verified({ headers, body }, key = secret) {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers;
  assert.ok(Math.abs(Date.now() / 1000 - Number(seconds)) < 300, `sent at ${seconds}`);
  const wanted = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64')).update(`${id}.${seconds}.`).update(body).digest();
  const right = signatures.split(' ').some((each) => {
    const given = Buffer.from(each.slice('v1,'.length), 'base64');
    return each.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  assert.ok(right, `no signature of ${id} is right: ${signatures}`);
  return { id, ...JSON.parse(body) };
}

/** Answers each message with what `answer(message)` gives: a status, [status, headers], or nothing, which hangs. */
export async function receiver(answer = () => 200) {
  const messages = [];
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = { headers: request.headers, path: request.url, body: Buffer.concat(chunks) };
      messages.push(message);
      const [status, headers] = [it.answer(message)].flat();
      if (status) response.writeHead(status, headers).end();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  after(() => { server.closeAllConnections(); server.close(); });
  const it = { answer, messages, port: server.address().port, url: `http://127.0.0.1:${server.address().port}/in` };
  return it;
}

/** A shop file with these webhooks, whose lines are TOML; {file, args, write}. */
export function shopWith(...webhooks) {
  const folder = temporaryDirectory();
  const file = join(folder, 'shop.toml');
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });
  const write = (...all) => writeFileSync(file, '[shop]\n' + all.map((lines) => `[[webhook]]\n${lines}\n`).join(''), { mode: 0o600 });
  write(...webhooks);
  return { folder, file, write, args: ['--shop', file] };
}

export const copyTo = (url, more = '') => `name = "copy"\nurl = "${url}"\nsecret = "secret"\nprivate = true\n${more}`;
export const slackTo = (url, more = '') => `name = "bad"\nurl = "${url}"\nformat = "slack"\nprivate = true\n${more}`;
