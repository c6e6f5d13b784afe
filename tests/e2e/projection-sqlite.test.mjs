import { testKills } from './kills.mjs';

testKills('SQLite');
