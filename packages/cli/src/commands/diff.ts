import { type DiffReport, projectOn } from '@unroll/project';
import { diffJson } from '../diff/diff-json.ts';
import { stringifyMarkdown } from '../diff/stringify-markdown.ts';
import { stringifyText } from '../diff/stringify-text.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { DiffSettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { styleOf } from '../text/style.ts';

/** `flow diff`: what two runs differ in, node by node, and why. */
export async function diff(settings: DiffSettings, io: Io): Promise<number> {
  const host = hostOf(settings, io);
  const limit = settings.limit ?? 12;
  const { html, a, b, key, byIteration, only } = settings;
  const report = await projectOn(host).diff(a, b, {
    ...{ key, byIteration, only, node: settings.node ?? settings.family },
    renames: Object.fromEntries(settings.renames ?? []),
    rows: settings.rows ?? (html === undefined ? 5 : 50),
  });
  if (html !== undefined) {
    const { writeDiffPage } = await import('../diff/write-diff-page.ts');
    await writeDiffPage(html, report, settings, host);
    io.stderr.write(`${html} written\n`);
  }
  if (html === undefined || settings.json) io.stdout.write(printReport(report, limit, settings, io));
  else io.stdout.write(`${report.verdict}\n`);
  return settings.failsOnDifference && !report.isSame ? exitCode.failed : exitCode.done;
}

function printReport(report: DiffReport, limit: number, settings: DiffSettings, io: Io): string {
  if (settings.json) return diffJson(report);
  if (settings.format === 'markdown') return stringifyMarkdown(report, limit);
  const style = styleOf(io.stdout, io, settings.color);
  return stringifyText(report, { style, limit, columns: io.stdout.columns ?? 120 });
}
