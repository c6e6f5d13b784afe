// HTTP on the socket: keep-alive, pipelining, HTTP/1.0, chunks, oversized headers, garbage, and an orderly stop.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, serve } from './support/harness.mjs';
import { seeded } from './support/data.mjs';
import { metric } from './support/metrics.mjs';
import { connect, exchange } from './support/wire.mjs';

let server;
before(async () => {
  server = await serve();
  for (let rating = 1; rating <= 3; ++rating) await server.add('wire', { rating });
});
after(() => server?.stop());

const get = (path, ...headers) => [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = (path, body, ...headers) => [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const alive = async (after_) => {
  assert.ok(server.running, `the server ended after ${after_}\n${server.output.slice(-2000)}`);
  assert.equal((await server.get('/healthz')).status, 200, `healthz after ${after_}`);
};

test('a connection is kept for the next request', async () => {
  const wire = await connect(server.port);
  for (let n = 1; n <= 5; ++n) {
    wire.send(get(`/v1/products/wire/comments?limit=${n}`));
    const answers = await wire.answers(n);
    assert.equal(answers.length, n, `answer ${n} on the same connection`);
    assert.equal(JSON.parse(answers[n - 1].body).page.size, n);
  }
  assert.equal(wire.closed, false);
  wire.destroy();
});

test('Connection: close is honoured', async () => {
  const wire = await connect(server.port);
  wire.send(get('/healthz', 'Connection: close'));
  assert.ok(await wire.untilClosed(5_000), 'closed after the answer');
  assert.equal((await wire.answers(1))[0]?.status, 200);
  wire.destroy();
});

test('pipelined requests are answered in order, whole, mixed with writes and errors', async () => {
  const body = '{"rating":5,"text":"pipelined"}';
  const requests = [
    [200, get('/v1/products/wire/comments?limit=1')], [201, post('/v1/products/pipe/comments', body, `Content-Length: ${body.length}`)],
    [400, get('/v1/products/wire/comments?limit=0')], [200, get('/v1/products/pipe/comments')], [404, get('/nowhere')],
    [200, get('/healthz').replace('GET', 'HEAD')], [200, get('/v1/products/wire/comments?limit=2')],
  ];
  const methods = requests.map(([, text]) => text.split(' ')[0]);
  const { answers } = await exchange(server.port, requests.map(([, text]) => text).join(''), { count: requests.length, methods });
  assert.deepEqual(answers.map((answer) => answer.status), requests.map(([status]) => status));
  assert.equal(JSON.parse(answers[3].body).comments[0].text, 'pipelined', 'a read after a write on one connection sees it');
  assert.equal(JSON.parse(answers[6].body).page.size, 2);
});

test('a hundred pipelined requests sent a few bytes at a time', async () => {
  const all = Array.from({ length: 100 }, (_, n) => get(`/v1/products/wire/comments?limit=${n + 1}`)).join('');
  const wire = await connect(server.port);
  for (let at = 0; at < all.length; at += 97) {
    wire.send(all.slice(at, at + 97));
    if (at % (97 * 8) === 0) await new Promise((done) => setImmediate(done));
  }
  const answers = await wire.answers(100, { milliseconds: 10_000 });
  assert.deepEqual(answers.map((answer) => JSON.parse(answer.body).page.size), Array.from({ length: 100 }, (_, n) => n + 1));
  wire.destroy();
});

test('HTTP/1.0 needs no Host, gets no chunks, and the connection ends', async () => {
  const wire = await connect(server.port);
  wire.send('GET /v1/products/wire/comments HTTP/1.0\r\n\r\n');
  assert.ok(await wire.untilClosed(5_000), 'the connection ends after the answer');
  const [answer] = await wire.answers(1);
  assert.equal(answer?.status, 200, wire.text.slice(0, 300));
  assert.equal(answer.headers['transfer-encoding'], undefined);
  assert.equal(JSON.parse(answer.body).total, 3);
  wire.destroy();
});

test('an HTTP/1.0 client gets no interim response', async () => {
  const body = '{"rating":4}';
  const wire = await connect(server.port);
  wire.send(post('/v1/products/expect/comments', '', `Content-Length: ${body.length}`, 'Expect: 100-continue').replace('HTTP/1.1', 'HTTP/1.0'));
  await wire.until(() => wire.text, 200);
  const [answer] = await wire.send(body).answers(1);
  assert.equal(answer?.status, 201, wire.text.slice(0, 300));
  assert.ok(!wire.text.includes('Continue'), wire.text.slice(0, 300));
  wire.destroy();
});

test('a header section over 16 KiB is cut off, one under it is read', async () => {
  const { answers } = await exchange(server.port, get('/healthz', `X-Long: ${'x'.repeat(15_000)}`));
  assert.equal(answers[0]?.status, 200, 'just under the limit');
  for (const headers of [[`X-Long: ${'x'.repeat(17_000)}`], Array.from({ length: 400 }, (_, n) => `X-Header-${n}: ${'y'.repeat(40)}`)]) {
    const cut = await exchange(server.port, get('/healthz', ...headers));
    assert.ok(cut.closed || cut.answers.length === 1, 'the server does something about it');
    assert.ok(cut.answers.every((answer) => answer.status >= 400 && answer.status < 500), `no such request is served: ${cut.text.slice(0, 100)}`);
  }
  const endless = await connect(server.port);
  endless.send(`GET /${'a'.repeat(200_000)}`);
  assert.ok(await endless.untilClosed(5_000), 'a request line without end is cut off');
  endless.destroy();
  await alive('oversized headers');
});

test('X-Request-Id: a valid one is returned, any other is replaced by a unique one', async () => {
  for (const id of ['abc-123', 'A.b_c-9', '0f8fad5b-d9cb-469f-a165-70867728950e']) {
    assert.equal((await server.get('/healthz', { 'X-Request-Id': id })).headers['x-request-id'], id);
  }
  for (const id of ['x'.repeat(300), 'a b', 'a"b', '<script>', 'a\tb', 'caf\u00e9']) {
    const { answers } = await exchange(server.port, Buffer.from(get('/healthz', `X-Request-Id: ${id}`), 'latin1'));
    const given = answers[0]?.headers['x-request-id'];
    assert.ok(given && given !== id, `${JSON.stringify(id.slice(0, 20))} is not repeated: ${given}`);
  }
  const paths = ['/', '/healthz', '/nowhere', commentsPath('wire'), commentsPath('wire', { limit: 0 }), '/metrics', '/v1/comments/x', '/products/wire'];
  const ids = await Promise.all(paths.map(async (path) => (await server.get(path)).headers['x-request-id']));
  assert.ok(ids.every(Boolean), `every answer has one: ${ids}`);
  assert.equal(new Set(ids).size, ids.length, 'and one of its own');
});

test('requests that HTTP forbids are refused or end the connection', async () => {
  const body = '{"rating":5}';
  const path = '/v1/products/smuggled/comments';
  const forbidden = {
    'no Host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'another protocol': 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
    'a negative length': post(path, body, 'Content-Length: -1'),
    'a length of letters': post(path, body, 'Content-Length: twelve'),
    'a length past 64 bits': post(path, body, 'Content-Length: 99999999999999999999999'),
    'chunks of no number': post(path, `zz\r\n${body}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
    'an unknown coding': post(path, body, 'Transfer-Encoding: gzip'),
    'an unknown coding with a request behind it': `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n${get('/healthz')}`,
    'a coding on a GET': `GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n${get('/healthz')}`,
    'a second coding': post(path, `c\r\n${body}\r\n0\r\n\r\n`, 'Transfer-Encoding: gzip, chunked'),
    'chunks and then none': post(path, `c\r\n${body}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked, identity'),
    'a space before the colon': `GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n`,
    'a NUL in a header': get('/healthz', 'X-A: a\0b'),
    'no version': 'GET /healthz\r\nHost: localhost\r\n\r\n',
    'a space in the target': get('/health z'),
    'a fragment behind a path': get('/healthz#a=b'),
    'a fragment behind a host': get('http://localhost#a=b'),
  };
  for (const [name, data] of Object.entries(forbidden)) {
    const { answers, closed } = await exchange(server.port, Buffer.from(data, 'latin1'), { half: true });
    assert.ok(closed || answers.length > 0, `${name}: neither answered nor closed`);
    assert.ok(answers.length === 0 || answers[0].status >= 400, `${name}: answered ${answers[0]?.status}`);
  }
  assert.equal((await server.page('smuggled')).total, 0, 'nothing was stored');
  await alive('forbidden requests');
});

test('garbage on the socket does not bring the server down', async () => {
  const random = seeded(31);
  const bytes = (count) => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
  const valid = Buffer.from(post(commentsPath('garbage'), '{"rating":5,"text":"x"}', 'Content-Length: 23'));
  const damaged = () => { const copy = Buffer.from(valid); for (let n = 0; n < 3; ++n) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256); return copy; };
  const inputs = [bytes(8192), Buffer.alloc(8192), Buffer.alloc(8192, '\r\n'), Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 'latin1'), Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.concat([Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n'), bytes(8192)]), Buffer.concat([valid, bytes(8192)]),
    ...Array.from({ length: 30 }, () => bytes(1 + Math.floor(random() * 500))), ...Array.from({ length: 150 }, damaged)];
  for (let at = 0; at < inputs.length; at += 20) {
    await Promise.all(inputs.slice(at, at + 20).map((input) => exchange(server.port, input, { half: true, milliseconds: 300 })));
  }
  await alive('garbage');
});

test('8 KiB of binary as a body is an invalid comment', async () => {
  const random = seeded(32);
  const body = Buffer.from(Array.from({ length: 8192 }, () => Math.floor(random() * 256)));
  (await server.post(commentsPath('binary'), body)).problem('invalid-comment');
});

test('clients that disconnect early do no harm', async () => {
  for (let n = 0; n < 50; ++n) {
    const wire = await connect(server.port);
    wire.send(n % 2 ? get(commentsPath('wire')) : post(commentsPath('wire'), '{"rat', 'Content-Length: 500'));
    wire.socket.resetAndDestroy?.() ?? wire.destroy();
  }
  await alive('fifty clients that left');
});

test('SIGTERM: the request in flight is answered, idle connections do not delay the stop, status 0', async () => {
  const ending = await serve();
  const body = '{"rating":5,"text":"in flight"}';
  const busy = await connect(ending.port);
  const idle = await connect(ending.port);
  idle.send(get('/healthz'));
  assert.equal((await idle.answers(1)).length, 1);
  busy.send(post(commentsPath('p'), body.slice(0, 10), `Content-Length: ${body.length}`));
  while (await metric(ending, 'quire_http_body_bytes') === 0); // it has read the header
  const began = Date.now();
  const end = ending.stop();
  assert.ok(await idle.untilClosed(), 'the stop has begun');
  const [answer] = await busy.send(body.slice(10)).answers(1);
  assert.equal(answer?.status, 201, `the request in flight is answered; received ${JSON.stringify(busy.text.slice(0, 200))}`);
  const { status, stderr } = await end;
  assert.equal(status, 0, `exit status; stderr: ${stderr.slice(-1000)}`);
  assert.ok(Date.now() - began < 6_000, `it took ${Date.now() - began} ms to end`);
  busy.destroy();
  idle.destroy();
  const again = await serve({ store: ending.store });
  assert.equal((await again.page('p')).comments[0]?.text, 'in flight', 'and its comment is kept');
  await again.stop();
});

test('all lines of a list header count', async () => {
  const path = '/v1/products/wire/comments?limit=1';
  for (const [open, ...lines] of [[true, 'Connection: x'], [true, 'Connection: x, y'], [false, 'Connection: x', 'Connection: close'], [false, 'Connection: close', 'Connection: x'],
    [false, 'Connection: x, CLOSE ,y'], [false, 'Connection: x', 'Connection: keep-alive, close'], [false, 'Connection: keep-alive', 'Connection: close']]) {
    const { answers } = await exchange(server.port, get(path, ...lines) + get(path), { count: 2, half: true });
    assert.equal(answers.length, open ? 2 : 1, lines.join(' | '));
    assert.equal(answers[0].headers.connection, open ? undefined : 'close', lines.join(' | '));
  }
  for (const [open, ...lines] of [[true, 'Connection: x', 'Connection: keep-alive'], [false, 'Connection: keep-alive', 'Connection: close'], [false, 'Connection: x']]) {
    const old = get(path, ...lines).replace('HTTP/1.1', 'HTTP/1.0');
    assert.equal((await exchange(server.port, old + old, { count: 2, half: true })).answers.length, open ? 2 : 1, `HTTP/1.0 ${lines.join(' | ')}`);
  }
  const { headers: { etag } } = await server.get(path);
  const ask = async (target, ...lines) => (await exchange(server.port, get(target, ...lines))).answers[0];
  assert.equal((await ask(path, 'If-None-Match: "other"', `If-None-Match: ${etag}`)).status, 304);
  assert.equal((await ask(path, 'If-None-Match: "other"', 'If-None-Match: "another"')).status, 200);
  assert.equal((await ask('/openapi.json', 'Accept-Encoding: br', 'Accept-Encoding: gzip')).headers['content-encoding'], 'gzip');
  assert.match((await ask('/nowhere', 'Accept: image/png', 'Accept: text/html')).headers['content-type'], /^text\/html/);
  assert.match((await ask('/nowhere', 'Accept: application/json', 'Accept: text/html;q=0.5')).headers['content-type'], /^application\/problem/);
  await server.add('tongues', { rating: 1, language: 'de' });
  await server.add('tongues', { rating: 1, language: 'fr' });
  const spoken = JSON.parse((await ask('/v1/products/tongues/comments?language=auto', 'Accept-Language: es', 'Accept-Language: fr')).body);
  assert.deepEqual(spoken.comments.map((comment) => comment.language), ['fr']);
  const waiting = await connect(server.port);
  waiting.send(post('/v1/products/expect/comments', '', 'Content-Length: 12', 'Expect: x', 'Expect: 100-continue'));
  assert.ok(await waiting.until(() => waiting.text.startsWith('HTTP/1.1 100 ')), waiting.text);
  assert.equal((await waiting.send('{"rating":4}').answers(1))[0]?.status, 201);
  waiting.destroy();
});

test('a write has one line of each header that is no list', async () => {
  const body = '{"rating":4}';
  for (const lines of [['Content-Type: application/json'], ['Authorization: Bearer a', 'Authorization: Bearer b'], ['Idempotency-Key: a', 'Idempotency-Key: b']]) {
    const { answers } = await exchange(server.port, post('/v1/products/twice/comments', body, 'Content-Length: 12', ...lines));
    assert.equal(answers[0]?.status, 400, answers[0]?.body.toString());
    assert.match(answers[0].body.toString(), /A request has one (Content-Type|Authorization|Idempotency-Key) header/);
  }
  assert.equal((await server.page('twice')).total, 0);
});
