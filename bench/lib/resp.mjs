// The part of Redis's protocol (https://redis.io/docs/reference/protocol-spec) that a client of single commands needs.

import { createConnection } from 'node:net';
import { Broken } from './processes.mjs';

// The reply that begins at `at`: [reply, its end]. Nothing while bytes of it are missing.
function reply(text, at) {
  const end = text.indexOf('\r\n', at);
  if (end < 0) return undefined;
  const rest = text.slice(at + 1, end);
  if (text[at] === '-') throw new Broken(`Redis: ${rest}`);
  if (text[at] === '+') return [rest, end + 2];
  if (text[at] === ':') return [Number(rest), end + 2];
  if (text[at] === '$') {
    if (rest === '-1') return [null, end + 2];
    const until = end + 2 + Number(rest);
    return text.length < until + 2 ? undefined : [text.slice(end + 2, until), until + 2];
  }
  const items = [];
  for (at = end + 2; items.length < Number(rest);) {
    const item = reply(text, at);
    if (!item) return undefined;
    items.push(item[0]);
    at = item[1];
  }
  return [items, at];
}

/** A connection that sends one command at a time, and waits for its reply. */
export async function connect(socket) {
  const connection = createConnection(socket).setEncoding('latin1');
  await new Promise((done, fail) => { connection.once('connect', done).once('error', fail); });
  let text = '';
  let waiting;
  connection.on('data', (chunk) => {
    text += chunk;
    try {
      const found = reply(text, 0);
      if (!found) return;
      text = '';
      waiting.done(found[0]);
    } catch (error) { waiting.fail(error); }
  });
  connection.on('close', () => waiting?.fail(new Broken('Redis closed the connection')));
  return {
    close: () => connection.destroy(),
    send: (...words) => new Promise((done, fail) => {
      waiting = { done, fail };
      connection.write(`*${words.length}\r\n${words.map((word) => `$${String(word).length}\r\n${word}\r\n`).join('')}`);
    }),
  };
}
