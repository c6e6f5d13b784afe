// Filters of generated comments, the same in every run, in the terms of Quire and of its peers.

/** Numbers from 0 to 1 that repeat (mulberry32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const values = {
  language: ['en', 'de', 'fr', 'es', 'ja'],
  rating: ['1', '2', '3', '4', '5'],
  verified: ['true', 'false'],
  size: ['XS', 'S', 'M', 'L', 'XL', 'XXL'],
  country: ['US', 'DE', 'GB', 'FR', 'ES', 'JP', 'CA', 'IT', 'AU', 'AT', 'CH', 'MX', 'NL', 'IN', 'BR'],
};
const facets = Object.keys(values);

/** `count` different filters, each of 2 to 5 facets with one value each: {facet: value}. */
export function filters(count, seed = 1) {
  const next = random(seed);
  const below = (end) => Math.floor(next() * end);
  const found = new Map();
  while (found.size < count) {
    const wanted = 2 + below(4);
    const chosen = [...facets].sort(() => next() - 0.5).slice(0, wanted).sort();
    const filter = Object.fromEntries(chosen.map((name) => [name, values[name][below(values[name].length)]]));
    found.set(query(filter), filter);
  }
  return [...found.values()];
}

/** As an address has it. */
export const query = (filter) => new URLSearchParams(filter).toString();

/** As the condition of an SQL statement. */
export const condition = (filter) => Object.entries(filter).map(([name, value]) => `${name} = '${value}'`).join(' AND ');

/** As the keys of Redis's sets. */
export const keys = (filter) => Object.entries(filter).map(([name, value]) => `${name}:${value}`);

/** A row of JSON Lines as the columns of the peers' tables. */
export function columns(line) {
  const { id, language, rating, attributes } = JSON.parse(line);
  return [id, language, rating, attributes.verified, attributes.size, attributes.country, attributes.helpful];
}
