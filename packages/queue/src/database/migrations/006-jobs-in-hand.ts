import type { Migration } from './migration.ts';

/** What a worker has in hand, so that it goes to others as soon as the worker is silent. */
export const jobsInHand: Migration = {
  name: 'jobs in hand',
  sql: `
ALTER TABLE worker ADD COLUMN jobs jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN worker.jobs IS 'that it has in hand: run, id and how often it was taken before';

ALTER TABLE run_work ADD COLUMN returned integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN run_work.returned IS 'how often jobs of it have come back from workers';
`,
};
