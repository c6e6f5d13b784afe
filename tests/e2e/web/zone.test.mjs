// The shop's time zone: days on pages, fragments and the queue are its days; what programs read stays in UTC.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentPath, importRows, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { serveShop } from '../support/moderation.mjs';
import { until } from '../support/project.mjs';

const evening = { product: '42', rating: 5, language: 'en', title: 'Late', text: 'Late', created_at: '2024-07-05T06:30:00.123Z', reply: { text: 'Thanks', created_at: '2024-12-31T23:30:00Z' } };
const held = { product: '42', rating: 5, language: 'en', title: 'Held', text: 'Held', created_at: '2024-07-05T06:30:00.123Z', status: 'pending' };
const settings = (zone) => `[shop]\nname = "Shop"${zone ? `\nzone = "${zone}"` : ''}\n`;
const daysIn = (text) => [...text.matchAll(/(?:<\/svg><a href="[^"]*|<time datetime="[^"]*)">(?:<bdi>)?([^<]+)/g)].map(([, day]) => day);

async function serveIn(zone) {
  const store = newStore();
  await importRows(store, [evening, held]);
  return serveShop({ store, shop: settings(zone), args: ['--public-url', 'https://shop.example'] });
}
const signedIn = async (server) => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await server.request('POST', '/moderation/session', { body: `token=${server.tokens.moderate}`, headers: form });
  return server.get('/moderation', { Cookie: answer.headers['set-cookie'][0].split(';')[0] });
};

test('days are those of the zone, and each time in structured data and feeds has its offset', async () => {
  const cases = [
    ['', '2024-07-05T06:30:00.123Z', 'July 5, 2024', '2024-12-31T23:30:00.000Z', 'December 31, 2024', 'July 5, 2024, 06:30 UTC'],
    ['America/Los_Angeles', '2024-07-04T23:30:00.123-07:00', 'July 4, 2024', '2024-12-31T15:30:00.000-08:00', 'December 31, 2024', 'July 4, 2024, 23:30 UTC-07:00'],
    ['Asia/Tokyo', '2024-07-05T15:30:00.123+09:00', 'July 5, 2024', '2025-01-01T08:30:00.000+09:00', 'January 1, 2025', 'July 5, 2024, 15:30 UTC+09:00'],
  ];
  for (const [zone, iso, day, replyIso, replyDay, minute] of cases) {
    const server = await serveIn(zone);
    const [{ id, created_at }] = (await server.page('42')).comments;
    for (const path of ['/products/42', '/products/42/fragment', `/comments/${id}`])
      {
      const { text } = (await server.get(path)).expect(200);
      assert.deepEqual(daysIn(text), [day, replyDay], `${path} in ${zone}`);
      assert.ok(text.includes(`<time datetime="${replyIso.slice(0, 10)}">${replyDay}</time>`), path);
    }
    assert.ok((await server.get('/products/42?ui=de')).text.includes(`>${day === 'July 4, 2024' ? '4' : '5'}. Juli 2024<`));
    const [{ review }] = [...(await server.get('/products/42')).text.matchAll(/ld\+json">(.*)<\/script>/g)].map(([, data]) => JSON.parse(data));
    assert.deepEqual([review[0].datePublished, review[0].comment.datePublished], [iso, replyIso]);
    assert.match((await server.get('/products/42/comments.atom')).text, new RegExp(`<published>${iso.replace('+', '\\+')}</published>`));
    assert.ok((await signedIn(server)).expect(200).text.includes(`<time datetime="${iso}">${minute}</time>`));
    assert.equal(created_at, evening.created_at);
    assert.equal((await server.get(commentPath(id))).json.created_at, evening.created_at);
    assert.match((await run(['get', id, '--store', server.store])).stdout, /2024-07-05T06:30:00\.123Z/);
    await server.stop();
  }
});

test('another zone is another page, at once', async () => {
  const server = await serveIn('UTC');
  const page = () => server.get('/products/42');
  const { etag } = (await page()).headers;
  writeFileSync(join(server.folder, 'shop.toml'), settings('America/Los_Angeles'));
  await until('the zone', async () => /July 4, 2024/.test((await page()).text));
  const answer = await server.get('/products/42', { 'If-None-Match': etag });
  assert.equal(answer.status, 200);
  assert.notEqual(answer.headers.etag, etag);
  await server.stop();
});

test('an unknown zone is a fault that tells the name to write', async () => {
  const file = join(temporaryDirectory(), 'shop.toml');
  for (const [zone, hint] of [['Los Angeles', /Did you mean America\/Los_Angeles\?/], ['europe/berlin', /Did you mean Europe\/Berlin\?/], ['+02:00', /such as Europe\/Berlin/], ['Mars/Olympus', /no zone "Mars\/Olympus"/]]) {
    writeFileSync(file, settings('x').replace('"x"', JSON.stringify(zone)));
    const { status, stderr } = await run(['shop', 'check', file]);
    assert.equal(status, 1, zone);
    assert.match(stderr, /shop\.toml:3: There is no zone/);
    assert.match(stderr, hint);
  }
  writeFileSync(file, settings('America/Los_Angeles'));
  assert.equal((await run(['shop', 'check', file])).status, 0);
});
