import type { Migration } from './migration.ts';

/**
 * Records as the file of a run has them: of each node and row its narrow columns, and their values in segments, each the values of
 * one commit. Every run has partitions of its own, so that it is removed without a trace.
 */
export const runsAndRecords: Migration = {
  name: 'runs and records',
  sql: `
CREATE TABLE run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  info text NOT NULL,
  record_format integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);

CREATE TABLE node_name (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  id integer NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (run, id),
  UNIQUE (run, name, kind)
);

CREATE TABLE node_reads (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  node text NOT NULL,
  parts jsonb NOT NULL,
  PRIMARY KEY (run, node)
);

CREATE TABLE metric (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  name text NOT NULL,
  value text NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (run, name)
);

CREATE TABLE segment (
  run bigint NOT NULL,
  id bigint NOT NULL,
  size integer NOT NULL,
  checksum bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run, id)
) PARTITION BY LIST (run);
ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON COLUMN segment.bytes IS 'compressed with zstd; size is that of what comes out, checksum the CRC-32 of what is here';

CREATE TABLE node_end (
  run bigint NOT NULL,
  line integer NOT NULL,
  repeat integer NOT NULL,
  node integer NOT NULL,
  status smallint NOT NULL,
  started_at double precision,
  duration_ms double precision,
  prompt_tokens bigint,
  completion_tokens bigint,
  segment bigint NOT NULL,
  start integer NOT NULL,
  size integer NOT NULL,
  PRIMARY KEY (run, line, repeat, node)
) PARTITION BY LIST (run);

CREATE TABLE row_end (
  run bigint NOT NULL,
  line integer NOT NULL,
  repeat integer NOT NULL,
  status smallint NOT NULL,
  started_at double precision,
  duration_ms double precision,
  unfinished integer NOT NULL,
  segment bigint NOT NULL,
  start integer NOT NULL,
  size integer NOT NULL,
  digests bytea,
  PRIMARY KEY (run, line, repeat)
) PARTITION BY LIST (run);
COMMENT ON COLUMN row_end.digests IS 'of the nodes this writer appended; of the others they are worked out from their records';

-- Each commit takes one number, and with it those of 1024 segments.
CREATE SEQUENCE segment_number AS bigint INCREMENT BY 1024;
`,
};
