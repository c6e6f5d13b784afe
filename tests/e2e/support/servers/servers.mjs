// Servers of DynamoDB's protocol, which end with the process that starts them, however that ends.

import { spawn } from 'node:child_process';
import net from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const packages = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'node_modules');
const children = new Set();
export const endServers = () => { for (const child of children) child.kill('SIGKILL'); };
process.on('exit', endServers);

/** Amazon's own server. It has everything that Quire uses, and tables for each access key. */
export const startDynamoDbAlone = () => start('amplify-dynamodb-simulator/emulator', 'java',
  // The two -XX options halve the start's time.
  ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-inMemory', '-disableTelemetry', '-port']);

/** A server that is independent of Amazon's. It has neither transactions nor streams. */
export const startDynalite = () => start('dynalite', process.execPath,
  ['cli.js', '--createTableMs', '0', '--deleteTableMs', '0', '--updateTableMs', '0', '--host', '127.0.0.1', '--port']);

/** Starts a server of an npm package; `args` wants the port at its end. Gives {endpoint, stop()}. */
async function start(directory, command, args) {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // setpriv ends the server also when this process is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args, String(port)], { cwd: join(packages, directory), stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { printed += chunk; });
  const ended = new Promise((done) => {
    child.once('error', (error) => { printed += error.message; done(); });
    child.once('close', done);
  }).then(() => { children.delete(child); });
  const stop = () => { child.kill('SIGKILL'); return ended; };
  for (const deadline = Date.now() + 60_000; !(await answers(endpoint)); await sleep(50)) {
    if (Date.now() < deadline && children.has(child)) continue;
    await stop();
    throw new Error(`${directory} ${Date.now() < deadline ? 'ended at its start' : 'does not answer'}; it printed: ${printed}`);
  }
  return { endpoint, stop };
}

const answers = (endpoint) => fetch(endpoint).then(() => true, () => false);

/** A port outside the range of outgoing connections: within the range, a connection to a port without a listener can connect to itself. */
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const server = net.createServer();
    const free = await new Promise((done) => { server.once('error', () => done(false)); server.listen(port, () => done(true)); });
    await new Promise((done) => { server.close(done); });
    if (free) return port;
  }
}
