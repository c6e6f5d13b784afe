// POST /v1/import: rows as they are sent, and the lines of the answer.

import http from 'node:http';

/** A row that is taken: of a product, with a number that tells it from others. */
export const row = (product, number, more = {}) => ({
  product, language: 'en', rating: 1 + number % 5, title: `Title ${number}`, text: `Text of ${number}`,
  created_at: new Date(Date.UTC(2024, 0, 1) + number * 1000).toISOString(), ...more,
});

export const lineOf = (one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`;

/** An import under way: write() rows, then end(), which gives {status, headers, lines, summary, problem}. */
export class Import {
  constructor(server, { query = '', headers = {}, token = server.token, agent } = {}) {
    const { hostname, port } = new URL(server.url);
    const authorization = token ? { Authorization: `Bearer ${token}` } : {};
    this.request = http.request({ method: 'POST', hostname, port, path: `/v1/import${query}`, agent, headers: { 'Content-Type': 'application/jsonl', ...authorization, ...headers } });
    this.received = '';
    this.answered = new Promise((done, fail) => {
      this.request.on('error', fail);
      this.request.on('response', (response) => {
        this.response = response;
        response.setEncoding('utf8');
        response.on('data', (text) => { this.received += text; });
        response.on('error', fail);
        response.on('end', () => done(this.answer()));
      });
    });
    this.answered.catch(() => {});
  }

  /** Resolves once more may be written. */
  write(...rows) {
    return Promise.race([new Promise((done) => this.request.write(rows.map(lineOf).join(''), done)), this.answered]);
  }

  end(bytes) {
    this.request.end(bytes);
    return this.answered;
  }

  answer() {
    const lines = this.received.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const last = lines.at(-1);
    return {
      status: this.response.statusCode, headers: this.response.headers, text: this.received, lines,
      summary: last && 'added' in last ? last : undefined, problem: last?.type ? last : undefined,
      refusals: lines.filter((line) => 'line' in line),
    };
  }
}

/** Sends the rows at once. */
export function importInto(server, rows, options) {
  return new Import(server, options).end(Buffer.isBuffer(rows) ? rows : rows.map(lineOf).join(''));
}
