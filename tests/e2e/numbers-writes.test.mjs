// Page numbers while comments are written, changed and removed: each answer is right by itself, and pages that cannot move stay.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commentPath, commentsPath, idsOf, importRows, mustVerify, newStore, queryString, serveWithToken } from './support/harness.mjs';
import { expected, languages, pagesOf, pick, randomQuery, ratings, sampleRows, seeded, sorts } from './support/data.mjs';

const store = newStore();
let server;
before(async () => {
  await importRows(store, [...sampleRows(111, 300, 'busy'), ...sampleRows(112, 120, 'changing')]);
  server = await serveWithToken({ store });
});
after(() => server?.stop());

const randomComment = (random) => ({ rating: pick(random, ratings), language: pick(random, languages), title: 'new' });

/** Posts newer comments and removes some of them again, until told to stop. Leaves the earlier comments alone. */
async function writeUntil(done, random) {
  const own = [];
  for (let posts = 0; !done() || posts < 20; ++posts) {
    own.push((await server.add('busy', randomComment(random))).id);
    if (random() < 0.4) (await server.delete(commentPath(own.splice(Math.floor(random() * own.length), 1)[0]))).expect(204);
  }
}

/** Runs the reader beside three writers. Returns the reader's result. */
async function whileWriting(seed, reader) {
  let done = false;
  const writers = [0, 1, 2].map((one) => writeUntil(() => done, seeded(seed + one)));
  try {
    return await reader();
  } finally {
    done = true;
    await Promise.all(writers);
  }
}

/** Checks the rules that every answer keeps while others write. */
function checkPage({ comments, page, total }, query, name) {
  assert.equal(page.count, pagesOf(total, query.limit), `${name}: count`);
  assert.ok(page.number >= 1 && page.number <= page.count, `${name}: page ${page.number} of ${page.count}`);
  assert.equal(comments.length, Math.min(query.limit, total - (page.number - 1) * query.limit), `${name}: comments on page ${page.number} of ${page.count}, ${total} in all`);
  assert.deepEqual([page.has_previous, page.has_next], [page.number > 1, page.number < page.count], `${name}: neighbours of page ${page.number} of ${page.count}`);
  assert.deepEqual(idsOf({ comments }), expected(comments, query).map(({ id }) => id), `${name}: order and filter`);
}

test('counted from the oldest end, pages stay what they are while comments arrive', async () => {
  const query = { sort: 'created_at', limit: 17 };
  const old = await server.walk('busy', query);
  const places = new Map();
  for (const { comments, page } of old) for (const { id } of comments) places.set(id, page.number);
  await whileWriting(113, async () => {
    for (let round = 0; round < 60; ++round) {
      const at = round % (old.length - 1); // the last one was not full
      const now = await server.page('busy', { ...query, page: at + 1 });
      checkPage(now, query, `round ${round}`);
      assert.deepEqual(now.comments, old[at].comments, `page ${at + 1} in round ${round}`);
      assert.deepEqual([now.page.number, now.page.next, now.page.previous], [old[at].page.number, old[at].page.next, old[at].page.previous], `place and cursors of page ${at + 1}`);
      const [{ id }] = old[at].comments;
      assert.equal((await server.get(`${commentPath(id)}/page${queryString(query)}`)).expect(200).json.number, places.get(id), `the place of ${id}`);
    }
  });
});

test('every answer by number is right by itself while comments come and go', async () => {
  const random = seeded(114);
  let answered = 0;
  await whileWriting(115, async () => {
    for (let round = 0; round < 150; ++round) {
      const query = { ...randomQuery(random, 25), sort: sorts[round % sorts.length] };
      const { page: { count } } = await server.page('busy', query);
      const number = 1 + Math.floor(random() * count);
      const answer = await server.get(commentsPath('busy', { ...query, page: number }));
      if (answer.status === 404) answer.problem('page-out-of-range'); // the last page went meanwhile
      if (answer.status === 404) continue;
      assert.equal(answer.expect(200).json.page.number, number);
      checkPage(answer.json, query, JSON.stringify(query));
      ++answered;
    }
  });
  assert.ok(answered > 100, `${answered} pages were there`);
});

