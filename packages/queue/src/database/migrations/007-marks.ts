import type { Migration } from './migration.ts';

/** Names, tags and notes of runs. */
export const marks: Migration = {
  name: 'marks',
  sql: `
ALTER TABLE run ADD COLUMN marks jsonb;
COMMENT ON COLUMN run.marks IS 'what people say of the run: its name, a note, tags; no part of its record';
`,
};
