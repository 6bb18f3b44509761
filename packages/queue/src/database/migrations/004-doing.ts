import type { Migration } from './migration.ts';

/** What a worker is at, for who follows its runs. */
export const doing: Migration = {
  name: 'doing',
  sql: `
ALTER TABLE worker ADD COLUMN doing jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN worker.doing IS 'by run, how many of its nodes are in flight there, by their names, and the connections that its calls go to';
`,
};
