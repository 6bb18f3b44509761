import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogFile, RunCatalog, WorkState } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project/project-failure';
import type { Database } from '../database/database.ts';
import { inWords } from '../database/in-words.ts';
import type { DatabaseSettings } from '../database/open-database.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { pullRun } from '../record/pull-run.ts';
import { findStoredRun, storedRuns } from '../record/stored-run.ts';
import { openEngine, type RunState } from '../work/index.ts';
import { removeStoredRuns } from './remove-runs.ts';

/**
 * Opens the runs of an engine that was set up, to be closed by who opens them.
 *
 * @throws ProjectFailure when it is not reached, was not set up, or is of another release
 */
export async function openEngineCatalog(
  address: string,
  settings: DatabaseSettings = {},
): Promise<RunCatalog & AsyncDisposable> {
  const database = await openEngine(address, settings);
  return { ...engineCatalog(database), [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

/** The runs of an engine. */
export function engineCatalog(opened: Database): RunCatalog {
  const database = inWords(opened);
  return {
    ...storedRuns(database),
    open: async (id, onDamage) => await openRunReader(database, id, { onDamage }),
    stateOf: async (id) => workStateOf((await requireRun(id, database)).state),
    stamps: () => stampsOf(database),
    stampOf: async (id) => await stampOf(await requireRun(id, database), database),
    file: (id) => copyOf(id, database),
    async remove(id) {
      await requireRun(id, database);
      await removeStoredRuns([id], database);
    },
  };
}

interface StandingRun {
  readonly number: number;
  /** Absent of a run that nobody ever worked on. */
  readonly state: RunState | null;
  readonly attempt: number | null;
}

const standingSql = ({ schema }: Database): string =>
  `SELECT r.id, r.number, w.state, w.attempt FROM ${schema}.run r LEFT JOIN ${schema}.run_work w ON w.run = r.number`;

async function requireRun(id: string, database: Database): Promise<StandingRun> {
  const [found] = await database.query<StandingRun>(`${standingSql(database)} WHERE r.id = $1`, [id]);
  if (found !== undefined) return found;
  throw new ProjectFailure(`there is no run ${id} at ${database.shown}`, {
    help: 'flow runs --engine lists them.',
    code: 'RunNotFound',
  });
}

function workStateOf(state: RunState | null): WorkState {
  if (state === 'running' || state === 'stopping') return 'running';
  return state === 'stopped' ? 'stopped' : 'free';
}

async function stampsOf(database: Database): Promise<ReadonlyMap<string, string>> {
  const runs = await database.query<StandingRun & { readonly id: string }>(
    `${standingSql(database)} ORDER BY r.number DESC`,
  );
  const stamps = new Map<string, string>();
  // One after the other, each by its number: a query over all runs would lock the tables of every one.
  for (const { id, ...run } of runs) stamps.set(id, await stampOf(run, database));
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

async function copyOf(id: string, database: Database): Promise<CatalogFile> {
  const run = await findStoredRun(database, id);
  const folder = mkdtempSync(join(tmpdir(), 'unroll-run-'));
  const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
  // Not by its id, which whoever writes into the tables has a say in.
  const path = join(folder, 'copy.run');
  try {
    await pullRun(database, run, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
