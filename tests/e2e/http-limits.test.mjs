// The limits on what may be posted: fields, lengths in Unicode scalar values, bodies, media types, and names of products.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, idsOf, serve } from './support/harness.mjs';

const path = commentsPath('limits');
let server;
before(async () => { server = await serve(); });
after(() => server?.stop());

const accepted = async (fields) => (await server.post(path, { rating: 3, ...fields })).expect(201).json;
const refused = async (fields, errors = Object.keys(fields)) => (await server.post(path, { rating: 3, ...fields })).problem('invalid-comment', { errors });

test('author, title and text: the greatest length is accepted, one character more is refused', async () => {
  const letters = { latin: 'a', umlaut: 'ö', han: '漢', emoji: '😀', combining: '\u0301' };
  for (const [field, limit] of [['author', 100], ['title', 300], ['text', 50_000]]) {
    for (const [name, letter] of Object.entries(letters)) {
      const longest = letter.repeat(limit);
      assert.equal((await accepted({ [field]: longest }))[field], longest, `${limit} × ${name} as ${field}`);
      await refused({ [field]: longest + letter });
    }
    assert.equal((await accepted({ [field]: '' }))[field], '');
  }
});

test('escaped scalar values count as one character, too', async () => {
  const pair = '\\ud83d\\ude00';
  const comment = (await server.post(path, `{"rating":5,"author":"${pair.repeat(100)}"}`)).expect(201).json;
  assert.equal(comment.author, '😀'.repeat(100));
  (await server.post(path, `{"rating":5,"author":"${pair.repeat(101)}"}`)).problem('invalid-comment', { errors: ['author'] });
});

test('control characters other than newline and tab are refused; other line ends become newlines', async () => {
  assert.equal((await accepted({ text: 'one\r\ntwo\rthree' })).text, 'one\ntwo\nthree');
  assert.equal((await accepted({ text: 'one\n\ttwo' })).text, 'one\n\ttwo');
  for (const field of ['author', 'title', 'text']) {
    for (const code of [0x00, 0x01, 0x08, 0x0b, 0x0c, 0x1b, 0x1f]) await refused({ [field]: `a${String.fromCharCode(code)}b` });
  }
});

test('text that is not valid Unicode is refused', async () => {
  for (const escape of ['\\ud800', '\\udc00', '\\ud800\\ud800', '\\ud83dx', '\\udc00\\ud800']) {
    (await server.post(path, `{"rating":5,"text":"${escape}"}`)).problem('invalid-comment');
  }
  const sequences = { 'a lone continuation': [0x80], 'a cut sequence': [0xe6, 0xbc], 'an overlong slash': [0xc0, 0xaf], 'an overlong NUL': [0xc0, 0x80], 'a surrogate': [0xed, 0xa0, 0x80], 'past U+10FFFF': [0xf4, 0x90, 0x80, 0x80], 'five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80], 'FF': [0xff] };
  for (const [name, bytes] of Object.entries(sequences)) {
    const body = Buffer.concat([Buffer.from('{"rating":5,"text":"a'), Buffer.from(bytes), Buffer.from('b"}')]);
    const answer = await server.post(path, body);
    assert.ok(answer.status < 500 && answer.status >= 400, `${name} in the text: ${answer.status} ${answer.text.slice(0, 300)}`);
    answer.problem('invalid-comment');
  }
});

test('the rating is a whole number from 1 to 5', async () => {
  for (const rating of [1, 2, 3, 4, 5]) assert.equal((await accepted({ rating })).rating, rating);
  for (const rating of [0, 6, -1, 4.5, '5', null, true, [5], {}, 1e20]) await refused({ rating });
  (await server.post(path, { text: 'no rating' })).problem('invalid-comment', { errors: ['rating'] });
});

test('the language is a tag of language, script and region, kept in its canonical form', async () => {
  for (const [given, kept] of [['EN', 'en'], ['en_us', 'en-US'], ['zh-hant', 'zh-Hant']]) assert.equal((await accepted({ language: given })).language, kept);
  for (const language of ['en', 'de', 'und', 'gsw', 'pt-BR', 'zh-Hant', 'es-419', 'zh-Hant-TW']) assert.equal((await accepted({ language })).language, language);
  for (const language of ['', 'e', 'engl', 'zh-TW-Hant', 'de-1996', 'en-', 'e1', 'éé', ' en', 5, ['en']]) await refused({ language });
});

test('texts are strings, dates are RFC 3339', async () => {
  for (const field of ['author', 'title', 'text']) for (const value of [5, true, [], {}]) await refused({ [field]: value });
  for (const created_at of ['yesterday', '2024-01-01', '2024-13-01T00:00:00Z', '2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2024-01-01T25:00:00Z', '2024-01-01T00:00:00', '2024-01-01T00:00:00+99:00', '', 1700000000000]) await refused({ created_at });
});

test('unknown fields are refused by name, and every wrong field has its message', async () => {
  await refused({ ratng: 5 });
  await refused({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
  await refused({ product: 'other' });
  await refused({ rating: 9, author: 'x'.repeat(101), language: 'E', bogus: 1 });
  await refused({ '__proto__x': 1 });
});

test('a body that is not one JSON object is refused', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const body of ['', ' ', '{', '[]', '"x"', '5', 'null', '{"rating":5}{"rating":5}', '{"rating":5,}', "{'rating':5}", '{"rating":5} x', '{"rating":NaN}', '\u0000', deep, `{"rating":5,"text":${deep}}`]) {
    (await server.post(path, body)).problem('invalid-comment');
  }
});

test('a body of 256 KiB is read, one byte more is too large', async () => {
  const body = (bytes) => '{"rating":5}'.padEnd(bytes, ' ');
  (await server.post(path, body(262_144))).expect(201);
  (await server.post(path, body(262_145))).problem('payload-too-large');
  (await server.get('/healthz')).expect(200);
});

test('a chunked body is read, and has the same limit', async () => {
  const send = (body) => server.request('POST', path, { body, headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } });
  assert.equal((await send('{"rating":4,"text":"in chunks"}')).expect(201).json.text, 'in chunks');
  (await send('{"rating":5}'.padEnd(262_145, ' '))).problem('payload-too-large');
});

