// No request holds a thread of the server for long, on a store of any size. The test asks every route that takes parameters,
// and the server's own count of long holds must not grow.
// Only in ./test --all: it runs alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, importRows, mustRun, newStore, serve } from './support/harness.mjs';

const store = newStore();
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const languages = letters.flatMap((a) => letters.map((b) => a + b));
const many = languages.slice(0, 50).map((language) => `language=${language}`).join('&'); // as many as a filter takes
let server;

/** 120 comments, each as long as a comment can be in some way. */
function longRows() {
  const texts = ['😀'.repeat(49_000), '<'.repeat(50_000), 'a "q" \n'.repeat(7_000), '\n'.repeat(50_000)];
  return Array.from({ length: 120 }, (_, i) => ({ product: 'long', language: 'en', rating: 1 + (i % 5), created_at: new Date(Date.UTC(2024, 0, 1) + i * 1000).toISOString(), author: '<'.repeat(100), title: '&'.repeat(300), text: texts[i % 4] }));
}

/** A product with a list for each of as many languages as it can have, and five ratings. */
function babelRows() {
  return languages.slice(0, 200).flatMap((language, i) => [1, 2, 3, 4, 5].map((rating) => ({ product: 'babel', language, rating, created_at: new Date(Date.UTC(2024, 1, 1) + (i * 7919 + rating) * 1000).toISOString(), author: 'A', title: 'T', text: 'x' })));
}

before(async () => {
  await mustRun(['generate', '--store', store, '--comments', '1000000', '--products', '600000']);
  await importRows(store, [...longRows(), ...babelRows()]);
  server = await serve({ store, args: ['--demo', '--threads', '1', '--posts-per-minute-client', '1000000', '--posts-per-minute-product', '1000000'] });
});
after(() => server?.stop());

async function longHolds() {
  const { text } = (await server.get('/metrics')).expect(200);
  assert.match(text, /^quire_loop_longest_hold_seconds \d/m);
  return Number(/^quire_loop_long_holds_total (\d+)/m.exec(text)[1]);
}

/** A busy machine can make any step long once, but not ten times in a row. */
async function mustBeShort(name, ask) {
  for (let i = 0; i < 10; ++i) {
    const before = await longHolds();
    await ask();
    if (await longHolds() === before) return;
  }
  assert.fail(`${name} holds a thread for over 10 ms each time`);
}

test('no address holds a thread for over 10 ms', async () => {
  const top = (await server.get('/v1/leaderboard')).json.products[0].product;
  const long = (await server.page('long')).comments[0].id;
  const babel = (await server.page('babel')).comments[7].id;
  const paths = ['/', '/?find=product', '/?find=product-1', '/?find=product-59&by=average', '/?by=average', '/?by=five_star', '/?after=product-5', '/sitemap.xml', '/sitemap.xml?after=', '/sitemap.xml?after=product-3', '/metrics', '/openapi.json', '/healthz', '/readyz', '/problems/not-found', '/v1/leaderboard?limit=100', '/v1/leaderboard?limit=100&by=average',
    '/products/long?limit=100', '/products/long?limit=100&page=2', '/products/long?limit=100&sort=rating', '/v1/products/long/comments?limit=100', '/v1/products/long/comments?limit=100&explain=true&sort=rating', '/products/long/comments.atom', '/v1/products/long/statistics', commentPath(long), `/comments/${long}`, `${commentPath(long)}/page`,
    '/products/babel?limit=100', '/v1/products/babel/comments?limit=100&page=20', `/v1/products/babel/comments?${many}`, `/v1/products/babel/comments?${many}&rating=1&rating=3&rating=4&page=7`, `/v1/products/babel/comments?${many}&rating=1&rating=3&limit=2&page=40&explain=true`, `/products/babel?${many}&rating=1&rating=3&page=4`, `/products/babel?${many}&sort=rating&page=9`,
    '/v1/products/babel/comments?rating=1&rating=2&rating=4&page=50', `${commentPath(babel)}/page?rating=1&rating=2&rating=3&rating=4`, `/v1/products/babel/statistics?${many}`, '/v1/products/babel/statistics', '/products/babel/comments.atom', `/products/babel/comments.atom?${many}`,
    `/v1/products/${top}/comments?page=30&rating=4&rating=1`, `/products/${top}?sort=-rating&page=30`, `/v1/products/${top}/comments?limit=100&language=en&rating=2&rating=5`];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD']) {
      await mustBeShort(`${method} ${path}`, async () => {
        const answer = await server.request(method, path);
        assert.ok(answer.status < 400 || answer.status === 404, `${path} answers ${answer.status}`);
      });
    }
  }
});

test('no write holds a thread for over 10 ms', async () => {
  for (const text of ['😀'.repeat(50_000), '"'.repeat(50_000), '<'.repeat(50_000)]) await mustBeShort('POST', () => server.add('written', { language: 'en', rating: 5, text }));
  const broken = [`{"text":"${'\\u0000'.repeat(40_000)}"}`, '['.repeat(250_000), `{${'"a":1,'.repeat(30_000)}"a":1}`];
  for (const body of broken) await mustBeShort('POST of no comment', async () => assert.ok((await server.post('/v1/products/written/comments', body)).status >= 400));
});
