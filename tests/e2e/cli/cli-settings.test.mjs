// The command line: sources of settings, tokens, one writer at a time, and readers beside a server.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, commentsPath, exportRows, idsOf, importRows, mustRun, mustVerify, newStore, newToken, run, serve, serveWithToken, temporaryDirectory, unlimited } from '../support/harness.mjs';
import { sampleRows } from '../support/data.mjs';

test('a setting comes from the flag, else the environment, else the file, else the default', async () => {
  const stores = {};
  for (const name of ['flag', 'environment', 'file']) await importRows((stores[name] = newStore()), sampleRows(61, 3, name));
  const config = join(temporaryDirectory(), 'quire.toml');
  writeFileSync(config, `# settings\nstore = "${stores.file}"\n`);
  const products = async (args, env, cwd) => {
    const { stdout } = await mustRun(['export', ...args], { env, cwd });
    return [...new Set(stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line).product))];
  };
  const env = { QUIRE_STORE: stores.environment };
  assert.deepEqual(await products(['--store', stores.flag, '--config', config], env), ['flag']);
  assert.deepEqual(await products(['--config', config], env), ['environment']);
  assert.deepEqual(await products(['--config', config]), ['file']);
  assert.deepEqual(await products([], env), ['environment']);
  const cwd = temporaryDirectory();
  await mustRun(['import', '-'], { cwd, input: JSON.stringify(sampleRows(62, 1, 'default')[0]) + '\n' });
  assert.deepEqual(await exportRows(`lmdb:${join(cwd, 'quire-data')}`).then((rows) => rows.map((row) => row.product)), ['default']);
});

