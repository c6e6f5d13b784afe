// The server's private memory after all kinds of load, with as many threads as it likes.

import { fetchBody, fetchJson } from '../lib/http.mjs';
import { anonymousBytes, mappedBytes } from '../lib/proc.mjs';
import { need } from '../lib/processes.mjs';
import { copyOfGeneratedStore, needBinary, openToPosts, product, serve } from '../lib/quire.mjs';
import { cursorAt } from '../lib/walk.mjs';
import { load, post } from '../lib/wrk.mjs';

export const title = 'private memory';

export async function measure(report, size, progress) {
  need('wrk');
  needBinary();
  const quire = await serve(await copyOfGeneratedStore(size.comments), { args: [...openToPosts, '--max-connections-client', '2000'] });
  const atStart = anonymousBytes(quire.pid);
  let highest = atStart;
  const watch = setInterval(() => { highest = Math.max(highest, anonymousBytes(quire.pid)); }, 50);

  const deep = await cursorAt(quire.comments(), Math.floor(size.comments / 2 / 100) * 100);
  const one = (await fetchJson(quire.comments())).comments[0].id;
  const addresses = [
    ['first pages', quire.comments(), 64],
    ['pages of 100, a thousand clients', quire.comments('limit=100'), 1000],
    ['a union', quire.comments('language=ar&language=es&language=ja&limit=100'), 64],
    ['a residual filter', quire.comments('rating=1&rating=4&rating=5'), 64],
    ['oldest first', quire.comments('sort=created_at'), 64],
    ['deep pages', quire.comments(`after=${deep}`), 64],
    ['explained pages', quire.comments('language=he&rating=2&explain=true'), 64],
    ['HTML', `${quire.url}/products/${product}`, 64],
    ['single comments', `${quire.url}/v1/comments/${one}`, 64],
  ];
  for (const [name, url, connections] of addresses) {
    progress(name);
    await load(url, (await fetchBody(url)).length, { connections, seconds: size.memorySeconds });
  }
  progress('posts');
  await post(quire.comments(), { seconds: size.memorySeconds });
  clearInterval(watch);
  const after = anonymousBytes(quire.pid);
  const mapped = mappedBytes(quire.pid);
  await quire.stop();

  const wanted = { at: 'max', of: 'quire', value: 64 * 2 ** 20 };
  const add = (name, quire, peer) => report.add({ name, unit: 'MiB', quire, peer, ratio: null, wanted });
  add('private memory after all the load', after, { name: 'at start', value: atStart });
  add('private memory at its highest', Math.max(highest, after), { name: 'mapped file in memory', value: mapped });
}
