// Walks a list by cursors.

import { fetchJson } from './http.mjs';
import { Broken } from './processes.mjs';

/** The cursor behind the first `count` comments. On the way every comment must be older than the one before. */
export async function cursorAt(address, count) {
  let cursor;
  let last;
  for (let seen = 0; seen < count;) {
    const limit = Math.min(100, count - seen);
    const { comments, page } = await fetchJson(`${address}${address.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&after=${cursor}` : ''}`);
    if (comments.length !== limit) throw new Broken(`after ${seen} comments a page of ${limit} has ${comments.length}`);
    for (const { id } of comments) {
      if (last !== undefined && id >= last) throw new Broken(`the walk met ${id} after ${last}`);
      last = id;
    }
    seen += limit;
    cursor = page.next;
  }
  if (!cursor) throw new Broken(`there is no page after ${count} comments`);
  return cursor;
}
