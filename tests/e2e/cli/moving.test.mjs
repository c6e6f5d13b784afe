// quire import --map: the files of others, whole, through the real command. What each value means is in tests/mapping.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { exportRows, mustRun, mustVerify, newStore, newToken, run, serveWithToken, temporaryDirectory } from '../support/harness.mjs';

const folder = fileURLToPath(new URL('../../mapping/samples/', import.meta.url));
const names = readdirSync(folder).filter((file) => file.endsWith('.toml')).map((file) => file.slice(0, -'.toml'.length));
const fileOf = (name) => readdirSync(folder).find((file) => file.startsWith(name) && !/toml$|expected/.test(file));
const lines = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
const expectedOf = (name) => lines(readFileSync(join(folder, `${name}.expected.jsonl`), 'utf8'));
const sample = (name) => [join(folder, fileOf(name)), '--map', join(folder, `${name}.toml`)];
const tally = async (store, ...args) => {
  const result = await run(['import', '--store', store, '--json', ...args]);
  assert.ok([0, 3].includes(result.status), result.stderr);
  return { ...JSON.parse(result.stdout), stderr: result.stderr };
};
// With the order of members.
const same = (actual, wanted, message) => assert.deepEqual(actual.map((row) => JSON.stringify(row)), wanted.map((row) => JSON.stringify(row)), message);
const rejectedOf = { '03-yotpo-excel': 1, '07-woocommerce-rest': 1 };

test('--print writes the rows of each sample, and all else to standard error', async () => {
  assert.ok(names.length >= 8);
  for (const name of names) {
    const result = await run(['import', ...sample(name), '--print']);
    assert.equal(result.status, rejectedOf[name] ? 3 : 0, `${name}\n${result.stderr}`);
    same(lines(result.stdout), expectedOf(name), name);
  }
});

test('a file is told by its bytes: gzip, standard input, and another name give the same rows', async () => {
  const directory = temporaryDirectory();
  for (const name of names) {
    const bytes = readFileSync(join(folder, fileOf(name)));
    const packed = join(directory, `${name}.exe`);
    writeFileSync(packed, gzipSync(bytes));
    const map = ['--map', join(folder, `${name}.toml`), '--print'];
    same(lines((await run(['import', packed, ...map])).stdout), expectedOf(name), name);
    const piped = await run(['import', '-', ...map], { input: bytes });
    same(lines(piped.stdout), expectedOf(name), `${name} from standard input: ${piped.stderr}`);
  }
});

test('each sample is stored as it is printed, and a second import adds nothing', async () => {
  for (const name of names) {
    const store = newStore();
    const wanted = expectedOf(name);
    const first = await tally(store, ...sample(name));
    assert.deepEqual([first.added, first.rejected], [wanted.length, rejectedOf[name] ?? 0], `${name}: ${first.stderr}`);
    const second = await tally(store, ...sample(name));
    assert.deepEqual([second.added, second.known, second.differing], [0, wanted.length, 0], name);
    const rows = await exportRows(store);
    for (const { id, ...row } of wanted.filter((row) => row.id)) {
      const stored = rows.find((each) => each.id === id);
      assert.deepEqual(stored.media?.map(({ url }) => url), row.media?.map(({ url }) => url));
      for (const member of ['product', 'rating', 'author', 'title', 'text', 'attributes'])
        assert.deepEqual(stored[member], row[member], `${name} ${id} ${member}`);
      assert.deepEqual(stored.reply?.text, row.reply?.text);
      assert.equal(stored.status ?? 'published', row.status ?? 'published');
    }
    await mustVerify(store, name);
  }
});

test('a later export adds what is new; what differs is named, and changes by --update alone; what is gone stays gone', async () => {
  const directory = temporaryDirectory();
  const store = newStore();
  const export_of = (...rows) => {
    const file = join(directory, 'reviews.csv');
    const header = '"title","body","rating","review_date","curated","reviewer_name","product_handle","metaobject_handle","reply","reply_date"';
    writeFileSync(file, [header, ...rows.map((row) => row.map((value) => `"${value}"`).join(','))].join('\r\n'));
    return [file, '--map', 'judgeme'];
  };
  const row = (n, text, reply = '') => ['T', text, '5', `2025-01-0${n} 10:00:00 UTC`, 'ok', 'Ann', 'hat', `r-${n}`, reply, ''];
  const first = await tally(store, ...export_of(row(1, 'One'), row(2, 'Two'), row(3, 'Three')));
  assert.equal(first.added, 3, first.stderr);
  const idOf = async (n) => (await exportRows(store)).find((each) => each.attributes.source_id === `r-${n}`)?.id;
  await mustRun(['delete', '--store', store, await idOf(3)]);
  const later = export_of(row(4, 'Four'), row(1, 'One, edited', 'Thanks'), row(2, 'Two'), row(3, 'Three'));
  const second = await tally(store, ...later);
  assert.deepEqual({ ...second, stderr: 0 }, { added: 1, known: 1, differing: 1, updated: 0, removed_here: 1, rejected: 0, stderr: 0 });
  assert.match(second.stderr, new RegExp(await idOf(1)));
  const third = await tally(store, ...later, '--update');
  assert.deepEqual([third.added, third.known, third.updated, third.removed_here], [0, 2, 1, 1]);
  const one = (await exportRows(store)).find((each) => each.attributes.source_id === 'r-1');
  assert.deepEqual([one.text, one.reply.text], ['One, edited', 'Thanks']);
  const fourth = await tally(store, ...later, '--again');
  assert.deepEqual([fourth.added, fourth.removed_here], [1, 0]);
  await mustVerify(store, 'after all imports');
});

