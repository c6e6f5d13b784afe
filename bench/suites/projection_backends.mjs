// The page indexes that can stand beside a table: each a directory, a file, or a server started here on a free port.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as postgres from '../lib/postgres.mjs';
import { Broken, freePort, loadCore, need, run, start, stop, temporaryDirectory } from '../lib/processes.mjs';
import { connect } from '../lib/resp.mjs';

export function needBackends() {
  need('redis-server', 'mariadbd', 'mariadb-install-db', 'mariadb-admin', 'mariadb');
  postgres.needPostgres();
}

const kinds = { LMDB: lmdb, SQLite: sqlite, Redis: redis, MariaDB: mariadb, PostgreSQL: postgresql };

/**
 * By name: {pages(table): the address of a table's index, bytes(table): the bytes of that index, pid of its server if there is one (perhaps with children), stop(); of Redis its socket, of MariaDB the arguments of its client}.
 * The servers share the core of the load with DynamoDB Local: the program under test has its core alone.
 */
export async function startBackends(names = Object.keys(kinds)) {
  const started = {};
  for (const name of names) started[name] = await kinds[name]();
  return started;
}

const none = async () => {};

function lmdb() {
  const directory = temporaryDirectory();
  const at = (table) => join(directory, table);
  return { pages: (table) => `lmdb:${at(table)}`, bytes: async (table) => statSync(join(at(table), 'data.mdb')).size, stop: none };
}

function sqlite() {
  const directory = temporaryDirectory();
  const at = (table) => join(directory, `${table}.db`);
  const bytes = async (table) => ['', '-wal'].map((end) => at(table) + end).filter(existsSync).reduce((sum, file) => sum + statSync(file).size, 0);
  return { pages: (table) => `sqlite:${at(table)}`, bytes, stop: none };
}

// Redis keeps the index in memory alone: a backfill builds a lost index again.
async function redis() {
  const directory = temporaryDirectory();
  const port = await freePort();
  const socket = join(directory, 'socket');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', socket, '--dir', directory, '--save', '', '--appendonly', 'no', '--loglevel', 'warning'];
  const started = await startServer('redis-server', args, async () => { (await connect(socket)).close(); });
  const client = await connect(socket);
  const used = async () => Number(/^used_memory:(\d+)/m.exec(await client.send('INFO', 'memory'))[1]);
  const before = await used();
  return {
    socket,
    pages: () => `redis://127.0.0.1:${port}/0`,
    bytes: async () => await used() - before, // of whatever table
    pid: started.pid,
    async stop() { client.close(); await stop(started); },
  };
}

// MariaDB with its usual settings, so each step is on disk, but with memory for an index of a million comments.
async function mariadb() {
  const directory = temporaryDirectory();
  const port = await freePort();
  const data = join(directory, 'data');
  const socket = join(directory, 'socket');
  const as = ['--no-defaults', '--user=root'];
  await run('mariadb-install-db', [...as, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const settings = [`--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1', `--pid-file=${directory}/pid`, '--skip-log-bin', '--innodb-buffer-pool-size=512M'];
  const client = [...as, `--socket=${socket}`];
  const started = await startServer('mariadbd', [...as, `--datadir=${data}`, ...settings], () => run('mariadb-admin', [...client, 'ping']));
  await run('mariadb', [...client, '--execute=CREATE USER quire; CREATE DATABASE quire; GRANT ALL ON quire.* TO quire']);
  const files = (table) => readdirSync(join(data, 'quire')).filter((file) => file.startsWith(`quire_${table}_`) && file.endsWith('.ibd'));
  return {
    client,
    pages: () => `mysql://quire@127.0.0.1:${port}/quire`,
    bytes: async (table) => files(table).reduce((sum, file) => sum + statSync(join(data, 'quire', file)).size, 0),
    pid: started.pid,
    stop: () => stop(started),
  };
}

// PostgreSQL with syncs, so each step is on disk.
async function postgresql() {
  const cluster = await postgres.cluster({ durable: true, core: loadCore });
  const bytes = async (table) => Number(await cluster.sql(`SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'quire_${table}_%'`));
  // The folder of its socket takes the place of the host.
  return { pages: () => `postgresql://postgres@${encodeURIComponent(cluster.directory)}/postgres`, bytes, pid: cluster.pid, stop: () => cluster.end() };
}

async function startServer(command, args, answers) {
  const started = start(command, args, { core: loadCore });
  let ended = false;
  started.ended.then(() => { ended = true; }, () => { ended = true; });
  for (let tries = 0; ; ++tries) {
    try { await answers(); return started; } catch (error) {
      if (ended || tries === 600) throw new Broken(`${command} does not start: ${error.message}\n${started.text('stdout')}${started.text('stderr')}`);
      await sleep(50);
    }
  }
}
