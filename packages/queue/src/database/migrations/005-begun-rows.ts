import type { Migration } from './migration.ts';

/** Which rows were in flight where a worker has ended: so one that ends its workers is found. */
export const begunRows: Migration = {
  name: 'begun rows',
  sql: `
CREATE TABLE begun_row (
  run bigint NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  line integer NOT NULL,
  repeat integer NOT NULL,
  attempt integer NOT NULL,
  job uuid NOT NULL,
  taken integer NOT NULL,
  PRIMARY KEY (run, line, repeat, attempt, job, taken)
);
COMMENT ON TABLE begun_row IS 'rows of jobs that had ended a worker before, told before they began: one that has not ended was in flight when the next one ended';
COMMENT ON COLUMN begun_row.taken IS 'how often the job had been taken before';
`,
};
