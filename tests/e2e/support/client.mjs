// A plain HTTP client for the tests: every header, status and byte of an answer, and the walks along its pages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';

export const problems = new Map(
  JSON.parse(readFileSync(new URL('../../../web/problems.json', import.meta.url), 'utf8')).map((problem) => [problem.slug, problem]));

/** {language: ['en', 'de'], limit: 5} -> "?language=en&language=de&limit=5" */
export function queryString(query = {}) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().filter((one) => one !== undefined).map((one) => `${name}=${encodeURIComponent(one)}`));
  return pairs.length ? `?${pairs.join('&')}` : '';
}

export const commentsPath = (product, query) => `/v1/products/${encodeURIComponent(product)}/comments${queryString(query)}`;
export const commentPath = (id) => `/v1/comments/${id}`;

export class Client {
  constructor(url, token) {
    this.url = url;
    this.token = token;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  }

  close() { this.agent.destroy(); }

  /** Sends the path exactly as given. Gives {status, headers, bytes, text, json}. */
  request(method, path, { headers = {}, body } = {}) {
    const { hostname, port } = new URL(this.url);
    return new Promise((done, fail) => {
      const request = http.request({ method, hostname, port, path, headers, agent: this.agent, timeout: 30_000 }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => done(new Answer(method, path, response, Buffer.concat(chunks))));
      });
      request.on('timeout', () => request.destroy(new Error(`${method} ${path}: no answer within 30 s`)));
      request.on('error', fail);
      request.end(body);
    });
  }

  get(path, headers) { return this.request('GET', path, { headers }); }
  head(path, headers) { return this.request('HEAD', path, { headers }); }
  delete(path, headers) { return this.request('DELETE', path, { headers: this.#withToken(headers) }); }
  post(path, value, headers) { return this.#write('POST', path, value, { 'Content-Type': 'application/json', ...headers }); }
  put(path, value, headers) { return this.#write('PUT', path, value, { 'Content-Type': 'application/json', ...headers }); }
  patch(path, value, headers) { return this.#write('PATCH', path, value, { 'Content-Type': 'application/merge-patch+json', ...headers }); }

  #withToken(headers = {}) { return this.token ? { Authorization: `Bearer ${this.token}`, ...headers } : headers; }

  #write(method, path, value, headers) {
    const raw = typeof value === 'string' || Buffer.isBuffer(value);
    const body = Buffer.from(raw ? value : JSON.stringify(value));
    return this.request(method, path, { body, headers: this.#withToken({ 'Content-Length': body.length, ...headers }) });
  }

  /** Posts a comment, which the server must accept, and returns the stored comment. */
  async add(product, comment, headers) {
    return (await this.post(commentsPath(product), comment, headers)).expect(201).json;
  }

  /** One page, which must be a 200. */
  async page(product, query) {
    return (await this.get(commentsPath(product, query))).expect(200).json;
  }

  /** Every page from the first along `next`. */
  walk(product, query = {}) { return follow(this, product, query, undefined, 'next', 'after'); }

  /** Every page from the given one, which is included, along `previous`. */
  walkBack(product, query = {}, from) { return follow(this, product, query, from, 'previous', 'before'); }
}

async function follow(client, product, query, from, link, parameter) {
  const pages = [from ?? await client.page(product, query)];
  const seen = new Set();
  for (let cursor; (cursor = pages.at(-1).page[link]) !== undefined;) {
    assert.ok(!seen.has(cursor), `${product} ${JSON.stringify(query)}: ${link} leads in a circle after ${pages.length} pages`);
    seen.add(cursor);
    pages.push(await client.page(product, { ...query, [parameter]: cursor }));
  }
  return pages;
}

export const walk = (client, product, query) => client.walk(product, query);
export const walk_back = (client, product, query, from) => client.walkBack(product, query, from);

export const idsOf = (pages) => [pages].flat().flatMap((page) => page.comments.map((comment) => comment.id));

export class Answer {
  constructor(method, path, response, bytes) {
    this.name = `${method} ${path.length > 200 ? path.slice(0, 200) + '…' : path}`;
    this.status = response.statusCode;
    this.headers = response.headers;
    this.bytes = bytes;
  }

  get text() { return this.bytes.toString('utf8'); }

  get json() {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new Error(`${this.name} (${this.status}) is not JSON: ${error.message}\n${this.text.slice(0, 500)}`);
    }
  }

  /** Checks that the status is one of these. Throws an error that shows the answer. */
  expect(...statuses) {
    assert.ok(statuses.includes(this.status), `${this.name}: status ${this.status}, expected ${statuses.join(' or ')}\n${this.text.slice(0, 800)}`);
    return this;
  }

  /** Checks that the answer is the problem of this slug, with the status of web/problems.json and everything that RFC 9457 and the interface ask for. */
  problem(slug, { parameter, errors } = {}) {
    this.expect(problems.get(slug).status);
    assert.match(this.headers['content-type'] ?? '', /^application\/problem\+json/, `${this.name}: content type of a problem`);
    const problem = this.json;
    assert.equal(new URL(problem.type, 'http://server').pathname, `/problems/${slug}`, `${this.name}: type; the answer was ${this.text}`);
    assert.equal(problem.status, this.status, `${this.name}: status in the body`);
    for (const field of ['title', 'detail']) assert.ok(typeof problem[field] === 'string' && problem[field].length > 0, `${this.name}: ${field} is there`);
    assert.ok(this.headers['x-request-id'], `${this.name}: X-Request-Id on a problem`);
    if (parameter !== undefined) assert.equal(problem.parameter, parameter, `${this.name}: parameter; the answer was ${this.text}`);
    if (errors !== undefined) {
      assert.deepEqual(Object.keys(problem.errors ?? {}).sort(), [...errors].sort(), `${this.name}: fields in errors; the answer was ${this.text}`);
      for (const message of Object.values(problem.errors)) assert.ok(typeof message === 'string' && message.length > 0, `${this.name}: a message per field`);
    }
    return problem;
  }
}

/** Link header -> {first: "/…", next: "/…"} */
export function parseLinks(header = '') {
  return Object.fromEntries([...header.matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g)].map(([, target, rel]) => [rel, target]));
}
