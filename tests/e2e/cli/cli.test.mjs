// The command line: import, export, generate, page, explain; the exit statuses and the help of all commands.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { binary, cleanEnvironment, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, run, serve, temporaryDirectory } from '../support/harness.mjs';
import { content, expected, sampleRows } from '../support/data.mjs';

const jsonLines = (rows) => rows.map((row) => JSON.stringify(row) + '\n').join('');
const sorted = (rows) => rows.map(content).sort();

test('import takes plain files, .gz files, several files, standard input and a named pipe', async (context) => {
  const rows = sampleRows(41, 60, 'imports');
  const directory = temporaryDirectory();
  const plain = join(directory, 'plain.jsonl');
  const packed = join(directory, 'packed.jsonl.gz');
  writeFileSync(plain, jsonLines(rows.slice(0, 30)));
  writeFileSync(packed, gzipSync(jsonLines(rows.slice(30))));
  const files = newStore();
  await mustRun(['import', '--store', files, plain, packed]);
  const piped = newStore();
  await importRows(piped, rows);
  const crlf = newStore();
  await mustRun(['import', '--store', crlf, '-'], { input: jsonLines(rows).replaceAll('\n', '\r\n').trimEnd() });
  const named = newStore();
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'exec cat "$1" > "$2"', 'sh', packed, pipe]);
  context.after(() => writer.kill());
  await mustRun(['import', '--store', named, plain, pipe]);
  for (const [name, store] of Object.entries({ files, piped, crlf, named })) {
    assert.deepEqual(sorted(await exportRows(store)), sorted(rows), name);
    await mustVerify(store, `after import from ${name}`);
  }
});

test('a gzip file of several members, and one that is cut short', async () => {
  const rows = sampleRows(42, 20, 'members');
  const directory = temporaryDirectory();
  const members = join(directory, 'members.jsonl.gz');
  const cut = join(directory, 'cut.jsonl.gz');
  writeFileSync(members, Buffer.concat([gzipSync(jsonLines(rows.slice(0, 10))), gzipSync(jsonLines(rows.slice(10)))]));
  writeFileSync(cut, gzipSync(jsonLines(sampleRows(43, 5000, 'cut'))).subarray(0, -2000));
  const store = newStore();
  await mustRun(['import', '--store', store, members]);
  assert.equal((await exportRows(store)).length, 20);
  const result = await run(['import', '--store', newStore(), cut]);
  assert.ok([1, 3].includes(result.status), `a cut file is no success: status ${result.status}\n${result.stdout}${result.stderr}`);
  assert.match(result.stderr, /cut\.jsonl\.gz/, 'the message names the file');
});

test('bytes behind a gzip member are further members, zeros at the end, or damage', async () => {
  const file = join(temporaryDirectory(), 'members.jsonl.gz');
  const pieces = [0, 1, 2].map((n) => jsonLines(sampleRows(60 + n, 10, `m${n}`)));
  const [a, b, c] = pieces.map((text) => gzipSync(text));
  const take = async (bytes, expected) => {
    writeFileSync(file, bytes);
    const store = newStore();
    const results = [await run(['import', '--store', store, file])];
    const piped = newStore();
    results.push(await run(['import', '--store', piped, '-'], { input: bytes }));
    for (const { status, stdout, stderr } of results) {
      assert.equal(status, expected, stdout + stderr);
      if (expected === 1) assert.match(stderr, / is damaged after line \d+: /);
    }
    const rows = await exportRows(store);
    assert.deepEqual(await exportRows(piped), rows);
    return rows.length;
  };
  const empty = gzipSync('');
  assert.equal(await take(Buffer.concat([a, b, c]), 0), 30);
  assert.equal(await take(Buffer.concat([empty, a, empty, empty, b, empty]), 0), 20);
  assert.equal(await take(Buffer.concat([a, Buffer.alloc(1)]), 0), 10);
  assert.equal(await take(Buffer.concat([a, Buffer.alloc(300_000)]), 0), 10, 'as tapes pad');
  assert.equal(await take(empty, 0), 0);
  assert.equal(await take(Buffer.from(pieces[0]), 0), 10, 'a plain file');
  assert.equal(await take(Buffer.alloc(0), 0), 0);
  // A line that gzip cut in two.
  assert.equal(await take(Buffer.concat([gzipSync(pieces[0].slice(0, 100)), gzipSync(pieces[0].slice(100))]), 0), 10);
  const broken = Buffer.from(b);
  broken[10] ^= 0xff;
  const badSum = Buffer.from(b);
  badSum[b.length - 8] ^= 1;
  for (const [rest, rows] of [[Buffer.from(pieces[1]), 10], [Buffer.from('x'), 10], [Buffer.from('\n'), 10], [Buffer.concat([Buffer.alloc(7), b]), 10], [b.subarray(0, 1), 10], [b.subarray(0, 2), 10],
    [b.subarray(0, 9), 10], [b.subarray(1), 10], [broken, 10], [b.subarray(0, -1), 20], [badSum, 20], [Buffer.concat([b, Buffer.from(pieces[2])]), 20]])
    assert.equal(await take(Buffer.concat([a, rest]), 1), rows, `${rest.length} ${rest.subarray(0, 12).toString('hex')}`);
  for (let cut = 2; cut < a.length; cut += 131) assert.ok(await take(a.subarray(0, cut), 1) <= 10);
});

