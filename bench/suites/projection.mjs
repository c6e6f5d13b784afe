// What follows a table: how fast page indexes and statistics take up its stream, how soon a post is counted, and what numbers cost.

import { startDatabase } from '../lib/dynamodb.mjs';
import { loadCore, need } from '../lib/processes.mjs';
import { needBinary, pagesBinary } from '../lib/quire.mjs';
import { noteDisturbance } from '../lib/turns.mjs';
import { needBackends, startBackends } from './projection_backends.mjs';
import { addBacklogFigures, measureBacklog } from './projection_backlog.mjs';
import { addFreshnessFigures, measureFreshness } from './projection_freshness.mjs';
import { addPagesFigures, measurePages } from './projection_pages.mjs';

export const title = 'page indexes and statistics beside a table';

export async function measure(report, size, progress) {
  need('wrk', 'taskset', 'java');
  needBackends();
  needBinary();
  needBinary(pagesBinary);
  // The program under test has a core to itself. The database and the servers of page indexes share the core of the load.
  const database = await startDatabase({ core: loadCore, small: size.small });
  // In the small size the suite "adopted" has the other two.
  const backends = await startBackends(size.small ? ['LMDB', 'MariaDB', 'PostgreSQL'] : undefined);
  const stage = { database, backends };
  const pages = await measurePages(stage, size, report, progress);
  const freshness = await measureFreshness(stage, size, progress);
  await database.stop();
  const backlog = await measureBacklog(backends, size, progress);
  for (const backend of Object.values(backends)) await backend.stop();
  addBacklogFigures(report, backlog);
  addFreshnessFigures(report, freshness);
  addPagesFigures(report, pages);
  noteDisturbance(report, 'Pages beside a table', pages.results);
  return { backlog, freshness, pages };
}
