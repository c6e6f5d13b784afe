// Kills workers and backfills beside an LMDB file, and checks the result: kills.mjs.
// Only in ./test --all: kills.

import { testKills } from '../support/kills.mjs';

testKills('LMDB');
