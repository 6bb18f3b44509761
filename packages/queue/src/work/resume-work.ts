import type { Queryable } from '../database/database.ts';
import { openChunks } from './chunks.ts';
import type { RunWork } from './run-work.ts';
import type { WorkSettings } from './work-settings.ts';

/**
 * A run that was over goes on, with a further attempt. Of several that ask for it at once, one brings it about.
 *
 * @returns the chunks that are left, and the number of the attempt; undefined where somebody else was quicker
 */
export async function beginAgain(
  { number, attempt }: RunWork,
  settings: WorkSettings,
  within: Queryable & { readonly schema: string },
): Promise<{ readonly chunks: readonly number[]; readonly attempt: number } | undefined> {
  const sql = `UPDATE ${within.schema}.run_work SET state = 'running', stopped_for = NULL, budget_text = NULL, ended_at = NULL,
      began_at = clock_timestamp(), attempt = attempt + 1, settings = $3
    WHERE run = $1 AND attempt = $2 AND state IN ('stopped', 'ended') RETURNING attempt`;
  const [begun] = await within.query<{ attempt: number }>(sql, [number, attempt, JSON.stringify(settings)]);
  if (begun === undefined) return undefined;
  return { chunks: await openChunks({ number }, within), attempt: begun.attempt };
}

/** Chunks that hold these lines have rows to run again. */
export async function openChunksOf(
  { number }: RunWork,
  lines: readonly number[],
  within: Queryable & { readonly schema: string },
): Promise<void> {
  const sql = `UPDATE ${within.schema}.chunk SET is_done = false WHERE run = $1
    AND EXISTS (SELECT 1 FROM unnest($2::int[]) AS line WHERE line BETWEEN first_line AND last_line)`;
  await within.query(sql, [number, lines]);
}
