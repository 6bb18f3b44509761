import { resolve } from 'node:path';
import { printJson, type Values } from '@unroll/engine';
import type { EvalSpec } from '@unroll/evals';
import { type BulkSettings, shownPath } from '@unroll/project';
import { readBulkSettings, readConnections } from '../bulk/read-bulk-settings.ts';
import type { CommandCall } from '../command-spec.ts';
import type { EvalFile } from './open-eval.ts';

/** The bulk run an evaluation asks for; the command line wins over the file. */
export function evalSettings(spec: EvalSpec, { folder }: EvalFile, call: CommandCall): BulkSettings {
  const { io } = call;
  const shown = (path: string): string => shownPath(resolve(folder, path), io.folder);
  const given = readBulkSettings({ ...call, arguments: [], options: { ...call.options, run: undefined } });
  const written = readConnections(connectionsOf(spec.connections));
  return {
    ...given,
    ...(spec.variant === undefined || given.variant !== undefined ? {} : { variant: spec.variant }),
    ...(spec.columnMapping === undefined ? {} : { columnMapping: spec.columnMapping }),
    columnsFirst: true,
    flow: shown(spec.flow ?? ''),
    data: shown(spec.data ?? ''),
    init: { ...spec.init, ...given.init },
    environment: { ...textsOf(spec.environment), ...given.environment },
    overrides: [...written.overrides, ...given.overrides],
  };
}

function connectionsOf(connections: Values = {}): readonly string[] {
  return Object.entries(connections).flatMap(([node, keys]) =>
    Object.entries((keys ?? {}) as Values).map(([key, value]) => `${node}.${key}=${String(value)}`),
  );
}

function textsOf(environment: Values = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, typeof value === 'string' ? value : printJson(value)]),
  );
}
