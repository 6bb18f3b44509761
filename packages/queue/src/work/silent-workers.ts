import * as z from 'zod';
import type { Database } from '../database/database.ts';
import type { HeldJob, Jobs } from '../jobs/index.ts';
import { reportReturned } from './run-work.ts';

/** Without a word for so long, a worker is taken for dead. It tells once a second that it is not. */
export const silentSeconds = 8;

/** Heard of in the future is no word either: the clock of the database stepped back since. */
const silent = `jobs <> '[]' AND seen_at NOT BETWEEN clock_timestamp() - interval '${silentSeconds} seconds'
  AND clock_timestamp() + interval '${silentSeconds} seconds'`;

/** Gives what workers that are taken for dead have in hand to others; several may do so at once. Not where all of them were out of touch. */
export async function giveAwaySilent(jobs: Jobs, database: Database): Promise<void> {
  const table = `${database.schema}.worker`;
  const found = await database.query<{ readonly id: string; readonly jobs: unknown }>(
    `SELECT id, jobs FROM ${table} WHERE ${silent} ORDER BY seen_at`,
  );
  for (const worker of found) {
    for (const job of readHeld(worker.jobs)) await giveAway(job, jobs, database);
    await database.query(`UPDATE ${table} SET jobs = '[]', works = '{}', doing = '{}' WHERE id = $1 AND ${silent}`, [
      worker.id,
    ]);
  }
}

/** Each by itself: the queue finds silent jobs too, at about the same time, and of several that both lock each would wait for the other. */
async function giveAway(job: HeldJob, jobs: Jobs, database: Database): Promise<void> {
  const { schema } = database;
  await database.transaction(async (transaction) => {
    const open = await transaction.query(
      `SELECT 1 FROM ${schema}.run r JOIN ${schema}.run_work w ON w.run = r.number
       WHERE r.id = $1 AND w.state IN ('running', 'stopping')`,
      [job.run],
    );
    if (open.length > 0 && (await jobs.giveAway(job, transaction))) await reportReturned([job.run], transaction);
  });
}

const heldJobs = z.array(z.object({ run: z.string(), id: z.uuid(), retryCount: z.int() }));

/** What is no list of jobs is none: the queue finds them as well, later. */
function readHeld(written: unknown): readonly HeldJob[] {
  return heldJobs.safeParse(written).data ?? [];
}
