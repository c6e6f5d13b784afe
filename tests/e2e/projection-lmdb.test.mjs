import { testKills } from './kills.mjs';

testKills('LMDB');
