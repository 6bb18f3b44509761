import {
  isAtEngine,
  otlpTarget,
  type ProjectHost,
  type Reporter,
  type RunRecord,
  reportToAll,
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
    randomText: () => io.randomText(),
    stdin: () => io.stdin(),
    report: reportToAll([...everyReporter(settings, io), ...reporters]),
    engine: engineRunsOf(settings, io),
    telemetry: target && new Telemetry(target),
  };
}

/** A run as a further command names it: where runs are kept elsewhere, that too. */
export function runArgument(id: string, { runsDir }: OutputSettings): string {
  return runsDir === undefined ? id : `${id} --runs-dir ${runsDir}`;
}

/** The same of a run that is read where it is: one of an engine that was typed is found there again. */
export function recordArgument({ id, file }: RunRecord, settings: OutputSettings): string {
  return `${runArgument(id, settings)}${isAtEngine(file) ? engineArgument(settings) : ''}`;
}

/** The engine as a further command names it, without its password; nothing where a variable names it. */
export function engineArgument({ engine }: OutputSettings): string {
  if (engine === undefined) return '';
  const url = URL.canParse(engine) ? new URL(engine) : undefined;
  if (url === undefined) return ' --engine …';
  url.password = '';
  return ` --engine ${url.href}`;
}
