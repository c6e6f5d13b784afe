// Kills workers and backfills beside MariaDB, and checks the result: kills.mjs.
// Only in ./test --all: servers of databases.

import { testKills } from '../support/kills.mjs';

testKills('MariaDB', 0.4);
