// Files for others: CSV that other systems take, Google's feed of product reviews, and parts of an export.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { binary, cleanEnvironment, exportRows, importRows, mustRun, newStore, run, temporaryDirectory } from '../support/harness.mjs';
import { serveShop } from '../support/moderation.mjs';
import { judgemeFile, judgemeReviews } from './judgeme.mjs';

const written = (name, text) => {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
};
const row = (number, more = {}) => ({ product: 'lamp', language: 'en', rating: 1 + (number % 5), created_at: `2024-11-${String(10 + (number % 20)).padStart(2, '0')}T12:00:${String(number % 60).padStart(2, '0')}.000Z`, author: `Ann ${number}`, title: `Fits ${number}`, text: `Well made, "light"\nnumber ${number}`, ...more });
const rows = [
  ...Array.from({ length: 30 }, (_, i) => row(i)),
  row(40, { author: '', title: '', text: '' }),
  row(41, { text: '<b>bold</b> & more', attributes: { verified: true, size: 'L' } }),
  row(42, { language: 'de', reply: { text: 'Thank you', created_at: '2024-12-01T10:00:00.000Z' }, media: [{ url: 'https://img.example/1.jpg' }, { url: 'https://img.example/2.jpg' }] }),
  row(43, { status: 'pending' }), row(44, { status: 'rejected', reason: 'spam' }), row(45, { status: 'rejected', reason: 'fake' }),
  row(46, { text: '=HYPERLINK("x")' }),
];
const filled = async () => {
  const store = newStore();
  await importRows(store, rows);
  return store;
};
const csvOf = (store, map) => mustRun(['export', '--format', 'csv', '--map', map, '--store', store]);
/** By time, since other systems give other ids. */
const byTime = (all) => all.map(({ id, ...rest }) => { delete rest.attributes?.source_id; if (rest.attributes && !Object.keys(rest.attributes).length) delete rest.attributes; return rest; }).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));

