// Kills workers and backfills beside PostgreSQL, and checks the result: kills.mjs.
// Only in ./test --all: servers of databases.

import { testKills } from '../support/kills.mjs';

testKills('PostgreSQL', 0.4);
