// Statistics and leaderboards counted anew from the comments, and the comparison of both with an answer.

import assert from 'node:assert/strict';
import { ratings } from './data.mjs';

const rows = (comments, language) => comments.filter((comment) => [language].flat().length === 0 || [language].flat().includes(comment.language));
const countsOf = (comments) => Object.fromEntries(ratings.map((rating) => [rating, comments.filter((comment) => comment.rating === rating).length]));
const newest = (comments) => comments.reduce((best, one) => (best && best.id > one.id ? best : one), null);

function average(counts) {
  const [all, sum] = ratings.reduce(([n, s], rating) => [n + counts[rating], s + rating * counts[rating]], [0, 0]);
  return all === 0 ? 0 : sum / all;
}

/** The lower end of a 90 % credible interval of the mean rating: Evan Miller, "Ranking Items With Star Ratings". */
export function adjustedAverage(counts) {
  const all = ratings.reduce((sum, rating) => sum + counts[rating], 0);
  const part = (rating) => (counts[rating] + 1) / (all + 5);
  const mean = ratings.reduce((sum, rating) => sum + rating * part(rating), 0);
  const squares = ratings.reduce((sum, rating) => sum + rating * rating * part(rating), 0);
  return mean - 1.65 * Math.sqrt((squares - mean * mean) / (all + 6));
}

/** A product's statistics, averages unrounded. `comments`: all comments of the product. */
export function recount(product, comments, language = []) {
  const counted = rows(comments, language);
  const languages = {};
  for (const one of counted.map((comment) => comment.language).sort()) languages[one] = (languages[one] ?? 0) + 1;
  return {
    product, total: counted.length, average: average(countsOf(counted)), ratings: countsOf(counted), languages,
    last_comment_at: newest(counted)?.created_at ?? null,
    latest_positive: newest(counted.filter((comment) => comment.rating >= 4)),
    latest_critical: newest(counted.filter((comment) => comment.rating <= 2)),
  };
}

/** The leaderboard of all comments there are; equal products follow by the bytes of their names. */
export function recountLeaders(comments, { by = 'five_star', language = [], limit = 10 } = {}) {
  const products = new Map();
  for (const comment of rows(comments, language)) products.set(comment.product, [...(products.get(comment.product) ?? []), comment]);
  const leaders = [...products].map(([product, own]) => {
    const counts = countsOf(own);
    return { product, total: own.length, five_star: counts[5], average: average(counts), adjusted_average: adjustedAverage(counts), ratings: counts };
  });
  const score = by === 'average' ? 'adjusted_average' : 'five_star';
  const placed = leaders.filter((leader) => leader[score] > 0);
  placed.sort((a, b) => b[score] - a[score] || Buffer.compare(Buffer.from(a.product), Buffer.from(b.product)));
  return { by, language: [language].flat()[0] ?? null, products: placed.slice(0, limit) };
}

/** Answers round averages to four significant digits. All else is equal, except the time up to which a table's statistics are known. */
export function sameFigures({ as_of, ...actual }, wanted, message) {
  if (as_of !== undefined) assert.ok(Date.parse(as_of) <= Date.now(), `${message}: as of ${as_of}`);
  assert.deepEqual(rounded(actual, wanted, message), wanted, message);
}

function rounded(actual, wanted, message) {
  if (actual === null || typeof actual !== 'object') return actual;
  if (Array.isArray(actual)) return actual.map((one, at) => rounded(one, wanted?.[at], message));
  return Object.fromEntries(Object.entries(actual).map(([name, value]) => {
    const exact = wanted?.[name];
    if (!['average', 'adjusted_average'].includes(name) || typeof exact !== 'number') return [name, rounded(value, exact, message)];
    assert.equal(value, Number(value.toPrecision(4)), `${message}: ${name} has at most four digits`);
    return [name, Math.abs(value - exact) <= 0.000501 ? exact : value];
  }));
}
