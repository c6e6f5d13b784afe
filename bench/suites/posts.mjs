// How many posts a second are acknowledged, each durable, with 64 clients; beside SQLite, and beside what the disk can sync.

import { commits, syncRate } from '../lib/disk.mjs';
import { need } from '../lib/processes.mjs';
import { copyOfGeneratedStore, needBinary, openToPosts, serve, verify } from '../lib/quire.mjs';
import * as sqlite from '../lib/sqlite.mjs';
import { post } from '../lib/wrk.mjs';

export const title = 'durable posts';

const clients = 64;

export async function measure(report, size, progress) {
  need('wrk');
  needBinary();
  const store = await copyOfGeneratedStore(size.comments);
  const quire = await serve(store, { args: openToPosts });
  const before = commits(store);
  progress(`${clients} clients post`);
  const posts = await post(quire.comments(), { connections: clients, seconds: size.postSeconds });
  const groups = commits(store) - before;
  await quire.stop();
  progress('verifying');
  // What was in flight when the clients left may be stored without an acknowledgement, but nothing the other way round.
  const stored = await verify(store, size.comments + posts.created, size.comments + posts.created + clients);

  const syncs = syncRate(size.syncSeconds);
  let peer;
  if (sqlite.available()) {
    progress('SQLite');
    peer = { name: 'sqlite3, one connection', value: await sqlite.insertRate(size.inserts) };
  } else {
    report.note('No sqlite3 here, so posts have no peer but the disk.');
  }
  report.add({ name: `durable posts, ${clients} clients`, unit: '/s', quire: posts.perSecond, peer, wanted: { at: 'least', of: 'quire', value: 5000 } });
  report.add({ name: 'the same, per sync that the disk can do', unit: '/s', quire: posts.perSecond, peer: { name: 'fdatasync of 4 KiB appended', value: syncs } });
  report.note(`Posts: ${posts.created} acknowledged, ${stored - size.comments} stored; half were answered within ${(posts.p50 / 1000).toFixed(1)} ms, 99 of 100 within ${(posts.p99 / 1000).toFixed(1)} ms`
    + (Number.isFinite(groups) && groups > 0 ? `; ${groups} commits, ${((stored - size.comments) / groups).toFixed(1)} posts each.` : '.'));
}
