import type { RunInfo } from '@unroll/engine';
import { madeWith, ProjectFailure } from '@unroll/project';
import type { Database, Queryable } from '../database/database.ts';
import { storedText } from '../database/stored-text.ts';
import { readStoredInfo } from '../record/stored-info.ts';
import { readWorkSettings, type WorkSettings } from './work-settings.ts';

/** A run that belongs to PostgreSQL, as whoever works on it or follows it sees it. */
export interface RunWork {
  readonly id: string;
  /** Of the table `run`. */
  readonly number: number;
  readonly info: RunInfo;
  readonly bundle: string;
  readonly settings: WorkSettings;
  /** Of Unroll, that it was begun with: workers of another one leave it alone. */
  readonly version: string;
  /** From 1; one more with every resume. */
  readonly attempt: number;
  readonly standing: RunStanding;
}

export interface RunStanding {
  readonly state: RunState;
  /** Why no new row begins, where none does. */
  readonly stoppedFor: 'asked' | 'budget' | 'time' | undefined;
  /** What of a budget was spent that is reached. */
  readonly budgetText: string | undefined;
  /** Since this attempt began, until it ended, by the clock of the database. */
  readonly elapsedMs: number;
  /** Of calls that were made, those of an earlier attempt too. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** How often jobs of it have come back from workers: where it is another number than before, there is one to take. */
  readonly returned: number;
}

/** `stopping`: no new row begins. `stopped`: it can go on. `ended`: all rows and the aggregation nodes have run. */
export type RunState = 'running' | 'stopping' | 'stopped' | 'ended';

interface RunWorkRow extends StandingRow {
  readonly id: string;
  readonly number: number;
  readonly info: string;
  readonly bundle: string;
  readonly settings: string;
  readonly version: string;
  readonly attempt: number;
}

interface StandingRow {
  readonly state: RunState;
  readonly stopped_for: 'asked' | 'budget' | 'time' | null;
  readonly budget_text: string | null;
  readonly elapsed_ms: number;
  readonly tokens: number;
  readonly cost: number;
  readonly returned: number;
}

const standingColumns = `w.state, w.stopped_for, w.budget_text, w.tokens, w.cost, w.returned,
  extract(epoch FROM coalesce(w.ended_at, clock_timestamp()) - w.began_at)::double precision * 1000 AS elapsed_ms`;

const workColumns = `r.id, r.number, r.info, w.bundle, w.settings, w.version, w.attempt, ${standingColumns}`;

/**
 * Runs that are not over, the oldest first; one that cannot be read keeps nobody from the others.
 *
 * @param onDamaged told of each that cannot be read
 */
export async function openRuns(
  database: Database,
  onDamaged: (failure: ProjectFailure) => void,
): Promise<readonly RunWork[]> {
  const { schema } = database;
  const sql = `SELECT ${workColumns} FROM ${schema}.run_work w JOIN ${schema}.run r ON r.number = w.run
    WHERE w.state IN ('running', 'stopping') ORDER BY w.began_at, r.number`;
  const rows = await database.query<RunWorkRow>(sql);
  return rows.flatMap((row) => readableWork(row, onDamaged));
}

/**
 * @returns undefined where there is no such run, or it did not run on workers
 * @throws ProjectFailure where it cannot be read
 */
export async function findRunWork(id: string, database: Database): Promise<RunWork | undefined> {
  const { schema } = database;
  const sql = `SELECT ${workColumns} FROM ${schema}.run_work w JOIN ${schema}.run r ON r.number = w.run WHERE r.id = $1`;
  const [row] = await database.query<RunWorkRow>(sql, [storedText(id)]);
  return row && runWorkOf(row);
}

/** Requests that are looked at, the newest first: a list of them opens no more, however many there are. */
const maxLookedAt = 1000;
const requestsAtOnce = 100;

/** Runs of requests to servers, the newest first; those that cannot be read are left out. */
export async function* newestRequests(database: Database): AsyncGenerator<RunWork, void> {
  const { schema } = database;
  const sql = `SELECT ${workColumns} FROM ${schema}.run_work w JOIN ${schema}.run r ON r.number = w.run
    WHERE w.is_request AND r.number < $1 ORDER BY r.number DESC LIMIT ${requestsAtOnce}`;
  let before = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; seen < maxLookedAt; seen += requestsAtOnce) {
    const rows = await database.query<RunWorkRow>(sql, [before]);
    for (const run of rows.flatMap((row) => readableWork(row, () => undefined)))
      if (run.settings.request !== undefined) yield run;
    before = rows.at(-1)?.number ?? 0;
    if (rows.length < requestsAtOnce) return;
  }
}

