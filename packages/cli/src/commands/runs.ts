import { printJson } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { wholeNumberOf } from '../option-values.ts';
import { checkRuns } from '../runs/check-runs.ts';
import { removeRun } from '../runs/remove-run.ts';
import { type RunLine, readRunLine } from '../runs/run-line.ts';
import { findRun, listRunIds, runIdOf, runPath, runsFolder } from '../runs/runs-folder.ts';
import { formatAge, formatCount } from '../text/format-amounts.ts';
import { createStyle, type Paint, type Style, usesColor } from '../text/style.ts';
import { summarizeValue } from '../text/summarize-value.ts';
import { type Cell, table } from '../text/table.ts';

/** `flow runs`: what was recorded, newest first; `flow runs rm RUN …` removes some, `flow runs check RUN …` looks for damage. */
export async function runs(call: CommandCall): Promise<number> {
  const [action, ...named] = call.arguments;
  if (action === 'rm') return remove(named, call);
  if (action === 'check') return checkRuns(named, call);
  if (action !== undefined && action !== 'list') {
    throw new CommandFailure(`flow runs knows list, rm and check, not "${action}"`, {
      help: `flow show ${action} shows one run.`,
    });
  }
  const { options, io } = call;
  const folder = runsFolder(options, io);
  const ids = listRunIds(folder).slice(0, wholeNumberOf(options, 'number', 1) ?? 20);
  const listed: RunLine[] = [];
  for (const id of ids) listed.push(await readRunLine(id, runPath(folder, id)));
  if (options['json'] === true) io.stdout.write(`${printJson(listed, 2)}\n`);
  else if (listed.length === 0) io.stdout.write(`no runs in ${folder} yet: flow run FLOW makes one\n`);
  else {
    const style = createStyle(usesColor(io.stdout, io, options['color']));
    io.stdout.write(runsTable(listed, { columns: io.stdout.columns ?? 120, now: io.now(), style }));
  }
  return exitCode.done;
}

function remove(named: readonly string[], { options, io }: CommandCall): number {
  if (named.length === 0) throw new CommandFailure('which runs? flow runs rm RUN …');
  const folder = runsFolder(options, io);
  const found = named.map((name) => findRun(name, folder, io));
  for (const path of new Set(found)) {
    const id = runIdOf(path);
    removeRun(path, id);
    io.stdout.write(`removed ${id}\n`);
  }
  return exitCode.done;
}

function runsTable(
  lines: readonly RunLine[],
  { columns, now, style }: { readonly columns: number; readonly now: number; readonly style: Style },
): string {
  const titles = [
    { title: 'run' },
    { title: 'status' },
    { title: 'rows', isNumber: true },
    { title: 'failed', isNumber: true },
    { title: 'flow' },
    { title: 'age', isNumber: true },
    { title: 'about' },
  ];
  const room = Math.max(20, columns - Math.max(...lines.map(({ id, flow }) => id.length + flow.length)) - 48);
  const cells = lines.map((line): readonly Cell[] => [
    { text: line.id },
    { text: line.status.toLowerCase(), paint: paintOf(line, style) },
    { text: rowsText(line) },
    { text: line.failed === 0 ? '' : formatCount(line.failed), paint: style.bad },
    { text: line.flow },
    { text: formatAge(now - Date.parse(line.started_at)) },
    { text: summarizeValue(line.about, room), paint: style.dim },
  ]);
  return table(titles, cells, style.dim);
}

/** `12`, or `12/200` while not all have run. */
function rowsText({ rows, total }: RunLine): string {
  return total === null || total === rows ? formatCount(rows) : `${formatCount(rows)}/${formatCount(total)}`;
}

function paintOf({ status }: RunLine, style: Style): Paint | undefined {
  if (status === 'Failed' || status === 'Unreadable') return style.bad;
  return status === 'Completed' ? undefined : style.warn;
}