test('the same file again adds nothing; identical rows of one file are comments of their own', async () => {
  const rows = sampleRows(44, 40, 'again');
  const twice = [...rows, rows[3], rows[3], rows[7]];
  const store = newStore();
  await importRows(store, twice);
  const first = await exportRows(store);
  assert.equal(first.length, 43);
  assert.deepEqual(sorted(first), sorted(twice));
  await importRows(store, twice);
  assert.deepEqual(await exportRows(store), first, 'the same file again');
  await importRows(store, [...twice].reverse());
  assert.deepEqual(await exportRows(store), first, 'the same rows in another order');
  await importRows(store, [...rows, rows[3], rows[3], rows[3], rows[7]]);
  assert.equal((await exportRows(store)).length, 44, 'one more of the same row is one more comment');
  await mustVerify(store, 'after repeated imports');
});

test('a large file again adds nothing', async () => {
  const rows = sampleRows(48, 20_000, 'large');
  const store = newStore();
  for (const said of ['20000 added, 0 known, 0 differing', '0 added, 20000 known, 0 differing']) {
    const { stdout, stderr } = await importRows(store, rows);
    assert.match(stdout + stderr, new RegExp(`^${said}`, 'm'));
  }
  assert.deepEqual(sorted(await exportRows(store)), sorted(rows));
  await mustVerify(store, 'after two imports');
});

test('an id in a row is kept', async () => {
  const [row] = sampleRows(45, 1, 'ids');
  const id = '01HGW2N7EHJ5VZ7Q4B6Z8X9Y0T';
  const created_at = new Date([...id.slice(0, 10)].reduce((sum, letter) => sum * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(letter), 0)).toISOString();
  const store = newStore();
  await importRows(store, [{ ...row, id, created_at }]);
  const [stored] = await exportRows(store);
  assert.deepEqual(stored, { ...stored, ...row, id, created_at });
});

test('rows as other programs write them are the same comments', async () => {
  const own = { product: '42', language: 'und', rating: 5, created_at: '2024-11-20T12:01:00.000Z', author: '', title: '7', text: 'Warm' };
  const others = ['{"product":42,"language":null,"rating":5.0,"created_at":"2024-11-20 13:01:00 +0100","author":null,"title":7,"text":"Warm","attributes":{"size":null},"media":null}',
    '{"product":"42","language":"","rating":"5","created_at":"2024-11-20T12:01","title":"7","text":"Warm","reply":null,"customer":null,"id":null}'];
  const store = newStore();
  await importRows(store, [own]);
  for (const row of others) assert.match((await mustRun(['import', '--store', store, '-'], { input: row })).stdout, /^0 added, 1 known, .* 0 rejected/, row);
  const { stderr } = await mustRun(['import', '--store', store, '-'], { input: JSON.stringify({ ...own, rating: 4.5 }), status: 3 });
  assert.match(stderr, /rating must be a whole number from 1 to 5/);
  await mustRun(['import', '--store', store, '--products', '-'], { input: '{"product":42,"name":"Lamp","sku":7,"brand":null}' });
  assert.match((await mustRun(['product', 'get', '42', '--store', store])).stdout, /^sku +7$/m);
});

test('attributes of a row are imported and exported, and are part of what makes rows equal', async () => {
  const [row] = sampleRows(47, 1, 'attributes');
  const rows = [{}, { size: 'M', tags: ['a', 'b'] }, { size: 'L', helpful: -3, verified: false }].map((attributes) => ({ ...row, attributes }));
  const store = newStore();
  await importRows(store, rows);
  await importRows(store, [row]);
  const stored = await exportRows(store);
  assert.deepEqual(stored.map(({ attributes }) => attributes).sort((a, b) => `${a?.size}`.localeCompare(`${b?.size}`)), [rows[2].attributes, rows[1].attributes, undefined]);
  const copy = newStore();
  await importRows(copy, stored);
  assert.deepEqual(await exportRows(copy), stored);
  const result = await run(['import', '--store', store, '-'], { input: jsonLines([{ ...row, attributes: { size: {} } }]) });
  assert.equal(result.status, 3);
  assert.match(result.stderr, /attributes\.size must not be an object/);
});

