import { type BulkOutcome, datasetSettings, type ProjectHost } from '@unroll/project';
import type { ResumeOnEngine } from '@unroll/queue';
import { withEngine } from '../engine/with-engine.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { engineArgument } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { givenPace, type RunOptions } from './read-bulk-settings.ts';

async function submitted({ flow, since, ...asked }: RunOptions, { durableNodes }: RunSettings, host: ProjectHost) {
  return { bulk: await datasetSettings(flow, asked, host), since, durableNodes };
}

/** Runs a flow over all rows of its data on workers, and brings the record here. */
export async function runThere(
  options: RunOptions,
  settings: RunSettings,
  host: ProjectHost,
  signal: AbortSignal,
  io: Io,
): Promise<BulkOutcome> {
  const run = await submitted(options, settings, host);
  return await withEngine(settings, io, 'run', ({ runOnEngine }, database) => runOnEngine(run, database, host, signal));
}

/** Hands a run to the workers, and prints how it is followed. */
export async function detach(options: RunOptions, settings: RunSettings, host: ProjectHost, io: Io): Promise<number> {
  const run = await submitted(options, settings, host);
  const id = await withEngine(settings, io, 'run', ({ detachOnEngine }, database) =>
    detachOnEngine(run, database, host),
  );
  return reportDetached(id, settings, io);
}

function reportDetached(id: string, settings: RunSettings, io: Io): number {
  if (settings.json) io.stdout.write(stringifyJsonLine({ event: 'run-detached', run_id: id }));
  else {
    io.stdout.write(`${id}\n`);
    if (!settings.quiet)
      io.stderr.write(`it runs on workers; flow attach ${id}${engineArgument(settings)} follows it\n`);
  }
  return exitCode.done;
}

/** Goes on with a run on workers. */
export async function resumeThere(
  run: string,
  mode: 'resume' | 'retryFailed',
  settings: RunSettings,
  host: ProjectHost,
  signal: AbortSignal,
  io: Io,
): Promise<BulkOutcome> {
  return await withEngine(settings, io, 'run', ({ resumeOnEngine }, database) =>
    resumeOnEngine(run, askedAgain(mode, settings), database, host, signal),
  );
}

/** Goes on with a run on workers, and leaves it to them. */
export async function resumeDetached(
  run: string,
  mode: 'resume' | 'retryFailed',
  settings: RunSettings,
  host: ProjectHost,
  io: Io,
): Promise<number> {
  const id = await withEngine(settings, io, 'run', ({ goOnDetached }, database) =>
    goOnDetached(run, askedAgain(mode, settings), database, host),
  );
  return reportDetached(id, settings, io);
}

function askedAgain(mode: 'resume' | 'retryFailed', settings: RunSettings): ResumeOnEngine {
  return { mode: mode === 'resume' ? 'resume' : 'retry-failed', pace: givenPace(settings) };
}
