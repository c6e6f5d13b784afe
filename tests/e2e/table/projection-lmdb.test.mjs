// Kills workers and backfills beside an LMDB file, and checks the result: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('LMDB');
