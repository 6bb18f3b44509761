import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DiffReport, ProjectHost } from '@unroll/project';
import {
  buildReport,
  chooseRuns,
  type DiffRequest,
  type OpenRun,
  onDamageOf,
  openRecord,
  shownPath,
} from '@unroll/project';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyMarkdown } from '../diff/stringify-markdown.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { DiffSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow diff`: what two runs differ in, node by node, and why. */
export async function diff(settings: DiffSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const runs = await chooseRuns(runsOf(settings), host);
  const limit = settings.limit ?? 12;
  const html = settings.html;
  const left = openRun(runs.before, host);
  await using _left = left.store;
  const right = openRun(runs.after, host);
  await using _right = right.store;
  const request: DiffRequest = {
    left,
    right,
    renames: settings.renames ?? new Map(),
    key: settings.key,
    byIteration: settings.byIteration,
    node: settings.node ?? settings.family,
    only: settings.only,
    rows: settings.rows ?? (html === undefined ? 5 : 50),
    folder: io.folder,
  };
  const report = await buildReport(request);
  if (html !== undefined) {
    const { stringifyHtml } = await import('../diff/stringify-html.ts');
    writeFileSync(
      resolve(io.folder, html),
      io.redactor.text(await stringifyHtml(report, left.store.info, right.store.info)),
    );
    io.stderr.write(`${html} written\n`);
  }
  if (html === undefined || settings.json) io.stdout.write(printReport(report, limit, settings, io));
  else io.stdout.write(`${report.verdict}\n`);
  return settings.failsOnDifference && !report.isSame ? exitCode.failed : exitCode.done;
}

function printReport(report: DiffReport, limit: number, settings: DiffSettings, io: Io): string {
  if (settings.json) return diffJson(report);
  if (settings.format === 'markdown') return stringifyMarkdown(report, limit);
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  return stringifyText(report, { style, limit, columns: io.stdout.columns ?? 120 });
}

function openRun(path: string, host: ProjectHost): OpenRun {
  const store = openRecord(path, host);
  return { store, path, shownPath: shownPath(path, host.folder), onDamage: onDamageOf(path, host) };
}

function runsOf({ a, b }: DiffSettings): readonly string[] {
  return [a, b].filter((run) => run !== undefined);
}
