// Kills workers and backfills beside a SQLite file, and checks the result: kills.mjs. Then spoils counts of blocks there.
// Only in ./test --all: kills.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backends } from '../support/servers/backends.mjs';
import { seeded } from '../support/data.mjs';
import { startDynamoDb } from '../support/dynamodb.mjs';
import { commentsPath } from '../support/harness.mjs';
import { testKills } from '../support/kills.mjs';
import { Stage } from '../support/project.mjs';

describe('a page index in a SQLite file', { concurrency: 2 }, () => {
  testKills('SQLite', 0.4);

  test('counts of blocks are spoilt: numbers that need them are refused, and verify --repair makes them anew', { timeout: 300_000 }, async (test) => {
    const database = await startDynamoDb();
    test.after(() => database.stop());
    const index = await backends.SQLite();
    const stage = await Stage.make({ test, database, table: 'blocks', index, random: seeded(1) });
    stage.products = ['shoe'];
    await stage.import(1200, 1); // more than 1,024, so that there are blocks
    await stage.mustRun('backfill');
    await stage.serve();
    const worker = stage.work();
    await stage.caughtUp('at first');
    await stage.checkNumbers({ limit: 40 }, 'with right blocks');

    await index.sql("UPDATE quire_pages_blocks_blocks SET cells = CAST('de/1=1' AS BLOB) WHERE first_id > X'01'");
    const answer = await stage.server.get(commentsPath('shoe', { limit: 41, page: 15 })); // not in the page cache
    assert.match(answer.problem('backend-unavailable', { parameter: 'page' }).detail, /page index cannot answer for this product now/);
    await stage.checkWalk({ limit: 40 }, 'with wrong blocks');
    const found = await stage.run('verify');
    assert.equal(found.status, 3, `verify: ${found.stdout}\n${found.stderr}`);
    assert.match(found.stdout, /^Page index: shoe: The block from \w+ of level 0 counts 1 comments, and has [56]\d\d\.$/m);

    const repaired = await stage.run('verify', '--repair');
    assert.equal(repaired.status, 0, `verify --repair: ${repaired.stdout}\n${repaired.stderr}`);
    await stage.mustVerify('after the repair');
    await stage.checkNumbers({ limit: 40 }, 'after the repair');
    await worker.stop();
    await stage.end();
  });
});
