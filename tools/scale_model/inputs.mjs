// What the model is given: the load, what was measured, what the format says, and prices.
// `from`: performance (docs/performance.md), measured (as docs/scale.md tells), format (docs/formats), assumed; or where a limit or a price of
// the service was looked up: the letters are those of the list in docs/scale.md.

const unnamed = 'assumed: a price that several public repositories have';
const quota = 'AWS: default quota of a table [f]';
const assumed = 'assumed';
const spread = 'measured: 5 comments a product';

export const inputs = {
  // The load.
  comments: { value: 500e6, unit: '', from: 'the question' },
  products: { value: 100e6, unit: '', from: 'the question' },
  pages: { value: 2000, unit: 'a second', from: 'the question' },
  posts: { value: 10, unit: 'a second', from: assumed },
  hits: { value: 0, unit: 'of the page cache', from: 'assumed: a shop of 10,000 products had 0.386, see performance' },
  servers: { value: 2, unit: '', from: 'assumed: one may fail' },

  // Bytes of the embedded store and of page indexes: so much a comment, and so much a product more.
  storeComment: { value: 529, unit: 'bytes', from: 'performance' },
  storeProduct: { value: 1385, unit: 'bytes', from: spread },
  lmdbComment: { value: 85, unit: 'bytes', from: 'measured: one product' },
  lmdbProduct: { value: 1153, unit: 'bytes', from: spread },
  sqlComment: { value: 155, unit: 'bytes', from: 'measured: one product' },
  sqlProduct: { value: 159, unit: 'bytes', from: spread },
  redisComment: { value: 202, unit: 'bytes', from: `${spread}; in one product 265` },

  // Of the table, in bytes; texts as long as those of docs/performance.md.
  entry: { value: 490, unit: 'bytes', from: 'performance' },
  item: { value: 571, unit: 'bytes', from: 'measured: an item has 81 bytes more than an entry' },
  overhead: { value: 100, unit: 'bytes', from: 'AWS: billed for each stored item and entry [g]' },
  languages: { value: 2.57, unit: 'of a product', from: spread },
  statisticsItem: { value: 109, unit: 'bytes', from: spread },
  averageItem: { value: 51, unit: 'bytes', from: spread },
  registryItem: { value: 23, unit: 'bytes', from: spread },
  leaderEntry: { value: 55, unit: 'bytes', from: spread },
  fiveStars: { value: 0.5, unit: 'of all comments', from: assumed },
  oneLanguage: { value: 0.7, unit: 'of all comments', from: 'assumed: of a product that all write to' },

  // Time.
  visited: { value: 1, unit: 'times the mean number of comments', from: 'assumed: in a product that is visited; all products are visited alike' },
  pageUnits: { value: 1.6, unit: 'read units', from: 'performance: a full page without a filter' },
  filterUnits: { value: 2.44, unit: 'read units', from: 'performance: a full page, mean of five filters' },
  filtered: { value: 0.3, unit: 'of all pages', from: 'assumed: have a filter' },
  countUnits: { value: 0.5, unit: 'read units', from: 'format: statistics of a product, below 4 KiB' },
  embeddedCpu: { value: 38, unit: 'µs', from: 'performance: a web page' },
  tableCpu: { value: 250, unit: 'µs', from: 'performance: a page by number beside a table' },
  importCpu: { value: 24, unit: 'µs', from: 'measured: an import of a million comments, all in memory, other programs running' },
  fillCpu: { value: 50, unit: 'µs', from: 'performance: changes applied by a worker' },
  readFaults: { value: 6, unit: 'leaves', from: 'format: a page of a small product' },
  importFaults: { value: 14, unit: 'leaves', from: 'format: a comment of any product, with the leaderboards' },
  fillFaults: { value: 4, unit: 'leaves', from: 'format: a comment of any product, in an lmdb: index' },
  sqlFaults: { value: 4, unit: 'leaves', from: 'format: an entry in each of four lists' },
  fault: { value: 100, unit: 'µs', from: 'assumed: one read of 4 KiB from NVMe, by one thread' },
  diskWrites: { value: 110_000, unit: 'leaves a second', from: 'assumed: random writes of 4 KiB to such an NVMe disk' },
  importBatch: { value: 200_000, unit: 'comments', from: 'ADR 47: of one transaction, which writes a leaf once' },
  fanout: { value: 100, unit: 'children', from: 'assumed: of a branch page of LMDB' },
  tableWrites: { value: 40_000, unit: 'units a second', from: quota },
  partition: { value: 10, unit: 'GB', from: 'of a table; each has a shard of the stream [j]' },
  polls: { value: 4, unit: 'a second, of each shard by each index', from: 'docs/projection.md: the default' },
  shardReads: { value: 5, unit: 'a second, of each shard by all', from: 'as shards of Kinesis [i]' },
  tableReads: { value: 40_000, unit: 'units a second', from: quota },
  partitionReads: { value: 3000, unit: 'units a second', from: 'AWS: of one partition [h]' },
  partitionWrites: { value: 1000, unit: 'units a second', from: 'AWS: of one partition [h]' },
  hotPosts: { value: 5000, unit: 'a second, to one product', from: 'the question' },
  streamDay: { value: 20, unit: 'hours', from: 'docs/projection.md: the longest scan of a backfill' },

  // Prices, in dollars; a month has 730 hours.
  readPrice: { value: 0.125, unit: '$ a million read units', from: 'price, after the cut of November 2024 [b]' },
  writePrice: { value: 0.625, unit: '$ a million write units', from: 'price, after the cut of November 2024 [b]' },
  readHour: { value: 0.00013, unit: '$ an hour, a provisioned read unit a second', from: 'price [c]' },
  utilisation: { value: 0.7, unit: 'of provisioned units', from: assumed },
  tablePrice: { value: 0.25, unit: '$ a GiB and month', from: 'AWS: price [a]' },
  recoveryPrice: { value: 0.2, unit: '$ a GiB and month, point-in-time recovery', from: unnamed },
  streamPrice: { value: 0.2, unit: '$ a million reads of a stream', from: unnamed },
  backupPrice: { value: 0.023, unit: '$ a GiB and month, in S3', from: unnamed },
  nvmePrice: { value: 0.686, unit: '$ an hour: 8 cores, 64 GiB, 1,875 GB NVMe (i4i.2xlarge)', from: unnamed },
  nvmeMemory: { value: 64, unit: 'GiB', from: '[k]' },
  nvmeCores: { value: 8, unit: '', from: '[k]' },
  nvmeDisk: { value: 1875, unit: 'GB', from: 'assumed: as in a public repository' },
  serverPrice: { value: 0.0816, unit: '$ an hour: 2 cores, 8 GiB (m7g.large)', from: 'price of June 2026 [d]' },
  redisPrice: { value: 0.437, unit: '$ an hour: 26.3 GiB (cache.r7g.xlarge)', from: 'assumed: as in a public repository' },
  redisMemory: { value: 19.7, unit: 'GiB of it for data', from: 'a quarter is reserved [e]' },
};

/** Their values by name, some of them replaced. */
export const valuesOf = (replaced = {}) => ({ ...Object.fromEntries(Object.entries(inputs).map(([name, { value }]) => [name, value])), ...replaced });
