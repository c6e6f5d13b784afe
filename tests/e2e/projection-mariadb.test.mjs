import { testKills } from './kills.mjs';

testKills('MariaDB');
