// Pipes in the places of files that are read at the start or watched: nobody waits for their writers, and none counts as empty.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, commentsPath, newStore, newToken, serve, temporaryDirectory, unlimited } from './support/harness.mjs';

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
