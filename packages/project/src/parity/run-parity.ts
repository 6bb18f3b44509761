import { allOf, type BulkResult, type DataRow, type RunReader } from '@unroll/engine';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';
import { buildReport } from '../diff/build-report.ts';
import type { DiffReport } from '../diff/diff-report.ts';
import { openRun } from '../diff/open-run.ts';
import { findFlow } from '../flows/find-flow.ts';
import { type FlowForRun, openForRun } from '../flows/open-for-run.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { type RecordedRun, recordRun } from '../records/record-run.ts';
import { lockRun } from '../records/run-lock.ts';

/** How a flow now compares with a recorded run of it. */
export interface Parity {
  /** What differs node by node; absent where the run was stopped before its last row. */
  readonly report?: DiffReport;
  /** The run that was made, as it can be typed. */
  readonly record: string;
}

export interface ParityAsk {
  readonly flow: string | undefined;
  /** The recorded run whose rows are run again. */
  readonly run: string;
  /** How many differing rows to tell in full. */
  readonly rows: number;
}

/** A flow run again on the rows of an earlier run, an imported one above all, and what then differs. */
export async function runParity(
  asked: ParityAsk,
  settings: BulkSettings,
  host: ProjectHost,
  signal?: AbortSignal,
): Promise<Parity> {
  const found = findFlow(asked.flow, host);
  const opened = await openForRun(found, settings, host);
  await using flow = opened.flow;
  const path = await findRun(asked.run, host);
  await using earlier = await openRecord(path, host);
  const rows = await rowsOf(earlier);
  const about = { data: { total: rows.length } };
  const record = recordRun(flow, found, { options: { parity_with: earlier.info.id }, ...about }, host);
  const { stopped } = await runRows(rows, { opened, settings, record, earlier }, host, signal);
  if (stopped) return { record: record.path };
  await using left = await openRun(path, host);
  await using right = await openRun(record.file, host);
  const report = await buildReport({
    left,
    right,
    renames: new Map(),
    key: undefined,
    byIteration: false,
    node: undefined,
    only: undefined,
    rows: asked.rows,
    folder: host.folder,
  });
  return { report, record: record.path };
}

/** The rows of a run as data, failed ones too. */
async function rowsOf(earlier: RunReader): Promise<readonly DataRow[]> {
  const rows = (await allOf(earlier.rows())).filter(({ repeat = 0 }) => repeat === 0);
  return rows.map(({ line, inputs }) => ({ line, values: inputs }));
}

interface Again {
  readonly opened: FlowForRun;
  readonly settings: BulkSettings;
  readonly record: RecordedRun;
  readonly earlier: RunReader;
}

async function runRows(
  rows: readonly DataRow[],
  { opened, settings, record: { store, id, file, path }, earlier }: Again,
  host: ProjectHost,
  signal: AbortSignal | undefined,
): Promise<BulkResult> {
  await using _store = store;
  using lock = lockRun(file, id);
  const asData = { data: { total: rows.length }, mapping: {}, about: `run ${earlier.info.id}` };
  const { result } = await runBulkJob(
    {
      opened,
      settings,
      store,
      lock,
      rows: { ...asData, rows: eachRow(rows) },
      record: { id, file, path },
      isResumed: false,
    },
    host,
    signal,
  );
  return result;
}

async function* eachRow(rows: readonly DataRow[]): AsyncGenerator<DataRow, void> {
  yield* rows;
}
