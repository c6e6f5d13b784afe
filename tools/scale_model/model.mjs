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
    redis: i.comments * i.redisComment,
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

/** Read units of a page with its counts. A page costs at most as much as the list of all comments of its product, read whole. */
export function unitsOfAPage(i) {
  const comments = (i.visited * i.comments) / i.products;
  const whole = 0.5 * Math.max(1, Math.ceil((comments * i.entry) / 4096));
  return (1 - i.filtered) * Math.min(i.pageUnits, whole) + i.filtered * Math.min(i.filterUnits, whole) + i.countUnits;
}

/** Of a product with many comments. */
export const unitsOfAFullPage = (i) => unitsOfAPage({ ...i, visited: Infinity });

/** Read units a second. */
export const readUnits = (i) => i.pages * (1 - i.hits) * unitsOfAPage(i);

/** Memory for the branches of a file's trees, in bytes. Without them each fault is two. */
export const branches = (i, bytes) => (bytes / leaf / i.fanout) * leaf * (1 + 1 / i.fanout);

// Microseconds that the disk takes to write the leaves of a comment. A transaction of `batch` comments writes no leaf twice.
const writing = (i, { bytes, faults, batch = 1 }) => (Math.min(faults, bytes / leaf / batch) * 1e6) / i.diskWrites;

/** Microseconds to put a comment into a file, by one writer, where a part of the file is in memory. */
export function putMicros(i, { bytes, cpu, faults, batch, memory }) {
  const missed = Math.max(0, 1 - memory / bytes);
  return cpu + faults * missed * i.fault + writing(i, { bytes, faults, batch });
}

/** Hours to put all comments into it. */
export const fillHours = (i, file) => (i.comments * putMicros(i, file)) / 1e6 / 3600;

/** Memory with which that takes so many hours. Infinite: it takes longer even if all is in memory. */
export function memoryFor(i, { hours, ...file }) {
  const left = (hours * 3600 * 1e6) / i.comments - putMicros(i, { ...file, memory: file.bytes });
  if (left < 0) return Infinity;
  return Math.max(0, file.bytes * (1 - left / (file.faults * i.fault)));
}

const month = (hourly) => hourly * hoursAMonth;
const serverMemory = (i) => i.nvmeMemory * gib * 0.9;
const redisNodes = (i) => Math.ceil(bytesOf(i).redis / gib / i.redisMemory);
const machines = (i, bytes) => Math.ceil(bytes / (i.nvmeDisk * 1e9 * 0.8)); // a fifth stays free

function embedded(i) {
  const { store } = bytesOf(i);
  const memory = serverMemory(i);
  const missed = Math.max(0, 1 - memory / store);
  const perPage = i.embeddedCpu + i.readFaults * missed * i.fault;
  const file = { bytes: store, cpu: i.importCpu, faults: i.importFaults, batch: i.importBatch };
  return {
    bytes: store,
    memory,
    branches: branches(i, store),
    hours: fillHours(i, { ...file, memory }),
    hoursInMemory: fillHours(i, { ...file, memory: store }),
    busy: (i.pages * (1 - i.hits) * perPage) / 1e6,
    dollars: { machine: machines(i, store) * month(i.nvmePrice), backup: (store / gib) * i.backupPrice },
  };
}

function table(i) {
  const bytes = tableBytes(i);
  const load = loadUnits(i).write;
  const reads = readUnits(i);
  return {
    bytes: bytes.all,
    reads,
    hours: load / i.tableWrites / 3600,
    shards: Math.ceil(bytes.base / (i.partition * 1e9)),
    busy: (i.pages * (1 - i.hits) * i.tableCpu) / 1e6,
    loadDollars: (load * i.writePrice) / 1e6,
    dollars: {
      storage: (bytes.all / gib) * i.tablePrice,
      recovery: (bytes.base / gib) * i.recoveryPrice,
      reads: (reads * secondsAMonth * i.readPrice) / 1e6,
      writes: (i.posts * secondsAMonth * writeUnits(i).write * i.writePrice) / 1e6,
      servers: i.servers * month(i.serverPrice),
    },
  };
}

/** The table's reads as provisioned units, in dollars a month. */
export const provisionedReads = (i) => month((readUnits(i) / i.utilisation) * i.readHour);

