// AWS Lambda for tests of `quire lambda`: a runtime API that hands events to a function, and a stream's records as events have them.

import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { callStreams } from './dynamodb.mjs';

/** AWS Lambda as a function sees it: gives events, one after the other, and takes answers. */
export class Runtime {
  #waiting = []; // requests for an event
  #events = []; // that nobody took yet
  #answers = new Map(); // by request id
  #next = 0;

  static async listen() {
    const runtime = new Runtime();
    runtime.server = http.createServer((request, response) => runtime.#take(request, response));
    await new Promise((done) => { runtime.server.listen(0, '127.0.0.1', done); });
    runtime.address = `127.0.0.1:${runtime.server.address().port}`;
    return runtime;
  }

  async #take(request, response) {
    const [version, what, ...rest] = request.url.split('/').filter(Boolean);
    assert.equal(version, '2018-06-01');
    assert.equal(what, 'runtime');
    if (request.method === 'GET') {
      assert.deepEqual(rest, ['invocation', 'next']);
      this.#waiting.push(response);
      return this.#match();
    }
    const body = [];
    for await (const chunk of request) body.push(chunk);
    const [, id, outcome] = rest;
    response.writeHead(202).end();
    this.#answers.get(id)?.({ outcome, answer: JSON.parse(Buffer.concat(body)) });
    this.#answers.delete(id);
  }

  /** Tells that the function is dead and will ask for nothing more. */
  forget() { for (const response of this.#waiting.splice(0)) response.destroy(); }

  #match() {
    while (this.#waiting.length && this.#events.length) {
      const { id, event, time } = this.#events.shift();
      this.#waiting.shift().writeHead(200, { 'Lambda-Runtime-Aws-Request-Id': id, 'Lambda-Runtime-Deadline-Ms': Date.now() + time }).end(event);
    }
  }

  /** {outcome: 'response' or 'error', answer}; nothing if the function ended before it answered. */
  async invoke(event, patience = 60_000, time = 60_000) {
    const id = `request-${++this.#next}`;
    const answered = new Promise((done) => { this.#answers.set(id, done); });
    this.#events.push({ id, event: typeof event === 'string' ? event : JSON.stringify(event), time });
    this.#match();
    const answer = await Promise.race([answered, sleep(patience, undefined, { ref: false })]);
    this.#answers.delete(id);
    this.#events = this.#events.filter((each) => each.id !== id);
    return answer;
  }

  close() { this.server.closeAllConnections(); this.server.close(); }
}

/** All records of the table's stream, shard by shard, as events have them. */
export async function* records(endpoint, table) {
  const { Streams: [{ StreamArn }] } = await callStreams(endpoint, 'ListStreams', { TableName: table });
  const { StreamDescription: { Shards } } = await callStreams(endpoint, 'DescribeStream', { StreamArn });
  for (const { ShardId } of Shards) {
    let { ShardIterator } = await callStreams(endpoint, 'GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    for (let empty = 0; ShardIterator && empty < 2;) {
      const { Records, NextShardIterator } = await callStreams(endpoint, 'GetRecords', { ShardIterator });
      yield* Records;
      empty = Records.length ? 0 : empty + 1;
      ShardIterator = NextShardIterator;
    }
  }
}
