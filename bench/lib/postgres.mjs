// PostgreSQL, in a cluster of its own.

import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broken, need, remove, run, start, stop, temporaryDirectory } from './processes.mjs';

// Debian keeps the server's commands out of PATH, in a folder a version.
const versions = '/usr/lib/postgresql';
const folders = existsSync(versions) ? readdirSync(versions).map(Number).sort((a, b) => b - a).map((version) => `${versions}/${version}/bin`) : [];
const folder = folders.find((each) => existsSync(join(each, 'initdb')));
const command = (name) => (folder ? join(folder, name) : name);

export const needPostgres = () => need('psql', command('initdb'));

export function version() {
  return spawnSync(command('postgres'), ['--version'], { encoding: 'utf8' }).stdout?.trim();
}

// PostgreSQL refuses to run as root. Root starts it as the user that its package made.
const isRoot = process.getuid() === 0;
const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

function asItsUser(directory, words) {
  const user = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'] : [];
  return ['env', ['-C', directory, ...user, ...words]];
}

const common = ['listen_addresses=', 'max_connections=200', 'max_wal_size=8GB', 'shared_buffers=1GB', 'maintenance_work_mem=1GB'];
// The data need not survive, so PostgreSQL loads without syncs.
const fleeting = [...common, 'fsync=off', 'wal_level=minimal', 'max_wal_senders=0'];
// Every commit is on disk before it is acknowledged. Both are the defaults of PostgreSQL.
const durable = [...common, 'fsync=on', 'synchronous_commit=on', 'wal_sync_method=fdatasync'];

async function startCluster(directory, settings, core) {
  if (isRoot) chownSync(directory, idOf('-u'), idOf('-g'));
  const data = join(directory, 'data');
  await run(...asItsUser(directory, [command('initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']));
  const words = [command('postgres'), '-D', data, '-k', directory, ...settings.flatMap((setting) => ['-c', setting])];
  const started = start(...asItsUser(directory, words), { core });
  let ended = false;
  started.ended.then(() => { ended = true; }, () => { ended = true; });
  for (let tries = 0; spawnSync(command('pg_isready'), ['-q', '-h', directory]).status !== 0; ++tries) {
    if (ended || tries === 400) throw new Broken(`PostgreSQL does not start\n${started.text('stderr').slice(-2000)}`);
    await sleep(50);
  }
  return started;
}

async function sql(directory, script, database = 'postgres') {
  const file = join(directory, 'script.sql');
  writeFileSync(file, script);
  const input = openSync(file, 'r');
  const args = ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', directory, '-U', 'postgres', database];
  const { stdout } = await run('psql', args, { input }).finally(() => closeSync(input));
  return stdout.trim();
}

// Beside other programs a second may end before the first transaction: then it has longer.
async function pgbench(directory, script, database, seconds) {
  const file = join(directory, 'pgbench.sql');
  writeFileSync(file, script);
  const args = ['-n', '-M', 'prepared', '-c', '64', '-j', '2', '-T', String(seconds), '-f', file, '-h', directory, '-U', 'postgres', database];
  const { stdout } = await run(command('pgbench'), args);
  const [failed, rate] = [/^number of failed transactions: (\d+)/m, /^tps = ([\d.]+)/m].map((pattern) => Number(pattern.exec(stdout)?.[1]));
  if (failed === 0 && !(rate > 0) && seconds < 8) return pgbench(directory, script, database, seconds * 2);
  if (failed !== 0 || !(rate > 0)) throw new Broken(`pgbench did not measure:\n${stdout}`);
  return rate;
}

/** A cluster of its own, until end(). `durable`: commits survive a crash of the machine. `core`: the only core it may use. */
export async function cluster({ durable: isDurable = false, core } = {}) {
  const directory = temporaryDirectory();
  const started = await startCluster(directory, isDurable ? durable : fleeting, core);
  return {
    directory,  // of its socket, too
    pid: started.pid,
    sql: (script, database) => sql(directory, script, database),
    /** Transactions a second of a script, by 64 clients of pgbench over the Unix socket. */
    pgbench: (script, database, seconds) => pgbench(directory, script, database, seconds),
    async end() {
      await stop(started);
      remove(directory);
    },
  };
}
