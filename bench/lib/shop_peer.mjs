// The peer of a shop: a Go program (bench/shop) over PostgreSQL, on a cluster of its own in which every commit is durable.

import { join } from 'node:path';
import { closeConnections } from './http.mjs';
import { buildGo } from './peer.mjs';
import * as postgres from './postgres.mjs';
import { cpuNanoseconds, familyNanoseconds } from './proc.mjs';
import { listening, start, stop } from './processes.mjs';
import { build } from './quire.mjs';

const program = join(build, 'quire_shop');

// A row is one line of JSON, which COPY takes as one column: neither sign occurs in it.
const load = (file) => `
CREATE TABLE comments (id text COLLATE "C" PRIMARY KEY DEFAULT gen_random_uuid(), product text NOT NULL, language text NOT NULL,
  rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5), created_at timestamptz NOT NULL DEFAULT now(),
  author text NOT NULL, title text NOT NULL, text text NOT NULL);
CREATE TEMP TABLE lines (line jsonb);
\\copy lines FROM '${file}' WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
INSERT INTO comments SELECT line->>'id', line->>'product', line->>'language', (line->>'rating')::smallint, (line->>'created_at')::timestamptz,
  coalesce(line->>'author', ''), coalesce(line->>'title', ''), coalesce(line->>'text', '') FROM lines;
CREATE INDEX ON comments (product, created_at, id);
CREATE INDEX ON comments (product, rating, created_at, id);
VACUUM (FREEZE, ANALYZE) comments;
CHECKPOINT;
`;

const keepCounts = `
CREATE TABLE counts (product text, rating smallint, comments bigint NOT NULL, PRIMARY KEY (product, rating));
INSERT INTO counts SELECT product, rating, count(*) FROM comments GROUP BY product, rating;
CREATE FUNCTION count_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO counts VALUES (new.product, new.rating, 1) ON CONFLICT (product, rating) DO UPDATE SET comments = counts.comments + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER count_one AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION count_one();
VACUUM (FREEZE, ANALYZE) counts;
CHECKPOINT;
`;

/** A cluster with the rows of a file in the database `counting`, and the same in `keeping`, whose totals a trigger keeps. */
export async function fill(rows, { core } = {}) {
  postgres.needPostgres();
  await buildGo('./bench/shop', program);
  const cluster = await postgres.cluster({ durable: true, core });
  await cluster.sql('CREATE DATABASE counting');
  await cluster.sql(load(rows), 'counting');
  await cluster.sql('CREATE DATABASE keeping TEMPLATE counting');
  await cluster.sql(keepCounts, 'keeping');
  return cluster;
}

/** The program over one of its databases, with that many connections to it. `cpu` counts the database's processes, too. */
export async function serveShop(cluster, database, { core, connections = 16 } = {}) {
  const address = `host=${cluster.directory} user=postgres dbname=${database} pool_max_conns=${connections} pool_min_conns=${connections}`;
  const started = start(program, ['-database', address, ...(database === 'keeping' ? ['-counts'] : [])], { core });
  const url = await listening(started, 'the shop in Go');
  return {
    url,
    cpu: () => cpuNanoseconds(started.pid) + familyNanoseconds(cluster.pid),
    async stop() {
      closeConnections();
      await stop(started);
    },
  };
}
