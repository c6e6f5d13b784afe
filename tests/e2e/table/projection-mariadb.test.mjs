// Kills workers and backfills beside MariaDB, and checks the result: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('MariaDB', 0.4);
