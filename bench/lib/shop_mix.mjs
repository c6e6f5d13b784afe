// What visitors of a shop ask for: products by Zipf's law, mostly first pages, half in JSON and half in HTML; and a few posts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './facet_questions.mjs';
import { fetchJson } from './http.mjs';
import { temporaryDirectory } from './processes.mjs';

const requests = 50_000;
const walked = 300; // products of which there are cursors

/** Requests for mix.lua, a line each: the same each time. */
export async function shopMix(quire, products) {
  const next = random(7);
  const product = zipf(products, next);
  const cursors = await firstPages(quire, products);
  const below = (n) => Math.floor(next() * n);
  return Array.from({ length: requests }, () => {
    const kind = next();
    const rank = product();
    if (kind < 0.01) return `POST /v1/products/product-${rank}/comments`;
    const query = kind < 0.71 ? '' : kind < 0.81 ? `?page=${1 + below(pagesOf(rank, cursors))}` : kind < 0.91 ? `?rating=${1 + below(5)}` : '';
    const cursor = kind >= 0.91 && cursors[rank - 1]?.next;
    const path = cursor ? `?after=${cursor}` : query;
    // A product without comments has no web page.
    return next() < 0.5 || cursors[rank - 1].empty ? `GET /v1/products/product-${rank}/comments${path}` : `GET /products/product-${rank}${path.replace(/^\?page=1$/, '')}`;
  });
}

/** The same for a program that has page numbers and no cursors. Each cursor leads to the second page. */
export const byNumber = (lines) => lines.map((line) => line.replace(/\?after=.*/, '?page=2'));

/** A file of these lines. */
export function fileOf(lines) {
  const file = join(temporaryDirectory(), 'requests');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const pagesOf = (rank, cursors) => Math.min(cursors[rank - 1]?.count ?? 1, 5);

async function firstPages(quire, products) {
  const found = [];
  for (let rank = 1; rank <= products; ++rank) {
    const { page, comments } = await fetchJson(`${quire.url}/v1/products/product-${rank}/comments`);
    found.push(rank <= walked ? { next: page.next, count: page.count, empty: comments.length === 0 } : { empty: comments.length === 0 });
  }
  return found;
}

// A rank from 1: the n-th product is asked for 1/n as often as the first.
function zipf(products, next) {
  const sums = [];
  for (let rank = 1, sum = 0; rank <= products; ++rank) sums.push(sum += 1 / rank);
  return () => {
    const at = next() * sums.at(-1);
    let [from, to] = [0, sums.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sums[middle] < at) from = middle + 1; else to = middle;
    }
    return from + 1;
  };
}
