// Stands between Quire and DynamoDB, and lets go wrong what a test's plan says. Counts requests and what it let go wrong.

import http from 'node:http';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './dynamodb.mjs';

/** A JSON error in the service's form; nothing was applied. */
const refusal = (status, type, message, more = {}) => ({ response }) =>
  answer(response, status, {}, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...more }));

function answer(response, status, headers, body) {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Its own answer, the body or headers changed. */
const altered = (change) => async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  const other = change(headers, body);
  answer(response, status, other.headers ?? headers, other.body ?? body);
};
const without = (name, headers) => Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

const cancelled = (exchange) => refusal(400, 'TransactionCanceledException', 'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, …]', {
  CancellationReasons: exchange.body.TransactItems.map((_, at) => (at === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' })),
})(exchange);

/** The service's clock is an hour ahead of ours: it refuses who does not sign by it. */
const clockAhead = async ({ request, response, forward }) => {
  const now = new Date(Date.now() + 3_600_000);
  const signed = Date.parse((request.headers['x-amz-date'] ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const date = { date: now.toUTCString() };
  if (Math.abs(signed - now) < 300_000) return pass({ response, forward }, date);
  return answer(response, 400, date, JSON.stringify({ __type: 'com.amazon.coral.service#RequestTimeTooSkewed', message: 'The difference between the request time and the current time is too large.' }));
};

async function pass({ response, forward }, more = {}) {
  const { status, headers, body } = await forward();
  answer(response, status, { ...headers, ...more }, body);
}

const all = () => true;
const transactions = (operation) => operation === 'TransactWriteItems';

/** What can go wrong: `of` which operations, and what is done instead of passing request and answer on. */
export const faults = {
  throughputExceeded: { of: all, act: refusal(400, 'ProvisionedThroughputExceededException', 'The level of configured provisioned throughput for the table was exceeded.') },
  throttling: { of: all, act: refusal(400, 'ThrottlingException', 'Rate of requests exceeds the allowed throughput.') },
  appliedThenError: { of: all, act: async ({ response, forward }) => { await forward(); refusal(500, 'InternalServerError', 'The request processing has failed because of an unknown error.')({ response }); } },
  appliedThenReset: {
    of: all,
    act: async ({ response, forward }) => {
      const { status, headers, body } = await forward();
      response.writeHead(status, headers);
      response.write(body.subarray(0, body.length >> 1));
      await sleep(10); // half of it gets there
      response.socket?.resetAndDestroy();
    },
  },
  slow: { of: all, act: async (exchange) => { await sleep(150); await pass(exchange); } },
  appliedThenSilence: { of: all, act: async ({ proxy, response, forward }) => { await forward(); await Promise.race([sleep(proxy.silence, undefined, { ref: false }), new Promise((gone) => { response.once('close', gone); })]); response.socket?.destroy(); } },
  wrongChecksum: { of: all, act: altered((headers) => ({ headers: { ...headers, 'x-amz-crc32': '123456789' } })) },
  truncated: { of: all, act: altered((headers, body) => { const half = body.subarray(0, body.length >> 1); return { headers: { ...without('x-amz-crc32', headers), 'content-length': half.length }, body: half }; }) },
  transactionConflict: { of: transactions, act: cancelled },
  transactionInProgress: { of: transactions, act: refusal(400, 'TransactionInProgressException', 'The transaction with the given request token is already in progress.') },
  expiredToken: { of: all, act: refusal(400, 'ExpiredTokenException', 'The security token included in the request is expired') },
  clockAhead: { of: all, act: clockAhead },
  connectionsRefused: { of: all, act: ({ proxy }) => proxy.refuseConnections(200) },
  pageOfHtml: { of: all, act: ({ response }) => answer(response, 503, { 'content-type': 'text/html' }, '<html><body><h1>503 Service Unavailable</h1>') },
  // No fault, but what clients are seldom ready for: there is more than an answer says.
  shortPages: { of: (operation) => operation === 'Query' || operation === 'Scan', act: (exchange) => pass({ ...exchange, forward: () => exchange.forward({ ...exchange.body, Limit: 1 + ((exchange.body.Limit ?? 30) >> 2) }) }) },
};

/** A plan: with this probability one of these. */
export const sometimes = (random, rate, names) => ({ operation }) => {
  const possible = names.filter((name) => faults[name].of(operation));
  return random() < rate ? possible[Math.floor(random() * possible.length)] : undefined;
};
/** A plan: each of these, whenever it is possible. */
export const always = (name) => ({ operation }) => (faults[name].of(operation) ? name : undefined);
/** The plan of a proxy that only passes on. */
export const never = () => undefined;

const proxies = new Set();
after(() => Promise.all([...proxies].map((proxy) => proxy.stop()))); // one that a failed test left behind would keep this process alive

export class FaultProxy {
  /** ({operation, body, count, total}) -> a name of `faults`, or undefined. `count` is of that operation, from 1. */
  plan = never;
  requests = new Map();
  injected = new Map();
  /** How long appliedThenSilence is silent, in milliseconds: past what the client waits. */
  silence = 60_000;

  #target;
  #port;
  #server;
  #agent = new http.Agent({ keepAlive: true });
  #refusing;
  #stopped = false;

  static async start(target) {
    const proxy = new FaultProxy();
    proxy.#target = new URL(target);
    proxy.#port = await freePort();
    await proxy.#listen();
    proxies.add(proxy);
    return proxy;
  }

  get endpoint() { return `http://127.0.0.1:${this.#port}`; }
  get total() { return [...this.requests.values()].reduce((sum, count) => sum + count, 0); }

  async stop() {
    this.#stopped = true;
    proxies.delete(this);
    await this.#refusing;
    await this.#close();
    this.#agent.destroy();
  }

  /** Nobody listens for so long, and connections there are break. */
  refuseConnections(milliseconds) {
    this.#refusing ??= (async () => {
      await this.#close();
      await sleep(milliseconds);
      this.#refusing = undefined;
      if (!this.#stopped) await this.#listen();
    })();
    return this.#refusing;
  }

  #listen() {
    const server = http.createServer((request, response) => { this.#exchange(request, response).catch((error) => {
      if (!error.code) throw error; // a mistake in a plan or a fault; with a code, one of the two sides is gone
      response.destroy();
    }); });
    server.keepAliveTimeout = 0; // a connection closed just when it is used again would be one more fault
    server.on('connection', (socket) => { if (!server.listening) socket.destroy(); }); // it was on its way while the server closed
    this.#server = server;
    return new Promise((done, fail) => { server.once('error', fail); server.listen(this.#port, '127.0.0.1', done); });
  }

  #close() {
    const closed = new Promise((done) => { this.#server.close(done); });
    this.#server.closeAllConnections();
    return closed;
  }

  async #exchange(request, response) {
    response.on('error', () => {});
    const text = await bytesOf(request);
    const operation = (request.headers['x-amz-target'] ?? '').split('.')[1];
    const body = JSON.parse(text);
    const count = add(this.requests, operation);
    const fault = this.plan({ operation, body, count, total: this.total });
    const forward = (other) => this.#forward(request.headers, other ? Buffer.from(JSON.stringify(other)) : text);
    if (fault === undefined) return pass({ response, forward });
    add(this.injected, fault);
    return faults[fault].act({ proxy: this, operation, body, request, response, forward });
  }

  #forward(headers, body) {
    return new Promise((done, fail) => {
      const { hostname, port } = this.#target;
      const request = http.request({ method: 'POST', hostname, port, path: '/', agent: this.#agent, headers: { ...headers, connection: 'keep-alive', 'content-length': body.length } }, (answer) => {
        bytesOf(answer).then((bytes) => done({ status: answer.statusCode, headers: answer.headers, body: bytes }), fail);
      });
      request.on('error', fail);
      request.end(body);
    });
  }
}

function add(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.get(name);
}

async function bytesOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
