import { eachOf, type RowId, reachedText } from '@unroll/engine';
import { type BulkOutcome, type BulkSettings, notify, ProjectFailure, type ProjectHost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { type Jobs, openJobs } from '../jobs/index.ts';
import { openRunLog } from '../record/postgres-run-log.ts';
import { beginAgain, openChunksOf, type RunState, type RunWork, type WorkSettings } from '../work/index.ts';
import { reportNoWorker } from './follow-run.ts';
import { requireRun, wholeRun } from './require-run.ts';
import { runToItsEnd } from './run-on-engine.ts';

/** How a run on workers is to go on. */
export interface ResumeOnEngine {
  /** The rows that are missing, or also those that failed. */
  readonly mode: 'resume' | 'retry-failed';
  /** Pace and limits, where they are to be others. */
  readonly pace: Partial<BulkSettings>;
}

/**
 * Goes on with a run that was stopped, and leaves it to the workers.
 *
 * @param id whole
 * @throws ProjectFailure when there is no such run, it is under way, still being stopped or over, or its budget is spent
 */
export async function goOnOnEngine(id: string, mode: ResumeOnEngine['mode'], database: Database): Promise<void> {
  await leaveToWorkers(await wholeRun(id, database), { mode, pace: {} }, database);
}

/**
 * The same with a run as a user names it.
 *
 * @returns its id
 * @throws what `goOnOnEngine` does
 */
export async function goOnDetached(
  given: string,
  asked: ResumeOnEngine,
  database: Database,
  host: ProjectHost,
): Promise<string> {
  const run = await requireRun(given, database);
  await leaveToWorkers(run, asked, database);
  await reportNoWorker(run.version, database, host);
  return run.id;
}

async function leaveToWorkers(run: RunWork, asked: ResumeOnEngine, database: Database): Promise<void> {
  if (!canGoOn(run.standing.state, asked.mode)) throw cannotGoOn(run);
  await using jobs = await openJobs(database, () => undefined);
  await goOn(run, asked, jobs, database);
}

function cannotGoOn({ id, standing: { state } }: RunWork): ProjectFailure {
  if (state === 'stopping') {
    const help = 'It can go on once its rows in flight have ended.';
    return new ProjectFailure(`run ${id} is being stopped`, { help, code: 'RunInUse' });
  }
  if (state === 'running') {
    return new ProjectFailure(`run ${id} is under way`, { help: `flow attach ${id} follows it.`, code: 'RunInUse' });
  }
  return new ProjectFailure(`run ${id} is over: all its rows have ended`, {
    help: 'flow run --retry-failed runs those again that failed.',
    code: 'RunInUse',
  });
}

function canGoOn(state: RunState, mode: ResumeOnEngine['mode']): boolean {
  return state === 'stopped' || (state === 'ended' && mode === 'retry-failed');
}

/**
 * Goes on with a run that was stopped, and follows it to its end; one that is under way is followed only.
 *
 * @throws ProjectFailure when there is no such run, or its budget is spent
 */
export async function resumeOnEngine(
  id: string,
  { mode, pace }: ResumeOnEngine,
  database: Database,
  host: ProjectHost,
  signal: AbortSignal,
): Promise<BulkOutcome> {
  await using jobs = await openJobs(database, () => undefined);
  const run = await requireRun(id, database);
  const { state } = run.standing;
  if (canGoOn(state, mode)) {
    await goOn(run, { mode, pace }, jobs, database);
  } else if (state !== 'ended') {
    notify(host, { kind: 'warning', message: `run ${run.id} is under way: it is followed` });
  }
  return await runToItsEnd(run.id, { isResumed: true, signal }, jobs, database, host);
}

async function goOn(run: RunWork, { mode, pace }: ResumeOnEngine, jobs: Jobs, database: Database): Promise<void> {
  const settings: WorkSettings = { ...run.settings, ...pace };
  refuseSpent(run, settings);
  await jobs.openQueue(run.id);
  await using log = await openRunLog(database, run.id);
  const again = mode === 'retry-failed' ? await failedRows(log) : [];
  // Also of a run whose rows have all ended: its aggregation nodes run over what they give now.
  if (again.length > 0) await log.reopen(again);
  await database.transaction(async (transaction) => {
    await openChunksOf(
      run,
      again.map(({ line }) => line),
      transaction,
    );
    const begun = await beginAgain(run, settings, transaction);
    if (begun === undefined) return;
    const { chunks, attempt } = begun;
    const queued = chunks.map((chunk) => ({
      name: `rows ${chunk}, attempt ${attempt}`,
      work: { kind: 'rows', chunk } as const,
    }));
    await jobs.add(run.id, queued, transaction);
  });
}

function refuseSpent({ id, standing: { tokens, cost } }: RunWork, { budget }: WorkSettings): void {
  const { seconds: _, ...ofCalls } = budget ?? {};
  const spent = reachedText(ofCalls, { tokens, cost, startedAt: 0 }, 0);
  if (spent === undefined) return;
  throw new ProjectFailure(`run ${id} has spent its budget: ${spent}`, {
    help: 'A larger one goes on with it: --budget-tokens, --budget-cost or --budget-seconds.',
    code: 'BudgetReached',
  });
}

async function failedRows(log: Awaited<ReturnType<typeof openRunLog>>): Promise<readonly RowId[]> {
  const failed: RowId[] = [];
  for await (const { status, line, repeat } of eachOf(log.rowEnds())) {
    if (status !== 'Completed') failed.push({ line, repeat });
  }
  return failed;
}
