import {
  type DatasetRunStarted,
  type ProjectEvent,
  ProjectFailure,
  type Reporter,
  type RunOutcome,
} from '@unroll/project';
import { interruptionOf } from '../interruption.ts';
import { type Io, outputClosed } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { resumeCommand } from './end-bulk.ts';
import { createProgressReporter } from './progress-reporter.ts';

/** A run over data, as the command line follows it. */
export interface FollowedRun {
  /** Aborted when the user interrupts: from the run's start on, or once judges are asked. */
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  /** What ended the run, with the command that goes on with it. */
  explained(error: unknown): unknown;
}

/** Tells of runs over data while they go on, and stops them when the user interrupts. */
export function followRun(settings: OutputSettings, io: Io): FollowedRun {
  const show = createProgressReporter(settings, io);
  let started: DatasetRunStarted | undefined;
  const resume = (): string => (started === undefined ? '' : resumeCommand(started, settings));
  const interruption = interruptionOf(io, () => {
    if (started === undefined) return;
    show({ type: 'rows-ended', stopped: true });
    io.stderr.write(`ended at once; it goes on with\n  ${resume()}\n`);
  });
  const { signal } = interruption;
  const isUnread = (): boolean => signal.reason === outputClosed;
  // Only when the rows have ended it is known whether there was anything left to stop.
  const reportUnread: Reporter = (event) => {
    if (event.type !== 'rows-ended' || !event.stopped || !isUnread()) return;
    io.stderr.write(`${unreadText}\n  ${resume()}\n`);
  };
  const shown: Reporter = (event) => {
    if (event.type !== 'run-stopping' || !isUnread()) show(event);
    reportUnread(event);
    if (event.type === 'run-ended') reportTimedOut(event.outcome, io);
  };
  const reporter: Reporter = (event) => {
    if (event.type === 'judging-started' || event.type === 'run-started') interruption.listen();
    // A run of given outputs is not shown, and nothing goes on with it.
    if (isDatasetRunStarted(event)) started = event.given === undefined ? event : undefined;
    if (started !== undefined) shown(event);
  };
  const explained = (error: unknown): unknown => {
    if (!(error instanceof ProjectFailure) || error.code !== 'RecordNotWritable' || started === undefined) return error;
    const help = `What was recorded is kept; once there is room the run goes on with\n  ${resume()}`;
    return new ProjectFailure(error.message, { help, code: error.code, kind: error.kind });
  };
  return { signal, reporter, explained };
}

function isDatasetRunStarted(event: ProjectEvent): event is DatasetRunStarted {
  return event.type === 'run-started' && event.kind === 'dataset';
}

/** A run costs money: one whose rows nobody looks at any more (`flow run --json | head`) is stopped as by Ctrl-C. */
const unreadText = 'stopped: nobody reads the output any more; the run goes on with';

/** Prompt flow's words (`BatchRunTimeoutError`). */
function reportTimedOut(outcome: RunOutcome, io: Io): void {
  if (outcome.kind !== 'dataset' || !outcome.result.timedOut) return;
  const seconds = (outcome.limits.timeoutMs ?? 0) / 1000;
  const advice = 'Please adjust the timeout to a higher value.';
  io.stderr.write(`The batch run failed due to timeout [${seconds}s]. ${advice}\n`);
}
