// Facets for the tests: sample comments with attributes, and the plain model of filters, counts and sorts over them.

import assert from 'node:assert/strict';
import { idsOf, mustRun, queryString } from './harness.mjs';
import { pagesOf, pick, sampleRows, seeded } from './data.mjs';

export const sizes = ['S', 'M', 'L', 'XL'];
export const tags = ['gift', 'fit', 'colour', 'late', 'quality'];

/** The facets of facetRows(). */
export const facets = [
  { name: 'verified', type: 'flag' },
  { name: 'size', type: 'choice', values: sizes },
  { name: 'country', type: 'choice' },
  { name: 'tags', type: 'tags' },
  { name: 'helpful', type: 'number' },
];

export const facetArguments = ({ name, type, values }) => ['facet', 'add', name, '--type', type, ...(values ? ['--values', values.join(',')] : [])];

export async function declare(store, list = facets) {
  for (const facet of list) await mustRun([...facetArguments(facet), '--store', store]);
}

/** Rows in the import format with attributes, some of which are missing here and there. */
export function facetRows(seed, count, product) {
  const random = seeded(seed + 1);
  return sampleRows(seed, count, product).map((row) => {
    const attributes = { remark: 'no facet' };
    if (random() < 0.9) attributes.verified = random() < 0.7;
    if (random() < 0.8) attributes.size = pick(random, [...sizes, 'M', 'M', 'L']);
    if (random() < 0.9) attributes.country = pick(random, ['DE', 'DE', 'US', 'US', 'US', 'FR & co', 'JP']);
    if (random() < 0.7) attributes.tags = [...new Set([pick(random, tags), pick(random, tags)])];
    if (random() < 0.8) attributes.helpful = Math.floor(random() ** 3 * 200) - 5;
    return { ...row, language: pick(random, ['de', 'en', 'en', 'pt-BR', 'zh-Hant', 'und']), attributes };
  });
}

/** The values of a facet that a comment has, as texts. */
export function valuesOf(comment, facet) {
  const value = facet === 'language' || facet === 'rating' ? comment[facet] : comment.attributes?.[facet];
  return value === undefined ? [] : [value].flat().map(String);
}

const texts = (value) => [value].flat().map(String);

const conditions = {
  all: (own, wanted) => texts(wanted).every((one) => own.includes(one)),
  min: (own, wanted) => own.some((one) => Number(one) >= wanted),
  max: (own, wanted) => own.some((one) => Number(one) <= wanted),
};

const wordsOf = (text) => text.toLowerCase().split(/[^a-z]+/);

/** Whether a comment matches a filter in the words of the interface: {size: ['L'], 'not.tags': 'gift', 'helpful.min': 3}. */
export function matches(comment, filter) {
  return Object.entries(filter).every(([name, wanted]) => {
    const [first, second] = name.split('.');
    if (name === 'q') return wordsOf(wanted).every((word) => wordsOf(`${comment.title} ${comment.text}`).includes(word)); // that no stemmer joins
    if (first === 'not' && second) return !valuesOf(comment, second).some((one) => texts(wanted).includes(one));
    const own = valuesOf(comment, first);
    return second ? conditions[second](own, wanted) : texts(wanted).some((one) => own.includes(one));
  });
}

/** The comments that match, in the order of the sort. */
export function found(comments, filter, sort = '-created_at') {
  const newest = comments.filter((comment) => matches(comment, filter)).sort((a, b) => (a.id < b.id ? 1 : -1));
  if (sort === '-created_at') return newest;
  if (sort === 'created_at') return newest.reverse();
  const name = sort.replace('-', '');
  const number = (comment) => valuesOf(comment, name).map(Number)[0];
  const sign = sort.startsWith('-') ? -1 : 1;
  return newest.sort((a, b) => (number(a) === undefined) - (number(b) === undefined) || sign * ((number(a) ?? 0) - (number(b) ?? 0)));
}

