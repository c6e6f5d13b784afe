// Simulates writes to one product of a table, on the service's limit for each partition key of an index.
//
// A new comment goes into one list of each index, one write unit each: its entry is smaller than a KiB. A list, or each part of
// a list, has a partition key of its own, and with it at most `partitionWrites` units a second. An index that cannot take an
// entry throttles the write to the table, so a comment is accepted only where each of its four parts has a unit left. The item
// itself has a key of its own. Units that a partition did not use last a second: the service may give more, and promises none.

/** The shares of ratings and languages. Most comments of a hot product are good, and in its main language. */
export const shares = { rating: [0.1, 0.1, 0.1, 0.2, 0.5], language: [0.7, 0.2, 0.1] };

/** Parts of each list of these indexes. */
export const undivided = { all: 1, byLang: 1, byRating: 1, byLangAndRating: 1 };

/** Numbers from 0 up to 1, the same for the same seed: mulberry32, by Tommy Ettinger. */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawn(weights, chance) {
  let left = chance;
  const found = weights.findIndex((weight) => (left -= weight) < 0);
  return found < 0 ? weights.length - 1 : found;
}

/** The share of an index's writes that its busiest list gets. */
export function busiest(index, { rating, language } = shares) {
  const most = { rating: Math.max(...rating), language: Math.max(...language) };
  return { all: 1, byLang: most.language, byRating: most.rating, byLangAndRating: most.language * most.rating }[index];
}

/** The fewest parts with which no list needs more than four fifths of its units: by chance some parts get more than others. */
export function partsNeeded(i) {
  const parts = (index) => Math.ceil((i.hotPosts * busiest(index)) / (0.8 * i.partitionWrites));
  return Object.fromEntries(Object.keys(undivided).map((index) => [index, parts(index)]));
}

/** Writes a second that were accepted and throttled, and the units a second of the part that used most; after a first second. */
export function simulate(i, parts, { seconds = 10, seed = 1, of = shares } = {}) {
  const random = seeded(seed);
  const ticks = 100; // a second
  const keys = new Map(); // of parts: units left, and used
  const key = (list) => {
    if (!keys.has(list)) keys.set(list, { left: 0, since: 0, used: 0 });
    return keys.get(list);
  };
  let accepted = 0;
  let arrived = 0;
  for (let tick = 0; tick < (seconds + 1) * ticks; ++tick) {
    const counted = tick >= ticks;
    const due = Math.floor(((tick + 1) * i.hotPosts) / ticks) - Math.floor((tick * i.hotPosts) / ticks);
    for (let n = 0; n < due; ++n) {
      const rating = drawn(of.rating, random()), language = drawn(of.language, random());
      const lists = { all: '', byLang: language, byRating: rating, byLangAndRating: `${language}/${rating}` };
      const taken = Object.entries(lists).map(([index, list]) => key(`${index} ${list} ${Math.floor(random() * parts[index])}`));
      for (const part of taken) {
        part.left = Math.min(i.partitionWrites, part.left + ((tick + 1 - part.since) * i.partitionWrites) / ticks);
        part.since = tick + 1;
      }
      const room = taken.every((part) => part.left >= 1);
      if (room) for (const part of taken) part.left -= 1;
      if (!counted) continue;
      arrived += 1;
      if (!room) continue;
      accepted += 1;
      for (const part of taken) part.used += 1;
    }
  }
  const used = Math.max(...[...keys.values()].map((part) => part.used));
  return { accepted: accepted / seconds, throttled: (arrived - accepted) / seconds, busiest: used / seconds };
}
