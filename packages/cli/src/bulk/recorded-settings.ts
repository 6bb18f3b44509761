import type { RunInfo, Value, Values } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordableEnvironment } from './environment-values.ts';

/** Settings as a record keeps them: all it takes to go on with the run, and no value of a variable. */
export function recordedSettings(settings: BulkSettings): Values {
  const { flow: _, environment, ...rest } = settings;
  const recorded = { ...rest, environment: recordableEnvironment(environment) };
  return { bulk: JSON.parse(JSON.stringify(recorded)) as Value };
}

/**
 * Settings of a recorded run, with the variables given anew: a record holds their names only.
 *
 * @throws CommandFailure when it was no bulk run, or a variable it was run with is not given
 */
export function settingsFromRecord(
  info: RunInfo,
  environment: Readonly<Record<string, string>>,
): Omit<BulkSettings, 'flow'> {
  const recorded = info.options?.['bulk'] as
    | (Omit<BulkSettings, 'flow' | 'environment'> & { readonly environment: Readonly<Record<string, string | null>> })
    | undefined;
  if (recorded === undefined) {
    throw new CommandFailure(`run ${info.id} was no run over data: there is nothing to go on with`);
  }
  const kept = Object.entries(recorded.environment).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(kept), ...environment };
  const missing = Object.keys(recorded.environment).filter((name) => !Object.hasOwn(all, name));
  if (missing.length > 0) {
    throw new CommandFailure(`run ${info.id} was given ${missing.join(', ')}, which a record does not keep`, {
      help: `Give ${missing.length === 1 ? 'it' : 'them'} again: --env ${missing.map((name) => `${name}=…`).join(' ')}`,
    });
  }
  return { ...recorded, environment: all };
}
