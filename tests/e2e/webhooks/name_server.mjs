// A name server: one name, whose addresses the test sets.

import dgram from 'node:dgram';

const types = { 1: 'A', 28: 'AAAA' };

/** The bytes of an address of IPv4, or of IPv6 written without zone and dotted end. */
function bytesOf(address) {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head, tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const words = tail ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}

/** Listens on UDP port 53 of 127.0.0.1. Every name has `addresses`, which live for no second; `questions` were asked. */
export async function nameServer() {
  const it = { addresses: [], questions: 0 };
  const socket = dgram.createSocket('udp4', (message, from) => {
    ++it.questions;
    const end = message.indexOf(0, 12) + 5; // behind name, type and class
    const wanted = types[message.readUInt16BE(end - 4)];
    const answers = it.addresses.filter((address) => (address.includes(':') ? 'AAAA' : 'A') === wanted).map((address) => {
      const data = bytesOf(address);
      const head = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
    const head = Buffer.from([message[0], message[1], 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise((done) => socket.bind(53, '127.0.0.1', done));
  it.close = () => socket.close();
  return it;
}
