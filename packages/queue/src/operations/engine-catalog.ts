import type { RunMarks, WorkState } from '@unroll/engine';
import { type EngineCatalog, isSilent, marksIn, noMarks } from '@unroll/project';
import { ProjectFailure } from '@unroll/project/project-failure';
import { stopOnEngine } from '../coordinator/attach-run.ts';
import { engineWork } from '../coordinator/engine-work.ts';
import { goOnOnEngine } from '../coordinator/resume-on-engine.ts';
import type { Database } from '../database/database.ts';
import { inWords } from '../database/in-words.ts';
import type { DatabaseSettings } from '../database/open-database.ts';
import { givenJson, storedJson, storedText } from '../database/stored-text.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { storedRuns } from '../record/stored-run.ts';
import { openEngine, type RunState } from '../work/index.ts';
import { removeStoredRuns } from './remove-runs.ts';
import { RunCopies } from './run-copies.ts';

/** Copies of runs that nobody uses any more and that stay until the catalogue is closed. */
const maxUnused = 4;

/**
 * Opens the runs of an engine that was set up, to be closed by who opens them.
 *
 * @throws ProjectFailure when it is not reached, was not set up, or is of another release
 */
export async function openEngineCatalog(
  address: string,
  settings: DatabaseSettings = {},
): Promise<EngineCatalog & AsyncDisposable> {
  const database = await openEngine(address, settings);
  // Whoever compares two runs and then shows them needs the same copies once more.
  const copies = new RunCopies(inWords(database), maxUnused);
  return {
    ...engineCatalog(database, copies),
    async [Symbol.asyncDispose]() {
      await copies[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The runs of an engine. */
export function engineCatalog(opened: Database, copies = new RunCopies(inWords(opened), 0)): EngineCatalog {
  const database = inWords(opened);
  return {
    ...storedRuns(database),
    open: async (id, onDamage) => await openRunReader(database, id, { onDamage }),
    stateOf: async (id) => workStateOf((await requireRun(id, database)).state),
    stamps: () => stampsOf(database),
    stampOf: async (id) => await stampOf(await requireRun(id, database), database),
    marks: () => marksOf(database),
    mark: (id, change) => mark(id, change, database),
    file: async (id, onProgress) => {
      return await copies.of(id, await stampOf(await requireRun(id, database), database), onProgress);
    },
    workOn: async (id) => await engineWork(id, database),
    async stop(id) {
      await stopOnEngine((await requireRun(id, database)).id, database);
    },
    goOn: (id, mode) => goOnOnEngine(id, mode, database),
    async remove(id) {
      await requireRun(id, database);
      await removeStoredRuns([id], database);
    },
  };
}

interface StandingRun {
  readonly id: string;
  readonly number: number;
  /** Absent of a run that nobody ever worked on. */
  readonly state: RunState | null;
  readonly attempt: number | null;
}

const standingSql = ({ schema }: Database): string =>
  `SELECT r.id, r.number, w.state, w.attempt FROM ${schema}.run r LEFT JOIN ${schema}.run_work w ON w.run = r.number`;

async function requireRun(id: string, database: Database): Promise<StandingRun> {
  const [found] = await database.query<StandingRun>(`${standingSql(database)} WHERE r.id = $1`, [storedText(id)]);
  if (found !== undefined) return found;
  throw noSuchRun(id, database);
}

function noSuchRun(id: string, { shown }: Database): ProjectFailure {
  return new ProjectFailure(`there is no run ${id} at ${shown}`, {
    help: 'flow runs --engine lists them.',
    code: 'RunNotFound',
  });
}

function workStateOf(state: RunState | null): WorkState {
  if (state === 'running' || state === 'stopping') return 'running';
  return state === 'stopped' ? 'stopped' : 'free';
}

async function stampsOf(database: Database): Promise<ReadonlyMap<string, string>> {
  const runs = await database.query<StandingRun>(`${standingSql(database)} ORDER BY r.number DESC`);
  const stamps = new Map<string, string>();
  // One after the other, each by its number: a query over all runs would lock the tables of every one.
  for (const run of runs) stamps.set(run.id, await stampOf(run, database));
  return stamps;
}

/** Of a run that is over nothing changes any more. */
async function stampOf({ number, state, attempt }: StandingRun, database: Database): Promise<string> {
  const standing = `${number}:${attempt ?? 0}:${state ?? ''}`;
  if (state === 'ended' || state === 'stopped') return standing;
  const { schema } = database;
  const [last] = await database.query<{ appended_by: string }>(
    `SELECT appended_by::text AS appended_by FROM ${schema}.row_end WHERE run = $1 ORDER BY row_end.appended_by DESC LIMIT 1`,
    [number],
  );
  return `${standing}:${last?.appended_by ?? ''}`;
}

async function marksOf(database: Database): Promise<ReadonlyMap<string, RunMarks>> {
  const sql = `SELECT id, marks FROM ${database.schema}.run WHERE marks IS NOT NULL`;
  const runs = await database.query<{ readonly id: string; readonly marks: unknown }>(sql);
  return new Map(runs.map(({ id, marks }) => [id, marksIn(givenJson(marks)) ?? noMarks]));
}

async function mark(id: string, change: (marks: RunMarks) => RunMarks, database: Database): Promise<RunMarks> {
  const { number } = await requireRun(id, database);
  const { schema } = database;
  return await database.transaction(async (transaction) => {
    const sql = `SELECT marks FROM ${schema}.run WHERE number = $1 FOR NO KEY UPDATE`;
    const [known] = await transaction.query<{ readonly marks: unknown }>(sql, [number]);
    // Removed meanwhile: said as for one that never was.
    if (known === undefined) throw noSuchRun(id, database);
    const marks = change(marksIn(givenJson(known.marks)) ?? noMarks);
    const kept = isSilent(marks) ? null : storedJson(marks);
    await transaction.query(`UPDATE ${schema}.run SET marks = $2 WHERE number = $1`, [number, kept]);
    return marks;
  });
}
