// Walks the same pages with Quire and with its peer on DynamoDB. Both must show the same comments. Keeps the cost of each page.

import { isDeepStrictEqual } from 'node:util';
import { fetchAnswer, fetchBody, fetchJson } from './http.mjs';
import { Broken } from './processes.mjs';

const joined = (...parts) => parts.filter(Boolean).join('&');

// Asks for the explained page first: its cost includes everything that Quire keeps for later pages.
export const readQuire = (quire) => async (query) => {
  const { comments, page, plan } = await fetchJson(quire.comments(joined(query, 'explain=true')));
  const url = quire.comments(query);
  return {
    url, body: await fetchBody(url), comments, next: page.next && `after=${page.next}`,
    units: plan.consumed_capacity, read: plan.read, requests: plan.requests,
  };
};

export const readPeer = (peer) => async (query) => {
  const url = peer.comments(query);
  const { headers, body } = await fetchAnswer(url);
  const { comments, cursor } = JSON.parse(body);
  return {
    url, body, comments, next: cursor && `cursor=${cursor}`,
    units: Number(headers['x-consumed-capacity']), read: Number(headers['x-entries-read']), requests: Number(headers['x-requests']),
  };
};

/** Per reader its pages, page by page in turns. */
export async function walkInTurns(readers, filter, pages) {
  const walked = Object.fromEntries(Object.keys(readers).map((name) => [name, []]));
  for (let number = 1; number <= pages; ++number) {
    for (const [name, read] of Object.entries(readers)) walked[name].push(await read(joined(filter, walked[name].at(-1)?.next)));
    check(Object.values(walked).map((each) => each.at(-1)), number < pages);
  }
  return walked;
}

function check(pages, mustGoOn) {
  for (const { url, comments, next, units, read, requests } of pages) {
    if (comments.length !== 20 || (mustGoOn && !next)) throw new Broken(`${url} has ${comments.length} comments, and ${next ? 'a' : 'no'} next page`);
    if (![units, read, requests].every((cost) => cost > 0)) throw new Broken(`${url} does not say what it cost`);
  }
  const [first, ...others] = pages;
  for (const other of others) {
    const at = first.comments.findIndex((comment, i) => !isDeepStrictEqual(comment, other.comments[i]));
    if (at >= 0) throw new Broken(`row ${at} of ${first.url} and of ${other.url} differ: ${JSON.stringify([first.comments[at], other.comments[at]])}`);
  }
}