describe('a file for another system, brought back', { concurrency: 2 }, () => {
  const lost = {
    judgeme: { lines: ['37 ids', '1 attributes size', '1 attributes verified', '37 languages', '1 reasons of rejections'], without: (each) => { each.language = 'und'; delete each.attributes; if (each.reason === 'fake') each.reason = 'spam'; } },
    shopify: { lines: ['37 ids', '1 pictures', '1 attributes size', '1 attributes verified', '1 reasons of rejections'], without: (each) => { each.language = 'und'; delete each.attributes; delete each.media; if (each.reason === 'fake') each.reason = 'other'; } },
    woocommerce: { lines: ['37 ids', '1 pictures', '1 replies', '1 attributes size', '1 reasons of rejections'], without: (each) => { each.language = 'und'; delete each.attributes?.size; delete each.media; delete each.reply; if (each.reason === 'fake') each.reason = 'other'; } },
    okendo: { lines: ['34 ids', '1 replies', '1 comments that are pending', '2 comments that are rejected'], published: true, without: (each) => { each.language = 'und'; delete each.attributes; delete each.reply; } },
    loox: { lines: ['34 ids', '33 titles', '34 parts of times', '1 replies', '2 comments that are rejected'], published: true, without: (each) => { each.language = 'und'; delete each.attributes?.size; delete each.reply; each.title = ''; each.created_at = `${each.created_at.slice(0, 10)}T00:00:00.000Z`; } },
  };
  for (const [map, { lines, without, published }] of Object.entries(lost)) {
    test(`${map}: rows are equal, but for what the command says`, async () => {
      const store = await filled();
      const { stdout, stderr } = await csvOf(store, map);
      for (const line of lines) assert.ok(stderr.includes(`not in the file as Quire has it: ${line}\n`), `${line} in ${stderr}`);
      assert.match(stderr, /1 values that begin with =, \+, - or @, which have a ' before them/);
      assert.match(stdout, /'=HYPERLINK/);
      const again = newStore();
      await mustRun(['import', written(`${map}.csv`, stdout), '--map', map, '--store', again]);
      const wanted = byTime(await exportRows(store)).filter(({ status }) => !published || !status);
      for (const each of wanted) {
        without(each);
        if (each.text.startsWith('=')) each.text = `'${each.text}`;
        for (const name of ['held_at', 'decided']) delete each[name];
        if (each.attributes && !Object.keys(each.attributes).length) delete each.attributes;
      }
      const found = byTime(await exportRows(again));
      for (const each of found) for (const name of ['held_at', 'decided']) delete each[name];
      const order = (all) => all.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(order(found), order(wanted));
    });
  }

  test('what came from a system goes back to it with the same ids', async () => {
    const [store, again] = [newStore(), newStore()];
    await mustRun(['import', written('reviews.csv', judgemeFile(judgemeReviews(60))), '--map', 'judgeme', '--store', store]);
    const { stdout } = await csvOf(store, 'judgeme');
    await mustRun(['import', written('again.csv', stdout), '--map', 'judgeme', '--store', again]);
    const of = async (where) => (await exportRows(where)).map(({ id, text, rating, product }) => [id, text, rating, product]).sort();
    assert.deepEqual(await of(again), await of(store));
    const thrice = await mustRun(['import', written('thrice.csv', stdout), '--map', 'judgeme', '--store', store]);
    assert.match(thrice.stdout, /^0 added, 60 known/m);
  });
});

test('--since and --status print a part', async () => {
  const store = await filled();
  const some = async (...args) => (await exportRows(store, ...args)).map(({ created_at }) => created_at).sort();
  const all = await exportRows(store);
  const later = all.filter(({ created_at }) => created_at >= '2024-11-20');
  assert.deepEqual(await some('--since', '2024-11-20'), later.map(({ created_at }) => created_at).sort());
  assert.deepEqual(await some('--since', '2024-11-20T12:00:10Z', '--product', 'lamp'), all.filter(({ created_at }) => created_at >= '2024-11-20T12:00:10').map(({ created_at }) => created_at).sort());
  for (const status of ['published', 'pending', 'rejected'])
    assert.deepEqual(await some('--status', status), all.filter((each) => (each.status ?? 'published') === status).map(({ created_at }) => created_at).sort());
  assert.deepEqual(await some('--since', '2030-01-01'), []);
});

test('options that contradict each other are refused, with what to do', async () => {
  const store = await filled();
  for (const [args, message] of [
    [['--since', 'yesterday'], /--since is a day or a time/], [['--status', 'held'], /--status is published/], [['--format', 'csv'], /needs --map/],
    [['--map', 'judgeme'], /of --format csv/], [['--format', 'csv', '--map', 'yotpo'], /needs \[export\]/], [['--format', 'xml'], /takes csv, google-reviews, jsonl/],
    [['--format', 'google-reviews', '--since', '2024-01-01'], /has all reviews/], [['--zip'], /of --format google-reviews/], [['--products', '--status', 'pending'], /facts as JSON Lines/]]) {
    const { status, stderr, stdout } = await run(['export', '--store', store, ...args]);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
});

const shopFile = '[shop]\nname = "Field & Stream"\nproduct_url = "https://shop.example/p/{product}"\n';

describe("Google's feed", () => {
  const reviews = [
    { product: 'told', language: 'en', rating: 1, created_at: '2024-11-20T12:00:00.000Z', author: '', title: 'Bad', text: 'It broke & burned', attributes: { verified: true } },
    { product: 'told', language: 'und', rating: 5, created_at: '2024-11-21T12:00:00.000Z', author: 'Ann', title: '', text: 'Good' },
    { product: 'told', language: 'en', rating: 4, created_at: '2024-11-22T12:00:00.000Z', author: 'Ann', title: 'A rating', text: '' },
    { product: 'told', language: 'en', rating: 2, created_at: '2024-11-23T12:00:00.000Z', author: 'Bob', title: '', text: 'Held', status: 'pending' },
    { product: 'other', language: 'en', rating: 3, created_at: '2024-11-24T12:00:00.000Z', author: 'Eve', title: '', text: 'So so' }];
  const fill = async (store) => {
    await importRows(store, reviews);
    await mustRun(['product', 'set', 'told', '--name', 'Desk lamp', '--url', 'https://shop.example/told', '--gtin', '96385074', '--gtin', '4006381333931', '--sku', 'told', '--store', store]);
    return store;
  };

  test('has the published reviews, says what it leaves out, and can be imported', async () => {
    const store = await fill(newStore());
    const { stdout, stderr } = await mustRun(['export', '--format', 'google-reviews', '--store', store]);
    assert.match(stderr, /quire: 2 reviews\n/);
    assert.match(stderr, /left out: 1 ratings without a text/);
    assert.match(stderr, /left out: 1 reviews of products without a url/);
    assert.match(stdout, /<version>2\.4<\/version>/);
    assert.match(stdout, /<gtins><gtin>96385074<\/gtin><gtin>4006381333931<\/gtin><\/gtins>/);
    const again = newStore();
    await mustRun(['import', written('feed.xml', stdout), '--map', 'google', '--store', again]);
    const kept = (all) => all.map(({ product, language, rating, created_at, author, title, text, attributes }) => [product, language, rating, created_at, author, title, text, attributes?.verified]);
    assert.deepEqual(kept(await exportRows(again)), kept((await exportRows(store)).filter(({ text, status, product }) => text && !status && product === 'told')));
    const all = await mustRun(['export', '--format', 'google-reviews', '--shop', written('shop.toml', shopFile), '--store', store]);
    assert.match(all.stderr, /quire: 3 reviews\n/);
    assert.match(all.stdout, /<publisher><name>Field &amp; Stream<\/name>/);
    assert.match(all.stdout, /<product_url>https:\/\/shop\.example\/p\/other<\/product_url>/);
  });

  test('is served where the shop file says so, made once an hour, and kept', async () => {
    const store = await fill(newStore());
    const server = await serveShop({ shop: `${shopFile}[feeds]\ngoogle = true\n`, store });
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => server.get('/feeds/google-reviews.xml')));
    first.expect(200);
    assert.match(first.headers['content-type'], /^application\/xml/);
    assert.equal(first.text.match(/<review>/g).length, 3);
    for (const other of others) assert.equal(other.expect(200).text, first.text);
    await server.post('/v1/products/told/comments', { rating: 5, text: 'Later' });
    assert.equal((await server.get('/feeds/google-reviews.xml')).text, first.text, 'within the hour it stays');
    assert.equal((await server.get('/feeds/google-reviews.xml', { 'If-None-Match': first.headers.etag, 'Accept-Encoding': 'gzip' })).status, 304);
    const head = await server.request('HEAD', '/feeds/google-reviews.xml');
    assert.equal(Number(head.expect(200).headers['content-length']), Buffer.byteLength(first.text));
    const zip = (await server.get('/feeds/google-reviews.zip')).expect(200);
    assert.match(zip.headers['content-type'], /^application\/zip/);
    await server.stop();
    const printed = await mustRun(['export', '--format', 'google-reviews', '--shop', written('shop.toml', shopFile), '--store', store]);
    assert.match(printed.stderr, /quire: 4 reviews/);
  });

  test('is not there where the shop file does not say so', async () => {
    const server = await serveShop({ shop: shopFile });
    for (const file of ['xml', 'zip']) (await server.get(`/feeds/google-reviews.${file}`)).problem('not-found');
    await server.stop();
  });

  test('a .zip has the same feed', async () => {
    const store = await fill(newStore());
    const bytes = execFileSync(binary, ['export', '--format', 'google-reviews', '--zip', '--store', store], { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] });
    assert.equal(bytes.toString('latin1', 0, 4), 'PK\x03\x04');
    const [size, length] = [bytes.readUInt32LE(18), bytes.readUInt16LE(26)];
    const feed = inflateRawSync(bytes.subarray(30 + length, 30 + length + size)).toString();
    assert.equal(feed, (await mustRun(['export', '--format', 'google-reviews', '--store', store])).stdout);
  });
});
