import { stringifyJson } from '@unroll/engine';
import { ProjectFailure, projectOn, type Runs } from '@unroll/project';
import { formatAge, formatCount, summarizeValue } from '@unroll/project/words';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunsSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { checkRuns } from '../runs/check-runs.ts';
import { isMarkAction, markRun } from '../runs/mark-run.ts';
import { type RunLine, runLine } from '../runs/run-line.ts';
import { type Paint, type Style, styleOf } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';

/** `flow runs`: what was recorded, newest first; `flow runs rm RUN …` removes some, `flow runs check RUN …` looks for damage. */
export async function runs(settings: RunsSettings, io: Io): Promise<number> {
  const [action, ...named] = settings.action;
  const host = hostOf(settings, io);
  const catalog = projectOn(host).runs;
  const at = settings.engine === undefined ? 'folder' : 'engine';
  if (action === 'rm') return await remove(named, catalog, io);
  if (action === 'check') return await checkRuns(named, catalog, settings, io);
  if (isMarkAction(action)) return await markRun(action, named, catalog, settings, io);
  if (action !== undefined && action !== 'list') {
    throw new ProjectFailure(`flow runs knows list, rm, check, tag, untag, name and note, not "${action}"`, {
      help: `flow show ${action} shows one run.`,
    });
  }
  const listed = (await catalog.list({ limit: settings.number ?? 20, at, tag: settings.tag })).map(runLine);
  const isTagless = settings.tag === undefined || (await catalog.list({ limit: 1, at })).length === 0;
  const none = !isTagless
    ? `no run has the tag ${settings.tag}: flow runs tag RUN ${settings.tag} gives it`
    : at === 'folder'
      ? `no runs in ${catalog.folder} yet: flow run FLOW makes one`
      : `no runs at ${(await host.engine?.catalog())?.shown} yet: flow run FLOW --data DATA --engine makes one`;
  printRuns(listed, none, settings, io);
  return exitCode.done;
}

/** @param none what is said where there are none */
function printRuns(listed: readonly RunLine[], none: string, settings: RunsSettings, io: Io): void {
  if (settings.json) io.stdout.write(`${stringifyJson(listed, 2)}\n`);
  else if (listed.length === 0) io.stdout.write(`${none}\n`);
  else {
    const style = styleOf(io.stdout, io, settings.color);
    io.stdout.write(runsTable(listed, { columns: io.stdout.columns ?? 120, now: io.now(), style }));
  }
}

async function remove(named: readonly string[], catalog: Runs, io: Io): Promise<number> {
  if (named.length === 0) throw new ProjectFailure('which runs? flow runs rm RUN …');
  const records = await Promise.all(named.map((name) => catalog.find(name)));
  for (const [file, id] of new Map(records.map((record) => [record.file, record.id]))) {
    await catalog.remove(file);
    io.stdout.write(`removed ${id}\n`);
  }
  return exitCode.done;
}

function runsTable(
  lines: readonly RunLine[],
  { columns, now, style }: { readonly columns: number; readonly now: number; readonly style: Style },
): string {
  const isMarked = lines.some((line) => saidOf(line) !== '');
  const titles = [
    { title: 'run' },
    { title: 'status' },
    { title: 'rows', isNumber: true },
    { title: 'failed', isNumber: true },
    { title: 'flow' },
    { title: 'age', isNumber: true },
    ...(isMarked ? [{ title: 'name, tags' }] : []),
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
    ...(isMarked ? [{ text: saidOf(line) }] : []),
    { text: summarizeValue(line.about, room), paint: style.dim },
  ]);
  return table(titles, cells, style.dim);
}

/** `before the new prompt #keep #monday` */
function saidOf({ name, tags }: RunLine): string {
  return [...(name === null ? [] : [name]), ...tags.map((tag) => `#${tag}`)].join(' ');
}

/** `12`, or `12/200` while not all have run. */
function rowsText({ rows, total }: RunLine): string {
  return total === null || total === rows ? formatCount(rows) : `${formatCount(rows)}/${formatCount(total)}`;
}

function paintOf({ status }: RunLine, style: Style): Paint | undefined {
  if (status === 'Failed' || status === 'Unreadable') return style.bad;
  return status === 'Completed' ? undefined : style.warn;
}
