// Workers and backfills beside an LMDB file are killed, and all is right afterwards: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('LMDB');
