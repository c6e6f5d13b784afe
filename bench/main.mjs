// The benchmarks' command line: which benchmarks, which size, and where the figures go.

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { fileSystemOf, machineFacts, watchStolenTime } from './lib/machine.mjs';
import { Broken, cores, keepTemporaryFilesIn } from './lib/processes.mjs';
import { needBinary } from './lib/quire.mjs';
import { Report } from './lib/report.mjs';
import * as adopted from './suites/adopted.mjs';
import * as articles from './suites/articles.mjs';
import * as cache from './suites/cache.mjs';
import * as dynamodb from './suites/dynamodb.mjs';
import * as facets from './suites/facets.mjs';
import * as feed from './suites/feed.mjs';
import * as floods from './suites/floods.mjs';
import * as importSuite from './suites/import.mjs';
import * as large from './suites/large.mjs';
import * as list from './suites/list.mjs';
import * as memory from './suites/memory.mjs';
import * as micro from './suites/micro.mjs';
import * as moderation from './suites/moderation.mjs';
import * as numbers from './suites/numbers.mjs';
import * as pages from './suites/pages.mjs';
import * as posts from './suites/posts.mjs';
import * as projection from './suites/projection.mjs';
import * as shop from './suites/shop.mjs';
import * as votes from './suites/votes.mjs';
import * as webhooks from './suites/webhooks.mjs';
import * as words from './suites/words.mjs';

const suites = { pages, cache, shop, numbers, facets, words, import: importSuite, large, posts, votes, webhooks, moderation, list, feed, floods, memory, micro, dynamodb, articles, adopted, projection };

// seconds: of one measured round of pages; inserts: rows of SQLite, deeds of moderators, votes by the writer alone;
// posted: comments by the writer alone; stored: comments in DynamoDB Local; numbered: in page indexes beside it; products: of the mix; imported: more than memory holds; foreign: rows of a file of another system; changes: applied from its stream; fresh: posts watched.
// The small size is for ./test --all: it shows that nothing is broken, not how fast it is.
const full = {
  comments: 1_000_000, seconds: 3, rounds: 5, warm: true, repeats: 3,
  postSeconds: 4, syncSeconds: 1, inserts: 5000, memorySeconds: 5, microSeconds: 0.1,
  stored: 100_000, numbered: 1_000_000, changes: 20_000, fresh: 200, products: 10_000, imported: 6_000_000, foreign: 200_000, posted: 20_000,
};
const small = {
  small: true, comments: 20_000, seconds: 0.25, rounds: 1, warm: false, repeats: 1,
  postSeconds: 1, syncSeconds: 0.2, inserts: 500, memorySeconds: 0.25, microSeconds: 0.002,
  stored: 2000, numbered: 5_000, changes: 200, fresh: 5, products: 500, imported: 210_000, foreign: 5_000, posted: 1_000,
};

const help = `bench/run [--small] [--markdown] [--json FILE] [--directory DIR] [--comments N] [--imported N] [--seconds N] [--rounds N] [NAME…]

Measures Quire beside its peers and prints a table. Names (default: all):
${Object.entries(suites).map(([name, { title }]) => `  ${name.padEnd(10)} ${title}`).join('\n')}

  --small          20,000 comments and short rounds: shows that everything works, not how fast it is
  --markdown       prints the tables for docs/performance.md
  --json FILE      writes every figure and round there too
  --directory DIR  where stores are made meanwhile (default: ${tmpdir()}); durable posts need a real disk
  --comments N, --imported N, --seconds N, --rounds N   instead of the size's own

Exit status: 0 measured, 1 something is broken, 2 wrong usage. A missed figure is printed, and no failure.
`;

function usage(message) {
  process.stderr.write(`${message}\n\n${help}`);
  process.exit(2);
}

function commandLine() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const options = { small: flag, markdown: flag, help: flag, json: text, directory: text, comments: text, imported: text, seconds: text, rounds: text };
  let parsed;
  try { parsed = parseArgs({ options, allowPositionals: true }); } catch (error) { usage(error.message); }
  const { values, positionals } = parsed;
  const unknown = positionals.find((name) => !(name in suites));
  if (unknown) usage(`There is no benchmark called ${unknown}.`);
  const size = { ...(values.small ? small : full) };
  for (const name of ['comments', 'imported', 'seconds', 'rounds']) {
    if (values[name] === undefined) continue;
    if (!/^[1-9]\d*$/.test(values[name])) usage(`--${name} takes a whole number from 1.`);
    size[name] = Number(values[name]);
  }
  return { ...values, size, names: positionals.length > 0 ? positionals : Object.keys(suites) };
}

async function measureAll({ size, names, directory = tmpdir() }, report) {
  needBinary();
  mkdirSync(directory, { recursive: true });
  keepTemporaryFilesIn(directory);
  report.machine = machineFacts(directory);
  const rounds = {};
  const stolen = watchStolenTime();
  for (const name of names) {
    const begun = Date.now();
    const progress = (line) => process.stderr.write(`${name}: ${line}\n`);
    rounds[name] = await suites[name].measure(report, size, progress);
    progress(`done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  }
  if (cores.length < 2) report.note('Only one core: server and load shared it, so throughput is not the server\'s.');
  if (fileSystemOf(directory) === 'tmpfs') report.note('The stores were on tmpfs, where a sync costs nothing: --directory names a place on disk.');
  report.machine['stolen by the hypervisor'] = `${(100 * stolen()).toFixed(1)} %`;
  return rounds;
}

const chosen = commandLine();
if (chosen.help) {
  process.stdout.write(help);
  process.exit(0);
}
const report = new Report(chosen.size);
try {
  const rounds = await measureAll(chosen, report);
  process.stdout.write(report.print({ asMarkdown: chosen.markdown }));
  if (chosen.json) writeFileSync(chosen.json, `${JSON.stringify({ ...report, rounds }, null, 1)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Broken ? `broken: ${error.message}` : error.stack}\n`);
  process.exit(1);
}
process.exit(0);
