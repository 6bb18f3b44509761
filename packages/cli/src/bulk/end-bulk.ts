import type { BulkResult } from '@unroll/engine';
import type { BulkOutcome, DatasetRunStarted, Reporter } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { engineArgument, runArgument } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';
import { bulkOutcomeJson } from './bulk-outcome.ts';
import { bulkSummaryText } from './bulk-summary.ts';

/** Prints how a run over data ended and what may come next. */
export function createOutcomeReporter(settings: OutcomeSettings, io: Io): Reporter {
  let started: DatasetRunStarted | undefined;
  return (event) => {
    if (event.type === 'run-started' && event.kind === 'dataset') started = event;
    if (event.type !== 'run-ended' || event.outcome.kind !== 'dataset' || started === undefined) return;
    print(event.outcome, started, settings, io);
  };
}

interface OutcomeSettings extends OutputSettings {
  /** The record is not on this machine. */
  readonly isElsewhere?: boolean;
}

function print(outcome: BulkOutcome, started: DatasetRunStarted, settings: OutcomeSettings, io: Io): void {
  const { record } = outcome;
  if (settings.json) {
    io.stdout.write(stringifyJsonLine(bulkOutcomeJson(outcome)));
    return;
  }
  if (settings.quiet) {
    io.stdout.write(`${record.id}\n`);
    return;
  }
  const style = styleOf(io.stdout, io, settings.color);
  const { isResumed } = started;
  const next = nextCommands(outcome, started, settings);
  const summary = { ...outcome, run: runArgument(record.id, settings), next, isResumed };
  io.stdout.write(bulkSummaryText(summary, style, io.stdout.columns));
}

/** What a further command needs to know of a run: rows of standard input are to be given again. */
type Named = Pick<DatasetRunStarted, 'record' | 'data'>;

function nextCommands(
  { result, budget: reached, limits }: BulkOutcome,
  started: Named,
  settings: OutcomeSettings,
): readonly string[] {
  const { stopped, failed } = result;
  const larger = Object.keys(limits.budget ?? {}).map((limit) => ` --budget-${limit} …`);
  return [
    ...(stopped ? [`${resumeCommand(started, settings)}${reached === undefined ? '' : larger.join('')}`] : []),
    ...(!stopped && failed > 0 ? [goOnCommand('run --retry-failed', started, settings)] : []),
    settings.isElsewhere === true ? goOnCommand('pull', started, settings) : runCommand('show', started, settings),
  ];
}

export function resumeCommand(run: Named, settings: OutputSettings): string {
  return goOnCommand('run --resume', run, settings);
}

function goOnCommand(command: string, run: Named, settings: OutputSettings): string {
  const elsewhere = engineArgument(settings);
  // An engine has the rows.
  const data = run.data === '-' && elsewhere === '' ? ' --data -' : '';
  return `${runCommand(command, run, settings)}${data}${elsewhere}`;
}

function runCommand(command: string, { record }: Named, settings: OutputSettings): string {
  return `flow ${command} ${runArgument(record.id, settings)}`;
}

/** As docs/cli.md lists them. */
export function exitCodeOf({ stopped, timedOut, failed, aggregation }: BulkResult, allowsFailures: boolean): number {
  if (timedOut) return exitCode.failed;
  if (stopped) return exitCode.interrupted;
  const hasFailed = failed > 0 || aggregation.some(({ status }) => status === 'Failed');
  return hasFailed && !allowsFailures ? exitCode.failed : exitCode.done;
}
