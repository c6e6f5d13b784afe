// Kills workers and backfills beside Redis, and checks the result: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('Redis');
