import { resolve } from 'node:path';
import type { BulkResult } from '@unroll/engine';
import { bulkOutcomeJson, bulkStatus } from '../bulk/bulk-outcome.ts';
import { bulkSummaryText } from '../bulk/bulk-summary.ts';
import type { ProgressView } from '../bulk/progress.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { runArgument } from '../project-host.ts';
import { printJsonLine } from '../runs/run-result.ts';
import { writeBulkOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';
import type { Execution, Reached } from './execute-bulk.ts';

/** Prints how a run ended and what may come next. */
export function tell(result: BulkResult, view: ProgressView, execution: Execution, reached: Reached): void {
  const { record, store, call } = execution;
  const { io, options } = call;
  const status = bulkStatus(result);
  const metrics = store.metrics();
  const outcome = bulkOutcomeJson({ status, view, metrics, record, budget: reached });
  const folder = textOf(options, 'outputDir');
  if (folder !== undefined) writeBulkOutputs(resolve(io.folder, folder), store, printJsonLine(outcome, 2));
  if (options['json'] === true) {
    io.stdout.write(printJsonLine(outcome));
    return;
  }
  if (options['quiet'] === true) {
    io.stdout.write(`${record.id}\n`);
    return;
  }
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const next = nextCommands(result, execution, reached);
  io.stdout.write(
    bulkSummaryText(
      { view, metrics, record, run: runArgument(record.id, call.options), status, next, budget: reached },
      style,
      io.stdout.columns,
    ),
  );
}

function nextCommands({ stopped, failed }: BulkResult, execution: Execution, reached: Reached): readonly string[] {
  const { budget = {} } = execution.settings;
  const limits = Object.keys(budget).map((limit) => ` --budget-${limit} …`);
  return [
    ...(stopped ? [`${resumeCommand(execution)}${reached === undefined ? '' : limits.join('')}`] : []),
    ...(!stopped && failed > 0 ? [goOnCommand('run --retry-failed', execution)] : []),
    runCommand('show', execution),
  ];
}

export function resumeCommand(execution: Execution): string {
  return goOnCommand('run --resume', execution);
}

/** Rows of standard input are to be given again. */
function goOnCommand(command: string, execution: Execution): string {
  return `${runCommand(command, execution)}${execution.settings.data === '-' ? ' --data -' : ''}`;
}

function runCommand(command: string, { record, call }: Execution): string {
  return `flow ${command} ${runArgument(record.id, call.options)}`;
}

/** As docs/cli.md lists them. */
export function exitCodeOf({ stopped, timedOut, failed, aggregation }: BulkResult, allowsFailures: boolean): number {
  if (timedOut) return exitCode.failed;
  if (stopped) return exitCode.interrupted;
  const hasFailed = failed > 0 || aggregation.some(({ status }) => status === 'Failed');
  return hasFailed && !allowsFailures ? exitCode.failed : exitCode.done;
}