test('rejected rows are told by reason and kept whole; corrected, they are imported by the same mapping', async () => {
  const directory = temporaryDirectory();
  for (const name of Object.keys(rejectedOf)) {
    const store = newStore();
    const rejects = join(directory, `${name}-rejects`);
    const first = await run(['import', '--store', store, ...sample(name), '--rejects', rejects]);
    assert.equal(first.status, 3);
    assert.match(first.stderr, new RegExp(`${fileOf(name)}:\\d+: `), first.stderr);
    const kept = readFileSync(rejects, 'utf8');
    assert.match(kept, /quire_reason/);
    const again = await run(['import', '--store', store, rejects, '--map', join(folder, `${name}.toml`), '--json']);
    assert.equal(again.status, 3, again.stderr);
    writeFileSync(rejects, kept.replace('31/02/2025', '28/02/2025').replace('"rating":0', '"rating":2'));
    const corrected = await tally(store, rejects, '--map', join(folder, `${name}.toml`));
    assert.deepEqual([corrected.added, corrected.rejected], [1, 0], corrected.stderr);
  }
});

test("own rows that are rejected carry the reason, and come in without it once they are corrected", async () => {
  const file = join(temporaryDirectory(), 'rows.jsonl');
  const rejects = `${file}.rejects`;
  writeFileSync(file, '{"product":"p","rating":9,"created_at":"2024-01-01T00:00:00Z"}\nnot JSON\n');
  const store = newStore();
  assert.equal((await run(['import', '--store', store, file, '--rejects', rejects])).status, 3);
  const [row, other] = readFileSync(rejects, 'utf8').split('\n');
  assert.match(JSON.parse(row).quire_reason, /rating/);
  assert.equal(other, 'not JSON');
  writeFileSync(rejects, row.replace('"rating":9', '"rating":4'));
  assert.equal((await tally(store, rejects)).added, 1);
  const [stored] = await exportRows(store);
  assert.equal(stored.attributes?.quire_reason ?? stored.quire_reason, undefined);
});

