// Raw TCP for the tests that must decide on every byte sent and see every byte that comes back.

import net from 'node:net';

/** `from`: the client's address, any of 127.0.0.0/8. `deaf`: the client reads nothing before listen(). */
export function connect(port, { from = '127.0.0.1', deaf = false } = {}) {
  return new Promise((done, fail) => {
    const socket = net.connect({ host: '127.0.0.1', port, localAddress: from, noDelay: true, allowHalfOpen: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      const wire = new Wire(socket);
      if (deaf) socket.pause();
      done(wire);
    });
  });
}

class Wire {
  constructor(socket) {
    this.socket = socket;
    this.received = Buffer.alloc(0);
    this.closed = false;
    this.wakers = new Set();
    const wake = () => { for (const waker of this.wakers) waker(); };
    const close = () => { this.closed = true; wake(); };
    socket.on('data', (chunk) => { this.received = Buffer.concat([this.received, chunk]); wake(); });
    socket.on('error', close); // a reset is a way to be cut off
    socket.on('end', close);
    socket.on('close', close);
  }

  get text() { return this.received.toString('latin1'); }

  send(data) {
    if (!this.socket.destroyed && this.socket.writable) this.socket.write(data);
    return this;
  }

  listen() { this.socket.resume(); return this; }
  end() { this.socket.end(); return this; }
  destroy() { this.socket.destroy(); }

  /** Resolves to true once the condition holds, to false if it does not within the time. */
  until(condition, milliseconds = 5_000) {
    return new Promise((done) => {
      const finish = (result) => { clearTimeout(timer); this.wakers.delete(check); done(result); };
      const check = () => { if (condition()) finish(true); };
      const timer = setTimeout(() => finish(false), milliseconds);
      this.wakers.add(check);
      check();
    });
  }

  untilClosed(milliseconds) { return this.until(() => this.closed, milliseconds); }

  /** Waits for that many whole answers; returns fewer when the connection closes or the time is up. */
  async answers(count, { methods = [], milliseconds = 5_000 } = {}) {
    await this.until(() => this.closed || parseAnswers(this.received, methods, this.closed).length >= count, milliseconds);
    return parseAnswers(this.received, methods, this.closed);
  }
}

/** Sends the bytes on a new connection and returns the answers. */
export async function exchange(port, data, { count = 1, methods, milliseconds, half = false, from } = {}) {
  const wire = await connect(port, { from });
  wire.send(data);
  if (half) wire.end();
  const answers = await wire.answers(count, { methods, milliseconds });
  const { closed } = wire;
  wire.destroy();
  return { answers, closed, text: wire.text };
}

/** Whole answers at the start of the buffer: [{version, status, headers, body}]. `methods[i]` is the method of request i. */
export function parseAnswers(buffer, methods = [], closed = false) {
  const answers = [];
  let rest = buffer;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [first, ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = /^(HTTP\/1\.[01]) (\d{3})/.exec(first);
    if (!status) return answers;
    const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
    rest = rest.subarray(end + 4);
    const code = Number(status[2]);
    if (code === 100) continue;
    const bodiless = methods[answers.length] === 'HEAD' || code === 204 || code === 304;
    const taken = bodiless ? { body: Buffer.alloc(0), rest } : takeBody(rest, headers, closed);
    if (!taken) return answers;
    answers.push({ version: status[1], status: code, headers, body: taken.body });
    rest = taken.rest;
  }
}

function takeBody(buffer, headers, closed) {
  if (/chunked/i.test(headers['transfer-encoding'] ?? '')) return takeChunks(buffer);
  if (headers['content-length'] === undefined) return closed ? { body: buffer, rest: Buffer.alloc(0) } : undefined;
  const length = Number(headers['content-length']);
  return buffer.length >= length ? { body: buffer.subarray(0, length), rest: buffer.subarray(length) } : undefined;
}

function takeChunks(buffer) {
  const chunks = [];
  for (let at = 0; ;) {
    const end = buffer.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = parseInt(buffer.subarray(at, end).toString('latin1'), 16);
    if (buffer.length < end + 2 + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), rest: buffer.subarray(end + 4) };
    chunks.push(buffer.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
