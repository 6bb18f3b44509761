import type { Migration } from './migration.ts';

/** What workers are given: flows as bundles of files, rows in chunks; how a run stands; who works on what. */
export const work: Migration = {
  name: 'work',
  sql: `
CREATE TABLE bundle (
  id text PRIMARY KEY,
  manifest jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE bundle IS 'the files of a flow by their digests; id is the SHA-256 of the manifest';

CREATE TABLE bundle_file (
  digest text PRIMARY KEY,
  content bytea NOT NULL
);
ALTER TABLE bundle_file ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON COLUMN bundle_file.content IS 'compressed with zstd; digest is the SHA-256 of what comes out';

CREATE TABLE run_work (
  run bigint PRIMARY KEY REFERENCES run (number) ON DELETE CASCADE,
  bundle text NOT NULL REFERENCES bundle (id),
  settings text NOT NULL,
  version text NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopping', 'stopped', 'ended')),
  stopped_for text CHECK (stopped_for IN ('asked', 'budget', 'time')),
  budget_text text,
  attempt integer NOT NULL DEFAULT 1,
  began_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  tokens bigint NOT NULL DEFAULT 0,
  cost double precision NOT NULL DEFAULT 0
);
CREATE INDEX ON run_work (began_at) WHERE state IN ('running', 'stopping');
COMMENT ON COLUMN run_work.attempt IS 'how often it was begun: once, and once more with every resume; began_at is of this one';

CREATE TABLE chunk (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  number integer NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  first_line integer NOT NULL,
  last_line integer NOT NULL,
  rows bytea NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE INDEX ON chunk (run) WHERE NOT is_done;
ALTER TABLE chunk ALTER COLUMN rows SET STORAGE EXTERNAL;
COMMENT ON COLUMN chunk.rows IS 'rows of the data as inputs of the flow, JSON compressed with zstd';

CREATE TABLE work_note (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  number bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  message text NOT NULL,
  PRIMARY KEY (run, number)
);
COMMENT ON TABLE work_note IS 'what workers tell whoever follows a run';

CREATE TABLE worker (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  host text NOT NULL,
  process integer NOT NULL,
  version text NOT NULL,
  concurrency integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  works jsonb NOT NULL DEFAULT '{}',
  lacks jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON COLUMN worker.works IS 'by run, how many of its rows are in flight there';
COMMENT ON COLUMN worker.lacks IS 'by run, why the worker cannot run it';

ALTER TABLE row_end ADD COLUMN appended_by xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX ON row_end (run, appended_by);
COMMENT ON COLUMN row_end.appended_by IS 'whoever follows a run reads what was committed since';
`,
};
