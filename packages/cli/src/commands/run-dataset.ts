import {
  type BulkJob,
  type BulkOutcome,
  type BulkSettings,
  type GivenOutputs,
  ProjectFailure,
  runBulkJob,
  withNewBulk,
  withResumedBulk,
} from '@unroll/project';
import { followBulk } from '../bulk/follow-bulk.ts';
import { givenCassette, givenPace, readBulkSettings } from '../bulk/read-bulk-settings.ts';
import type { CommandCall } from '../command-spec.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { exitCodeOf, resumeCommand, tell, timedOutText } from './end-bulk.ts';

/** Runs a flow over all rows of its data, each recorded. */
export async function startBulk(settings: BulkSettings, call: CommandCall): Promise<number> {
  return await withNewBulk(settings, hostOf(call), (job) => execute(job, call));
}

/** Goes on with a recorded run: with the rows that are missing, and for `retry-failed` with those that failed. */
export async function resumeBulk(given: string, mode: 'resume' | 'retry-failed', call: CommandCall): Promise<number> {
  const { options } = call;
  const { environment, init } = readBulkSettings(call);
  const asked = {
    ...{ mode, environment, init, pace: givenPace(call), data: textOf(options, 'data'), cassette: givenCassette(call) },
    ignoresEarlier: options['cache'] === false,
    force: options['force'] === true,
    durable: options['durable'] === true,
  };
  return await withResumedBulk(given, asked, hostOf(call), (job) => execute(job, call));
}

/** Runs a flow over all rows for another command to go on with the record; progress is shown, no summary. */
export async function runForRecord(
  settings: BulkSettings,
  call: CommandCall,
  given?: GivenOutputs,
): Promise<{ readonly file: string; readonly stopped: boolean }> {
  const { json, quiet, ...options } = call.options;
  const quietly = { ...call, options: { ...options, quiet: json === true || quiet === true } };
  const work = async (job: BulkJob): Promise<{ readonly file: string; readonly stopped: boolean }> => {
    const { result } = await perform(job, quietly);
    return { file: job.record.file, stopped: result.stopped };
  };
  return await withNewBulk(settings, hostOf(quietly), work, given);
}

/** Runs to the end, tells it, and gives the exit code. */
async function execute(job: BulkJob, call: CommandCall): Promise<number> {
  const outcome = await perform(job, call);
  tell(outcome, job, call);
  return exitCodeOf(outcome.result, call.options['allowFailures'] === true);
}

async function perform(job: BulkJob, call: CommandCall): Promise<BulkOutcome> {
  const following = followBulk(job, call);
  try {
    const outcome = await runBulkJob(job, hostOf(call), following);
    if (outcome.result.timedOut) call.io.stderr.write(timedOutText(job.settings));
    return outcome;
  } catch (error) {
    following.end();
    if (!(error instanceof ProjectFailure) || error.code !== 'RecordNotWritable') throw error;
    const help = `What was recorded is kept; once there is room the run goes on with\n  ${resumeCommand(job, call)}`;
    throw new ProjectFailure(error.message, { help, code: error.code, kind: error.kind });
  }
}
