// Every place that takes a web address takes those, and only those, of which a browser's parser leaves scheme, host and port as they
// are written: Node's is that of the WHATWG's standard, and judges here.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mustRun, newStore, run, serve, temporaryDirectory } from '../support/harness.mjs';
import { exchange } from '../support/wire.mjs';
import { seeded, pick } from '../support/data.mjs';

const parts = { scheme: ['https', 'http', 'https', 'HTTP', 'ftp', 'javascript', ''], slashes: ['://', '://', '://', '://', ':/', ':', ':///', ':\\\\'],
  user: ['', '', '', '', '', '', 'user@', 'user:word@', '@', ':@'],
  host: ['shop.example', 'shop.example', 'Shop.Example', 'a', 'localhost', '', '.', 'a..b', 'a.', '.a', '-a.b-', 'a_b', 'a b', 'ü.example', 'xn--mnchen-3ya.example', 'xn--a', 'xn--', 'a.xn--zn7c.example',
    'xn--1ch.example', 'xn--fa-hia.example', 'faß.example', '127.0.0.1', '127.1', '0x7f.1', '0127.0.0.1', '256.0.0.1', '1.2.3.4.', '1.2.3.4.5', 'a.1', 'a.0x', 'a.0xg', '0x', '4294967296', '１２７.0.0.1',
    '[::1]', '[::]', '[0::1]', '[1:2:0:0:5:0:0:0]', '[1::8]', '[::ffff:1.2.3.4]', '[fe80::1%25eth0]', '[::1', '::1', '[AB::]', '[1:2:3:4:5:6:7::]', '[1:2:3:4:5:6:7:0]', 'a%41', 'a%2fb', 'a%00', 'a\u00adb', '\u00ad', 'a\u200db', 'a!b', "a'b", 'a(b)', 'a*b', 'a,b', 'a;b', 'a=b', 'a{b}', 'a~b', 'a`b', 'a"b', 'a<b', 'a>b', 'a|b', 'a^b', 'a[b', 'a]b', 'a%b', '⅓.example', 'a。b', `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}b`],
  port: ['', '', '', ':', ':80', ':443', ':8080', ':0', ':00', ':080', ':65535', ':65536', ':99999999', ':abc', ':-1', ':8 0', ':.evil.example', ':80:80', ':８０'],
  rest: ['', '', '/', '/p/x', '/a b', '/ü', '?a', '#a', '\\p', '/a"b<c>', '/a%zz', '/@b', '?u@b', '//c.example/', '/../..', '/a|b', ' ', '/ '] };

// Whether the parser leaves it as it is, by the parts that were put together.
function stays({ scheme, slashes, user, host, port, rest }) {
  const text = scheme + slashes + user + host + port + rest;
  if (!URL.canParse(text) || !['http', 'https'].includes(scheme) || slashes !== '://' || user || rest.endsWith(' ')) return false;
  const url = new URL(text);
  return url.protocol === `${scheme}:` && url.hostname === host && (url.port ? `:${url.port}` : '') === port && url.username === '';
}

const random = seeded(14);
const addresses = new Map();
const add = (some) => { const { scheme, slashes, user, host, port, rest } = some; addresses.set(scheme + slashes + user + host + port + rest, stays(some)); };
const plain = { scheme: 'https', slashes: '://', user: '', host: 'shop.example', port: '', rest: '/x' };
for (const name of Object.keys(parts)) for (const part of parts[name]) for (const scheme of ['https', 'http']) add({ ...plain, scheme, [name]: part });
while (addresses.size < 3_000) add(Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, pick(random, all)])));

test('facts of products', async () => {
  const store = newStore();
  const all = [...addresses.keys()].filter((address) => address && !/[\u0000-\u001f]/.test(address)); // an empty one is none
  const rows = all.map((url, at) => JSON.stringify({ product: `p${at}`, name: 'x', url }));
  const imported = await run(['import', '--products', '--store', store, '-'], { input: rows.join('\n') });
  assert.equal(imported.status, 3, imported.stderr.slice(0, 500));
  const kept = (await mustRun(['export', '--products', '--store', store])).stdout.trim().split('\n').map((line) => JSON.parse(line));
  const taken = new Map(kept.map(({ product, url }) => [Number(product.slice(1)), url]));
  const wrong = all.filter((address, at) => taken.has(at) !== addresses.get(address));
  assert.deepEqual(wrong, []);
  const right = all.filter((address) => addresses.get(address));
  assert.ok(right.length > 100 && all.length - right.length > 1_000, `${right.length} of ${all.length}`);
  // What is kept is an address for any program, and leads where a browser goes.
  for (const [at, url] of taken) {
    assert.match(url, /^[\x21-\x7e]+$/, all[at]);
    assert.equal(new URL(url).href.replace(/[{}^`|]/g, encodeURIComponent), new URL(all[at]).href.replace(/[{}^`|]/g, encodeURIComponent));
  }
});

// One by one, so fewer: those that differ from a plain one in a part alone.
const few = [...addresses].slice(0, 260).filter(([address], at) => at % 2 === 0 && !/["\\\u0000-\u001f]/.test(address));

test('the shop file', async () => {
  const folder = temporaryDirectory();
  const faults = async (lines) => {
    const file = join(folder, 'shop.toml');
    writeFileSync(file, `[shop]\n${lines}`);
    const { status, stdout, stderr } = await run(['shop', 'check', file]);
    assert.ok(status === 0 || status === 1, stderr);
    return status === 1 ? stdout + stderr : '';
  };
  for (const [address, right] of few) {
    const said = await faults(`home = "${address}"\nproduct_url = "${address}?{product}"\n`);
    assert.equal(/: home, such as/.test(said), !right, `home = ${address}: ${said}`);
    if (!address.endsWith(' ')) assert.equal(/product_url is/.test(said), !right, `product_url = ${address}: ${said}`);
  }
  assert.match(await faults('product_url = "https://shop.example:{product}/"\n'), /product_url is/, 'tried with x');
  assert.equal(await faults('product_url = "https://{product}.shop.example/"\n'), '');
});

test('--public-url, whose path has plain characters alone', async () => {
  for (const [address, right] of few) {
    const rest = /^https?:\/\/[^/?#\\]*(.*)$/.exec(address)?.[1] ?? '';
    const { status, stderr } = await run(['invite', 'p', '--customer', 'c', '--public-url', address, '--store', 'lmdb:/nowhere/at/all']);
    const taken = !/--public-url/.test(stderr);
    assert.equal(taken, right && /^(\/p\/x|\/x|)$/.test(rest), `${address}: ${status} ${stderr}`);
  }
});

test('a Host header that names no host', async () => {
  const server = await serve();
  const statuses = async (hosts) => {
    const out = {};
    for (const host of hosts) out[host] = (await exchange(server.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).answers[0].status;
    return out;
  };
  const all = (hosts, status) => Object.fromEntries(hosts.map((host) => [host, status]));
  const right = ['a', 'LocalHost:8080', '127.0.0.1', '[::1]:80', 'a_b.example:', 'xn--mnchen-3ya.example'];
  const wrong = ['a b', 'user@a', 'a:99999999', 'a:b', 'a/b', 'a?b', 'a#b', 'a\\b', '[::1', '[x]', '::1', 'a,b:1:2', 'a%20b', ':80', '<a>'];
  assert.deepEqual(await statuses(right), all(right, 200));
  assert.deepEqual(await statuses(wrong), all(wrong, 400));
  await server.stop();
});
