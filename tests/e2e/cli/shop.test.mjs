// The shop file: its check, its name on pages and in feeds, and changes of it while the server runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentsPath, mustRun, newStore, run, serve, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { signer } from '../support/customers.mjs';
import { metric } from '../support/metrics.mjs';

/** A shop file in a folder of its own. */
function shopFile(text) {
  const folder = temporaryDirectory();
  const file = join(folder, 'shop.toml');
  const write = (content, name = 'shop.toml') => writeFileSync(join(folder, name), content);
  if (text !== undefined) write(text);
  return { folder, file, write };
}
const named = (name) => `[shop]\nname = ${JSON.stringify(name)}\n`;
const serveShop = (file, options = {}) => serve({ args: ['--demo', '--shop', file, ...unlimited], ...options });

/** Waits until the condition holds: a change takes half a second, or longer while other tests run. */
async function soon(what, condition) {
  for (const deadline = Date.now() + 20_000; ;) {
    if (await condition()) return;
    assert.ok(Date.now() < deadline, what);
    await new Promise((done) => setTimeout(done, 20));
  }
}

test('shop new prints a file that is in order, and so is every line in it', async () => {
  const { file, folder, write } = shopFile();
  const { stdout } = await mustRun(['shop', 'new']);
  write(stdout);
  const checked = (await mustRun(['shop', 'check', file, '--user', 'root'])).stdout;
  assert.equal(checked, `${file} is in order, as the user root reads it.\n`);
  const whole = stdout.replace(/^# ([\w.]+ = |\[\[)/gm, '$1').replace('"none"', '"rules"').replace('"nobody"', '"customers"');
  for (const line of ['name', 'logo', 'colour', 'style', 'home', 'product_url', 'language', 'texts', 'who', 'once', 'fields', 'edit_days', 'hold', 'first', 'links', 'words', 'reports', 'issuer', 'audience', 'algorithm', 'keys', 'url', 'secret', 'format', 'events', 'rating.max', 'language', 'products', 'imported']) assert.match(whole, new RegExp(`^${line} = `, 'm'));
  write(whole);
  write('casino\n', 'words.txt');
  write(JSON.stringify(signer().keys), 'jwks.json');
  write(`whsec_${'A'.repeat(32)}`, 'webhook-secret');
  write('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg');
  write(':root {}', 'shop.css');
  mkdirSync(join(folder, 'texts'));
  await mustRun(['shop', 'check', file]);
});

test('shop check and serve tell every fault with its line', async () => {
  const { file, folder, write } = shopFile('[shop]\nnaem = "Field"\n[moderation]\nhold = "rules"\nwords = "words.txt"\n[wirting]\nwho = "anyone"\n');
  write('casino\n!!\n', 'words.txt');
  const told = [`${file}:2: [shop] has no "naem". Take one of: colour, embed, home, language, lists, logo, media, name, product_url, style, texts, visitor_language, zone.`, `${file}:6: The shop file has no "wirting". Take one of: feeds, identity, moderation, shop, votes, webhook, writing.`,
    `${folder}/words.txt:2: A phrase has a letter or digit. Comments begin with #.`].map((line) => `quire: ${line}\n`).join('');
  const checked = await run(['shop', 'check', file]);
  assert.deepEqual([checked.status, checked.stdout, checked.stderr], [1, '', told]);
  const served = await run(['serve', '--demo', '--store', newStore(), '--listen', '127.0.0.1:0', '--shop', file]);
  assert.deepEqual([served.status, served.stdout, served.stderr], [2, '', told]);
  const missing = await run(['shop', 'check', join(folder, 'none.toml')]);
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /^quire: Cannot read the file .*none\.toml: No such file or directory\.\n$/);
  assert.equal((await run(['shop', 'check'])).status, 2);
});

test('a shop file may be named by the environment and by the configuration file', async () => {
  const { file, folder, write } = shopFile(named('Field & Stream'));
  write(`[serve]\nshop = "${file}"\ndemo = true\n`, 'quire.toml');
  for (const options of [{ args: ['--demo'], env: { QUIRE_SHOP: file } }, { args: ['--config', join(folder, 'quire.toml')] }]) {
    const server = await serve(options);
    assert.match((await server.get('/')).expect(200).text, /<title>[^<]* – Field &amp; Stream<\/title>/);
    await server.stop();
  }
});

test('pages and feeds have the name of the shop', async () => {
  const { file } = shopFile(named('Field & <Stream>'));
  const server = await serveShop(file);
  const { id } = await server.add('lamp', { rating: 5, title: 'Fits' });
  for (const path of ['/', '/products/lamp', `/comments/${id}`, '/problems/not-found', '/?by=average', '/products/none?page=7']) {
    const { text } = await server.get(path, { Accept: 'text/html' });
    assert.match(text, /<title>[^<]+ – Field &amp; &lt;Stream&gt;<\/title>/, path);
    assert.match(text, /<a class="brand" href="\/" target="_top"><span[^>]*>Field &amp; &lt;Stream&gt;<\/span><\/a>/, path);
    assert.doesNotMatch(text, /Quire/, path);
  }
  assert.match((await server.get('/products/lamp/comments.atom')).expect(200).text, /<title>Reviews of lamp – Field &amp; &lt;Stream&gt;<\/title>/);
  await server.stop();
});

