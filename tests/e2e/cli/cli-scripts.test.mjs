// The command line for scripts and at a terminal: single comments, the command that prints the next page, help, refusals.
// Only in ./test --all: half a minute.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { binary, commentPath, exportRows, importRows, mustRun, newStore, run, serve, temporaryDirectory } from '../support/harness.mjs';
import { sampleRows } from '../support/data.mjs';

const fields = { language: 'de', rating: 4, author: 'Ann', title: 'Paßt', text: 'zwei\nZeilen', attributes: { size: 'L' } };

test('post adds a comment, get prints it, and delete removes it', async () => {
  const store = newStore();
  const post = (body, ...args) => run(['post', 'p/1', '--store', store, ...args], { input: body });
  const id = (await mustRun(['post', 'p/1', '--store', store], { input: JSON.stringify(fields) })).stdout.trim();
  assert.match(id, /^[0-9A-Z]{26}$/);
  const shown = (await mustRun(['get', id, '--store', store])).stdout;
  for (const line of [`id          ${id}`, 'product     p/1', 'text        zwei Zeilen', 'attributes  {"size":"L"}']) assert.ok(shown.includes(`${line}\n`), shown);
  const json = JSON.parse((await mustRun(['get', id, '--store', store, '--json'])).stdout);
  const { created_at, ...rest } = json;
  assert.deepEqual(rest, { id, product: 'p/1', ...fields });
  assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000);

  const server = await serve({ store });
  assert.deepEqual((await server.get(commentPath(id))).json, json, 'as over HTTP');
  for (const args of [['post', 'p/1'], ['delete', id]]) {
    const refused = await run([...args, '--store', store], { input: '{"rating":1}' });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /HTTP/, 'beside a server it says what to do');
  }
  await server.stop();

  const keyed = () => post('{"rating":5}', '--idempotency-key', 'k');
  const first = await keyed();
  assert.deepEqual(await keyed(), first, 'a repeated post adds nothing');
  assert.equal((await post('{"rating":4}', '--idempotency-key', 'k')).status, 1, 'nor one with the key of another');
  assert.equal((await exportRows(store)).length, 2);

  assert.equal((await mustRun(['delete', id, '--store', store])).stdout, `deleted ${id}\n`);
  for (const command of ['get', 'delete']) {
    const gone = await run([command, id, '--store', store, '--json']);
    assert.deepEqual([gone.status, gone.stdout], [1, '']);
    assert.match(gone.stderr, /no comment/);
  }
});

test('output that is cut short is no success', async () => {
  const store = newStore();
  const id = (await mustRun(['post', 'p', '--store', store], { input: '{"rating":5}' })).stdout.trim();
  const full = openSync('/dev/full', 'w');
  for (const args of [['get', id], ['page', 'p'], ['facet', 'list'], ['post', 'p'], ['--version'], ['page', '--help']]) {
    const { status, stderr } = spawnSync(binary, [...args, '--store', store], { input: '{"rating":5}', stdio: ['pipe', full, 'pipe'], encoding: 'utf8' });
    assert.deepEqual([status, stderr.startsWith('quire: Standard output does not take')], [1, true], `${args}: ${stderr}`);
  }
});

test('closed standard descriptors cost a store nothing', async () => {
  const store = newStore();
  const id = (await mustRun(['post', 'p', '--store', store], { input: '{"rating":5}' })).stdout.trim();
  const server = await serve({ store });
  for (const closed of ['>&-', '2>&-', '<&- >&- 2>&-']) {
    for (const command of ['export', 'page p', 'get nothing']) {
      const { status } = spawnSync('sh', ['-c', `exec "$0" --store "$1" ${command} ${closed}`, binary, store], { encoding: 'utf8' });
      assert.equal(status === 0, closed === '2>&-' && command !== 'get nothing', `${command} ${closed}: ${status}`);
    }
    (await server.get(commentPath(id))).expect(200);
  }
  await server.stop();
  await mustRun(['verify', '--store', store]);
});

test('what no comment can be is refused, and makes no store', async () => {
  const store = newStore();
  const refused = [
    [['post', 'p'], 'no JSON', 1, /JSON/], [['post', 'p'], '', 1, /JSON/], [['post', 'p'], '{"rating":6}', 1, /rating/],
    [['post', 'p'], JSON.stringify({ rating: 5, text: 'x'.repeat(300_000) }), 1, /256 KiB/], [['post', ''], '{"rating":5}', 2, /product/i],
    [['get', 'nothing'], '', 2, /26 characters/], [['delete', 'nothing'], '', 2, /26 characters/],
    [['get', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], '', 1, /There is no store/], [['delete', '01JD5ZK3V8Q6W3N0A9B7C5D2EF'], '', 1, /There is no store/],
  ];
  for (const [args, input, status, reason] of refused) {
    const result = await run([...args, '--store', store], { input });
    assert.deepEqual([result.status, result.stdout], [status, ''], `quire ${args.join(' ')} with ${input.slice(0, 20)}\n${result.stderr}`);
    assert.match(result.stderr, reason);
  }
  assert.ok(!existsSync(store.slice('lmdb:'.length)));
});

