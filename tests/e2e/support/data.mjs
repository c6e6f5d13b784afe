// Sample comments from a seed, and the plain model that answers are compared with.

const asked = process.env.QUIRE_SEED ?? '1';
/**
 * The seed of a test's random choices: the same in each run, so that a run that failed can be repeated. QUIRE_SEED=N is
 * another one, QUIRE_SEED=random one that no run had, which is printed.
 */
export const seed = asked === 'random' ? Date.now() % 1_000_000 : Number(asked);
if (!Number.isInteger(seed)) throw new Error(`QUIRE_SEED is a whole number or "random", not "${asked}".`);
if (seed !== 1) console.log(`QUIRE_SEED=${seed}`);

/** Repeatable random numbers in [0, 1). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = (random, list) => list[Math.floor(random() * list.length)];

export const languages = ['de', 'en', 'und'];
export const ratings = [1, 2, 3, 4, 5];

/** Rows in the import format. Several share one millisecond, and each carries its number in the text. */
export function sampleRows(seed, count, product) {
  const random = seeded(seed);
  const start = Date.UTC(2023, 0, 1);
  return Array.from({ length: count }, (_, number) => ({
    product: typeof product === 'function' ? product(random) : product,
    language: pick(random, ['de', 'en', 'en', 'und']),
    rating: pick(random, [1, 2, 3, 4, 4, 5, 5, 5]),
    created_at: new Date(start + Math.floor(random() * (count / 3)) * 60_000).toISOString(),
    author: random() < 0.2 ? '' : `Ann ${number}`,
    title: `Title ${number}`,
    text: `${pick(random, ['Light and quick.', 'Größer als gedacht.', 'Quotes " and \\ and <b>', '漢字 😀'])} #${number}`,
  }));
}

/** The comments that match the filter, in the order of the sort; without a sort newest first. */
export function expected(comments, { language = [], rating = [], sort = '-created_at' } = {}) {
  const wanted = comments.filter((comment) =>
    ([language].flat().length === 0 || [language].flat().includes(comment.language)) &&
    ([rating].flat().length === 0 || [rating].flat().includes(comment.rating)));
  const ascending = wanted.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  if (sort === 'created_at') return ascending;
  const newest = ascending.reverse();
  if (sort === '-created_at') return newest;
  return newest.sort((a, b) => (sort === 'rating' ? a.rating - b.rating : b.rating - a.rating)); // stable: newest first within a rating
}

/** The number of pages; no comments have one empty page. */
export const pagesOf = (total, limit) => Math.max(1, Math.ceil(total / limit));

export const sorts = ['-created_at', 'created_at', '-rating', 'rating'];

/** A filter, sort and limit at random. */
export const randomQuery = (random, most) => ({
  language: pick(random, subsets(languages)), rating: pick(random, subsets(ratings)), sort: pick(random, sorts), limit: 1 + Math.floor(random() * most),
});

/** All subsets of a list. */
export const subsets = (list) => list.reduce((all, one) => [...all, ...all.map((set) => [...set, one])], [[]]);

/** A comment without its id, as one comparable string. */
export function content({ product, language, rating, created_at, author, title, text }) {
  return JSON.stringify([product, language, rating, created_at, author, title, text]);
}
