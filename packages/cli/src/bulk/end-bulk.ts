import { resolve } from 'node:path';
import type { BulkResult } from '@unroll/engine';
import type { BulkJob, BulkOutcome, BulkSettings } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { type OutputSettings, runArgument } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { writeBulkOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { bulkOutcomeJson } from './bulk-outcome.ts';
import { bulkSummaryText } from './bulk-summary.ts';

interface EndSettings extends OutputSettings {
  readonly outputDir?: string | undefined;
}

/** Prints how a run ended and what may come next, then writes what it gave where that is asked for. */
export async function reportOutcome(outcome: BulkOutcome, job: BulkJob, settings: EndSettings, io: Io): Promise<void> {
  const json = bulkOutcomeJson(outcome);
  print(outcome, job, settings, io);
  const folder = settings.outputDir;
  if (folder !== undefined) await writeBulkOutputs(resolve(io.folder, folder), job.store, stringifyJsonLine(json, 2));
}

function print(outcome: BulkOutcome, job: BulkJob, settings: EndSettings, io: Io): void {
  const { record } = outcome;
  if (settings.json) {
    io.stdout.write(stringifyJsonLine(bulkOutcomeJson(outcome)));
    return;
  }
  if (settings.quiet) {
    io.stdout.write(`${record.id}\n`);
    return;
  }
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const summary = { ...outcome, run: runArgument(record.id, settings), next: nextCommands(outcome, job, settings) };
  io.stdout.write(bulkSummaryText(summary, style, io.stdout.columns));
}

function nextCommands(
  { result, budget: reached }: BulkOutcome,
  job: BulkJob,
  settings: OutputSettings,
): readonly string[] {
  const { stopped, failed } = result;
  const limits = Object.keys(job.settings.budget ?? {}).map((limit) => ` --budget-${limit} …`);
  return [
    ...(stopped ? [`${resumeCommand(job, settings)}${reached === undefined ? '' : limits.join('')}`] : []),
    ...(!stopped && failed > 0 ? [goOnCommand('run --retry-failed', job, settings)] : []),
    runCommand('show', job, settings),
  ];
}

export function resumeCommand(job: BulkJob, settings: OutputSettings): string {
  return goOnCommand('run --resume', job, settings);
}

/** Rows of standard input are to be given again. */
function goOnCommand(command: string, job: BulkJob, settings: OutputSettings): string {
  return `${runCommand(command, job, settings)}${job.settings.data === '-' ? ' --data -' : ''}`;
}

function runCommand(command: string, { record }: BulkJob, settings: OutputSettings): string {
  return `flow ${command} ${runArgument(record.id, settings)}`;
}

/** Prompt flow's words (`BatchRunTimeoutError`). */
export function timedOutText({ timeoutMs = 0 }: BulkSettings): string {
  return `The batch run failed due to timeout [${timeoutMs / 1000}s]. Please adjust the timeout to a higher value.\n`;
}

/** As docs/cli.md lists them. */
export function exitCodeOf({ stopped, timedOut, failed, aggregation }: BulkResult, allowsFailures: boolean): number {
  if (timedOut) return exitCode.failed;
  if (stopped) return exitCode.interrupted;
  const hasFailed = failed > 0 || aggregation.some(({ status }) => status === 'Failed');
  return hasFailed && !allowsFailures ? exitCode.failed : exitCode.done;
}
