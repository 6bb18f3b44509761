import { nearestName } from '@unroll/engine';
import { bulkStatus, ProjectFailure, type RunSummary } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { readStoredInfo } from '../record/stored-info.ts';
import type { RunState } from '../work/index.ts';

interface ListedRun {
  readonly id: string;
  readonly info: string;
  readonly state: RunState | null;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
}

/** Runs of the engine, newest first. @param most how many at most */
export async function listStoredRuns(database: Database, most: number): Promise<readonly RunSummary[]> {
  const { schema } = database;
  const runs = await database.query<ListedRun>(
    `SELECT r.id, r.info, w.state, e.completed, e.failed, e.canceled
     FROM (SELECT * FROM ${schema}.run ORDER BY number DESC LIMIT $1) r
     LEFT JOIN ${schema}.run_work w ON w.run = r.number,
     LATERAL (SELECT count(*) FILTER (WHERE status = 0) AS completed, count(*) FILTER (WHERE status = 2) AS failed,
       count(*) FILTER (WHERE status NOT IN (0, 2)) AS canceled FROM ${schema}.row_end WHERE run = r.number) e
     ORDER BY r.number DESC`,
    [most],
  );
  return runs.map(summaryOf);
}

/** One that cannot be read is listed with the reason. */
function summaryOf(run: ListedRun): RunSummary {
  try {
    return readSummary(run);
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    const problem = error.message;
    return { id: run.id, flow: '', startedAt: 0, status: 'Unreadable', rows: 0, failed: 0, total: 0, problem };
  }
}

function readSummary({ id, info: text, state, completed, failed, canceled }: ListedRun): RunSummary {
  const { flowName: flow, startedAt, data } = readStoredInfo(id, text);
  const isOver = state === 'ended' || state === 'stopped' || state === null;
  const status = isOver ? bulkStatus({ completed, failed, stopped: state !== 'ended' }) : 'Running';
  const rows = completed + failed + canceled;
  return { id, flow, startedAt, status, rows, failed, total: data?.total, data: data?.path };
}

/**
 * The id of the run a user names: by its id, the start of one, or `latest`.
 *
 * @throws ProjectFailure with the nearest name when there is none, or several
 */
export async function findStoredRunId(given: string, database: Database): Promise<string> {
  const { schema, shown } = database;
  const found = await database.query<{ readonly id: string }>(
    `SELECT id FROM ${schema}.run WHERE id = $1 OR starts_with(id, $1) OR $1 = 'latest' ORDER BY (id = $1) DESC, number DESC LIMIT 20`,
    [given.normalize('NFC')],
  );
  const [first, ...others] = found.map(({ id }) => id);
  if (first !== undefined && (first === given || given === 'latest' || others.length === 0)) return first;
  if (first !== undefined) {
    throw new ProjectFailure(`${others.length + 1} runs start with ${given}`, { help: [first, ...others].join('\n') });
  }
  const all = await database.query<{ readonly id: string }>(
    `SELECT id FROM ${schema}.run ORDER BY number DESC LIMIT 1000`,
  );
  const nearest = nearestName(
    given,
    all.map(({ id }) => id),
  );
  const lists = 'flow runs --engine lists them.';
  throw new ProjectFailure(`there is no run ${given} at ${shown}`, {
    code: 'RunNotFound',
    help: nearest === undefined ? lists : `Did you mean ${nearest}? ${lists}`,
  });
}
