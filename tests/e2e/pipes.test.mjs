// Pipes in the places of files that are read at the start or watched: nobody waits for their writers, and none counts as empty.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, commentsPath, mustRun, newStore, newToken, run, serve, temporaryDirectory, unlimited } from './support/harness.mjs';

const makePipe = (file) => { assert.equal(spawnSync('mkfifo', [file]).status, 0); return file; };
const pipe = () => makePipe(join(temporaryDirectory(), 'pipe'));
/** Runs a line of bash, in which $quire is the binary. */
const shell = (line, env = {}) => spawnSync('bash', ['-c', line], { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL', env: { ...process.env, quire: binary, ...env } });

test('a pipe in the place of the token file stops neither the tokens nor SIGTERM', async () => {
  const { file, token } = await newToken();
  const server = await serve({ args: ['--tokens', file, ...unlimited] });
  const status = async () => (await server.post(commentsPath('p'), { rating: 5 }, { Authorization: `Bearer ${token}` })).status;
  renameSync(file, `${file}.away`);
  makePipe(file);
  const until = async (condition) => { while (!await condition()) await new Promise((done) => setTimeout(done, 20)); };
  await until(() => /Cannot read the token file .*: it is a pipe or socket.* The tokens stay as they were/.test(server.output));
  assert.equal(await status(), 201, 'the tokens are as they were');
  rmSync(file);
  writeFileSync(file, '');
  await until(async () => (await status()) === 401);
  renameSync(`${file}.away`, file);
  await until(async () => (await status()) === 201);
  rmSync(file);
  makePipe(file);
  await until(() => server.output.split('it is a pipe or socket').length === 3);
  await server.stop();
});

test('a command refuses a pipe that it would read again, or that has no writer', async () => {
  const { file } = await newToken();
  const store = newStore();
  const refused = (line, message, env) => {
    const { status, stderr, error } = shell(line, env);
    assert.ok(!error && (status === 1 || status === 2), `${line}: ${error ?? status}\n${stderr}`);
    assert.match(stderr, message, line);
  };
  const serving = `"$quire" serve --listen 127.0.0.1:0 --store ${store}`;
  for (const given of [`"${pipe()}"`, `<(cat "${file}")`]) {
    refused(`${serving} --tokens ${given}`, /Cannot read the token file \S+: it is a pipe or socket, which gives its bytes only once\. Put them into a file\./);
    refused(`${serving} --demo --cursor-keys ${given}`, /Cannot read the cursor key file \S+: it is a pipe or socket/);
    refused(`"$quire" page p --store ${store} --config ${given}`, /quire: Cannot read the configuration file \S+: it is a pipe or socket/);
    refused(`QUIRE_CONFIG=${given} "$quire" page p --store ${store}`, /Cannot read the configuration file \S+: it is a pipe or socket/);
    refused(`"$quire" token new --tokens ${given}`, /Cannot read the token file \S+: it is a pipe or socket/);
    refused(`"$quire" page p --store "dynamodb:comments?region=eu-west-1&endpoint=http://127.0.0.1:1&map="${given}`, /Cannot read the mapping \S+: it is a pipe or socket/);
  }
  const alone = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE'])
    refused('"$quire" page p --store dynamodb:comments?region=eu-west-1', /Cannot read the file \S+: it is a pipe or socket[^]*It counts as missing/, { ...alone, [name]: pipe() });
});

test('what is no file in the place of data.mdb is refused at once', () => {
  for (const make of [makePipe, (file) => mkdirSync(file), (file) => symlinkSync('/dev/zero', file)]) {
    const directory = temporaryDirectory();
    make(join(directory, 'data.mdb'));
    for (const command of ['page p', 'verify', 'export', 'post p <<< \'{"rating":5}\'', 'serve --listen 127.0.0.1:0 --demo', 'compact', 'backup copy']) {
      const [name, ...rest] = command.split(' ');
      const { status, stderr, error } = shell(`cd "${directory}" && "$quire" ${name} --store "lmdb:${directory}" ${rest.join(' ')}`);
      assert.ok(!error && status === 1, `${command}: ${error ?? status}\n${stderr}`);
      assert.match(stderr, /^quire: .*data\.mdb is damaged: it is no file, but a directory, pipe, socket or device\. [^.]*\.md, Restoring\.\n$/, command);
    }
  }
});

test('a log that is a pipe without a reader, or a directory, is refused at once; with a reader it is written', async () => {
  for (const option of ['--access-log', '--audit-log']) {
    const name = option.slice(2).replace('-', ' ');
    for (const [file, why] of [[pipe(), 'it is a pipe that no program reads, or a socket\\. Start its reader first, or name a file'], [temporaryDirectory(), 'Is a directory']]) {
      const { status, stderr, error } = shell(`"$quire" serve --listen 127.0.0.1:0 --demo --store ${newStore()} ${option} "${file}"`);
      assert.ok(!error && status === 1, `${option} ${file}: ${error ?? status}\n${stderr}`);
      assert.match(stderr, new RegExp(`^quire: Cannot open the ${name} ${file}: ${why}\\.\n$`), option);
    }
  }
  const read = pipe();
  const descriptor = openSync(read, constants.O_RDONLY | constants.O_NONBLOCK);
  const server = await serve({ args: ['--access-log', read] });
  (await server.get('/healthz')).expect(200);
  await server.stop();
  const line = Buffer.alloc(1000);
  assert.match(line.toString('latin1', 0, readSync(descriptor, line)), / GET \/healthz 200 /);
  closeSync(descriptor);
});

test('a backup says when the cursor keys are no file', async () => {
  const store = newStore();
  await mustRun(['post', 'p', '--store', store], { input: '{"rating":5}' });
  const keys = join(store.slice('lmdb:'.length), 'cursor-keys');
  rmSync(keys, { force: true });
  makePipe(keys);
  const copy = join(temporaryDirectory(), 'copy');
  const { status, stderr } = await run(['backup', copy, '--store', store]);
  assert.equal(status, 1);
  assert.equal(stderr, `quire: Cannot copy ${keys}: it is no file. Put the keys into a file.\n`);
  assert.equal(existsSync(copy), false);
});