test('a rejects file is not touched if it is an input, or the import cannot begin', async () => {
  const directory = temporaryDirectory();
  const input = join(directory, 'in.jsonl');
  const rejects = join(directory, 'rejects.jsonl');
  writeFileSync(input, jsonLines(sampleRows(47, 3, 'kept')));
  writeFileSync(rejects, 'from an earlier import\n');
  const before = readFileSync(input, 'utf8');
  assert.equal((await run(['import', '--store', newStore(), '--rejects', input, input])).status, 2);
  const from = openSync(input);
  const read = spawnSync(binary, ['import', '--store', newStore(), '--rejects', input, '-'], { env: cleanEnvironment(), stdio: [from, 'pipe', 'pipe'] });
  closeSync(from);
  assert.equal(read.status, 2, String(read.stderr));
  assert.equal(readFileSync(input, 'utf8'), before);
  assert.equal((await run(['import', '--store', newStore(), '--rejects', rejects, join(directory, 'missing')])).status, 1);
  assert.equal(readFileSync(rejects, 'utf8'), 'from an earlier import\n');
});

test('control characters for terminals are not printed', async () => {
  const store = newStore();
  const row = { product: 'esc', language: 'en', rating: 5, created_at: '2024-01-01T00:00:00Z', title: '\u009b31m \u202e turned' };
  const hostile = { ...row, '\u001b]0;pwned\u0007': 1 };
  const { stderr } = await mustRun(['import', '--store', store, '-'], { input: jsonLines([row, hostile]), status: 3 });
  const { stdout } = await mustRun(['page', '--store', store, 'esc']);
  assert.doesNotMatch(stderr + stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  assert.match(stdout, /31m/);
});

test('bad rows are reported by line and reason, kept in the rejects file, and the rest is imported', async () => {
  const good = sampleRows(46, 4, 'rejects');
  const lines = good.map((row) => JSON.stringify(row));
  const bad = {
    2: [JSON.stringify({ ...good[0], rating: 9, text: 'bad-two' }), /rating/i],
    4: ['{"product":"rejects" bad-four', /JSON|parse|expected/i],
    6: [JSON.stringify({ ...good[0], author: 'bad-six' + 'x'.repeat(200) }), /author/i],
    8: [JSON.stringify({ ...good[0], product: undefined, text: 'bad-eight' }), /product/i],
    9: [JSON.stringify({ ...good[0], colour: 'bad-nine' }), /colour/i],
  };
  const input = [lines[0], bad[2][0], lines[1], bad[4][0], lines[2], bad[6][0], lines[3], bad[8][0], bad[9][0]].join('\n') + '\n';
  const rejects = join(temporaryDirectory(), 'rejects');
  const store = newStore();
  const { stdout, stderr } = await mustRun(['import', '--store', store, '--rejects', rejects, '-'], { input, status: 3 });
  const report = stdout + stderr;
  const kept = readFileSync(rejects, 'utf8');
  for (const [number, [, reason]] of Object.entries(bad)) {
    assert.ok(report.split('\n').some((line) => new RegExp(`\\b${number}\\b`).test(line) && reason.test(line)), `line ${number} is reported with its reason\n${report}`);
  }
  for (const mark of ['bad-two', 'bad-four', 'bad-six', 'bad-eight', 'bad-nine']) assert.ok(kept.includes(mark), `${mark} is in the rejects file\n${kept}`);
  assert.deepEqual(sorted(await exportRows(store)), sorted(good));
});

test('a file that is no JSON Lines is called what it looks like, and nothing of it is stored', async () => {
  const [good] = sampleRows(48, 1, 'csv');
  const others = {
    CSV: ['product,language,rating,title\n42,en,5,Fits\n', '\ufeff"product";"rating"\r\n"42";"5"\r\n', '\nid\ten\t5\n'],
    'a JSON array': [JSON.stringify([good], null, 2), JSON.stringify([good])],
  };
  for (const [kind, inputs] of Object.entries(others)) {
    for (const input of inputs) {
      const { stdout, stderr } = await mustRun(['import', '--store', newStore(), '-'], { input, status: 2 });
      assert.match(stdout, /0 added, 0 known, 0 differing, 0 updated, 0 removed here, 0 rejected/);
      assert.match(stderr, new RegExp(`^quire: - looks like ${kind}\\. .*JSON Lines.*--map list`), input);
    }
  }
  const store = newStore();
  for (const line of ['# exported, by me', 'garbage', '{"product": "csv", "rating": 5']) await mustRun(['import', '--store', store, '-'], { input: `${line}\n${JSON.stringify(good)}\n`, status: 3 });
  assert.equal((await exportRows(store)).length, 1, 'a bad row at the beginning is no other kind of file');
});

test('rows in UTF-16 are those of its byte order mark', async () => {
  const rows = sampleRows(49, 2, 'utf16é💙');
  const little = Buffer.from(`\ufeff${jsonLines(rows)}`, 'utf16le');
  for (const input of [little, Buffer.from(little).swap16(), Buffer.from(`\ufeff${jsonLines(rows)}`)]) {
    const store = newStore();
    await mustRun(['import', '--store', store, '-'], { input });
    assert.deepEqual(sorted(await exportRows(store)), sorted(rows));
  }
});

test('a number has a noun that fits it', async () => {
  const store = newStore();
  await importRows(store, sampleRows(52, 1, 'one'));
  assert.equal((await mustRun(['verify', '--store', store])).stdout, '1 comment, 0 differences\n');
  const refused = async (...args) => (await run(['page', 'one', '--store', store, ...args])).stderr;
  assert.equal(await refused('--page', '9'), 'quire: There is 1 page under this filter, at 20 comments a page.\n');
  assert.equal(await refused('--page', '9', '--limit', '1'), 'quire: There is 1 page under this filter, at 1 comment a page.\n');
  assert.equal(await refused('--skip', '9'), 'quire: There is 1 comment under this filter.\n');
  assert.match((await mustRun(['page', 'one', '--store', store, '--facets'])).stdout, /^rating: . 1, 1 comment$/m);
  await importRows(store, sampleRows(53, 2, 'two'));
  assert.equal((await mustRun(['verify', '--store', store])).stdout, '3 comments, 0 differences\n');
});

test('export is oldest first, may be of one product, and can be imported again', async () => {
  const rows = ['a', 'b/c', 'ü#'].flatMap((product, at) => sampleRows(47 + at, 50, product));
  const [store, copy] = [newStore(), newStore()];
  await importRows(store, rows);
  const { stdout } = await mustRun(['export', '--store', store]);
  for (const product of ['a', 'b/c', 'ü#']) {
    const part = await exportRows(store, '--product', product);
    assert.equal(part.length, 50);
    assert.ok(part.every((row) => row.product === product));
    assert.deepEqual(part.map((row) => row.id), part.map((row) => row.id).sort(), `${product}: oldest first`);
  }
  await mustRun(['import', '--store', copy, '-'], { input: stdout });
  assert.equal((await mustRun(['export', '--store', copy])).stdout, stdout, 'the export of the copy');
  assert.deepEqual(await exportRows(store, '--product', 'nobody'), []);
});

test('comments that were posted survive export and import too', async () => {
  const server = await serve();
  for (let rating = 1; rating <= 5; ++rating) await server.add('posted', { rating, text: `text ${rating} \n\t😀` });
  const shown = (await server.page('posted')).comments;
  await server.stop();
  const copy = newStore();
  await importRows(copy, await exportRows(server.store));
  const other = await serve({ store: copy });
  assert.deepEqual((await other.page('posted')).comments, shown);
  await other.stop();
});

test('generate is repeatable, to standard output and into a store', async () => {
  const generate = (seed, ...args) => mustRun(['generate', '--comments', '300', '--products', '7', '--seed', String(seed), ...args]);
  const [one, two, other] = [await generate(1, '--stdout'), await generate(1, '--stdout'), await generate(2, '--stdout')];
  assert.equal(one.stdout, two.stdout);
  assert.notEqual(one.stdout, other.stdout);
  const rows = one.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  assert.equal(rows.length, 300);
  assert.ok(new Set(rows.map((row) => row.product)).size <= 7);
  const [imported, direct] = [newStore(), newStore()];
  await mustRun(['import', '--store', imported, '-'], { input: one.stdout });
  await generate(1, '--store', direct);
  assert.deepEqual(sorted(await exportRows(direct)), sorted(await exportRows(imported)), 'into the store as to standard output');
  await mustVerify(direct, 'after generate');
});

test('page and explain give what the server gives', async () => {
  const product = 'pages';
  const store = newStore();
  await importRows(store, sampleRows(50, 60, product));
  const all = await exportRows(store);
  const server = await serve({ store });
  const page = async (...args) => JSON.parse((await mustRun(['page', product, '--store', store, '--json', ...args])).stdout);
  assert.deepEqual(await page(), await server.page(product));
  const flags = ['--language', 'en', '--language', 'de', '--rating', '5', '--rating', '4', '--limit', '7'];
  const query = { language: ['en', 'de'], rating: [5, 4], limit: 7 };
  const ids = [];
  for (let now = await page(...flags); ; now = await page(...flags, '--after', now.page.next)) {
    ids.push(...idsOf(now));
    if (!now.page.has_next) break;
    assert.ok(ids.length < 200, 'the walk comes to an end');
  }
  assert.deepEqual(ids, expected(all, query).map((row) => row.id), 'a walk, each page by a process of its own');
  assert.deepEqual(idsOf(await page('--sort', 'created_at', '--limit', '100')), expected(all, { sort: 'created_at' }).map((row) => row.id));
  const explained = JSON.parse((await mustRun(['explain', product, ...flags, '--store', store, '--json'])).stdout);
  const { plan } = await server.page(product, { ...query, explain: 'true' });
  assert.equal((explained.plan ?? explained).summary, plan.summary);
  await server.stop();

  const text = (await mustRun(['page', product, '--store', store, '--limit', '3'])).stdout;
  for (const { title } of expected(all).slice(0, 3)) assert.ok(text.includes(title), `${title} is in the page for people\n${text}`);
  assert.doesNotMatch(text, /\x1b/, 'plain when piped');
  const plan_ = (await mustRun(['explain', product, '--rating', '5', '--store', store])).stdout;
  assert.match(plan_, /^bitmap: rating 5, \d blocks? looked at, 0 skipped$/m); // where blocks begin depends on the ids
  assert.match(plan_, /^time +\d+ µs$/m);
});

test('wrong usage has status 2, a failure status 1, and both name the reason', async () => {
  const store = newStore();
  await importRows(store, sampleRows(51, 5, 'p'));
  const wrong = [['no-such-command'], ['page', '--store', store], ['page', 'p', '--store', store, '--bogus'], ['page', 'p', '--store', store, '--limit', '0'], ['page', 'p', '--store', store, '--limit', 'x'],
    ['page', 'p', '--store', store, '--rating', '6'], ['page', 'p', '--store', store, '--language', 'engl'], ['page', 'p', '--store', store, '--sort', 'bogus'], ['page', 'p', '--store', store, '--limit'],
    ['import', '--store', store], ['page', 'p', '--store', 'bogus:x'], ['generate', '--store', store, '--comments', 'many'], ['serve', '--store', store, '--listen', 'nowhere'], ['export', '--store', store, 'surplus'], ['token'],
    ['statistics', '--store', store], ['statistics', 'p', '--store', store, '--language', 'engl'], ['statistics', 'p', '--store', store, '--rating', '6'], ['statistics', 'p', '--store', store, '--limit', '5'], ['leaderboard', '--store', store, '--by', 'rating'], ['leaderboard', '--store', store, '--limit', '0'],
    ['leaderboard', '--store', store, '--limit', '101'], ['leaderboard', '--store', store, '--language', 'engl'], ['leaderboard', '--store', store, '--language', ''], ['export', '--store', store, '--product', ''], ['export', '--store', store, '--product', 'x'.repeat(257)],
    ['generate', '--store', store, '--comments', '0'], ['serve', '--store', store, '--cache', '-1'], ['serve', '--store', store, '--max-unsent', '2TiB'], ['verify', '--store', store, '--repair', 'surplus']];
  for (const args of wrong) {
    const result = await run(args, { timeout: 10_000 });
    assert.equal(result.status, 2, `quire ${args.join(' ')}: status ${result.status}\n${result.stderr}`);
    assert.ok(result.stderr.trim(), `quire ${args.join(' ')} says what is wrong`);
    assert.equal(result.stdout, '', `quire ${args.join(' ')} keeps standard output clean`);
  }
  const failing = [['import', '--store', store, join(temporaryDirectory(), 'absent.jsonl')], ['serve', '--store', store, '--listen', '127.0.0.1:0', '--tokens', join(temporaryDirectory(), 'absent')]];
  for (const args of failing) {
    const result = await run(args, { timeout: 10_000 });
    assert.equal(result.status, 1, `quire ${args.join(' ')}: status ${result.status}\n${result.stderr}`);
    assert.match(result.stderr, /absent/, 'the message names the file');
  }
  assert.notEqual((await run(['page', 'p', '--store', store, '--after', 'garbage'])).status, 0, 'a made-up cursor');
});