test('without a name, pages and feeds are Quire\'s', async () => {
  const { file } = shopFile('[moderation]\nhold = "none"\n');
  for (const server of [await serve(), await serveShop(file)]) {
    await server.add('lamp', { rating: 5 });
    const { text } = await server.get('/products/lamp');
    assert.match(text, /<title>[^<]+ – Quire<\/title>/);
    assert.match(text, /class="brand-mark".*<span[^>]*>Quire<\/span>/);
    assert.match((await server.get('/products/lamp/comments.atom')).text, /<title>Reviews of lamp<\/title>/);
    await server.stop();
  }
});

test('a change counts soon, empties the page cache and changes the tags of pages', async () => {
  const { file, write } = shopFile(named('One'));
  const server = await serveShop(file);
  await server.add('lamp', { rating: 5 });
  const page = async (headers) => server.get('/products/lamp', headers);
  const json = async () => (await server.get(commentsPath('lamp'))).expect(200);
  const before = (await page()).expect(200);
  await json();
  const misses = await metric(server, 'quire_cache_misses_total');
  await page();
  await json();
  assert.equal(await metric(server, 'quire_cache_misses_total'), misses, 'both are kept');
  write(named('Two'));
  await soon('the page has the new name', async () => (await page()).text.includes('Two'));
  assert.notEqual((await page()).headers.etag, before.headers.etag);
  (await page({ 'If-None-Match': before.headers.etag })).expect(200);
  const between = await metric(server, 'quire_cache_misses_total');
  await json();
  assert.equal(await metric(server, 'quire_cache_misses_total'), between + 1, 'the cache was emptied');
  await server.stop();
});

test('another rule empties the page cache, too', async () => {
  const { file, write } = shopFile('[moderation]\nhold = "rules"\nwords = "words.txt"\n');
  assert.equal((await run(['shop', 'check', file])).status, 1, 'there is no file of words yet');
  write('casino\n', 'words.txt');
  const server = await serveShop(file);
  await server.add('lamp', { rating: 5 });
  const tag = (await server.get('/products/lamp')).headers.etag;
  assert.equal((await server.get('/products/lamp')).headers.etag, tag);
  write('poker\n', 'words.txt');
  await soon('the tag changes', async () => (await server.get('/products/lamp')).headers.etag !== tag);
  await server.stop();
});

test('a faulty change leaves the shop as it was, and the log has its lines', async () => {
  const { file, folder, write } = shopFile(named('One'));
  const server = await serveShop(file);
  const name = async () => /<title>[^<]+ – ([^<]*)<\/title>/.exec((await server.get('/')).text)[1];
  write(`${named('Two')}hoem = "https://shop.example"\nolgo = 1\n`);
  await soon('the log has the faults', () => /shop\.toml:3: \[shop\] has no "hoem"[^]*shop\.toml:4: \[shop\] has no "olgo"[^]*stays as it was/.test(server.output));
  assert.equal(await name(), 'One');
  renameSync(file, `${file}.away`);
  await soon('the log says that it is away', () => /Cannot read the file .*shop\.toml: No such file/.test(server.output));
  mkdirSync(file);
  await soon('the log says that it is a directory', () => /shop\.toml: it is a directory/.test(server.output));
  assert.equal(await name(), 'One');
  rmSync(file, { recursive: true });
  write(named('Three'), 'new.toml');
  renameSync(join(folder, 'new.toml'), file);
  await soon('the new file counts', async () => (await name()) === 'Three');
  await server.stop();
});

test('SIGHUP reads the shop file', async () => {
  const { file, write } = shopFile(named('One'));
  const server = await serveShop(file);
  const reload = async (said) => {
    const before = server.output.length;
    server.process.child.kill('SIGHUP');
    await soon(`the log says ${said}`, () => said.test(server.output.slice(before)));
  };
  await reload(/the shop file .*shop\.toml is as it was[^]*SIGHUP: logs are opened again/);
  write(named(''));
  await reload(/shop\.toml:2: name is a text that is not empty, in quotes\.[^]*stays as it was[^]*SIGHUP: logs are opened again/);
  assert.match((await server.get('/')).text, / – One<\/title>/);
  await server.stop();
});

test('a check reads as the service does, and the advice for what it cannot read works', async () => {
  const folder = temporaryDirectory();
  chmodSync(folder, 0o755);
  const file = join(folder, 'shop.toml'), secret = join(folder, 'secret.txt');
  writeFileSync(file, '[[identity]]\nissuer = "https://shop.example"\naudience = "reviews"\nalgorithm = "HS256"\nsecret = "secret.txt"\n');
  writeFileSync(secret, '7'.repeat(64));
  chmodSync(secret, 0o644);
  const check = () => run(['shop', 'check', file, '--user', 'nobody']);
  const open = await check();
  assert.equal(open.status, 0, open.stderr);
  const [, advice] = /may read \S+secret\.txt: (.*)$/m.exec(open.stderr);
  assert.match(advice, /^chown root:nogroup (\S+secret\.txt) && chmod 640 \1$/);
  execFileSync('sh', ['-c', advice]);
  const hidden = await check();
  assert.deepEqual([hidden.status, hidden.stdout], [0, open.stdout], 'the advice leaves it readable');
  assert.doesNotMatch(hidden.stderr, /may read/);
  assert.equal(open.stdout, `${file} is in order, as the user nobody reads it.\n`);

  execFileSync('chown', ['root:root', secret]);
  const shut = await check();
  assert.deepEqual([shut.status, shut.stdout], [1, '']);
  assert.match(shut.stderr, /secret\.txt: Permission denied/);
  assert.match(shut.stderr, /The server reads the files as the user nobody\..*chown root:nogroup FILE && chmod 640 FILE/);
  assert.match((await run(['shop', 'check', file, '--user', 'no-such-user'])).stderr, /There is no user no-such-user/);
});
