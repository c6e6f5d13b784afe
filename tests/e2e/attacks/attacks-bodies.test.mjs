// Bodies from strangers: the header decides by token, rate and length before a body takes memory.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentsPath, newToken, serve, serveWithToken } from '../support/harness.mjs';
import { connect, exchange } from '../support/wire.mjs';
import { privateBytes } from '../support/memory.mjs';
import { metric } from '../support/metrics.mjs';

const MiB = 2 ** 20;
const path = commentsPath('attacked');
const head = (method, target, ...headers) => [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';

let server, token;
before(async () => {
  const made = await newToken();
  token = `Authorization: Bearer ${made.token}`;
  server = await serve({ args: ['--tokens', made.file, '--posts-per-minute-client', '1000', '--posts-per-minute-product', '3', '--max-connections-client', '2000'] });
});
after(() => server?.stop());

/** Opens so many connections and sends the bytes on each. Resolves to the connections once all is written. */
async function flood(count, bytes) {
  const wires = await Promise.all(Array.from({ length: count }, () => connect(server.port)));
  await Promise.all(wires.map((wire) => new Promise((done) => wire.socket.write(bytes, () => done()))));
  return wires;
}

test('a thousand half-sent bodies without a token cost next to nothing', async () => {
  const before_ = await privateBytes(server.process.child.pid);
  const half = Buffer.concat([Buffer.from(head('POST', path, json, 'Content-Length: 262144')), Buffer.alloc(200_000, ' ')]);
  const wires = await flood(1000, half);
  for (const wire of wires) {
    const [answer] = await wire.answers(1);
    assert.equal(answer?.status, 401, wire.text.slice(0, 200));
    assert.equal(answer.headers.connection, 'close');
  }
  const grown = await privateBytes(server.process.child.pid) - before_;
  for (const wire of wires) wire.destroy();
  assert.ok(grown < 64 * MiB, `it holds ${(grown / MiB).toFixed(1)} MiB more`);
});

test('a thousand half-sent bodies for routes without a body cost next to nothing', async () => {
  const before_ = await privateBytes(server.process.child.pid);
  const half = Buffer.concat([Buffer.from(head('GET', '/healthz', 'Content-Length: 262144')), Buffer.alloc(200_000, ' ')]);
  const wires = await flood(1000, half);
  const grown = await privateBytes(server.process.child.pid) - before_;
  for (const wire of wires) assert.equal(wire.text, '', 'there is no answer before the body has ended');
  wires[0].send(' '.repeat(62_144) + head('GET', '/healthz'));
  const answers = await wires[0].answers(2);
  assert.deepEqual(answers.map((answer) => answer.status), [200, 200], 'such a body is passed over');
  for (const wire of wires) wire.destroy();
  assert.ok(grown < 64 * MiB, `it holds ${(grown / MiB).toFixed(1)} MiB more`);
});

test('the header decides by sender, length, type and rate, without waiting for a byte of the body', async () => {
  const answered = async (status, ...headers) => {
    const wire = await connect(server.port);
    const [answer] = await wire.send(head('POST', path, ...headers)).answers(1);
    assert.equal(answer?.status, status, `${headers.join('; ')}: ${wire.text.slice(0, 200)}`);
    assert.equal(answer.headers.connection, 'close', 'for the body is not read');
    assert.ok(await wire.end().untilClosed(5_000), 'the connection ends');
    wire.destroy();
  };
  const length = 'Content-Length: 12';
  await answered(401, json, length);
  await answered(401, json, 'Transfer-Encoding: chunked');
  await answered(401, json, length, 'Authorization: Bearer wrong');
  await answered(415, token, 'Content-Type: text/plain', length);
  await answered(413, token, json, 'Content-Length: 262145');
  for (let n = 0; n < 2; ++n) (await server.post(path, { rating: 5 }, { Authorization: token.slice(15) })).expect(201); // the 415 counts, too
  await answered(429, token, json, length);
});

test('Expect: 100-continue gets its 100 if the header is accepted, else the final answer', async () => {
  const body = '{"rating":5}';
  const expect = [json, `Content-Length: ${body.length}`, 'Expect: 100-continue'];
  const welcome = await connect(server.port);
  welcome.send(head('POST', commentsPath('expected'), token, ...expect));
  await welcome.until(() => welcome.text.includes('\r\n\r\n'));
  assert.equal(welcome.text, 'HTTP/1.1 100 Continue\r\n\r\n');
  assert.equal((await welcome.send(body).answers(1))[0]?.status, 201);
  welcome.destroy();
  for (const [status, target, ...headers] of [[401, commentsPath('expected')], [404, '/nowhere', token], [405, '/healthz', token], [400, '/v1/products/%zz/comments', token]]) {
    const { text, answers } = await exchange(server.port, head('POST', target, ...headers, ...expect));
    assert.equal(answers[0]?.status, status, text.slice(0, 200));
    assert.doesNotMatch(text, / 100 Continue/);
  }
});

test('a length that is only announced takes no room, and a form takes a few KiB', async () => {
  const own = await serveWithToken();
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const wires = await Promise.all(Array.from({ length: 300 }, (_, n) => connect(own.port, { from: `127.0.0.${2 + n % 3}` })));
  const targets = ['/moderation/session', '/moderation/sign-out', `/comments/${'0'.repeat(26)}/vote`];
  for (const [n, wire] of wires.slice(0, 60).entries()) wire.send(head('POST', targets[n % 3], form, 'Content-Length: 262144'));
  for (const wire of wires.slice(0, 60)) assert.equal((await wire.answers(1))[0]?.status, 413);
  for (const wire of wires.slice(60)) wire.send(`${head('POST', path, `Authorization: Bearer ${own.token}`, json, 'Content-Length: 262144')}{`);
  for (let n = 0; n < 20; ++n) (await own.post(path, { rating: 5 })).expect(201);
  assert.ok(await metric(own, 'quire_http_body_bytes') < MiB);
  for (const wire of wires) wire.destroy();
  await own.stop();
});

test('one client takes an eighth of the memory for bodies, and no more; it is freed', async () => {
  const own = await serveWithToken({ args: ['--max-connections-client', '400'] });
  const most = Buffer.concat([Buffer.from(head('POST', path, `Authorization: Bearer ${own.token}`, json, 'Content-Length: 262144')), Buffer.alloc(262_143, ' ')]);
  const wires = await Promise.all(Array.from({ length: 300 }, () => connect(own.port, { from: '127.0.0.2' })));
  for (const wire of wires) wire.send(most);
  const refused = () => wires.filter((wire) => wire.text.startsWith('HTTP/1.1 503 ')).length;
  while (refused() < 260) await new Promise((done) => setTimeout(done, 20));
  assert.match(wires.find((wire) => wire.text).text, /\r\nRetry-After: \d/);
  const held = await metric(own, 'quire_http_body_bytes');
  assert.ok(held > 7 * MiB && held <= 8 * MiB, `${held} bytes`);
  for (let n = 0; n < 20; ++n) (await own.post(path, { rating: 5 })).expect(201); // from another address
  for (const wire of wires) wire.destroy();
  while (await metric(own, 'quire_http_body_bytes') > 0) await new Promise((done) => setTimeout(done, 20));
  await own.stop();
});

test('a refused request whose body is complete keeps its connection', async () => {
  const wire = await connect(server.port);
  wire.send(head('POST', path, json, 'Content-Length: 12') + '{"rating":5}' + head('GET', '/healthz'));
  const answers = await wire.answers(2);
  assert.deepEqual(answers.map((answer) => answer.status), [401, 200]);
  wire.destroy();
});
