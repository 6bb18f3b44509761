import type { DataRow, RunLog } from '@unroll/engine';
import type { Database } from '../database/database.ts';
import { persistently } from '../database/persistently.ts';
import type { TakenJob } from '../jobs/index.ts';
import { type BegunInVain, begunInVain, endedLines } from '../work/index.ts';
import type { WorkedRun } from './worked-run.ts';

/** A row that was in flight when so many workers ended runs alone: where machines come and go, one is hit now and then. */
const workersBeforeAlone = 2;
/** A row that was in flight when so many workers ended, alone the last time, is the one that ended them. */
const maxWorkers = 3;

/** Rows of a job as they are to run. */
interface RowsLeft {
  /** Whether another worker had the job. */
  readonly isReturned: boolean;
  /** Whether some of them may have run. */
  readonly mayHaveRun: boolean;
  readonly together: readonly DataRow[];
  /** Each with nothing beside it on its worker. */
  readonly alone: readonly DataRow[];
}

/** What of a job is left to run; its other rows were recorded before. */
export async function rowsLeft(
  run: WorkedRun,
  job: TakenJob,
  rows: readonly DataRow[],
  log: RunLog,
  database: Database,
): Promise<RowsLeft> {
  const isReturned = job.deaths > 0 || (job.work.kind === 'rows' && job.work.isLeft === true);
  const mayHaveRun = isReturned || run.work.attempt > 1;
  if (!mayHaveRun) return { isReturned, mayHaveRun, together: rows, alone: [] };
  const suspects = await suspectRows(run, job, rows, log, database);
  const lines = rows.map(({ line }) => line);
  const { number, settings } = run.work;
  // Asked at once, where the runner would look them up one after the other.
  const ended = await persistently(() => endedLines(number, lines, settings.repeat, database));
  const left = rows.filter(({ line }) => !ended.has(line));
  return {
    isReturned,
    mayHaveRun,
    together: left.filter(({ line }) => !suspects.has(line)),
    alone: left.filter(({ line }) => suspects.has(line)),
  };
}

/**
 * Looks which rows of a job were in flight when its workers ended; one that ended three is recorded as failed.
 *
 * @returns lines of those that ended two: each is to run with nothing beside it on its worker
 */
async function suspectRows(
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
    if (one.workers >= maxWorkers) await giveUpRow(run, row, one.repeat, log);
    else if (one.workers >= workersBeforeAlone) suspects.add(one.line);
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