test('a page prints the commands that print its neighbours', async () => {
  const folder = temporaryDirectory();
  const store = `lmdb:${folder}/it's a store`;
  await importRows(store, sampleRows(71, 60, 'a product'));
  const ids = (text) => [...text.matchAll(/^([0-9A-Z]{26})  /gm)].map(([, id]) => id);
  const linked = (text, name) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  const type = (line) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line.replace(/^quire /, `${binary} `)], { encoding: 'utf8' });
    assert.equal(status, 0, `${line}\n${stderr}`);
    return stdout;
  };
  const all = JSON.parse((await mustRun(['page', 'a product', '--store', store, '--limit', '100', '--json'])).stdout).comments.map(({ id }) => id);
  const pages = [type(`quire page 'a product' --limit=25 --page=1 --store "${store}"`)];
  for (let next = linked(pages[0], 'next'); next; next = linked(pages.at(-1), 'next')) pages.push(type(next));
  assert.deepEqual(pages.flatMap(ids), all, 'a walk by typing what each page prints');
  assert.deepEqual(pages.map((page) => ids(page).length), [25, 25, 10]);
  assert.doesNotMatch(pages[1], /--page/, 'a cursor takes the place of the number');
  assert.equal(type(linked(pages[2], 'previous')), pages[1], 'and back');
});

const commandsOf = (help) => [...help.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);

test('no option takes the option that follows for its value', async () => {
  const cwd = temporaryDirectory();
  let tried = 0;
  for (const pending = [[]]; pending.length > 0;) {
    const command = pending.pop();
    const { stdout } = await mustRun([...command, '--help']);
    if (/ COMMAND\n/.test(stdout)) pending.push(...commandsOf(stdout).map((name) => [...command, name]));
    for (const [, option] of stdout.matchAll(/^ {2}(?:-\w, ?)?(--[a-z-]+) [A-Z]/gm)) {
      const next = [['--store', newStore()], [`--store=${newStore()}`], ['--json']][tried++ % 3]; // by turns: a process each
      const { status, stderr } = await run([...command, option, ...next], { cwd });
      assert.deepEqual([status, stderr.split('. For help')[0]], [2, `quire: ${option} needs a value`], `${command.join(' ')} ${option} ${next[0]}`);
    }
  }
  assert.ok(tried > 100, `${tried}`);
  assert.deepEqual(readdirSync(cwd), []);
});

test('every help fits a screen, and shows an example of its command', async () => {
  const pending = [[]];
  const seen = [];
  while (pending.length > 0) {
    const command = pending.pop();
    const { stdout } = await mustRun([...command, '--help']);
    const lines = stdout.trimEnd().split('\n');
    const most = command.length > 0 ? 40 : 52; // the list of all commands takes a line for each
    assert.ok(lines.length <= most, `quire ${command.join(' ')} --help has ${lines.length} lines`);
    for (const line of lines) assert.ok([...line].length <= 80, `a line of quire ${command.join(' ')} --help is too long: ${line}`);
    assert.match(stdout, new RegExp(`^Usage: ${['quire', ...command].join(' ')} `));
    seen.push(command.join(' '));
    if (/ COMMAND\n/.test(stdout)) pending.push(...commandsOf(stdout).map((name) => [...command, name]));
    else if (command[0] !== 'lambda') assert.match(stdout, new RegExp(`^Examples?:[^]*quire ${command.join(' ')}`, 'm')); // a package starts it
  }
  for (const command of ['serve', 'page', 'get', 'post', 'delete', 'token new', 'table create', 'facet add']) assert.ok(seen.includes(command), `${command} is reached from quire --help: ${seen.join(', ')}`);
  const serving = (await mustRun(['serve', '--help'])).stdout;
  assert.equal((await mustRun(['serve', '-h'])).stdout, serving);
  assert.match(serving, /^ {2}--listen ADDRESS:PORT +port 0 picks a free one \[127\.0\.0\.1:8080\]$/m, 'its default');
  assert.match((await mustRun(['project', '--help'])).stdout, /\(QUIRE_PROJECT_LISTEN\)/, 'a variable that one would not guess');
});

