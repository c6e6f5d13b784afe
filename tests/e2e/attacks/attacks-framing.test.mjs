// Bytes that a lenient server takes for a second request (RFC 9112, 7.1 and 11.2): chunk lines, trailers, folded lines,
// lines that are given twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../support/harness.mjs';
import { connect, exchange } from '../support/wire.mjs';

let server;
before(async () => { server = await serve(); });
after(() => server?.stop());

const body = '{"rating":5}';
const hidden = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const get = (...headers) => ['GET /healthz HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = (product, content, ...headers) =>
  [`POST /v1/products/${product}/comments HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...headers, '', content].join('\r\n');
const chunked = (product, content, ...headers) => post(product, content, 'Transfer-Encoding: chunked', ...headers);
const bytes = (text) => Buffer.from(text, 'latin1');
const statuses = (answers) => answers.map((answer) => answer.status);

/** The request is refused once, the connection is closed, and what lies behind is no request. */
async function refused(name, text) {
  const wire = await connect(server.port);
  wire.send(bytes(text + hidden)).end();
  assert.ok(await wire.untilClosed(5_000), `${name}: the connection ends`);
  const answers = await wire.answers(1);
  assert.equal(answers.length, 1, `${name}: one answer, and no second: ${statuses(answers)}`);
  assert.ok(answers[0].status >= 400 && answers[0].status < 500, `${name}: answered ${answers[0].status}`);
  wire.destroy();
}

test('control characters in a chunk line are refused', async () => {
  const size = body.length.toString(16);
  const lines = {
    'a line feed in a quoted extension': 'a="\n";b', 'a line feed and a request in quotes': `a="\n\n${hidden.replaceAll('\r', '')}"`,
    'a NUL in quotes': 'a="\0"', 'a NUL behind a backslash': 'a="\\\0"', 'an escaped line feed': 'a="\\\n"',
    'a bell in quotes': 'a="\x07"', 'DEL in quotes': 'a="\x7f"', 'a carriage return in quotes': 'a="\r"',
    'a CRLF in quotes': 'a="\r\n"', 'a line feed in a name': 'a\nb', 'a NUL in a name': 'a\0b',
  };
  for (const [name, extension] of Object.entries(lines)) {
    await refused(name, chunked('lines', `${size};${extension}\r\n${body}\r\n0\r\n\r\n`));
    await refused(`${name}, in the last chunk`, chunked('lines', `${size}\r\n${body}\r\n0;${extension}\r\n\r\n`));
  }
  assert.equal((await server.page('lines')).total, 0, 'nothing was stored');
});

test('quotes that the line does not end make no request of what follows', async () => {
  for (const text of [`c;a="b\r\n${body}\r\n0\r\n\r\n`, `c\r\n${body}\r\n0;a="b\r\n\r\n`, `c\r\n${body}\r\n0;a="b\r\n\r\n"`]) {
    const { answers, closed } = await exchange(server.port, chunked('quotes', text) + hidden, { count: 2, half: true });
    assert.ok(closed && statuses(answers).every((status) => status === 400), `${statuses(answers)}`);
  }
  assert.equal((await server.page('quotes')).total, 0, 'nothing was stored');
});

test('a chunk line that has no size, or another end, is refused', async () => {
  for (const line of ['c\n', 'c\r', 'c \r\n', ' c\r\n', '\tc\r\n', '0xc\r\n', '+c\r\n', '-c\r\n', '\r\n', ';a\r\n', 'c;\r\n', 'c;=a\r\n', 'c\0\r\n', '\ufeffc\r\n',
    'c\r\r\n', 'ffffffffffffffff\r\n', '1000000000000000c\r\n', '10000000000000000000000000000000c\r\n', '40001\r\n', 'b\r\n', 'd\r\n']) {
    await refused(JSON.stringify(line), chunked('sizes', `${line}${body}\r\n0\r\n\r\n`));
  }
  assert.equal((await server.page('sizes')).total, 0, 'nothing was stored');
});

test('trailers that are no header lines are refused; those that frame a request, too', async () => {
  for (const trailer of ['X: a\nY: b', 'X: a\rY: b', 'X: a\0', 'X: \x7f', 'X\0: a', 'X : a', ' X: a', 'no colon', ': a', 'X: a\n\n', '\nX: a', 'Content-Length: 5',
    'Transfer-Encoding: chunked', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked']) {
    await refused(JSON.stringify(trailer), chunked('trailers', `c\r\n${body}\r\n0\r\n${trailer}\r\n\r\n`));
  }
  assert.equal((await server.page('trailers')).total, 0, 'nothing was stored');
});

test('extensions and trailers that HTTP allows are read over, in whatever pieces they come', async () => {
  const all = [`c;a\r\n${body}\r\n0\r\n\r\n`, `00000c ; a = b\t;c="d\te\\"\\\\ ;=\xe4"\r\n${body}\r\n000;x="y"\r\n\r\n`,
    `C\r\n${body}\r\n0\r\nX: a\r\nHost: other\r\nConnection: close, x\r\n\r\n`, `c\r\n${body}\r\n0\r\nX: a\r\n b\r\n\r\n`].map((text) => chunked('allowed', text)).join('');
  const expected = all.split('POST ').slice(1).map(() => 201);
  const { answers } = await exchange(server.port, bytes(all), { count: expected.length });
  assert.deepEqual(statuses(answers), expected);
  const wire = await connect(server.port);
  for (const byte of bytes(all)) {
    wire.send(Buffer.of(byte));
    await new Promise((done) => setImmediate(done));
  }
  assert.deepEqual(statuses(await wire.answers(expected.length)), expected, 'byte by byte');
  wire.destroy();
});