/** Runs quire where /etc has nothing but this /etc/quire/quire.toml, which root and its group may read. */
function besideService(file, args, { env = {}, user = 0 } = {}) {
  const script = 'mount -t tmpfs none /etc; mkdir -m 750 /etc/quire; (umask 027; cat > /etc/quire/quire.toml); cd "$1"; shift; exec setpriv "$@"';
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', temporaryDirectory(), `--reuid=${user}`, `--regid=${user}`, '--clear-groups', binary, ...args],
    { input: file, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('commands are about the store of the service that is installed, unless they name one', async () => {
  const stores = {};
  for (const name of ['service', 'flag', 'environment', 'file']) await importRows((stores[name] = newStore()), sampleRows(64, 1, name));
  const config = join(temporaryDirectory(), 'own.toml');
  writeFileSync(config, `store = "${stores.file}"\n`);
  const file = `store = "${stores.service}"\npages = "none"\n[serve]\naccess-log = "/var/log/quire/access.log"\n`;
  const product = (args, options) => {
    const { status, stdout, stderr } = besideService(file, ['export', ...args], options);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).product;
  };
  const env = { QUIRE_STORE: stores.environment };
  assert.equal(product([]), 'service');
  assert.equal(product(['--store', stores.flag]), 'flag');
  assert.equal(product([], { env }), 'environment');
  assert.equal(product(['--config', config]), 'file');
  assert.equal(product([], { env: { QUIRE_CONFIG: config } }), 'file');
  assert.doesNotMatch(besideService(file, ['page', 'service']).stdout, /page 1 of 1/, 'pages = "none" is the service\'s');
  assert.match(besideService(file, ['page', 'flag', '--store', stores.flag]).stdout, /page 1 of 1/, 'and holds for no other store');
  assert.equal(besideService(file, ['get', '--json', '--', 'nothing']).status, 2);
  assert.match(besideService('stoer = "x"', ['page', 'p']).stderr, /^quire: \/etc\/quire\/quire\.toml: There is no option stoer\./);
  assert.equal(besideService('stoer = "x"', ['export', '--store', stores.flag]).status, 0);
});

test('the file of the service that may not be read is told', async () => {
  const file = `store = "${newStore()}"\n`;
  const asNobody = (...args) => besideService(file, args, { user: 65534 });
  assert.deepEqual(asNobody('generate', '--comments', '5', '--products', '1'), {
    status: 2, stdout: '',
    stderr: 'quire: Cannot read the options in /etc/quire/quire.toml: Permission denied. Run quire as a user that may, or name another store with --store. For help: quire generate --help\n',
  });
  for (const args of [['--version'], ['--help'], ['page', '--help'], ['generate', '--comments', '1', '--products', '1', '--stdout', '--store', 'lmdb:x']]) assert.equal(asNobody(...args).status, 0, args.join(' '));
});

test('a list without values in a config file is an error that says what to do', async () => {
  const config = join(temporaryDirectory(), 'empty.toml');
  for (const [file, name] of [['store = []\n', 'store'], ['[serve]\ntrusted-proxy = []\n', 'serve.trusted-proxy'], ['[serve]\nthreads = [ ]\n', 'serve.threads']]) {
    writeFileSync(config, file);
    const { status, stderr } = await run(['serve', '--config', config]);
    assert.deepEqual([status, stderr.split('\n')[0]], [2, `quire: ${config}: ${name} = [] names no value: leave the line out. For help: quire serve --help`]);
  }
});

test('several values where an option takes one, and empty values among several, are refused', async () => {
  const config = join(temporaryDirectory(), 'several.toml');
  for (const [file, name] of [['store = ["lmdb:a", "lmdb:b"]\n', 'store'], ['[serve]\ntrusted-proxy = ["192.0.2.1", "10.0.0.0/8"]\n', 'serve.trusted-proxy']]) {
    writeFileSync(config, file);
    const { status, stderr } = await run(['serve', '--config', config]);
    assert.deepEqual([status, stderr.split('\n')[0]], [2, `quire: ${config}: ${name} takes one value: write a list as one text, with commas between. For help: quire serve --help`]);
  }
  for (const list of [',', '192.0.2.1,', ',192.0.2.1', '192.0.2.1,,::1']) {
    const { status, stderr } = await run(['serve', '--demo', '--listen', '127.0.0.1:0', '--store', newStore(), '--trusted-proxy', list]);
    assert.deepEqual([status, stderr], [2, 'quire: "" is no address or network, such as 10.0.0.0/8.\n'], list);
  }
});

test('a missing or invalid config file is an error that names it', async () => {
  const config = join(temporaryDirectory(), 'wrong.toml');
  writeFileSync(config, 'stoer = "lmdb:x"\n');
  for (const file of [config, join(temporaryDirectory(), 'wrong.toml')]) {
    const result = await run(['export', '--config', file]);
    assert.ok([1, 2].includes(result.status), `status ${result.status}`);
    assert.match(result.stderr, /wrong\.toml|stoer/);
  }
});

test('token new prints a token once and keeps its hash; only such tokens work', async () => {
  const { file, token } = await newToken();
  const { token: second } = await newToken({ file });
  assert.notEqual(token, second);
  const kept = readFileSync(file, 'utf8');
  assert.equal(kept.trim().split('\n').length, 2, 'a line per token');
  for (const secret of [token, second]) assert.ok(!kept.includes(secret), 'the token itself is not in the file');
  const server = await serve({ args: ['--tokens', file, ...unlimited] });
  const post = (value) => server.post(commentsPath('tokens'), { rating: 5 }, { Authorization: `Bearer ${value}` });
  for (const secret of [token, second]) (await post(secret)).expect(201);
  for (const line of kept.trim().split('\n')) (await post(line.trim())).problem('unauthorized');
  assert.ok(!server.output.includes(token), 'no token in the log');
  await server.stop();
});

test('a second writer on a store is refused with a clear message', async () => {
  const server = await serveWithToken();
  const { id } = await server.add('p', { rating: 5 });
  const second = [['serve', '--listen', '127.0.0.1:0', '--demo'], ['import', '-'], ['generate', '--comments', '10', '--products', '2', '--seed', '1'], ['compact']];
  for (const [command, ...args] of second) {
    const result = await run([command, '--store', server.store, ...args], { input: JSON.stringify(sampleRows(63, 1, 'p')[0]) + '\n', timeout: 10_000 });
    assert.equal(result.status, 1, `${command} beside a server: status ${result.status}\n${result.stdout}${result.stderr}`);
    assert.match(result.stderr, /in use|lock|another|other process|already/i, `${command} says why`);
  }
  assert.deepEqual(idsOf(await server.page('p')), [id], 'nothing was written');
  await server.stop();
  await importRows(server.store, sampleRows(63, 1, 'p'));
  assert.equal((await exportRows(server.store)).length, 2, 'a writer is welcome once the server has ended');
});

test('a killed server does not lock the next one out', async () => {
  const server = await serve();
  const { id } = await server.add('p', { rating: 5 });
  await server.kill();
  const next = await serve({ store: server.store });
  assert.deepEqual(idsOf(await next.page('p')), [id]);
  await next.stop();
});

test('reading commands work beside a server, and see what it wrote', async () => {
  const server = await serve();
  for (let n = 0; n < 10; ++n) {
    const { id } = await server.add('beside', { rating: 1 + (n % 5) });
    const page = JSON.parse((await mustRun(['page', 'beside', '--store', server.store, '--json'])).stdout);
    assert.equal(page.comments[0].id, id, 'page');
  }
  assert.equal((await exportRows(server.store, '--product', 'beside')).length, 10, 'export');
  await mustVerify(server.store, 'beside a server');
  await mustRun(['explain', 'beside', '--rating', '5', '--store', server.store]);
  (await server.post(commentsPath('beside'), { rating: 5 })).expect(201);
  await server.stop();
});

test('reading a missing store is a failure, and makes none', async () => {
  const absent = newStore();
  for (const args of [['page', 'p'], ['export'], ['statistics', 'p'], ['leaderboard'], ['verify'], ['verify', '--repair'], ['compact'], ['facet', 'drop', 'size'], ['delete', '01JD5ZK3V8Q6W3N0A9B7C5D2EF']]) {
    const result = await run([...args, '--store', absent]);
    assert.equal(result.status, 1, `${args[0]} of an absent store: status ${result.status}\n${result.stdout}${result.stderr}`);
  }
  assert.ok(!existsSync(absent.slice('lmdb:'.length)));
});

test('a port in use is a failure that names it', async () => {
  const server = await serve();
  const result = await run(['serve', '--store', newStore(), '--demo', '--listen', `127.0.0.1:${server.port}`], { timeout: 10_000 });
  assert.equal(result.status, 1);
  assert.ok(result.stderr.includes(String(server.port)), result.stderr);
  await server.stop();
});
