import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DataRow, eachOf, type RunReader } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { isAddress } from '../host/workspace-address.ts';
import { findRun } from '../records/runs-folder.ts';

/**
 * The record of the run that is named in place of a data file, absolute; undefined where it is a file or folder, or there is no such run.
 *
 * @throws ProjectFailure when several runs may be meant
 */
export function runNamedAsData(data: string, host: ProjectHost): string | undefined {
  if (isAddress(data) || (existsSync(resolve(host.folder, data)) && !data.endsWith('.run'))) return undefined;
  try {
    return findRun(data, host);
  } catch (error) {
    if (error instanceof ProjectFailure && error.code === 'RunNotFound') return undefined;
    throw error;
  }
}

/** What went into the rows of a run, however they ended, by their lines; a row that was repeated counts once. */
export async function* inputsOfRun(run: RunReader): AsyncGenerator<DataRow, void> {
  for await (const { line, repeat = 0, inputs } of eachOf(run.rows())) {
    if (repeat === 0) yield { line, values: inputs };
  }
}
