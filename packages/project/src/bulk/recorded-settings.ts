import { isMapping, type JsonObject, type JsonValue, type RunInfo } from '@unroll/engine';
import { recordableEnvironment } from '../connections/environment-values.ts';
import type { CassetteSettings } from '../flows/flow-settings.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { BulkSettings } from './bulk-settings.ts';

/** Settings as a record keeps them: all it takes to go on with the run, and no value of a variable or of `init`. */
export function recordedSettings(settings: BulkSettings): JsonObject {
  const {
    flow: _flow,
    since: _since,
    durable: _durable,
    cassette,
    environment,
    init,
    oracle,
    trial,
    ...rest
  } = settings;
  const recorded = { ...rest, environment: recordableEnvironment(environment), init: Object.keys(init) };
  const given = oracle === undefined ? {} : { oracle };
  const tape = cassette === undefined ? {} : { cassette: JSON.parse(JSON.stringify(cassette)) as JsonValue };
  const tried = trial === undefined ? {} : { trial: trial.about };
  return { bulk: JSON.parse(JSON.stringify(recorded)) as JsonValue, ...given, ...tape, ...tried };
}

/** A run goes on with the cassette it began with, where none is given: one that is replayed must not ask the service. */
export function recordedCassette({ options }: RunInfo): CassetteSettings | undefined {
  const cassette = options?.['cassette'];
  return cassette === undefined || !isMapping(cassette) ? undefined : (cassette as CassetteSettings);
}

/** The cassette that all model calls of a run were answered from: what they cost was paid when they were recorded. */
export function replayedFrom(info: RunInfo): string | undefined {
  const cassette = recordedCassette(info);
  return cassette !== undefined && 'replay' in cassette ? cassette.replay : undefined;
}

/** Whether a record was read from a run of Prompt flow. */
export function wasImported({ options }: Pick<RunInfo, 'options'>): boolean {
  return options?.['imported'] === true;
}

/**
 * Settings of a recorded run, with the variables and arguments of `init` given again: a record holds their names only.
 *
 * @throws ProjectFailure when it was no bulk run, or one of these is not given
 */
export function settingsFromRecord(
  info: RunInfo,
  { environment, init }: Pick<BulkSettings, 'environment' | 'init'>,
): Omit<BulkSettings, 'flow'> {
  const recorded = info.options?.['bulk'] as
    | (Omit<BulkSettings, 'flow' | 'environment' | 'init'> & {
        readonly environment: Readonly<Record<string, string | null>>;
        readonly init?: readonly string[];
      })
    | undefined;
  if (wasImported(info)) {
    throw new ProjectFailure(`run ${info.id} was recorded by Prompt flow: it cannot be gone on with`, {
      help: `flow parity FLOW ${info.id} runs a flow on its rows again.`,
    });
  }
  if (info.options?.['redacted'] === true) {
    throw new ProjectFailure(`run ${info.id} was given settings with a secret in them, which a record does not keep`, {
      help: 'Run it again; a secret that nodes need belongs in a connection (docs/connections.md).',
    });
  }
  if (recorded === undefined) {
    throw new ProjectFailure(`run ${info.id} was no run over data: there is nothing to go on with`);
  }
  const kept = Object.entries(recorded.environment).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(kept), ...environment };
  const missing = Object.keys(recorded.environment).filter((name) => !Object.hasOwn(all, name));
  if (missing.length > 0) {
    throw new ProjectFailure(`run ${info.id} was given ${missing.join(', ')}, which a record does not keep`, {
      help: `Give ${missing.length === 1 ? 'it' : 'them'} again: --env ${missing.map((name) => `${name}=…`).join(' ')}`,
    });
  }
  const unset = (recorded.init ?? []).filter((name) => !Object.hasOwn(init, name));
  if (unset.length > 0) {
    throw new ProjectFailure(`run ${info.id} was given init ${unset.join(', ')}, which a record does not keep`, {
      help: `Give ${unset.length === 1 ? 'it' : 'them'} again: --init ${unset.map((name) => `${name}=…`).join(' ')}`,
    });
  }
  return { ...recorded, environment: all, init };
}
