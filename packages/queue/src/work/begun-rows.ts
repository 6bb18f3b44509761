import type { Queryable } from '../database/database.ts';
import type { RunWork } from './run-work.ts';

type InSchema = Queryable & { readonly schema: string };

/** A job as one worker has it. */
interface Taken {
  readonly id: string;
  /** How often it was taken before. */
  readonly retryCount: number;
}

/** Tells that a row begins; told twice by the same taking of a job, it counts once. */
export async function reportBegun(
  { number, attempt }: RunWork,
  { id, retryCount }: Taken,
  { line, repeat }: { readonly line: number; readonly repeat: number },
  within: InSchema,
): Promise<void> {
  const sql = `INSERT INTO ${within.schema}.begun_row (run, line, repeat, attempt, job, taken)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;
  await within.query(sql, [number, line, repeat, attempt, id, retryCount]);
}

/** Who had the job lives: no row has ended it. */
export async function forgetBegun({ number }: RunWork, { id, retryCount }: Taken, within: InSchema): Promise<void> {
  const sql = `DELETE FROM ${within.schema}.begun_row WHERE run = $1 AND job = $2 AND taken = $3`;
  await within.query(sql, [number, id, retryCount]);
}

/** A row that was in flight when a worker ended. */
export interface BegunInVain {
  readonly line: number;
  readonly repeat: number;
  /** Workers that ended meanwhile. */
  readonly workers: number;
}

/** Of these lines, the rows that were told to begin in this attempt and have not ended, but for those of the job as it was taken now. */
export async function begunInVain(
  { number, attempt }: RunWork,
  { id, retryCount }: Taken,
  lines: readonly number[],
  from: InSchema,
): Promise<readonly BegunInVain[]> {
  const { schema } = from;
  const sql = `SELECT b.line, b.repeat, count(*) AS workers FROM ${schema}.begun_row b
    WHERE b.run = $1 AND b.attempt = $2 AND b.line = ANY($3::int[]) AND (b.job, b.taken) <> ($4, $5)
      AND NOT EXISTS (SELECT 1 FROM ${schema}.row_end e WHERE e.run = $1 AND e.line = b.line AND e.repeat = b.repeat)
    GROUP BY b.line, b.repeat ORDER BY b.line, b.repeat`;
  return await from.query<BegunInVain>(sql, [number, attempt, lines, id, retryCount]);
}
