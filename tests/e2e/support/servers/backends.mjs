// Page indexes for a table: a directory, a file, or a real server on a free port. A server that
// starts here ends with the test process, however that ends.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './servers.mjs';
import { temporaryDirectory } from '../harness.mjs';
import { until } from '../project.mjs';

const children = new Set();
const cleanUp = () => { for (const child of children) child.kill('SIGKILL'); };
process.on('exit', cleanUp);
after(cleanUp);

const output = async (command, ...args) => (await promisify(execFile)(command, args)).stdout;

/** Runs one server, again and again on the same port, with the files of its directory. */
class Process {
  directory = temporaryDirectory();
  #child;

  async start() {
    this.port ??= await freePort();
    const [command, ...args] = this.command();
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { cwd: this.directory, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { printed += chunk; });
    child.once('close', () => children.delete(child));
    this.#child = child;
    await until(`${command} answers`, () => {
      assert.ok(children.has(child), `${command} ended at its start: ${printed}`);
      return this.answers().then(() => true, () => false);
    });
    return this;
  }

  /** Kills the server, as a power cut does. */
  async stop() {
    const ended = new Promise((done) => { this.#child.once('close', done); });
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export class Redis extends Process {
  /** `kept`: the data outlive the server. */
  constructor({ kept = true } = {}) {
    super();
    this.kept = kept;
  }

  get pages() { return `redis://127.0.0.1:${this.port}/0`; }
  command() { return ['redis-server', '--port', this.port, '--bind', '127.0.0.1', '--save', '', '--appendonly', this.kept ? 'yes' : 'no'].map(String); }
  cli(...args) { return output('redis-cli', '-p', String(this.port), ...args); }
  async answers() { assert.equal((await this.cli('ping')).trim(), 'PONG'); }

  forget() { return this.cli('FLUSHALL'); }
  /** Takes a product's oldest comment out of one of its lists. */
  async lose(table, { product, rating }) {
    assert.equal((await this.cli('ZREMRANGEBYRANK', `${bucketOf(table, product)}PRODUCT#${encodeURIComponent(product)}/${rating}`, '0', '0')).trim(), '1');
  }
}

/** The beginning of the keys of a product's bucket: its number is a CRC-16 of the product. */
function bucketOf(table, product) {
  let crc = 0;
  for (const byte of Buffer.from(product)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; ++bit) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return `quire-pages:{${table}/${crc % 256}}:`;
}

class ClusterNode extends Redis {
  command() { return [...super.command(), '--cluster-enabled', 'yes', '--cluster-port', String(this.bus), '--cluster-node-timeout', '1500', '--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0']; }
  async start() {
    this.bus ??= await freePort();
    return super.start();
  }
}

/** Three masters with a replica each. */
export class RedisCluster {
  nodes = Array.from({ length: 6 }, () => new ClusterNode({ kept: false }));
  get pages() { return this.nodes[2].pages; }

  async start() {
    const { nodes } = this;
    for (const node of nodes) await node.start();
    const ids = await Promise.all(nodes.map((node) => node.cli('CLUSTER', 'MYID')));
    for (const [i, node] of nodes.entries()) await node.cli('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    for (const [i, [first, last]] of [[0, 5460], [5461, 10922], [10923, 16383]].entries()) await nodes[i].cli('CLUSTER', 'ADDSLOTSRANGE', String(first), String(last));
    for (const node of nodes.slice(1)) await nodes[0].cli('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(node.bus));
    for (const [i, node] of nodes.slice(3).entries()) await until('a replica knows its master', async () => (await node.cli('CLUSTER', 'REPLICATE', ids[i].trim())).trim() === 'OK');
    await this.whole();
    return this;
  }

  /** Waits until each node knows three masters with a replica each, and each replica has what its master has. */
  whole() {
    return until('the cluster is whole', async () => (await Promise.all(this.nodes.map(async (node) => {
      const slots = (await node.cli('CLUSTER', 'SHARDS')).match(/online/g)?.length;
      const info = `${await node.cli('CLUSTER', 'INFO')}${await node.cli('INFO', 'replication')}`;
      return slots === 6 && /cluster_state:ok/.test(info) && /role:master|master_link_status:up/.test(info);
    }))).every(Boolean));
  }

  /** The master that has a product's comments. */
  async masterOf(table, product) {
    const slot = (await this.nodes[0].cli('CLUSTER', 'KEYSLOT', `${bucketOf(table, product)}state`)).trim();
    for (const node of this.nodes) {
      const role = await node.cli('INFO', 'replication');
      if (/role:master/.test(role) && (await node.cli('CLUSTER', 'COUNTKEYSINSLOT', slot)).trim() !== '0') return node;
    }
    throw new Error(`no master has ${product}`);
  }
}

/** With a database for page indexes, and a user who needs a password. */
export class MariaDb extends Process {
  env = { QUIRE_PAGES_PASSWORD: 'it\'s "secret" %40' };

  get pages() { return `mysql://quire@127.0.0.1:${this.port}/quire`; }
  get #socket() { return join(this.directory, 'socket'); }

  async start() {
    if (this.port) return super.start();
    await output('mariadb-install-db', '--no-defaults', '--user=root', `--datadir=${this.directory}/data`, '--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=4M');
    await super.start();
    await this.sql(`CREATE USER quire IDENTIFIED BY '${this.env.QUIRE_PAGES_PASSWORD.replace("'", "''")}'; CREATE DATABASE quire; GRANT ALL ON quire.* TO quire`);
    return this;
  }

  command() {
    return ['mariadbd', '--no-defaults', '--user=root', `--datadir=${this.directory}/data`, `--socket=${this.#socket}`, `--port=${this.port}`, '--bind-address=127.0.0.1',
      '--innodb-buffer-pool-size=32M', '--innodb-log-file-size=4M', '--innodb-flush-log-at-trx-commit=2', '--performance-schema=OFF', '--skip-name-resolve', '--skip-log-bin', `--pid-file=${this.directory}/pid`];
  }
  sql(statements) { return output('mariadb', '--no-defaults', '--user=root', `--socket=${this.#socket}`, '--skip-column-names', `--execute=${statements}`); }
  answers() { return output('mariadb-admin', '--no-defaults', '--user=root', `--socket=${this.#socket}`, '--connect-timeout=5', 'status'); }

  async lose(table, comment) {
    assert.equal((await this.sql(`${loss(`quire.quire_pages_${table}`, comment)}; SELECT ROW_COUNT()`)).trim(), '1');
  }
}

// Debian keeps the server's commands out of PATH, in a folder a version.
const postgresqlFolder = () => join('/usr/lib/postgresql', readdirSync('/usr/lib/postgresql').sort((a, b) => b - a)[0], 'bin');
// PostgreSQL does not run as root, but as the user that its package made.
const asPostgres = process.getuid() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig', 'KILL'] : [];

/** With a database for page indexes, and a user who needs a password. */
export class Postgresql extends Process {
  env = { QUIRE_PAGES_PASSWORD: 'it\'s "secret" %40' };

  get pages() { return `postgresql://quire@127.0.0.1:${this.port}/quire`; }

  async start() {
    if (this.port) return super.start();
    if (asPostgres.length) await output('chown', 'postgres', this.directory);
    const words = [join(postgresqlFolder(), 'initdb'), '-D', `${this.directory}/data`, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256', '--no-sync', '-E', 'UTF8', '--locale=C'];
    await output(...asPostgres, ...words);
    await super.start();
    await this.sql('postgres', `CREATE USER quire PASSWORD '${this.env.QUIRE_PAGES_PASSWORD.replace("'", "''")}'`);
    await this.sql('postgres', 'CREATE DATABASE quire OWNER quire');
    return this;
  }

  // A killed server leaves its shared memory: it lies in the directory, which goes with the test.
  command() {
    return [...asPostgres, join(postgresqlFolder(), 'postgres'), '-D', `${this.directory}/data`, '-k', this.directory,
      ...['listen_addresses=127.0.0.1', `port=${this.port}`, 'shared_buffers=32MB', 'fsync=off', 'full_page_writes=off', 'dynamic_shared_memory_type=mmap'].flatMap((setting) => ['-c', setting])];
  }
  sql(database, statement) { return output('psql', '-XAt', '-h', this.directory, '-p', String(this.port), '-U', 'postgres', '-d', database, '-c', statement); }
  answers() { return output('pg_isready', '-h', this.directory, '-p', String(this.port)); }

  async lose(table, { id }) {
    assert.equal((await this.sql('quire', `DELETE FROM quire_pages_${table}_comments WHERE id = '\\x${hexOf(id)}'`)).trim(), 'DELETE 1');
  }
}

class Sqlite {
  file = join(temporaryDirectory(), 'pages.db');
  get pages() { return `sqlite:${this.file}`; }

  sql(statements) { return output('sqlite3', '-cmd', '.timeout 20000', this.file, statements); }

  async lose(table, comment) {
    assert.equal((await this.sql(`${loss(`quire_pages_${table}`, comment)}; SELECT changes()`)).trim(), '1');
  }
}

class Lmdb {
  directory = join(temporaryDirectory(), 'pages');
  get pages() { return `lmdb:${this.directory}`; }
}

/** Takes a comment out of a page index in SQL, and leaves the counts. */
const loss = (prefix, { id }) => `DELETE FROM ${prefix}_comments WHERE id = X'${hexOf(id)}'`;

/** The 16 bytes of a ULID. */
function hexOf(id) {
  const number = [...id].reduce((sum, digit) => sum * 32n + BigInt('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit)), 0n);
  return number.toString(16).padStart(32, '0').toUpperCase();
}

let mariadb; // they take seconds to make
let postgresql;

/** By name: () -> {pages, env, lose(table, comment)?}. Each call makes a new page index, except that MariaDB and PostgreSQL have one server each. */
export const backends = {
  LMDB: async () => new Lmdb(),
  SQLite: async () => new Sqlite(),
  Redis: () => new Redis().start(),
  MariaDB: () => (mariadb ??= new MariaDb().start()),
  PostgreSQL: () => (postgresql ??= new Postgresql().start()),
};
