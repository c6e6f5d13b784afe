import { testKills } from './kills.mjs';

testKills('Redis');