test('a walk by rating gives every comment that existed throughout exactly once, whatever is written meanwhile', async () => {
  for (const [sort, limit] of [['-rating', 9], ['rating', 23]]) {
    const before_ = new Set(idsOf(await server.walk('busy', { sort, limit: 100 })));
    const [forward, back] = await whileWriting(116, async () => {
      const pages = await server.walk('busy', { sort, limit });
      return [pages, await server.walkBack('busy', { sort, limit }, pages.at(-1))];
    });
    const after_ = new Set(idsOf(await server.walk('busy', { sort, limit: 100 })));
    const throughout = [...before_].filter((id) => after_.has(id));
    assert.ok(throughout.length >= 300);
    for (const [name, pages] of Object.entries({ forward, back })) {
      const seen = idsOf(pages);
      assert.equal(new Set(seen).size, seen.length, `${name} by ${sort}: none twice`);
      const missed = throughout.filter((id) => !seen.includes(id));
      assert.deepEqual(missed, [], `${name} by ${sort}: none left out`);
    }
  }
});

test('after each post, change and removal the numbers are those of what is there', async () => {
  const random = seeded(117);
  const rows = new Map((await server.walk('changing', { limit: 100 })).flatMap((page) => page.comments).map((comment) => [comment.id, comment]));
  for (let round = 0; round < 150; ++round) {
    const id = pick(random, [...rows.keys()]);
    const action = pick(random, ['post', 'import', 'patch', 'patch', 'delete']);
    if (action === 'delete') {
      (await server.delete(commentPath(id))).expect(204);
      rows.delete(id);
    } else if (action === 'patch') {
      const { rating, language } = randomComment(random);
      rows.set(id, (await server.patch(commentPath(id), pick(random, [{ rating }, { language }, { rating, language }]))).expect(200).json);
    } else {
      const created_at = action === 'import' ? { created_at: rows.get(id).created_at } : {};
      const added = await server.add('changing', { ...randomComment(random), ...created_at });
      rows.set(added.id, added);
    }
    const query = { ...randomQuery(random, 25), sort: sorts[round % sorts.length] };
    const all = expected([...rows.values()], query);
    const number = 1 + Math.floor(random() * pagesOf(all.length, query.limit));
    const page = await server.page('changing', { ...query, page: number });
    assert.deepEqual(page.comments, all.slice((number - 1) * query.limit, number * query.limit), `page ${number} under ${JSON.stringify(query)} after round ${round}, a ${action}`);
    checkPage(page, query, `round ${round}`);
    assert.equal(page.total, all.length);
  }
  await mustVerify(store, 'after the changes');
});

test('a cursor whose comment is gone or has moved still has a place and a number', async () => {
  for (const sort of sorts) {
    const product = `gone ${sort}`;
    for (let n = 0; n < 12; ++n) await server.add(product, { rating: 1 + (n % 3), created_at: new Date(Date.UTC(2024, 0, 1 + n)).toISOString() });
    const query = { sort, limit: 4 };
    const pages = await server.walk(product, query);
    const ids = idsOf(pages);
    for (const id of pages[1].comments.map((comment) => comment.id)) (await server.delete(commentPath(id))).expect(204);
    const left = ids.filter((id) => !idsOf(pages[1]).includes(id));
    const forward = await server.page(product, { ...query, after: pages[0].page.next });
    assert.deepEqual(idsOf(forward), left.slice(4), `${sort}: what followed the page that went`);
    assert.deepEqual([forward.page.number, forward.page.count], [2, 2], sort);
    const back = await server.page(product, { ...query, before: pages[2].page.previous });
    assert.deepEqual(idsOf(back), left.slice(0, 4), `${sort}: back over it`);
    assert.deepEqual([back.page.number, back.page.count, back.page.has_previous], [1, 2, false], sort);
    const onward = await server.page(product, { ...query, after: pages[1].page.next });
    assert.deepEqual(idsOf(onward), left.slice(4), `${sort}: after a comment that went`);
    for (const id of left.slice(4)) (await server.delete(commentPath(id))).expect(204);
    const beyond = await server.page(product, { ...query, after: pages[1].page.next });
    assert.deepEqual([beyond.comments, beyond.page.number, beyond.page.count, beyond.page.has_next, beyond.page.has_previous], [[], 1, 1, false, true], `${sort}: nothing follows any more`);
    assert.deepEqual(idsOf(await server.page(product, { ...query, before: beyond.page.previous })), left.slice(0, 4), `${sort}: and back`);
  }
});
