import type { DataRow, RunLog } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { persistently } from '../database/persistently.ts';
import type { TakenJob } from '../jobs/index.ts';
import { type BegunInVain, begunInVain } from '../work/index.ts';
import type { WorkedRun } from './worked-run.ts';

/** A row that was in flight when so many workers ended, alone the second time, is the one that ended them. */
const mostWorkers = 2;

/**
 * Looks which rows of a job were in flight when its workers ended; one that ended two is recorded as failed.
 *
 * @returns lines of the others: each is to run with nothing beside it on its worker
 */
export async function suspectRows(
  run: WorkedRun,
  job: TakenJob,
  rows: readonly DataRow[],
  log: RunLog,
  database: Database,
): Promise<ReadonlySet<number>> {
  const lines = rows.map(({ line }) => line);
  const begun = await persistently(() => begunInVain(run.work, job, lines, database));
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const suspects = new Set<number>();
  for (const one of begun) {
    const row = byLine.get(one.line);
    if (row === undefined) continue;
    if (one.workers >= mostWorkers) await giveUpRow(run, row, one.repeat, log);
    else suspects.add(one.line);
  }
  return suspects;
}

/** Where its workers have ended before any row began: what is recorded is the first row, so that the others go on. */
export async function giveUpFirst(run: WorkedRun, rows: readonly DataRow[], log: RunLog): Promise<void> {
  for (const row of rows) {
    for (let repeat = 0; repeat < run.work.settings.repeat; repeat += 1) {
      if ((await log.row(row.line, repeat)) !== undefined) continue;
      await giveUpRow(run, row, repeat, log);
      return;
    }
  }
}

async function giveUpRow(run: WorkedRun, row: DataRow, repeat: BegunInVain['repeat'], log: RunLog): Promise<void> {
  await log.append([], {
    line: row.line,
    ...(repeat === 0 ? {} : { repeat }),
    status: 'Failed',
    inputs: 'values' in row ? run.flow.redactor.value(row.values) : {},
    outputs: {},
    error: {
      code: 'WorkerLost',
      message: 'every worker that ran this row ended without a word while it did',
      retryable: false,
    },
    startedAt: Date.now(),
    durationMs: 0,
  });
}