test('a refusal says what is wrong and which help to read', async () => {
  const file = join(temporaryDirectory(), 'quire.toml');
  const other = join(temporaryDirectory(), 'other.toml');
  writeFileSync(file, 'stoer = "x"\n');
  const refused = [
    [['pgae', 'p', '--rating', '5'], /^quire: quire has no command "pgae"\. Did you mean page\? For help: quire --help\n$/],
    [['bogus'], /^quire: quire has no command "bogus"\. For help: quire --help\n$/],
    [['table', 'crate', '--read-units', '5'], /^quire: quire table has no command "crate"\. Did you mean create\? For help: quire table --help\n$/],
    [['page', 'p', '--ratng', '5'], /^quire: quire page has no option --ratng\. Did you mean --rating\? For help: quire page --help\n$/],
    [['page', 'p', '--lnaguage=en'], /^quire: quire page has no option --lnaguage\. Did you mean --language\? /],
    [['--stor', 'x', 'page', 'p'], /^quire: quire page has no option --stor\. Did you mean --store\? /],
    [['facet', 'add', 'x', '--tpye', 'flag'], /^quire: quire facet add has no option --tpye\. Did you mean --type\? For help: quire facet add --help\n$/],
    [['facet', 'add', 'x'], /^quire: --type is required\. For help: quire facet add --help\n$/],
    [['page', 'p', '--colour'], /^quire: quire page has no option --colour\. For help: /],
    [['page', 'p', 'q', 'r'], /^quire: quire page does not take "q r"\. /],
    [['page', 'p', '--rating', 'five'], /^quire: --rating: takes a whole number from 1 to 5, not "five"\. /],
    [['statistics', 'p', '--rating', '6'], /^quire: --rating: takes a whole number from 1 to 5, not "6"\. /],
    [['backfill', '--segments', 'many'], /^quire: --segments/],
    [['export', '--json=maybe'], /^quire: --json does not take "maybe"\. /],
    [[], /^quire: Name a command\. For help: quire --help\n$/],
    [['token'], /^quire: Name a command\. For help: quire token --help\n$/],
    [['page'], /^quire: PRODUCT is required\. For help: quire page --help\n$/],
    [['page', 'p', '--limit'], /^quire: --limit needs a value\. /],
    [['page', 'p', '--limit', 'x'], /^quire: --limit: takes a whole number, not "x"\. /],
    [['serve', '--max-unsent', 'much'], /^quire: --max-unsent: takes bytes up to 1TiB, such as 256MiB\. /],
    [['leaderboard', '--by', 'rating'], /^quire: --by: takes average, five_star, not "rating"\. /],
    [['export', '--config', file], new RegExp(`^quire: ${file}: There is no option stoer\\. Did you mean store\\? For help: quire export --help\n$`)],
    [['export', '--config', `${file}.not`], /^quire: Cannot read the options in .*quire\.toml\.not: No such file or directory\. /],
    [['export', '--config', dirname(file)], /^quire: Cannot read the options in .*: Is a directory\. /],
  ];
  const lines = {
    '[serve]\nthread = 2': 'There is no option serve.thread. Did you mean threads?',
    '[server]\nthreads = 2': 'There is no section [server]. Did you mean serve?',
    '[serve]\npages = "none"': 'pages is an option of every command. Write it above the sections.',
    'threads = 2': 'threads is an option of quire serve. Write it below [serve].',
  };
  for (const [text, message] of Object.entries(lines)) {
    writeFileSync(other, `${text}\n`);
    assert.equal((await run(['export', '--config', other])).stderr, `quire: ${other}: ${message} For help: quire export --help\n`);
  }
  for (const text of ['store "x"', 'store', 'store =', 'store = "x', "store = 'x", 'store = x', 'store = "\\z"', 'store = """x"', 'store = 2024-01-01', '= "x"', 'store = "a"\nstore = "b"']) {
    writeFileSync(other, `# one\n${text}\n`);
    const { status, stderr } = await run(['export', '--config', other]);
    assert.equal(status, 2, text);
    assert.match(stderr, /^quire: \S+other\.toml:[234]: .+\. For help: quire export --help\n$/, text);
  }
  for (const [args, message] of refused) {
    const { status, stdout, stderr } = await run(args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
  const store = newStore();
  await importRows(store, sampleRows(72, 1, 'p'));
  const escaped = store.replace('/', '\\u002f');
  for (const text of [`\ufeffstore = "${store}"`, `store = """${store}"""`, `store = """\n${store}"""`, `store = '''${store}'''`, `store = "${escaped}"`, `"store" = '${store}' # here`, `store = "${store}"\r`]) {
    writeFileSync(other, `${text}\n`);
    assert.match((await mustRun(['page', 'p', '--config', other])).stdout, /^1 of 1, page 1 of 1$/m, text);
  }
  const { status, stderr } = await run(['page', 'p', '--store', store, '--sort', 'newest']);
  assert.equal(status, 2);
  assert.match(stderr, /^quire: There is no facet newest\..* sort is -created_at \(newest first\), /);
});