test('mappings that ship are listed, and a file gets a proposal that is a mapping', async () => {
  const list = await mustRun(['import', '--map', 'list']);
  for (const name of ['google', 'judgeme', 'woocommerce', 'wordpress', 'bazaarvoice', 'magento', 'play', 'amazon', 'trustpilot'])
    assert.match(list.stdout, new RegExp(`^${name} `, 'm'));
  for (const name of names) {
    const proposal = await run(['import', join(folder, fileOf(name)), '--map', 'new']);
    assert.equal(proposal.status, 0, `${name}: ${proposal.stderr}`);
    assert.match(proposal.stdout, /^\[comment\]/m, name);
    assert.doesNotMatch(proposal.stdout, /^[^#\n]*(e?mail|ip_address)/m, name);
  }
});

test('--facts brings names and addresses of products: printed, into a store, to a server, and no comments', async () => {
  const google = [join(folder, fileOf('06-google-2.4')), '--map', 'google', '--facts'];
  const printed = await mustRun(['import', ...google, '--print']);
  const wanted = lines(printed.stdout);
  assert.ok(wanted.length > 0 && wanted.every((row) => row.product && row.name), printed.stdout);
  const store = newStore();
  const first = await tally(store, ...google);
  assert.deepEqual([first.added, first.replaced, first.rejected], [wanted.length, 0, 0], first.stderr);
  assert.equal((await tally(store, ...google)).added, 0);
  const facts = lines((await mustRun(['export', '--store', store, '--products'])).stdout);
  const byProduct = (a, b) => (a.product < b.product ? -1 : 1);
  same(facts.sort(byProduct), wanted.sort(byProduct));
  assert.deepEqual(await exportRows(store), []);

  const server = await serveWithToken({ tokens: await newToken({ scopes: 'products' }) });
  const token = join(temporaryDirectory(), 'token');
  writeFileSync(token, server.token);
  const sent = await mustRun(['import', ...google, '--server', server.url, '--token-file', token, '--json']);
  assert.equal(JSON.parse(sent.stdout).told, wanted.length);
  for (const { product, name } of wanted)
    assert.equal((await (await fetch(`${server.url}/v1/products/${encodeURIComponent(product)}`)).json()).name, name);
  await server.stop();

  const none = await run(['import', '--store', newStore(), join(folder, fileOf('01-judgeme')), '--map', 'judgeme', '--facts']);
  assert.deepEqual([none.status, none.stdout], [2, '']);
  assert.match(none.stderr, /\[facts\]/);
});

test('facts of products go to a server many at once; what it does not answer is sent again, and of rows of a product the last counts', async () => {
  const told = new Map();
  const tries = new Map();
  const fake = createServer(async (request, response) => {
    const product = request.url.split('/').at(-1);
    const body = JSON.parse(await text(request));
    tries.set(product, (tries.get(product) ?? 0) + 1);
    const say = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (product === 'p3') return say(422, { type: '/problems/invalid-comment', detail: 'No such product.' });
    if (tries.get(product) === 1 && product === 'p1') return request.socket.destroy();
    if (tries.get(product) === 1 && product === 'p2') return say(503, { type: '/problems/unavailable', detail: 'Come again.' });
    told.set(product, body.name);
    return say(200, { product, ...body });
  });
  await new Promise((done) => { fake.listen(0, '127.0.0.1', done); });
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'token'), 'a-token');
  const file = join(directory, 'facts.jsonl');
  const rows = Array.from({ length: 100 }, (_, n) => ({ product: `p${n}`, name: `Product ${n}` }));
  rows.push({ product: 'p99', name: 'Later' }, { product: 'p99', name: 'Last' });
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  const rejects = join(directory, 'rejects.jsonl');
  const sent = await run(['import', file, '--products', '--server', `http://127.0.0.1:${fake.address().port}`, '--token-file', join(directory, 'token'), '--json', '--rejects', rejects]);
  fake.close();
  fake.closeAllConnections();
  assert.deepEqual([sent.status, sent.stdout], [3, '{"told":101,"rejected":1}\n'], sent.stderr);
  assert.match(readFileSync(rejects, 'utf8'), /^\{"product":"p3","name":"Product 3","quire_reason":"No such product\."\}\n$/);
  assert.deepEqual([told.size, told.get('p1'), told.get('p2'), told.get('p99')], [99, 'Product 1', 'Product 2', 'Last']);
  assert.deepEqual(['p0', 'p1', 'p2', 'p3'].map((product) => tries.get(product)), [1, 2, 2, 1]);
});

test('what is wrong is one sentence and costs nothing', async () => {
  const directory = temporaryDirectory();
  const file = (name, bytes) => {
    writeFileSync(join(directory, name), bytes);
    return join(directory, name);
  };
  const csv = 'product_handle,rating,review_date,body,metaobject_handle\nhat,5,03/04/2025,Warm,r-1\n';
  const refusals = [
    [[file('dates.csv', csv), '--map', 'judgeme'], /format/],
    [[file('latin.csv', Buffer.from(csv.replace('Warm', 'caf\xe9').replace('03/04/2025', '2025-04-03'), 'latin1')), '--map', 'judgeme'], /encoding/],
    [[file('other.csv', 'sku,stars,day\nhat,5,2025-04-03\n'), '--map', 'judgeme'], /other\.csv: .*product in product_handle or product_id.*It has: day, sku, stars\./],
    [[file('other.jsonl', '{"sku":"hat","stars":5}\n{"sku":"hat","stars":4}\n'), '--map', 'woocommerce'], /rating in rating.*It has: sku, stars\./],
    [[file('sheet.xlsx', 'PK\x03\x04 and more'), '--map', 'judgeme'], /CSV/],
    [[file('rows.csv', csv)], /--map/],
    [[file('again.csv', csv), '--map', 'nobody'], /--map list/],
    [[file('one.csv', csv), '--language', 'en'], /--map/],
    [[file('two.csv', csv), '--map', file('wrong.toml', '[comment]\nratng = { column = "rating" }\n')], /^quire: .*needs rating.*\nquire: .*ratng/m],
  ];
  for (const [args, message] of refusals) {
    const store = newStore();
    const result = await run(['import', '--store', store, ...args]);
    assert.ok([1, 2].includes(result.status), `${args}: ${result.status} ${result.stderr}`);
    assert.match(result.stderr, message);
    assert.equal((await run(['export', '--store', store])).stdout, '');
  }
});
