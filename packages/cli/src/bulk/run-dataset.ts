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
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf, type OutputSettings } from '../project-host.ts';
import { exitCodeOf, reportOutcome, resumeCommand, timedOutText } from './end-bulk.ts';
import { followBulk } from './follow-bulk.ts';
import { givenCassette, givenPace, readBulkSettings } from './read-bulk-settings.ts';

/** Runs a flow over all rows of its data, each recorded. */
export async function startBulk(bulk: BulkSettings, settings: RunSettings, io: Io): Promise<number> {
  return await withNewBulk(bulk, hostOf(settings, io), (job) => execute(job, settings, io));
}

/** Goes on with a recorded run: with the rows that are missing, and for `retry-failed` with those that failed. */
export async function resumeBulk(
  run: string,
  mode: 'resume' | 'retry-failed',
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const { environment, init } = readBulkSettings(settings, io);
  const { data, force, durable } = settings;
  const asked = {
    ...{ mode, environment, init, pace: givenPace(settings, io), data, cassette: givenCassette(settings) },
    ...{ ignoresEarlier: !settings.cache, force, durable },
  };
  return await withResumedBulk(run, asked, hostOf(settings, io), (job) => execute(job, settings, io));
}

/** Runs a flow over all rows for another command to go on with the record; progress is shown, no summary. */
export async function runForRecord(
  bulk: BulkSettings,
  { json = false, quiet = false, ...settings }: OutputSettings,
  io: Io,
  given?: GivenOutputs,
): Promise<{ readonly file: string; readonly stopped: boolean }> {
  const quietly = { ...settings, quiet: json || quiet };
  const work = async (job: BulkJob): Promise<{ readonly file: string; readonly stopped: boolean }> => {
    const { result } = await runJob(job, quietly, io);
    return { file: job.record.file, stopped: result.stopped };
  };
  return await withNewBulk(bulk, hostOf(quietly, io), work, given);
}

/** Runs to the end, tells it, and gives the exit code. */
async function execute(job: BulkJob, settings: RunSettings, io: Io): Promise<number> {
  const outcome = await runJob(job, settings, io);
  await reportOutcome(outcome, job, settings, io);
  return exitCodeOf(outcome.result, settings.allowFailures);
}

async function runJob(job: BulkJob, settings: OutputSettings, io: Io): Promise<BulkOutcome> {
  const following = followBulk(job, settings, io);
  try {
    const outcome = await runBulkJob(job, hostOf(settings, io), following);
    if (outcome.result.timedOut) io.stderr.write(timedOutText(job.settings));
    return outcome;
  } catch (error) {
    following.end();
    if (!(error instanceof ProjectFailure) || error.code !== 'RecordNotWritable') throw error;
    const help = `What was recorded is kept; once there is room the run goes on with\n  ${resumeCommand(job, settings)}`;
    throw new ProjectFailure(error.message, { help, code: error.code, kind: error.kind });
  }
}