// `file`: {bytes, cpu, faults}; `indexes`: how many there are; `dollars`: of one; `memory`: in bytes, of one.
function beside(i, { file, memory, indexes, dollars }) {
  const under = table(i);
  const polls = under.shards * Math.min(indexes * i.polls, i.shardReads) * secondsAMonth;
  return {
    ...under,
    index: file.bytes,
    memory,
    indexHours: fillHours(i, { ...file, memory }),
    dollars: { ...under.dollars, index: indexes * dollars, stream: (polls * i.streamPrice) / 1e6 },
  };
}

/** Where each way ends: the most of a thing that it takes. */
export function ends(i) {
  const bytes = bytesOf(i);
  const { embedded: store, none } = ways(i);
  const file = { bytes: store.bytes, cpu: i.importCpu, faults: i.importFaults };
  return {
    storeComments: (i.comments * i.nvmeDisk * 0.8e9) / bytes.store,
    storePages: (i.pages * i.nvmeCores) / store.busy,
    storePosts: 1e6 / putMicros(i, { ...file, memory: store.memory }),
    tablePages: (i.tableReads * i.pages) / none.reads,
    productPages: i.partitionReads / unitsOfAFullPage(i),
    lmdbComments: builtInADay(i, bytes.lmdb, i.fillFaults),
    sqlComments: builtInADay(i, bytes.sql, i.sqlFaults),
    lmdbServers: Math.floor(i.shardReads),
    redisNodes: redisNodes(i),
  };
}

// The most comments of the same shape whose index is built within the stream's day on a machine of the usual memory. `fitting`
// comments have all leaves in memory. Of more, each further one is a comment's misses more.
function builtInADay(i, bytes, faults) {
  const file = { bytes, cpu: i.fillCpu, faults };
  const day = i.streamDay * 3600 * 1e6;
  const fitting = (serverMemory(i) / bytes) * i.comments;
  const inMemory = day / putMicros(i, { ...file, memory: bytes });
  return inMemory <= fitting ? inMemory : (day + fitting * faults * i.fault) / putMicros(i, { ...file, memory: 0 });
}

/** Each way to deploy. */
export function ways(i) {
  const bytes = bytesOf(i);
  const inRedis = { bytes: bytes.redis, cpu: i.fillCpu, faults: 0 };
  // A machine's memory, or more if the build needs more; such a machine costs in proportion.
  const onFile = (size, faults, indexes) => {
    const file = { bytes: size, cpu: i.fillCpu, faults };
    const memory = Math.max(serverMemory(i), memoryFor(i, { ...file, hours: i.streamDay }));
    const dollars = (month(i.nvmePrice) * Math.min(memory, Math.max(size, serverMemory(i)))) / serverMemory(i);
    return beside(i, { file, memory, indexes, dollars });
  };
  const lmdb = onFile(bytes.lmdb, i.fillFaults, i.servers);
  delete lmdb.dollars.servers; // the index is on them
  return {
    embedded: embedded(i),
    none: table(i),
    lmdb,
    sql: onFile(bytes.sql, i.sqlFaults, 1),
    redis: beside(i, { file: inRedis, memory: bytes.redis, indexes: 1, dollars: 2 * redisNodes(i) * month(i.redisPrice) }),
  };
}

export const total = ({ dollars }) => Object.values(dollars).reduce((sum, each) => sum + each, 0);

// The share of an index's writes that its busiest list gets.
const busiest = (i) => ({ all: 1, byLang: i.oneLanguage, byRating: i.fiveStars, byLangAndRating: i.oneLanguage * i.fiveStars });

/** The fewest parts of each list with which none needs more than four fifths of its units: by chance some parts get more than others. */
export const partsNeeded = (i) =>
  Object.fromEntries(Object.entries(busiest(i)).map(([index, share]) => [index, Math.ceil((i.hotPosts * share) / (0.8 * i.partitionWrites))]));

/** Comments a second that one product takes with so many parts, each of which gets as many. */
export const hotPosts = (i, parts) => Math.min(...Object.entries(busiest(i)).map(([index, share]) => (parts[index] * i.partitionWrites) / share));
