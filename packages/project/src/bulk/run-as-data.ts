import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type DataRow,
  eachOf,
  imagesOfRecord,
  type JsonObject,
  type JsonValue,
  listOf,
  type Plan,
  type RunInfo,
  type RunReader,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { isAddress } from '../host/workspace-address.ts';
import { findRun } from '../records/find-run.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { mappingText } from './mapping-text.ts';

/**
 * Place of the record of the run that is named in place of a data file; undefined where it is a file or folder, or there is no such run.
 *
 * @throws ProjectFailure when several runs may be meant
 */
export async function runNamedAsData(data: string, host: ProjectHost): Promise<string | undefined> {
  if (isAddress(data) || (existsSync(resolve(host.folder, data)) && !data.endsWith('.run'))) return undefined;
  try {
    return await findRun(data, host);
  } catch (error) {
    if (error instanceof ProjectFailure && error.code === 'RunNotFound') return undefined;
    throw error;
  }
}

/** What went into the rows of a run, however they ended, by their lines; a row that was repeated counts once. */
export async function* inputsOfRun(
  run: RunReader,
  { messageFormat }: Pick<Plan, 'messageFormat'>,
): AsyncGenerator<DataRow, void> {
  for await (const { line, repeat = 0, inputs } of eachOf(run.rows())) {
    if (repeat === 0) yield { line, values: imagesOfRecord(inputs, messageFormat) as JsonObject };
  }
}

/** A run, and the inputs that were kept out of its record by their names. */
export interface HiddenOfRun {
  readonly id: string;
  readonly names: readonly JsonValue[];
}

export function hiddenOfRun({ id, options: recorded }: RunInfo): HiddenOfRun {
  return { id, names: listOf(recorded?.['redact'] ?? null) };
}

/** Tells inputs that a run does not hold, so that `***` is not taken for what they were. */
export function reportHidden(
  { inputs }: Plan,
  { id, names }: HiddenOfRun,
  settings: Pick<BulkSettings, 'columnMapping' | 'isMappingInFile'>,
  host: Pick<ProjectHost, 'report'>,
): void {
  const { columnMapping = {} } = settings;
  const hidden = inputs.filter(
    ({ name, type }) => (type === 'secret' || names.includes(name)) && !Object.hasOwn(columnMapping, name),
  );
  if (hidden.length === 0) return;
  const quoted = hidden.map(({ name }) => `"${name}"`).join(', ');
  const message =
    `the record of ${id} holds no value of ${quoted}: where one was given, rows run with ***\n` +
    `      to give it again: ${mappingText(Object.fromEntries(hidden.map(({ name }) => [name, 'VALUE'])), settings)}`;
  notify(host, { kind: 'warning', message });
}
