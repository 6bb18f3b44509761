import type { Migration } from './migration.ts';

/** Which runs are requests to servers, so that a list of them, and their count, look at no other run. */
export const requests: Migration = {
  name: 'requests',
  sql: `
ALTER TABLE run_work ADD COLUMN is_request boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN run_work.is_request IS 'a request to a server: its settings tell more';
UPDATE run_work SET is_request = true WHERE settings LIKE '%"request":{%';
CREATE INDEX ON run_work (run) WHERE is_request;
`,
};
