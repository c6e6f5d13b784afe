// From inputs to bytes, units, dollars, memory and days. Pure.

const gib = 2 ** 30;
const hoursAMonth = 730;
const secondsAMonth = hoursAMonth * 3600;
const leaf = 4096;

/** Bytes of the embedded store, and of each page index. */
export function bytesOf(i) {
  const linear = (comment, product) => i.comments * comment + i.products * product;
  return {
    store: linear(i.storeComment, i.storeProduct),
    lmdb: linear(i.lmdbComment, i.lmdbProduct),
    sql: linear(i.sqlComment, i.sqlProduct),
    redis: linear(i.redisComment, i.redisProduct),
  };
}

/** What the table stores, as billed: `base`, of its items alone, is what recovery bills and the stream is cut by. */
export function tableBytes(i) {
  const billed = (bytes) => bytes + i.overhead;
  const kinds = 1 + i.languages; // all languages, and each
  const statistics = kinds * (billed(i.statisticsItem) + billed(i.averageItem)) + billed(i.registryItem);
  const leaders = 2 * kinds * billed(i.leaderEntry);
  const base = i.comments * billed(i.item) + i.products * statistics;
  return { base, all: base + i.comments * 4 * billed(i.entry) + i.products * leaders };
}

/** Write units of a new comment: its item and four entries; in a transaction items count twice. */
export function writeUnits(i) {
  const first = i.products / i.comments; // of a product: puts it into the registry
  const statistics = 4 * 2 // statistics and average, of all languages and of the comment's
    + 2 * 2 // both averages move in their leaderboards
    + 2 * 2 * i.fiveStars // and both numbers of five stars
    + 2 * first;
  return { write: 2 + 4 + statistics, stream: 5 + statistics + 2 }; // 2: the worker's mark, a change at a time
}

/** Write units of all comments at once: by transactions, or by plain puts and a backfill of statistics. */
export function loadUnits(i) {
  const kinds = 1 + i.languages;
  const statistics = (2 * kinds + 1) * 2 + 2 * kinds;
  return { write: i.comments * writeUnits(i).write, stream: i.comments * 5 + i.products * statistics };
}

/** Read units a second. */
export const readUnits = (i) => i.pages * (1 - i.hits) * (i.pageUnits + i.countUnits);

/** Memory for the branches of a file's trees, in bytes. Without them each fault is two. */
export const branches = (i, bytes) => (bytes / leaf / i.fanout) * leaf * (1 + 1 / i.fanout);

/** Hours to put all comments into a file, by one writer, where a part of the file is in memory. */
export function fillHours(i, { bytes, cpu, faults, memory }) {
  const missed = Math.max(0, 1 - memory / bytes);
  return (i.comments * (cpu + faults * missed * i.fault)) / 1e6 / 3600;
}

/** Memory with which that takes so many hours. Infinite: it takes longer even if all is in memory. */
export function memoryFor(i, { bytes, cpu, faults, hours }) {
  const micros = (hours * 3600 * 1e6) / i.comments;
  if (micros < cpu) return Infinity;
  return Math.max(0, bytes * (1 - (micros - cpu) / (faults * i.fault)));
}

const month = (hourly) => hourly * hoursAMonth;
const serverMemory = (i) => i.nvmeMemory * gib * 0.9;
const machines = (i, bytes) => Math.ceil(bytes / (i.nvmeDisk * 1e9 * 0.8)); // a fifth stays free

function embedded(i) {
  const { store } = bytesOf(i);
  const memory = serverMemory(i);
  const missed = Math.max(0, 1 - memory / store);
  const perPage = i.embeddedCpu + i.readFaults * missed * i.fault;
  return {
    bytes: store,
    memory: branches(i, store),
    hours: fillHours(i, { bytes: store, cpu: i.importCpu, faults: i.importFaults, memory }),
    hoursInMemory: fillHours(i, { bytes: store, cpu: i.importCpu, faults: i.importFaults, memory: store }),
    busy: (i.pages * (1 - i.hits) * perPage) / 1e6,
    dollars: { machine: machines(i, store) * month(i.nvmePrice), backup: (store / gib) * i.backupPrice },
  };
}