function readableWork(row: RunWorkRow, onDamaged: (failure: ProjectFailure) => void): readonly RunWork[] {
  try {
    return [runWorkOf(row)];
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    onDamaged(error);
    return [];
  }
}

function runWorkOf(row: RunWorkRow): RunWork {
  const { id, number, info, bundle, settings, version, attempt } = row;
  return {
    id,
    number,
    info: readStoredInfo(id, info),
    bundle,
    settings: readWorkSettings(id, settings),
    version,
    attempt,
    standing: standingOf(row),
  };
}

function standingOf(row: StandingRow): RunStanding {
  return {
    state: row.state,
    stoppedFor: row.stopped_for ?? undefined,
    budgetText: row.budget_text ?? undefined,
    elapsedMs: row.elapsed_ms,
    tokens: row.tokens,
    cost: row.cost,
    returned: row.returned,
  };
}

/** Tells all workers that jobs of these runs have come back. @param runs their ids */
export async function reportReturned(
  runs: readonly string[],
  within: Queryable & { readonly schema: string },
): Promise<void> {
  // Locked in one order: two that tell of the same runs at once wait for each other one way.
  const sql = `WITH told AS (SELECT w.run FROM ${within.schema}.run_work w JOIN ${within.schema}.run r ON r.number = w.run
      WHERE r.id = ANY($1) ORDER BY w.run FOR NO KEY UPDATE OF w)
    UPDATE ${within.schema}.run_work w SET returned = w.returned + 1 FROM told WHERE w.run = told.run`;
  await within.query(sql, [runs]);
}

/** @param run number of a run that was just made */
export async function addRunWork(
  run: number,
  bundle: string,
  settings: WorkSettings,
  within: Queryable & { readonly schema: string },
): Promise<void> {
  const sql = `INSERT INTO ${within.schema}.run_work (run, bundle, settings, version, is_request, began_at)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp())`;
  const isRequest = settings.request !== undefined;
  await within.query(sql, [run, bundle, JSON.stringify(settings), madeWith().version, isRequest]);
}

export interface Spent {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * Adds what calls have cost, and tells how the run stands now.
 *
 * @returns undefined where the run was removed
 */
export async function addSpending(
  { number }: RunWork,
  { tokens, cost }: Spent,
  database: Database,
): Promise<RunStanding | undefined> {
  const { schema } = database;
  const isNothing = tokens === 0 && cost === 0;
  const sql = isNothing
    ? `SELECT ${standingColumns} FROM ${schema}.run_work w WHERE w.run = $1`
    : `UPDATE ${schema}.run_work w SET tokens = w.tokens + $2, cost = w.cost + $3 WHERE w.run = $1 RETURNING ${standingColumns}`;
  const [row] = await database.query<StandingRow>(sql, isNothing ? [number] : [number, tokens, cost]);
  return row && standingOf(row);
}

/** No new row begins from here on; nothing changes where that was so before. */
export async function stopRun(
  { number }: RunWork,
  why: NonNullable<RunStanding['stoppedFor']>,
  database: Queryable & { readonly schema: string },
  budgetText?: string,
): Promise<void> {
  const sql = `UPDATE ${database.schema}.run_work SET state = 'stopping', stopped_for = $2, budget_text = $3
    WHERE run = $1 AND state = 'running'`;
  await database.query(sql, [number, why, budgetText ?? null]);
}

/** @returns false where it was over already */
export async function endRun(
  { number, attempt }: RunWork,
  state: 'stopped' | 'ended',
  database: Queryable & { readonly schema: string },
): Promise<boolean> {
  const from = state === 'ended' ? 'running' : 'stopping';
  const sql = `UPDATE ${database.schema}.run_work SET state = $3, ended_at = clock_timestamp()
    WHERE run = $1 AND attempt = $2 AND state = $4 RETURNING run`;
  return (await database.query(sql, [number, attempt, state, from])).length > 0;
}
