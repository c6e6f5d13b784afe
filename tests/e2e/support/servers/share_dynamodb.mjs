// Runs a command beside a server of DynamoDB that all its files of tests share: node share_dynamodb.mjs COMMAND…
// To start one for each file takes as long as a short test.

import { spawn } from 'node:child_process';
import { startDynamoDbAlone } from './servers.mjs';

const { endpoint } = await startDynamoDbAlone();
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, QUIRE_TEST_DYNAMODB: endpoint } });
child.once('close', (status) => process.exit(status ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