test('other media types are refused', async () => {
  const post = (type) => server.request('POST', path, { body: '{"rating":5}', headers: { 'Content-Length': 12, ...(type === undefined ? {} : { 'Content-Type': type }) } });
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) (await post(type)).expect(201);
  for (const type of [undefined, '', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/merge-patch+json', 'application/jsonx', 'json']) {
    (await post(type)).problem('unsupported-media-type');
  }
});

test('a product may be any text of 1 to 256 bytes', async () => {
  const names = ['42', 'a/b', 'a#b', 'a?b&c=d', 'ü', '漢字 😀', '100%', '%2F', 'a b', 'a+b', '../..', "'\"<b>", 'PRODUCT#42/en/5', 'x'.repeat(256), '漢'.repeat(85) + 'x'];
  for (const product of names) {
    const { id } = await server.add(product, { rating: 5, language: 'en' });
    const page = await server.page(product);
    assert.deepEqual(page.comments.map((comment) => [comment.id, comment.product]), [[id, product]], `product ${JSON.stringify(product.slice(0, 30))}`);
    (await server.get(`/products/${encodeURIComponent(product)}`)).expect(200);
  }
  for (const product of ['x'.repeat(257), '漢'.repeat(86)]) {
    (await server.get(commentsPath(product))).problem('invalid-parameter', { parameter: 'product' });
    (await server.post(commentsPath(product), { rating: 5 })).problem('invalid-parameter', { parameter: 'product' });
  }
  (await server.get('/v1/products//comments')).expect(400, 404);
});

test('a product whose name has separators does not reach into another', async () => {
  const inside = await server.add('77', { rating: 5, language: 'en' });
  for (const forged of ['77/en', '77/en/5', '77/5', '77#', '77%2Fen']) await server.add(forged, { rating: 5, language: 'en' });
  for (const query of [{}, { language: 'en' }, { rating: 5 }, { language: 'en', rating: 5 }]) {
    assert.deepEqual(idsOf(await server.page('77', query)), [inside.id], `77 under ${JSON.stringify(query)}`);
  }
});

test('percent-encoding that is invalid, or is not UTF-8, is refused', async () => {
  for (const product of ['%', '%4', '%zz', '%ff', '%c3', '%c0%af', '%ed%a0%80']) (await server.get(`/v1/products/${product}/comments`)).expect(400);
  for (const value of ['%', '%zz', '%ff']) (await server.get(`/v1/products/p/comments?language=${value}`)).expect(400);
  for (const name of ['%', '%ff', '%00', '', '=']) (await server.get(`/v1/products/p/comments?${name}=1`)).expect(400);
});