test('a chunk line or trailers of more than 16 KiB are answered with 431', async () => {
  for (const [name, text] of Object.entries({
    'an extension': `c;a="${'x'.repeat(100_000)}`, 'a size of zeros': '0'.repeat(100_000), 'a trailer': `c\r\n${body}\r\n0\r\nX: ${'x'.repeat(100_000)}`,
    'many trailers': `c\r\n${body}\r\n0\r\n${'X: y\r\n'.repeat(20_000)}`,
  })) {
    const { answers } = await exchange(server.port, chunked('long', text));
    assert.deepEqual(statuses(answers), [431], name);
  }
  assert.equal((await server.page('long')).total, 0, 'nothing was stored');
});

test('a folded line is refused, as RFC 9112, 5.2, allows', async () => {
  const whole = [post('folding', body, 'Content-Length:\r\n 12'), chunked('folding', `c\r\n${body}\r\n0\r\n\r\n`).replace(': chunked', ':\r\n\tchunked'), get('X: a\r\n b')];
  for (const request of whole) {
    const { answers } = await exchange(server.port, request);
    assert.deepEqual(statuses(answers), [400], JSON.stringify(request));
  }
  for (const folded of ['Content-Length: 1\r\n 2', 'Transfer-Encoding: chun\r\n ked', 'Transfer-Encoding: chunked\r\n chunked',
    'Transfer-Encoding: chunked\r\n ,identity']) {
    await refused(JSON.stringify(folded), post('folding', body, folded));
  }
  await refused('a folded request line', `GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n`);
  assert.equal((await server.page('folding')).total, 0, 'nothing was stored');
});

test('framing that is given on two lines is refused, unless both say the same length', async () => {
  const chunks = `c\r\n${body}\r\n0\r\n\r\n`;
  for (const lines of [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], ['Transfer-Encoding:', 'Transfer-Encoding: chunked'], ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 12'], ['Content-Length: 12', 'Transfer-Encoding: chunked'], ['Content-Length: 12', 'Content-Length: 13'],
    ['Content-Length: 12, 13'], ['Content-Length: 12,'], ['Content-Length: 12', 'Content-Length: 0']]) {
    await refused(lines.join(' | '), post('twice', chunks, ...lines));
  }
  const { answers } = await exchange(server.port, post('twice', body, 'Content-Length: 12', 'Content-Length: 12'));
  assert.deepEqual(statuses(answers), [201]);
  assert.equal((await server.page('twice')).total, 1, 'nothing else was stored');
});
