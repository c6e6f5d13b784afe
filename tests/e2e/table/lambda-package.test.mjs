// The package for AWS Lambda, unpacked into a tree that has nothing else, as the runtime starts it: no shell, no library, no
// certificate of a machine. Its function keeps statistics and a page index by the records of a real table, and makes just
// the requests that the role of the CloudFormation template allows.
// Only in ./test --all: servers of databases.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { backends } from '../support/servers/backends.mjs';
import { seed, seeded } from '../support/data.mjs';
import { keys, startDynamoDb } from '../support/dynamodb.mjs';
import { FaultProxy } from '../support/fault_proxy.mjs';
import { binary, commentPath, mustRun, root, temporaryDirectory } from '../support/harness.mjs';
import { Runtime, records } from '../support/lambda.mjs';
import { Stage } from '../support/project.mjs';

/** The folder of a tree with the package in /var/task, as the service unpacks it, and an empty /proc, /dev and /tmp. */
function unpacked() {
  const zip = join(temporaryDirectory(), 'quire-lambda.zip');
  assert.equal(execFileSync(join(root, 'tools/package-lambda'), [binary, zip], { encoding: 'utf8' }), `${zip}\n`);
  assert.ok(statSync(zip).size < 50_000_000, 'a package that is sent to the service directly has 50 MB at most');
  const tree = temporaryDirectory();
  for (const folder of ['proc', 'dev', 'tmp', 'var/task']) mkdirSync(join(tree, folder), { recursive: true });
  execFileSync('cmake', ['-E', 'tar', 'xf', zip], { cwd: join(tree, 'var/task') });
  assert.deepEqual(readdirSync(join(tree, 'var/task')).sort(), ['bootstrap', 'lib', 'quire']);
  return tree;
}

/** Starts the function. Its mounts go with its process. */
function begin(t, tree, env) {
  const script = `
    mount -t proc none ${tree}/proc && mount --rbind /dev ${tree}/dev && mount -t tmpfs none ${tree}/tmp
    mount --bind ${tree}/var/task ${tree}/var/task && mount -o remount,bind,ro ${tree}/var/task
    exec chroot ${tree} /var/task/bootstrap`;
  const child = spawn('unshare', ['--mount', 'bash', '-ec', script], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'inherit', 'pipe'] });
  const errors = [];
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const ended = new Promise((done) => { child.once('close', done); });
  t.after(async () => { child.kill('SIGKILL'); await ended; });
  return { ended, errors: () => Buffer.concat(errors).toString() };
}

let tree;
before(() => { tree = unpacked(); });

/** The rights that a request to DynamoDB asks for; a transaction asks for those of its writes. */
function rights(operation, { TransactItems = [] }) {
  if (operation !== 'TransactWriteItems') return [operation];
  const names = { Put: 'PutItem', Delete: 'DeleteItem', Update: 'UpdateItem', ConditionCheck: 'ConditionCheckItem' };
  return TransactItems.map((item) => names[Object.keys(item)[0]]);
}

/** What the function's role may do with the table. */
async function allowed(store) {
  const { Resources } = JSON.parse((await mustRun(['table', 'export', '--format', 'cloudformation', '--store', store])).stdout);
  const [{ PolicyDocument: { Statement } }] = Resources.FunctionRole.Properties.Policies;
  const { Action, Resource } = Statement.find(({ Sid }) => Sid === 'Table');
  assert.deepEqual(Resource, { 'Fn::GetAtt': ['Table', 'Arn'] });
  return Action.map((action) => action.replace('dynamodb:', '')).sort();
}

test('the package needs nothing of the machine that runs it, and no more rights than the template gives', async (t) => {
  const database = await startDynamoDb();
  t.after(() => database.stop());
  const stage = await Stage.make({ test: t, database, table: 'packaged', index: await backends.Redis(), random: seeded(seed) });
  const runtime = await Runtime.listen();
  t.after(() => runtime.close());
  await stage.serve();
  await stage.mustRun('backfill', '--lambda');
  await stage.writeMany(60);
  await stage.postNow('gone');

  const asked = new Set();
  const proxy = await FaultProxy.start(database.endpoint);
  proxy.plan = ({ operation, body }) => {
    assert.equal(body.IndexName, undefined, 'the role has no right on indexes');
    for (const right of rights(operation, body)) asked.add(right);
  };
  const lambda = begin(t, tree, {
    ...stage.env, ...keys, AWS_LAMBDA_RUNTIME_API: runtime.address,
    QUIRE_STORE: stage.store.replace(database.endpoint, proxy.endpoint), QUIRE_PAGES: stage.index.pages,
  });
  const handOver = async () => {
    const batch = [];
    for await (const record of records(database.endpoint, stage.table)) batch.push(record);
    assert.ok(batch.length > 0);
    while (batch.length) {
      const answered = await Promise.race([runtime.invoke({ Records: batch.splice(0, 100) }), lambda.ended]);
      assert.deepEqual(answered, { outcome: 'response', answer: { batchItemFailures: [] } }, lambda.errors());
    }
  };
  await handOver();
  const [{ id }] = stage.of('gone'); // its product goes with it
  (await stage.server.delete(commentPath(id))).expect(204);
  stage.comments.delete(id);
  await handOver(); // all once more, and then that it is gone
  await runtime.invoke({}); // of the schedule
  await stage.check('by the packaged function');
  assert.deepEqual([...asked].sort(), await allowed(stage.store));
  await stage.end();
});

test('without the runtime API it says what it is for', async (t) => {
  const lambda = begin(t, tree, { QUIRE_STORE: 'dynamodb:any?region=eu-west-1' });
  assert.equal(await lambda.ended, 2);
  assert.match(lambda.errors(), /AWS_LAMBDA_RUNTIME_API/);
});
