import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ChangeKind, changeKinds } from '@unroll/evals';
import type { DiffReport, ProjectHost } from '@unroll/project';
import {
  buildReport,
  chooseRuns,
  type DiffRequest,
  type OpenRun,
  onDamageOf,
  openRecord,
  ProjectFailure,
  shownPath,
} from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyMarkdown } from '../diff/stringify-markdown.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, textOf, wholeNumberOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow diff`: what two runs differ in, node by node, and why. */
export async function diff(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const host = hostOf(call);
  const runs = await chooseRuns(call.arguments, host);
  const renames = renamesOf(listOf(options, 'rename'));
  const rows = wholeNumberOf(options, 'rows', 0);
  const limit = wholeNumberOf(options, 'limit', 1) ?? 12;
  const html = textOf(options, 'html');
  const left = openRun(runs.before, host);
  await using _left = left.store;
  const right = openRun(runs.after, host);
  await using _right = right.store;
  const request: DiffRequest = {
    left,
    right,
    renames,
    key: textOf(options, 'key'),
    byIteration: options['byIteration'] === true,
    node: textOf(options, 'node') ?? textOf(options, 'family'),
    only: onlyOf(textOf(options, 'only')),
    rows: rows ?? (html === undefined ? 5 : 50),
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
  if (html === undefined || options['json'] === true) io.stdout.write(printReport(report, limit, call));
  else io.stdout.write(`${report.verdict}\n`);
  return options['exitCode'] === true && !report.isSame ? exitCode.failed : exitCode.done;
}

function printReport(report: DiffReport, limit: number, { options, io }: CommandCall): string {
  if (options['json'] === true) return diffJson(report);
  if (options['format'] === 'markdown') return stringifyMarkdown(report, limit);
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  return stringifyText(report, { style, limit, columns: io.stdout.columns ?? 120 });
}

function openRun(path: string, host: ProjectHost): OpenRun {
  const store = openRecord(path, host);
  return { store, path, shownPath: shownPath(path, host.folder), onDamage: onDamageOf(path, host) };
}

/** @throws ProjectFailure when one is not of the form `old=new` */
function renamesOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [, old, name] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
      if (old === undefined || name === undefined) throw new ProjectFailure(`--rename takes old=new, not "${text}"`);
      return [old, name];
    }),
  );
}

/** `cause` stands for `both` as well: there, too, the definition changed. */
function onlyOf(given: string | undefined): readonly ChangeKind[] | undefined {
  if (given === undefined) return undefined;
  const kind = changeKinds.find((known) => known === given);
  if (kind === undefined) throw new ProjectFailure(`--only takes ${changeKinds.join(', ')}, not "${given}"`);
  return kind === 'cause' ? ['cause', 'both'] : [kind];
}
