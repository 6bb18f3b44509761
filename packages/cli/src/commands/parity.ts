import { type DataRow, type RunStore, runBulk } from '@unroll/engine';
import {
  buildReport,
  findFlow,
  findRun,
  type OpenRun,
  onDamageOf,
  openForRun,
  openRecord,
  recordRun,
  shownPath,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ParitySettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow parity`: a flow run again on the rows of an earlier run, an imported one above all, and what then differs. */
export async function parity(settings: ParitySettings, io: Io): Promise<number> {
  const bulk = readBulkSettings({ ...settings, run: undefined, rows: undefined }, io);
  const found = findFlow(settings.flow, io);
  const opened = await openForRun(found, bulk, hostOf(settings, io));
  await using flow = opened.flow;
  const path = findRun(settings.run, hostOf(settings, io));
  await using earlier = openRecord(path, hostOf(settings, io));
  const rows = rowsOf(earlier);
  const about = { data: { total: rows.length } };
  const record = recordRun(flow, found, { options: { parity_with: earlier.info.id }, ...about }, hostOf(settings, io));
  const { stopped } = await runRows(flow, rows, record, bulk, settings, io);
  if (stopped) return exitCode.interrupted;
  await using again = openRecord(record.file, hostOf(settings, io));
  const report = await buildReport({
    left: {
      store: earlier,
      path,
      shownPath: shownPath(path, io.folder),
      onDamage: onDamageOf(path, hostOf(settings, io)),
    },
    right: {
      store: again,
      path: record.file,
      shownPath: record.path,
      onDamage: onDamageOf(record.file, hostOf(settings, io)),
    },
    renames: new Map(),
    key: undefined,
    byIteration: false,
    node: undefined,
    only: undefined,
    rows: settings.rows ?? 5,
    folder: io.folder,
  } satisfies { readonly left: OpenRun } & Parameters<typeof buildReport>[0]);
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const text = stringifyText(report, { style, limit: 12, columns: io.stdout.columns ?? 120 });
  io.stdout.write(settings.json ? diffJson(report) : text);
  return report.isSame ? exitCode.done : exitCode.failed;
}

/** The rows of a run as data, failed ones too. */
function rowsOf(earlier: RunStore): readonly DataRow[] {
  const rows = [...earlier.rows()].filter(({ repeat = 0 }) => repeat === 0);
  return rows.map(({ line, inputs }) => ({ line, values: inputs }));
}

async function runRows(
  flow: Parameters<typeof runBulk>[0],
  rows: readonly DataRow[],
  record: ReturnType<typeof recordRun>,
  { concurrency, rowTimeoutMs }: ReturnType<typeof readBulkSettings>,
  settings: ParitySettings,
  io: Io,
): ReturnType<typeof runBulk> {
  await using store = record.store;
  let ended = 0;
  const tells = !settings.json && !settings.quiet;
  return await runBulk(flow, rows, store, {
    runId: record.id,
    concurrency,
    rowTimeoutMs,
    stop: io.interruption(),
    onEvent: ({ type }) => {
      if (type !== 'row-ended') return;
      ended += 1;
      const isStep = ended === rows.length || ended % Math.ceil(rows.length / 10) === 0;
      if (tells && isStep) io.stderr.write(`${ended} of ${rows.length} rows run again\n`);
    },
  });
}
