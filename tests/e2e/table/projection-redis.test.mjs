// Kills workers and backfills beside Redis, and checks the result: kills.mjs.
// Only in ./test --all: servers of databases.

import { testKills } from '../support/kills.mjs';

testKills('Redis');
