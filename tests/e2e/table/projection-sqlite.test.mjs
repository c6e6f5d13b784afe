// Kills workers and backfills beside a SQLite file, and checks the result: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('SQLite');
