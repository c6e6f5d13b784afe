// A store three times as large as its memory: pages by number under three facets.

import { join } from 'node:path';
import { random } from '../lib/facet_questions.mjs';
import { fetchJson } from '../lib/http.mjs';
import { withMemoryLimit } from '../lib/memory_limit.mjs';
import { need, remove, run, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { binary, bytesOnDisk, generation, needBinary, serve } from '../lib/quire.mjs';
import { number } from '../lib/report.mjs';
import { median, percentile } from '../lib/statistics.mjs';

export const title = 'pages of a store that is larger than memory';

const products = 2000;
const three = 'language=en&verified=true&size=M';

export async function measure(report, size, progress) {
  need('taskset');
  needBinary();
  const directory = temporaryDirectory();
  const store = join(directory, 'store');
  progress(`filling a store of ${size.imported} comments`);
  const begun = performance.now();
  await run(binary, [...generation(size.imported, products), '--facets', '--store', `lmdb:${store}`]);
  const seconds = (performance.now() - begun) / 1000;
  report.add({ name: `filling the store, ${number(size.imported)} comments made and imported`, unit: '/s', quire: size.imported / seconds });
  report.add({ name: 'disk per comment', unit: 'bytes', quire: bytesOnDisk(store) / size.imported });
  // What the system keeps of the file in memory from before would not be counted.
  await run('dd', [`of=${join(store, 'data.mdb')}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0']);
  const bytes = Math.round(Math.max(bytesOnDisk(store) / 3, 256 * 2 ** 20));
  const times = await withMemoryLimit(bytes, async (limited) => {
    const quire = await serve(store, { core: serverCore, limited });
    try { return await ask(quire, size.small ? 50 : 1000, progress); } finally { await quire.stop(); }
  });
  remove(directory);
  if (!times) { report.note('Memory cannot be limited here, so the store that is larger than memory is left out.'); return undefined; }
  const of = `of ${number(size.imported)} comments of ${number(products)} products, within a third of its size`;
  add(report, `page at random depth under three facets, ${of}`, times.deep);
  add(report, 'the same page again, at once', times.again);
  add(report, `first page of a random product, ${of}`, times.first);
  return times;
}

function add(report, name, times) {
  report.add({ name: `${name}, p50`, unit: 'µs', quire: median(times) });
  report.add({ name: 'the same, p99', unit: 'µs', quire: percentile(times, 0.99) });
}

// Microseconds, as a client sees them that asks for one page at a time: of any product alike, so that most pages are not in memory.
async function ask(quire, count, progress) {
  progress('asking');
  const next = random(5);
  const times = { deep: [], again: [], first: [] };
  const micros = async (query, product) => {
    const begun = performance.now();
    const { page } = await fetchJson(`${quire.url}/v1/products/product-${product}/comments?${query}`);
    return { micros: (performance.now() - begun) * 1000, pages: page.count };
  };
  while (times.deep.length < count) {
    const product = 1 + Math.floor(next() * products);
    const first = await micros('', product);
    times.first.push(first.micros);
    const { pages } = await micros(three, product);
    if (pages < 2) continue;
    const deep = `${three}&page=${1 + Math.floor(next() * pages)}`;
    times.deep.push((await micros(deep, product)).micros);
    times.again.push((await micros(deep, product)).micros);
  }
  return times;
}
