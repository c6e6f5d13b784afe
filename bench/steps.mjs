// bench/steps: where the processor time of a request goes. See usage.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchBody } from './lib/http.mjs';
import { cpuNanoseconds } from './lib/proc.mjs';
import { loadCore, need, run, serverCore, temporaryDirectory } from './lib/processes.mjs';
import { binary, generatedStore, needBinary, product, serve } from './lib/quire.mjs';
import { load } from './lib/wrk.mjs';

const usage = `bench/steps [--comments N] [--seconds N] [PATH…]

The processor time of a request, by its steps, as perf samples it (Debian's linux-perf). Without a path: the first page as
JSON, and as the web page. {product} in a path stands for the product.
Example: bench/steps '/v1/products/{product}/comments?rating=5'
`;

// A sample belongs to the innermost function that a rule names.
const rules = [
  ['system calls', /^(entry_SYSCALL|do_syscall|__x64_sys|syscall)/],
  ['cursors', /quire::(Seal|Siv)::|base64url|quire::cursor_of/],
  ['write the head', /write_head|security_headers|Response::add|add_links/],
  ['tag', /add_caching|tag_by|long_hash|content_of/],
  ['splice the JSON', /page_json|append_numbers|append_counts/],
  ['read documents', /shown_comments|decode_document/],
  ['fill the template', /quire::http::(Html|Template|Values|fill_|append_escaped|values_of)/],
  ['route', /find_route|http::match|Application::dispatch/],
  ['parse the target', /parse_target|boost::urls/],
  ['parse the query', /page_query|filter_query|question_of|make_filter|allow_only/],
  ['parse the request', /basic_parser|parser::put|check_header|Connection::read\b|client_address/],
  ['find and read the page', /LmdbView|BitmapListing|bitmap_index::|quire::lmdb::|embedded::|bitmap::|mdb_|Comments::open/],
  ['log and metrics', /AccessLog|Metrics|prometheus/],
];

/** The share of each step in the samples of a perf.data. */
function shares(file) {
  const { stdout } = spawnSync('perf', ['script', '--no-inline', '-i', file, '-F', 'ip,sym'], { encoding: 'utf8', maxBuffer: 2 ** 31 - 1 });
  const counted = new Map();
  const samples = stdout.split(/\n\s*\n/).filter((sample) => sample.trim());
  for (const sample of samples) {
    const names = sample.split('\n').map((line) => line.trim().replace(/^[0-9a-f]+ /, ''));
    const step = names.map((name) => rules.find(([, rule]) => rule.test(name))?.[0]).find(Boolean) ?? 'connection, memory and the rest';
    counted.set(step, (counted.get(step) ?? 0) + 1);
  }
  return [...counted].map(([step, count]) => [step, count / samples.length]).sort((a, b) => b[1] - a[1]);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { comments: { type: 'string', default: '100000' }, seconds: { type: 'string', default: '3' }, help: { type: 'boolean' } },
});
const [comments, seconds] = [values.comments, values.seconds].map(Number);
if (values.help || ![comments, seconds].every((each) => each > 0)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
need('wrk', 'taskset', 'perf');
needBinary(binary);

const paths = positionals.length > 0 ? positionals : ['/v1/products/{product}/comments', '/products/{product}'];
const server = await serve(await generatedStore(comments), { core: serverCore, accessLog: join(temporaryDirectory(), 'access.log') });
for (const path of paths) {
  const url = server.url + path.replaceAll('{product}', product);
  const body = await fetchBody(url);
  await load(url, body.length, { core: loadCore });
  const before = cpuNanoseconds(server.pid);
  const { requests } = await load(url, body.length, { core: loadCore, seconds });
  const microseconds = (cpuNanoseconds(server.pid) - before) / 1000 / requests;
  const data = join(temporaryDirectory(), 'perf.data');
  const recorded = run('perf', ['record', '-q', '-F', '4000', '--call-graph', 'dwarf,4096', '-p', String(server.pid), '-o', data, '--', 'sleep', String(seconds)]);
  await load(url, body.length, { core: loadCore, seconds });
  await recorded;
  console.log(`\n${path}: ${microseconds.toFixed(1)} µs\n\n| step | µs | share |\n| --- | --- | --- |`);
  for (const [step, share] of shares(data)) console.log(`| ${step} | ${(share * microseconds).toFixed(2)} | ${(share * 100).toFixed(0)} % |`);
}
await server.stop();
