import { openSqliteRunStore, printJson, type RunStore } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { wholeNumberOf } from '../option-values.ts';
import { listRunIds, runPath, runsFolder } from '../runs/runs-folder.ts';
import { formatDuration } from '../text/format-amounts.ts';
import { createStyle, type Style, usesColor } from '../text/style.ts';
import { summarizeValue } from '../text/summarize-value.ts';
import { padWidth } from '../text/width.ts';

/** `flow runs`: what was recorded, newest first. */
export async function runs({ options, io }: CommandCall): Promise<number> {
  const folder = runsFolder(options, io);
  const ids = listRunIds(folder).slice(0, wholeNumberOf(options, 'number', 1) ?? 20);
  const listed: RunLine[] = [];
  for (const id of ids) listed.push(await readRun(id, runPath(folder, id)));
  if (options['json'] === true) io.stdout.write(`${printJson(listed, 2)}\n`);
  else if (listed.length === 0) io.stdout.write(`no runs in ${folder} yet: flow run FLOW makes one\n`);
  else
    io.stdout.write(
      runsTable(listed, io.stdout.columns ?? 120, createStyle(usesColor(io.stdout, io, options['color']))),
    );
  return exitCode.done;
}

/** A run as `flow runs --json` prints it. */
export type RunLine = {
  readonly id: string;
  readonly flow: string;
  readonly started_at: string;
  readonly status: 'Completed' | 'Failed' | 'Canceled' | 'Unfinished' | 'Running' | 'Unreadable';
  readonly rows: number;
  readonly duration_ms: number;
  /** Inputs of the first row, on one line. */
  readonly about: string;
};

async function readRun(id: string, path: string): Promise<RunLine> {
  try {
    await using store = openSqliteRunStore(path);
    return runLine(id, store);
  } catch (error) {
    const about = error instanceof Error ? error.message : String(error);
    return { id, flow: '', started_at: '', status: 'Unreadable', rows: 0, duration_ms: 0, about };
  }
}

function runLine(id: string, store: RunStore): RunLine {
  const rows = [...store.rows()];
  return {
    id,
    flow: store.info.flowName,
    started_at: new Date(store.info.startedAt).toISOString(),
    status: statusOf(rows),
    rows: rows.length,
    duration_ms: Math.round(rows.reduce((sum, row) => sum + row.durationMs, 0)),
    about: summarizeValue(rows[0]?.inputs ?? {}, 200),
  };
}

function statusOf(
  rows: readonly { readonly status: string; readonly unfinished?: readonly string[] }[],
): RunLine['status'] {
  if (rows.length === 0) return 'Running';
  if (rows.some(({ status }) => status === 'Failed')) return 'Failed';
  if (rows.some(({ status }) => status === 'Canceled')) return 'Canceled';
  return rows.some(({ unfinished }) => (unfinished ?? []).length > 0) ? 'Unfinished' : 'Completed';
}

function runsTable(lines: readonly RunLine[], columns: number, style: Style): string {
  const idWidth = Math.max(...lines.map(({ id }) => id.length));
  return lines
    .map((line) => {
      const head = `${padWidth(line.id, idWidth)}  ${padWidth(line.status.toLowerCase(), 10)}  ${formatDuration(line.duration_ms).padStart(9)}`;
      const about = summarizeValue(line.about, Math.max(20, columns - head.length - 3));
      return `${paintOf(line, style)(head)}  ${style.dim(about)}\n`;
    })
    .join('');
}

function paintOf({ status }: RunLine, style: Style): (text: string) => string {
  if (status === 'Failed' || status === 'Unreadable') return style.bad;
  return status === 'Completed' ? (text) => text : style.warn;
}
