// Page numbers in SQL as the article has them: a table with an index by product and time, of which LIMIT finds the key before a page, and COUNT
// the number of pages.

import { run } from './processes.mjs';
import { startBackends } from '../suites/projection_backends.mjs';

/** By the number of a product's comments, the milliseconds of both statements in MariaDB: {key, count}. */
export async function sqlWays(size, progress) {
  const { MariaDB: server } = await startBackends(['MariaDB']);
  const sql = async (text) => (await run('mariadb', [...server.client, '--batch', '--skip-column-names', 'quire', `--execute=${text}`])).stdout;
  await sql('CREATE TABLE pages (PK CHAR(12) PRIMARY KEY, PK2 VARCHAR(256) NOT NULL, SK DATETIME NOT NULL, INDEX (PK2, SK DESC))');
  const ways = {};
  for (const comments of size.small ? [1000] : [1000, 100_000, 500_000]) {
    progress(`the articles' SQL: ${comments} comments`);
    await sql(`INSERT INTO pages SELECT LEFT(SHA2(CONCAT(seq, ' of ${comments}'), 256), 12), '${comments}', TIMESTAMPADD(MINUTE, seq, '2020-01-01') FROM seq_1_to_${comments}; ANALYZE TABLE pages`);
    ways[comments] = {
      key: await timed(sql, `SELECT PK, SK FROM pages WHERE PK2='${comments}' ORDER BY SK DESC LIMIT ${comments / 2 - 1}, 1`),
      count: await timed(sql, `SELECT COUNT(*) FROM pages WHERE PK2='${comments}'`),
    };
  }
  await server.stop();
  return ways;
}

// Milliseconds of a statement, of several in one connection.
async function timed(sql, statement, times = 100) {
  const taken = async (text) => {
    const begun = performance.now();
    await sql(text);
    return performance.now() - begun;
  };
  const one = await taken(statement);
  return Math.max(0, await taken(`${statement}; `.repeat(times + 1)) - one) / times;
}
