import { type BulkResult, type DataRow, eachOf, type Plan, type RunReader, stringifyJson } from '@unroll/engine';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { hiddenOfRun, inputsOfRun } from '../bulk/run-as-data.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';
import { buildReport } from '../diff/build-report.ts';
import type { DiffReport } from '../diff/diff-report.ts';
import { openRun } from '../diff/open-run.ts';
import { findFlow } from '../flows/find-flow.ts';
import { type FlowForRun, openForRun } from '../flows/open-for-run.ts';
import { ProjectFailure } from '../host/project-failure.ts';
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
  const { rows, repeat } = await rowsOf(earlier, flow.plan);
  const about = { data: { total: rows.length } };
  const record = recordRun(flow, found, { options: { parity_with: earlier.info.id }, ...about }, host);
  const { stopped } = await runRows(rows, { opened, settings: { ...settings, repeat }, record, earlier }, host, signal);
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

interface EarlierRows {
  readonly rows: readonly DataRow[];
  /** How often each was run. */
  readonly repeat: number;
}

/** The rows of a run as data, failed ones too. */
async function rowsOf(earlier: RunReader, plan: Plan): Promise<EarlierRows> {
  const rows = await Array.fromAsync(inputsOfRun(earlier, plan));
  refuseHidden(rows, earlier, plan);
  let repeat = 1;
  for await (const end of eachOf(earlier.rowEnds())) repeat = Math.max(repeat, end.repeat + 1);
  return { rows, repeat };
}

/** What stands in a record for a value that is kept out of it. */
const stars = '***';

function refuseHidden(rows: readonly DataRow[], { info }: RunReader, { inputs }: Plan): void {
  const { names } = hiddenOfRun(info);
  const hidden = inputs.filter(({ name, type }) => type === 'secret' || names.includes(name));
  const missing = hidden.find(({ name }) =>
    rows.some((row) => 'values' in row && stringifyJson(row.values[name] ?? null).includes(stars)),
  );
  if (missing === undefined) return;
  throw new ProjectFailure(
    `run ${info.id} holds no value of the input "${missing.name}": its rows cannot be run again`,
    {
      help: 'Run the flow over the data of that run, and compare the two with flow diff.',
      code: 'InputHidden',
    },
  );
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
