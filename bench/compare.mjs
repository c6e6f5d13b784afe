// bench/compare: the cost of one program beside another, for instance before and after a change. See usage.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { credentials, startDatabase } from './lib/dynamodb.mjs';
import { fetchBody } from './lib/http.mjs';
import { processor, vectors } from './lib/machine.mjs';
import { cpuNanoseconds, watchOthers } from './lib/proc.mjs';
import { loadCore, remove, run, serverCore, temporaryDirectory } from './lib/processes.mjs';
import { generation, needBinary, openToPosts, product, serve } from './lib/quire.mjs';
import { median } from './lib/statistics.mjs';
import { load, post } from './lib/wrk.mjs';

const usage = `bench/compare NAME=PROGRAM NAME=PROGRAM… [--comments N] [--rounds N] [--seconds N]

Processor time of quire programs, which take turns: a request of the first page, of one by cursor, of one by number, of
statistics (JSON), of the web page, of a page on a table (JSON), a post, an import of a comment. The other programs are compared with the first. Each makes a store of its
own; a table of DynamoDB Local serves all.
Example: bench/compare before=/tmp/quire after=build/release/quire
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { comments: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' }, help: { type: 'boolean' } },
});
const [comments, rounds, seconds] = [values.comments, values.rounds, values.seconds].map(Number);
const programs = positionals.map((each) => /^([^=]+)=(.+)$/.exec(each)?.slice(1));
if (values.help || programs.length < 2 || programs.includes(undefined) || ![comments, rounds, seconds].every((each) => each > 0)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}

/** Microseconds of processor time of a command, in user and kernel mode. */
async function cpuOf(command, args) {
  const timed = await run('bash', ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', command, ...args], { core: serverCore });
  const [user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1e6;
}

const rows = join(temporaryDirectory(), 'comments.jsonl');
writeFileSync(rows, (await run(resolve(programs[0][1]), [...generation(comments), '--stdout'])).stdout);

const onTable = 2000; // comments; a request reads one page of a table of any size

/** The requests that a server answers with `url`. */
async function requests(server, url) {
  const body = await fetchBody(url);
  return each(server, async () => (await load(url, body.length, { core: loadCore, seconds })).requests);
}

const cursorOf = async (server) => JSON.parse(await fetchBody(server.comments())).page.next;

/** The measured deeds. Each gives microseconds of the program's processor time for one request, post or row. */
const deeds = {
  'first page of 20': ({ server }) => requests(server, server.comments()),
  'page of 20 by cursor': async ({ server }) => requests(server, server.comments(`after=${await cursorOf(server)}`)),
  'page of 20 by number, in the middle': ({ server }) => requests(server, server.comments(`page=${Math.ceil(comments / 40)}`)),
  'statistics of a product': ({ server }) => requests(server, `${server.url}/v1/products/${product}/statistics`),
  'web page of 20': ({ server }) => requests(server, `${server.url}/products/${product}`),
  'page of 20 on a table, union of three lists': ({ beside }) => requests(beside, beside.comments('rating=1&rating=4&rating=5')),
  'durable post, 64 clients': ({ server }) => each(server, async () => (await post(server.comments(), { core: loadCore, seconds })).created),
  'imported comment': async ({ program }) => {
    const store = temporaryDirectory();
    const spent = await cpuOf(program, ['import', rows, '--store', `lmdb:${join(store, 'store')}`]);
    remove(store);
    return spent / comments;
  },
};

async function each({ pid }, act) {
  const before = cpuNanoseconds(pid);
  const count = await act();
  return (cpuNanoseconds(pid) - before) / 1000 / count;
}

const database = await startDatabase({ core: loadCore });
const table = database.address('compare');
const few = join(temporaryDirectory(), 'few.jsonl');
writeFileSync(few, (await run(resolve(programs[0][1]), [...generation(onTable), '--stdout'])).stdout);
await run(resolve(programs[0][1]), ['table', 'create', '--store', table], { env: credentials });
await run(resolve(programs[0][1]), ['import', few, '--store', table], { env: credentials });

const contenders = [];
for (const [name, file] of programs) {
  const program = resolve(file);
  needBinary(program);
  const store = join(temporaryDirectory(), 'store');
  await run(program, ['import', rows, '--store', `lmdb:${store}`]);
  const server = await serve(store, { program, core: serverCore, args: openToPosts });
  const beside = await serve(table, { program, core: serverCore, env: credentials });
  contenders.push({ name, program, server, beside, spent: Object.fromEntries(Object.keys(deeds).map((deed) => [deed, []])) });
}

const others = [];
for (let round = 0; round <= rounds; ++round) { // the first one warms up
  for (const deed of Object.keys(deeds)) {
    for (const contender of round % 2 ? contenders : [...contenders].reverse()) {
      const watched = watchOthers(database.pid, ...contenders.flatMap(({ server, beside }) => [server.pid, beside.pid]));
      const spent = await deeds[deed](contender);
      if (round === 0) continue;
      contender.spent[deed].push(spent);
      others.push(watched());
    }
  }
}
for (const { server, beside } of contenders) {
  await server.stop();
  await beside.stop();
}
await database.stop();

const figure = (value) => `${value.toPrecision(4)} µs`;
console.log(`| processor time of a | ${contenders.map(({ name }) => name).join(' | ')} |`);
console.log(`| --- |${' --- |'.repeat(contenders.length)}`);
for (const deed of Object.keys(deeds)) {
  const base = median(contenders[0].spent[deed]);
  const cells = contenders.map(({ spent }, at) => {
    const own = median(spent[deed]);
    return at === 0 ? figure(own) : `${figure(own)} (${own >= base ? '+' : ''}${((own / base - 1) * 100).toFixed(1)} %)`;
  });
  console.log(`| ${deed} | ${cells.join(' | ')} |`);
}
console.log(`\nMedians of ${rounds} rounds in turns, ${comments} comments; other processes used ${median(others).toFixed(2)} cores meanwhile. ${processor()}; ${vectors()}.`);
