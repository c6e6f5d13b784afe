// Stands between Quire and DynamoDB, and makes the faults of a test's plan. Counts requests and faults.

import http from 'node:http';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './servers/servers.mjs';

const silence = 60_000; // milliseconds: longer than any client waits

function answer(response, { status, headers = {}, body }) {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const error = (type, message, more = {}) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...more });
const without = (name, headers) => Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

// Ways to treat a request. `forward` passes the request, or another body, on to the service, and returns {status, headers, body}.

/** The request is not passed on, so nothing is applied. */
const refused = (status, type, message) => ({ response }) => answer(response, { status, body: error(type, message) });

/** The request is passed on, and its answer is passed back, changed or not. */
const passed = (change = (same) => same) => async ({ response, forward }) => answer(response, change(await forward()));

async function cancelled({ response, body }) {
  const reasons = body.TransactItems.map((_, at) => (at === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' }));
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`;
  answer(response, { status: 400, body: error('TransactionCanceledException', message, { CancellationReasons: reasons }) });
}

async function applied({ response, forward }) {
  await forward();
  answer(response, { status: 500, body: error('InternalServerError', 'The request processing has failed because of an unknown error.') });
}

async function reset({ response, forward }) {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers);
  response.write(body.subarray(0, body.length >> 1));
  await sleep(10); // so that half of it gets there
  response.socket?.resetAndDestroy();
}

async function silent({ response, forward }) {
  await forward();
  await Promise.race([sleep(silence, undefined, { ref: false }), new Promise((gone) => { response.once('close', gone); })]);
  response.destroy();
}

async function delayed(exchange) {
  await sleep(150);
  await passed()(exchange);
}

/** The service's clock is an hour ahead: it refuses signatures of another time. */
async function byClockAhead({ request, response, forward }) {
  const now = new Date(Date.now() + 3_600_000);
  const date = { date: now.toUTCString() };
  const signed = Date.parse((request.headers['x-amz-date'] ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (Math.abs(signed - now) < 300_000) return passed((own) => ({ ...own, headers: { ...own.headers, ...date } }))({ response, forward });
  return answer(response, { status: 400, headers: date, body: error('RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.') });
}

const halved = ({ headers, body, ...rest }) => ({ ...rest, headers: without('x-amz-crc32', headers), body: body.subarray(0, body.length >> 1) });

const all = () => true;
const transactions = (operation) => operation === 'TransactWriteItems';
const readings = (operation) => operation === 'Query' || operation === 'Scan';

/** The faults: `of` which operations, and the treatment of such a request. */
export const faults = {
  throughputExceeded: { of: all, treat: refused(400, 'ProvisionedThroughputExceededException', 'The level of configured provisioned throughput for the table was exceeded.') },
  throttling: { of: all, treat: refused(400, 'ThrottlingException', 'Rate of requests exceeds the allowed throughput.') },
  appliedThenError: { of: all, treat: applied },
  appliedThenReset: { of: all, treat: reset },
  appliedThenSilence: { of: all, treat: silent },
  slow: { of: all, treat: delayed },
  wrongChecksum: { of: all, treat: passed((own) => ({ ...own, headers: { ...own.headers, 'x-amz-crc32': '123456789' } })) },
  truncated: { of: all, treat: passed(halved) },
  transactionConflict: { of: transactions, treat: cancelled },
  transactionInProgress: { of: transactions, treat: refused(400, 'TransactionInProgressException', 'The transaction with the given request token is already in progress.') },
  expiredToken: { of: all, treat: refused(400, 'ExpiredTokenException', 'The security token included in the request is expired') },
  clockAhead: { of: all, treat: byClockAhead },
  connectionsRefused: { of: all, treat: ({ proxy }) => proxy.refuseConnections(200) },
  pageOfHtml: { of: all, treat: ({ response }) => answer(response, { status: 503, headers: { 'content-type': 'text/html' }, body: '<html><body><h1>503 Service Unavailable</h1>' }) },
  // No error, but clients are seldom ready for this: an answer is shorter than its limit although more follows.
  shortPages: { of: readings, treat: ({ response, body, forward }) => passed()({ response, forward: () => forward({ ...body, Limit: 1 + ((body.Limit ?? 30) >> 2) }) }) },
};

/** The service answers half of a batch, and leaves the other keys over. */
async function halfOfABatch({ response, body, forward }) {
  const [[table, { Keys, ...request }]] = Object.entries(body.RequestItems);
  const asked = Keys.slice(0, Keys.length >> 1);
  const UnprocessedKeys = { [table]: { ...request, Keys: Keys.slice(asked.length) } };
  const { Responses } = asked.length ? JSON.parse((await forward({ ...body, RequestItems: { [table]: { ...request, Keys: asked } } })).body) : { Responses: { [table]: [] } };
  answer(response, { status: 200, body: JSON.stringify({ Responses, UnprocessedKeys }) });
}

/** The faults of reading by keys, which few do. */
export const batchFaults = {
  keysLeftOver: { of: (operation) => operation === 'BatchGetItem', treat: halfOfABatch },
};
const faultOf = (name) => faults[name] ?? batchFaults[name]; // a test may add faults of its own

/** A plan: with this probability one of these faults. */
export const sometimes = (random, rate, names) => ({ operation }) => {
  const possible = names.filter((name) => faultOf(name).of(operation));
  return random() < rate ? possible[Math.floor(random() * possible.length)] : undefined;
};
/** A plan: each of these faults, whenever it is possible. */
export const always = (name) => ({ operation }) => (faultOf(name).of(operation) ? name : undefined);
/** A plan without faults. */
export const never = () => undefined;

const proxies = new Set();
after(() => Promise.all([...proxies].map((proxy) => proxy.stop()))); // one that a failed test left behind would keep this process alive

export class FaultProxy {
  /** ({operation, body, count, total}) -> a name of `faults` or `batchFaults`, or undefined. `count` is of that operation, from 1. */
  plan = never;
  requests = new Map();
  injected = new Map();

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

  /** Breaks all connections and does not listen for that long. */
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
    if (fault === undefined) return passed()({ response, forward });
    add(this.injected, fault);
    return faultOf(fault).treat({ proxy: this, body, request, response, forward });
  }

  #forward(headers, body) {
    return new Promise((done, fail) => {
      const { hostname, port } = this.#target;
      const request = http.request({ method: 'POST', hostname, port, path: '/', agent: this.#agent, headers: { ...headers, connection: 'keep-alive', 'content-length': body.length } }, (answer) => {
        // A large answer comes in chunks, and is passed on whole.
        const whole = (bytes) => ({ status: answer.statusCode, headers: { ...without('transfer-encoding', answer.headers), 'content-length': bytes.length }, body: bytes });
        bytesOf(answer).then((bytes) => done(whole(bytes)), fail);
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
