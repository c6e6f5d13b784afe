// Kills workers and backfills beside PostgreSQL, and checks the result: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('PostgreSQL', 0.4);
