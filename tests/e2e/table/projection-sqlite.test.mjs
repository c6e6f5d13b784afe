// Workers and backfills beside a SQLite file are killed, and all is right afterwards: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('SQLite');
