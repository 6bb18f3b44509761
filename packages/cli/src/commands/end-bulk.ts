import { resolve } from 'node:path';
import type { BulkResult } from '@unroll/engine';
import type { BulkJob, BulkOutcome, BulkSettings } from '@unroll/project';
import { bulkOutcomeJson } from '../bulk/bulk-outcome.ts';
import { bulkSummaryText } from '../bulk/bulk-summary.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { runArgument } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { writeBulkOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** Prints how a run ended and what may come next. */
export function tell(outcome: BulkOutcome, job: BulkJob, call: CommandCall): void {
  const { io, options } = call;
  const { record } = outcome;
  const folder = textOf(options, 'outputDir');
  const json = bulkOutcomeJson(outcome);
  if (folder !== undefined) writeBulkOutputs(resolve(io.folder, folder), job.store, stringifyJsonLine(json, 2));
  if (options['json'] === true) {
    io.stdout.write(stringifyJsonLine(json));
    return;
  }
  if (options['quiet'] === true) {
    io.stdout.write(`${record.id}\n`);
    return;
  }
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const summary = { ...outcome, run: runArgument(record.id, options), next: nextCommands(outcome, job, call) };
  io.stdout.write(bulkSummaryText(summary, style, io.stdout.columns));
}

function nextCommands({ result, budget: reached }: BulkOutcome, job: BulkJob, call: CommandCall): readonly string[] {
  const { stopped, failed } = result;
  const limits = Object.keys(job.settings.budget ?? {}).map((limit) => ` --budget-${limit} …`);
  return [
    ...(stopped ? [`${resumeCommand(job, call)}${reached === undefined ? '' : limits.join('')}`] : []),
    ...(!stopped && failed > 0 ? [goOnCommand('run --retry-failed', job, call)] : []),
    runCommand('show', job, call),
  ];
}

export function resumeCommand(job: BulkJob, call: CommandCall): string {
  return goOnCommand('run --resume', job, call);
}

/** Rows of standard input are to be given again. */
function goOnCommand(command: string, job: BulkJob, call: CommandCall): string {
  return `${runCommand(command, job, call)}${job.settings.data === '-' ? ' --data -' : ''}`;
}

function runCommand(command: string, { record }: BulkJob, { options }: CommandCall): string {
  return `flow ${command} ${runArgument(record.id, options)}`;
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
