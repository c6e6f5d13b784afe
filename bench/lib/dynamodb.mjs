// Amazon's own DynamoDB Local, in memory: real queries, indexes and capacity units, but none of the service's latency and scale.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broken, freePort, need, run, start, stop } from './processes.mjs';
import { binary, root } from './quire.mjs';

const folder = join(root, 'tests/e2e/node_modules/amplify-dynamodb-simulator/emulator');

/** DynamoDB Local wants a signature and does not check it, so its clients need any keys. */
export const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
export const region = 'eu-west-1';

/** `core`: the only core it may use. `small`: it starts with less work, and is slower in the long run. */
export async function startDatabase({ core, small } = {}) {
  need('java');
  if (!existsSync(folder)) throw new Broken('DynamoDB Local is not there: tools/setup test installs it.');
  const port = await freePort();
  const quick = small ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : [];
  const args = [...quick, '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
  const started = start('java', args, { core, cwd: folder });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers(endpoint, started);
  return {
    endpoint,
    pid: started.pid,
    address: (table) => `dynamodb:${table}?region=${region}&endpoint=${endpoint}`,
    stop: () => stop(started),
  };
}

/** Imports a file of so many new comments into a table. */
export async function importAll(store, file, comments) {
  const { stdout } = await run(binary, ['import', file, '--json', '--store', store], { env: credentials });
  // A write whose answer comes late is sent again, and then counts as known.
  const { added, known } = JSON.parse(stdout);
  if (added + known !== comments) throw new Broken(`import of ${comments} comments: ${stdout}`);
}

/** One request, past Quire; gives the answer's JSON. */
export async function call(endpoint, operation, body) {
  const headers = {
    'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${operation}`, 'x-amz-date': '20240101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=local/20240101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
  };
  const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Broken(`${operation}: status ${answer.status}\n${text.slice(0, 500)}`);
  return JSON.parse(text);
}

// Any answer to an empty request shows that the server is up.
async function untilItAnswers(endpoint, started) {
  let ended;
  started.ended.then((end) => { ended = end; }, (error) => { ended = { stderr: error.message }; });
  for (let tries = 0; ; ++tries) {
    try { await (await fetch(endpoint)).arrayBuffer(); return; } catch (error) {
      if (ended) throw new Broken(`DynamoDB Local ended at start\n${ended.stderr}`);
      if (tries === 600) throw new Broken(`DynamoDB Local does not answer: ${error.message}\n${started.text('stderr')}`);
      await sleep(50);
    }
  }
}