/** What `facets` of a page says: of each facet under all others. */
export function countsOf(comments, filter, list = facets) {
  const of = ({ name, type }) => {
    const others = Object.fromEntries(Object.entries(filter).filter(([parameter]) => !parameter.split('.').includes(name)));
    const values = found(comments, others).flatMap((comment) => valuesOf(comment, name));
    if (type === 'number' && name !== 'rating') return values.length ? { min: Math.min(...values.map(Number)), max: Math.max(...values.map(Number)) } : {};
    return values.reduce((all, value) => ({ ...all, [value]: (all[value] ?? 0) + 1 }), {});
  };
  return Object.fromEntries([{ name: 'language', type: 'choice' }, { name: 'rating', type: 'number' }, ...list].map((facet) => [facet.name, of(facet)]));
}

/** A filter at random, over all facets and forms. */
export function randomFilter(random) {
  const some = (values) => values.filter(() => random() < 0.4);
  const choices = {
    language: () => some(['de', 'en', 'pt-BR', 'zh-Hant', 'und', 'fr']), 'not.language': () => some(['de', 'pt-BR']),
    rating: () => some([1, 2, 3, 4, 5]), 'not.rating': () => some([1, 3, 5]), 'rating.min': () => 1 + Math.floor(random() * 4), 'rating.max': () => 2 + Math.floor(random() * 4),
    verified: () => some(['true', 'false']), 'not.verified': () => some(['true']),
    size: () => some(sizes), 'not.size': () => some(sizes),
    country: () => some(['DE', 'US', 'FR & co', 'XX']), 'not.country': () => some(['DE', 'JP']),
    tags: () => some(tags), 'not.tags': () => some(tags.slice(0, 2)), 'tags.all': () => some(tags.slice(0, 3)),
    helpful: () => some([-5, -4, 0, 1, 2, 50]), 'not.helpful': () => some([-5, 0]), 'helpful.min': () => Math.floor(random() * 60) - 6, 'helpful.max': () => Math.floor(random() * 150) - 6,
  };
  const names = Object.keys(choices).filter(() => random() < 0.15);
  return Object.fromEntries(names.map((name) => [name, choices[name]()]).filter(([, value]) => [value].flat().length > 0));
}

/** Words that no stemmer joins with others: each is found by itself alone. */
export const vocabulary = ['zip', 'crash', 'laptop', 'red', 'fit', 'warm', 'storm', 'lamp', 'dog', 'cold'];

export function filterWithWords(random) {
  const words = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, vocabulary));
  return { ...randomFilter(random), q: words.join(' ') };
}

export const sorts = ['-created_at', 'created_at', '-rating', 'rating', '-helpful', 'helpful'];

export const ids = (list) => list.map((comment) => comment.id);

/** Compares pages, totals, counts and places under random filters with the plain model. */
export async function comparePages(server, product, comments, rounds, filterOf = randomFilter) {
  const random = seeded(99);
  for (let round = 0; round < rounds; ++round) {
    const filter = filterOf(random);
    const sort = pick(random, sorts);
    const limit = 1 + Math.floor(random() * 40);
    const wanted = found(comments, filter, sort);
    const count = pagesOf(wanted.length, limit);
    const number = 1 + Math.floor(random() * count);
    const what = queryString({ ...filter, sort, limit, page: number });
    const page = await server.page(product, { ...filter, sort, limit, page: number, facets: 'true' });
    assert.deepEqual(idsOf(page), ids(wanted.slice((number - 1) * limit, number * limit)), what);
    assert.deepEqual([page.total, page.page.number, page.page.count], [wanted.length, number, count], what);
    assert.deepEqual(page.facets, countsOf(comments, filter), `counts of ${what}`);
    if (wanted.length === 0) continue;
    const skip = Math.floor(random() * wanted.length);
    const skipped = await server.page(product, { ...filter, sort, limit, skip });
    assert.deepEqual(idsOf(skipped), ids(wanted.slice(skip, skip + limit)), `skip ${skip} of ${what}`);
    const { id } = wanted[skip];
    const place = (await server.get(`/v1/comments/${id}/page${queryString({ ...filter, sort, limit })}`)).expect(200).json;
    assert.equal(place.number, Math.floor(skip / limit) + 1, `the page of ${id} under ${what}`);
    assert.ok(idsOf((await server.get(place.href)).expect(200).json).includes(id), place.href);
  }
}
