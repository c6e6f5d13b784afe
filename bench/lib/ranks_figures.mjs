// The figures of the page index.

import { number } from './report.mjs';
import { median } from './statistics.mjs';

const most = (of, value) => ({ at: 'max', of, value });

export function addFigures(report, { sizes, insert }, size) {
  for (const each of sizes) {
    addNth(report, each);
    addUnions(report, each);
    addUpkeep(report, each);
  }
  const [small, large] = sizes.map(({ members, quire }) => ({ name: `n-th of ${number(members)}`, value: quire[1].nth.p50 }));
  report.add({ name: `${large.name}, p50, beside a twentieth of them`, unit: 'µs', quire: large.value, peer: small, wanted: most('ratio', 1.6) });
  const anywhere = { name: 'of a random time', value: insert.anywhere.mean };
  const into = `${number(size.comments)} with five facets`;
  report.add({ name: `inserting one comment into ${into}, no sync, mean`, unit: 'µs', quire: insert.newest.mean, peer: anywhere, ratio: null, wanted: most('quire', 10) });
}

// In microseconds. Redis counts whole microseconds within its server, so its mean says most. Peers that count entries are asked
// few times, and their median is taken.
function addNth(report, { members, quire, redis, sqlite, postgres }) {
  const { nth, rank } = quire[1];
  const add = (name, value, peerName, peer, wanted) => {
    report.add({ name, unit: 'µs', quire: value, peer: peer === undefined ? undefined : { name: peerName, value: peer }, wanted });
  };
  const counting = (peer) => peer && median(peer.times) * 1000;
  add(`n-th of ${number(members)} at random depth, p50`, nth.p50, 'Redis, through a Unix socket', redis?.nth.client.p50, most('quire', 15));
  if (sqlite) add('the same', nth.p50, 'SQLite, OFFSET, in process', counting(sqlite));
  if (postgres) add('the same', nth.p50, 'PostgreSQL, OFFSET, through a Unix socket', counting(postgres));
  add('the same, mean', nth.mean, 'Redis, within its server', redis?.nth.server.mean);
  add('the same, p99', nth.p99, 'Redis, through a Unix socket', redis?.nth.client.p99);
  if (redis) add('the same, p99', nth.p99, 'Redis, within its server', redis.nth.server.p99);
  add(`rank of an id among ${number(members)}, mean`, rank.mean, 'Redis, within its server', redis?.rank.server.mean);
  add('the same, p99', rank.p99, 'Redis, within its server', redis?.rank.server.p99);
}

function addUnions(report, { members, quire }) {
  const one = (part) => ({ name: 'all ids of as many', value: quire[1].nth[part] });
  for (const lists of [2, 4, 8]) {
    const { nth } = quire[lists];
    const name = `n-th of ${number(members)} with one of ${lists} values, p50`;
    report.add({ name, unit: 'µs', quire: nth.p50, peer: one('p50'), wanted: lists === 8 ? most('quire', 250) : undefined });
    report.add({ name: 'the same, p99', unit: 'µs', quire: nth.p99, peer: one('p99') });
  }
}

// The cost of the index: bytes, and time to put ids in.
function addUpkeep(report, { members, quire, redis, sqlite, postgres }) {
  const { fileBytes, builtPerSecond, put } = quire[1];
  const add = (name, peerName, peer, wanted) => {
    report.add({ name, unit: 'bytes', quire: fileBytes, peer: peer && { name: peerName, value: peer.bytes }, wanted });
  };
  add(`pages of the file an id, ${number(members)} in one list`, 'Redis, in memory', redis, most('quire', 40));
  if (sqlite) add('the same', 'SQLite, primary key alone', sqlite);
  if (postgres) add('the same', 'PostgreSQL, table and key', postgres);
  report.add({ name: `building a list of ${number(members)}, ids`, unit: '/s', quire: builtPerSecond });
  const peer = redis && { name: 'Redis, within its server', value: redis.put.server.mean };
  report.add({ name: `putting one new id into ${number(members)}, no sync, mean`, unit: 'µs', quire: put.mean, peer });
}
