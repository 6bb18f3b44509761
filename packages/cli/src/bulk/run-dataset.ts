import { type BulkOutcome, type Project, type ProjectHost, projectOn } from '@unroll/project';
import { engineAddress } from '../engine/with-engine.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { makeOutputFolder, writeBulkOutputs } from '../runs/write-outputs.ts';
import { bulkOutcomeJson } from './bulk-outcome.ts';
import { createOutcomeReporter, exitCodeOf } from './end-bulk.ts';
import { followRun } from './follow-run.ts';
import { givenCassette, givenPace, type RunOptions, readBulkSettings } from './read-bulk-settings.ts';
import { detach, resumeDetached, resumeThere, runThere } from './run-on-engine.ts';

/** Runs a flow over all rows of its data, each recorded. */
export async function startBulk(given: RunOptions, settings: RunSettings, io: Io): Promise<number> {
  if (engineAddress(settings, io) === undefined) {
    const { flow, ...asked } = given;
    return await runFollowed(
      settings,
      io,
      (host, signal) => projectOn(host).runDataset(flow, { ...asked, signal }).result,
    );
  }
  if (settings.detach) return await detach(given, settings, hostOf(settings, io), io);
  return await runFollowed(settings, io, (host, signal) => runThere(given, settings, host, signal, io));
}

/** Goes on with a recorded run: with the rows that are missing, and for `retryFailed` with those that failed. */
export async function resumeBulk(
  run: string,
  mode: 'resume' | 'retryFailed',
  settings: RunSettings,
  io: Io,
): Promise<number> {
  if (engineAddress(settings, io) !== undefined) {
    if (settings.detach) return await resumeDetached(run, mode, settings, hostOf(settings, io), io);
    return await runFollowed(settings, io, (host, signal) => resumeThere(run, mode, settings, host, signal, io));
  }
  const { environment, init } = readBulkSettings(settings, io);
  const { data, force, durable } = settings;
  const asked = {
    environment,
    init,
    ...givenPace(settings),
    data,
    cassette: givenCassette(settings),
    ignoresEarlier: !settings.cache,
    force,
    durable,
  };
  return await runFollowed(settings, io, (host, signal) => projectOn(host)[mode](run, { ...asked, signal }).result);
}

/** Runs to the end, tells it, and gives the exit code. */
async function runFollowed(
  settings: RunSettings,
  io: Io,
  start: (host: ProjectHost, signal: AbortSignal) => Promise<BulkOutcome>,
): Promise<number> {
  if (settings.outputDir !== undefined) makeOutputFolder(settings.outputDir, io);
  const { signal, reporter, explained } = followRun(settings, io);
  const host = hostOf(settings, io, [reporter, createOutcomeReporter(settings, io)]);
  try {
    const outcome = await start(host, signal);
    if (settings.outputDir !== undefined) await writeOutputDir(settings.outputDir, outcome, projectOn(host), io);
    return exitCodeOf(outcome.result, settings.allowFailures);
  } catch (error) {
    throw explained(error);
  }
}

async function writeOutputDir(folder: string, outcome: BulkOutcome, { runs }: Project, io: Io): Promise<void> {
  await using store = await runs.open(outcome.record.file);
  await writeBulkOutputs(folder, store, stringifyJsonLine(bulkOutcomeJson(outcome), 2), io);
}
