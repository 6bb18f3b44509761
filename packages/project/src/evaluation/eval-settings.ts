import { resolve } from 'node:path';
import { type ConnectionOverride, isMapping, type JsonObject, shownPath, textOrJson } from '@unroll/engine';
import type { EvalSpec } from '@unroll/evals';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { EvalFile } from './find-eval.ts';

/** What an evaluation is asked to do beside what its file says. */
export interface EvalSettings {
  /** Scores this run, and runs nothing. */
  readonly run?: string | undefined;
  /** Compares with the scores of this run in place of the baseline. */
  readonly against?: string | undefined;
  /** Tells scores apart by these columns of the data, in place of those that the file names. */
  readonly by?: readonly string[] | undefined;
  /** In place of the baseline.json beside the file. */
  readonly baseline?: string | undefined;
  /** How its flow is run; these win over the file. */
  readonly bulk: BulkSettings;
  /** Asks judges again, also where nothing has changed since they judged last. */
  readonly asksAgain?: boolean | undefined;
}

/** The bulk run an evaluation asks for; what was given wins over the file. */
export function evalBulkSettings(
  spec: EvalSpec,
  { folder }: EvalFile,
  given: BulkSettings,
  host: ProjectHost,
): BulkSettings {
  const shown = (path: string): string => shownPath(resolve(folder, path), host.folder);
  return {
    ...given,
    ...(spec.variant === undefined || given.variant !== undefined ? {} : { variant: spec.variant }),
    ...(spec.columnMapping === undefined ? {} : { columnMapping: spec.columnMapping }),
    isMappingInFile: true,
    columnsFirst: true,
    areColumnsReported: true,
    flow: shown(spec.flow ?? ''),
    data: shown(spec.data ?? ''),
    init: { ...spec.init, ...given.init },
    environment: { ...textsOf(spec.environment), ...given.environment },
    overrides: [...overridesOf(spec.connections), ...given.overrides],
  };
}

/** Connections of nodes as a file writes them, `{ask: {connection: mine}}`; what has not that form is told elsewhere. */
export function overridesOf(connections: JsonObject = {}): readonly ConnectionOverride[] {
  return Object.entries(connections).flatMap(([node, keys]) =>
    Object.entries(isMapping(keys) ? keys : {}).map(([key, value]) => ({ node, key, value: String(value) })),
  );
}

function textsOf(environment: JsonObject = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, textOrJson(value)]));
}
