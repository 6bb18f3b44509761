import { allOf, type JsonObject, type RunMarks, type RunReader, thrownText, type WorkState } from '@unroll/engine';
import { bulkStatus } from '../bulk/bulk-status.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { lookAtRecord, type RunPlaces, workState } from '../records/open-record.ts';
import { isAtEngine, runIdOf } from '../records/record-place.ts';
import { bornAt } from '../records/runs-folder.ts';

/** What can be said of a recorded run without its flow. */
export interface RunSummary {
  readonly id: string;
  /** Name of its flow; empty where the record cannot be read. */
  readonly flow: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly status: 'Completed' | 'Failed' | 'Canceled' | 'Unfinished' | 'Running' | 'Unreadable';
  /** Rows that ended. */
  readonly rows: number;
  readonly failed: number;
  /** Rows there are to run; absent where they were not counted. */
  readonly total?: number | undefined;
  /** Of a run of one row. */
  readonly durationMs?: number;
  /** Inputs of the only row. */
  readonly inputs?: JsonObject;
  /** Data of a run over data. */
  readonly data?: string | undefined;
  /** Why the record cannot be read. */
  readonly problem?: string;
  /** What people say of it; absent where they say nothing. */
  readonly marks?: RunMarks;
}

/** What the list of runs says of one; a record that cannot be read is listed with the reason. */
export async function readRunSummary(place: string, host: RunPlaces): Promise<RunSummary> {
  try {
    await using store = await lookAtRecord(place, host);
    return await summaryOf(place, store, host);
  } catch (error) {
    return unreadableSummary(place, error);
  }
}

/** The same of a record that is open, and throws where it is damaged. */
export async function summaryOf(place: string, store: RunReader, host: RunPlaces): Promise<RunSummary> {
  const summarize = store.info.data === undefined ? rowSummary : bulkSummary;
  return { id: runIdOf(place), ...(await summarize(place, store, host)) };
}

/** @throws what it is given where nothing is wrong with the record itself */
export function unreadableSummary(place: string, error: unknown): RunSummary {
  if (isElsewhere(error)) throw error;
  const problem = thrownText(error);
  const startedAt = isAtEngine(place) ? 0 : bornAt(place);
  return { id: runIdOf(place), flow: '', startedAt, status: 'Unreadable', rows: 0, failed: 0, total: 0, problem };
}

/** Nothing is wrong with the record itself: its engine is not reached, or it was removed there. */
function isElsewhere(error: unknown): boolean {
  return error instanceof ProjectFailure && (error.code === 'EngineUnreachable' || error.code === 'RunNotFound');
}

async function bulkSummary(place: string, store: RunReader, host: RunPlaces): Promise<Omit<RunSummary, 'id'>> {
  const counts = await store.rowCounts();
  const { Completed: completed, Failed: failed, Canceled: canceled } = counts;
  const { data, flowName: flow, startedAt } = store.info;
  const status = await recordedStatus(place, store, host, counts);
  const rows = completed + failed + canceled;
  return { flow, startedAt, status, rows, failed, total: data?.total, data: data?.path };
}

/** How a run over data stands: at work, stopped before its last row, or ended. */
export async function recordedStatus(
  place: string,
  store: RunReader,
  host: RunPlaces,
  counts?: Awaited<ReturnType<RunReader['rowCounts']>>,
): Promise<'Completed' | 'Failed' | 'Canceled' | 'Running'> {
  const state = await workState(place, host);
  if (state === 'running') return 'Running';
  const { Completed: completed, Failed: failed } = counts ?? (await store.rowCounts());
  const total = store.info.data?.total;
  const stopped = total === undefined ? state === 'stopped' : completed + failed < total;
  return bulkStatus({ completed, failed, stopped });
}

/** Rows of a run without data (requests of a server) beyond which they are counted and not read. */
const maxRowsRead = 200;

async function rowSummary(place: string, store: RunReader, host: RunPlaces): Promise<Omit<RunSummary, 'id'>> {
  const { Completed, Failed: failed, Canceled: canceled } = await store.rowCounts();
  if (Completed + failed + canceled > maxRowsRead) return await countedSummary(store);
  const rows = await allOf(store.rows());
  return {
    flow: store.info.flowName,
    startedAt: store.info.startedAt,
    status: rowStatus(rows, await workState(place, host)),
    rows: rows.length,
    failed: rows.filter(({ status }) => status === 'Failed').length,
    total: rows.length,
    durationMs: rows.reduce((sum, row) => sum + row.durationMs, 0),
    inputs: rows[0]?.inputs ?? {},
  };
}

async function countedSummary(store: RunReader): Promise<Omit<RunSummary, 'id'>> {
  const { Completed, Failed: failed, Canceled: canceled } = await store.rowCounts();
  const { flowName: flow, startedAt } = store.info;
  const rows = Completed + failed + canceled;
  const ended = canceled > 0 ? 'Canceled' : (await store.unfinishedCount()) > 0 ? 'Unfinished' : 'Completed';
  return { flow, startedAt, status: failed > 0 ? 'Failed' : ended, rows, failed, total: rows };
}

function rowStatus(
  rows: readonly { readonly status: string; readonly unfinished?: readonly string[] }[],
  state: WorkState,
): RunSummary['status'] {
  if (rows.length === 0) return state === 'running' ? 'Running' : 'Canceled';
  if (rows.some(({ status }) => status === 'Failed')) return 'Failed';
  if (rows.some(({ status }) => status === 'Canceled')) return 'Canceled';
  return rows.some(({ unfinished }) => (unfinished ?? []).length > 0) ? 'Unfinished' : 'Completed';
}
