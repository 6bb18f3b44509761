import { shellWord } from '@unroll/engine/values';
import {
  isAtEngine,
  otlpTarget,
  type ProjectHost,
  type Reporter,
  reportToAll,
  runIdOf,
  runsFolder,
  Telemetry,
} from '@unroll/project';
import { engineRunsOf } from './engine/engine-runs.ts';
import type { Io } from './io.ts';
import type { OutputSettings } from './output-settings.ts';
import { everyReporter } from './reporters/every-reporter.ts';

/** What a command's project stands on; everything that happens in it goes to the reporters. */
export function hostOf(settings: OutputSettings, io: Io, reporters: readonly Reporter[] = []): ProjectHost {
  const target = otlpTarget(io.environment, settings.otlp);
  return {
    folder: io.folder,
    environment: io.environment,
    redactor: io.redactor,
    runsFolder: runsFolder(settings.runsDir, io),
    now: () => io.now(),
    steadyNow: () => io.steadyNow(),
    randomText: () => io.randomText(),
    stdin: () => io.stdin(),
    report: reportToAll([...everyReporter(settings, io), ...reporters]),
    engine: engineRunsOf(settings, io),
    telemetry: target && new Telemetry(target),
  };
}

/** A run as a further command names it: where runs are kept elsewhere, that too. */
export function runArgument(id: string, { runsDir }: OutputSettings): string {
  return runsDir === undefined ? id : `${id} --runs-dir ${shellWord(runsDir)}`;
}

/**
 * The same of a run that is read where it is: a file that was typed is named as it was, and one of an engine that was typed
 * is found there again.
 *
 * @param place of its record
 */
export function placeArgument(place: string, settings: OutputSettings & { readonly run?: string | undefined }): string {
  const { run } = settings;
  if (run?.endsWith('.run') === true) return shellWord(run);
  return `${runArgument(runIdOf(place), settings)}${isAtEngine(place) ? engineArgument(settings) : ''}`;
}

/** The engine as a further command names it, without its password; nothing where a variable names it. */
export function engineArgument({ engine }: OutputSettings): string {
  if (engine === undefined) return '';
  const url = URL.canParse(engine) ? new URL(engine) : undefined;
  if (url === undefined) return ' --engine …';
  url.password = '';
  return ` --engine ${url.href}`;
}