function table(i, by = 'write') {
  const bytes = tableBytes(i);
  const load = loadUnits(i)[by];
  const reads = readUnits(i);
  return {
    bytes: bytes.all,
    reads,
    load,
    hours: load / i.tableWrites / 3600,
    shards: Math.ceil(bytes.base / (i.partition * 1e9)),
    busy: (i.pages * (1 - i.hits) * i.tableCpu) / 1e6,
    loadDollars: (load * i.writePrice) / 1e6,
    dollars: {
      storage: (bytes.all / gib) * i.tablePrice,
      recovery: (bytes.base / gib) * i.recoveryPrice,
      reads: (reads * secondsAMonth * i.readPrice) / 1e6,
      writes: (i.posts * secondsAMonth * writeUnits(i)[by] * i.writePrice) / 1e6,
      servers: i.servers * month(i.serverPrice),
    },
  };
}

/** The table's reads as provisioned units, in dollars a month. */
export const provisionedReads = (i) => month((readUnits(i) / i.utilisation) * i.readHour);

// `index`: {bytes, cpu, faults}; `indexes`: how many there are; `dollars`: of one; `memory`: in bytes, of one.
function beside(i, { bytes, cpu, faults, memory, indexes, dollars }) {
  const under = table(i);
  const polls = under.shards * Math.min(indexes * i.polls, i.shardReads) * secondsAMonth;
  const needed = memoryFor(i, { bytes, cpu, faults, hours: i.streamDay });
  return {
    ...under,
    index: bytes,
    indexMemory: needed,
    indexHours: fillHours(i, { bytes, cpu, faults, memory: Math.max(memory, needed) }),
    dollars: { ...under.dollars, index: indexes * dollars, stream: (polls * i.streamPrice) / 1e6 },
  };
}

/** Where each way ends: the most of a thing that it takes. */
export function ends(i) {
  const bytes = bytesOf(i);
  const { embedded: store, none } = ways(i);
  const missed = Math.max(0, 1 - serverMemory(i) / store.bytes);
  return {
    storeComments: (i.comments * i.nvmeDisk * 0.8e9) / bytes.store,
    storePages: (i.pages * i.nvmeCores) / store.busy,
    storePosts: 1e6 / (i.importCpu + i.importFaults * missed * i.fault),
    tablePages: (i.tableReads * i.pages) / none.reads,
    productPages: i.partitionReads / (i.pageUnits + i.countUnits),
    lmdbComments: builtInADay(i, bytes.lmdb, i.fillFaults),
    sqlComments: builtInADay(i, bytes.sql, i.sqlFaults),
    lmdbServers: Math.floor(i.shardReads),
    redisNodes: Math.ceil(bytes.redis / gib / i.redisMemory),
  };
}

// The most comments of the same shape whose index is built within the stream's day on a machine of the usual memory. A greater
// index is in memory to a smaller part, so each comment takes longer: a quadratic equation, solved by halving.
function builtInADay(i, bytes, faults) {
  let [low, high] = [0, 1e12];
  const hours = (comments) => fillHours({ ...i, comments }, { bytes: (bytes / i.comments) * comments, cpu: i.fillCpu, faults, memory: serverMemory(i) });
  while (high - low > 1000) {
    const middle = (low + high) / 2;
    if (hours(middle) > i.streamDay) high = middle; else low = middle;
  }
  return low;
}

/** Each way to deploy. */
export function ways(i) {
  const bytes = bytesOf(i);
  // A machine with more memory costs in proportion.
  const nvme = (needed) => month(i.nvmePrice) * Math.max(1, needed / serverMemory(i));
  const lmdb = { bytes: bytes.lmdb, cpu: i.fillCpu, faults: i.fillFaults };
  const sql = { bytes: bytes.sql, cpu: i.fillCpu, faults: i.sqlFaults };
  const memoryOf = (index) => memoryFor(i, { ...index, hours: i.streamDay });
  const nodes = Math.ceil(bytes.redis / gib / i.redisMemory);
  const onFile = (index, indexes) => {
    const needed = Math.min(memoryOf(index), index.bytes);
    return { ...index, memory: serverMemory(i), indexes, dollars: nvme(needed) };
  };
  return {
    embedded: embedded(i),
    none: table(i),
    lmdb: beside(i, onFile(lmdb, i.servers)),
    sql: beside(i, onFile(sql, 1)),
    redis: { ...beside(i, { bytes: bytes.redis, cpu: i.fillCpu, faults: 0, memory: bytes.redis, indexes: 1, dollars: 2 * nodes * month(i.redisPrice) }), indexMemory: bytes.redis },
  };
}

export const total = ({ dollars }) => Object.values(dollars).reduce((sum, each) => sum + each, 0);
