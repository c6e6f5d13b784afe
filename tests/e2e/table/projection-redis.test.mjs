// Workers and backfills beside a Redis are killed, and all is right afterwards: kills.mjs.

import { testKills } from '../support/kills.mjs';

testKills('Redis');
