import { resolve } from 'node:path';
import { type JsonObject, type Plan, shownPath } from '@unroll/engine';
import type { System } from '../host/project-host.ts';
import { asMapping, readJson, readTextFile } from '../host/text-file.ts';

/**
 * The inputs a prompty or a flow of code brings to be tried with, where none are given; undefined where it brings none: a mapping, or a JSON file beside it.
 * Those the flow does not have are left out, since a sample may hold more.
 *
 * @throws ProjectFailure when the file cannot be read
 */
export function sampleInputs(
  given: JsonObject,
  plan: Plan,
  folder: string,
  system: Pick<System, 'folder'>,
): JsonObject | undefined {
  const { sample } = plan;
  if (sample === undefined || Object.keys(given).length > 0 || plan.inputs.length === 0) return undefined;
  const values = typeof sample === 'string' ? readSampleFile(sample, folder, system) : asMapping(sample, 'sample');
  const known = new Set(plan.inputs.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

function readSampleFile(written: string, folder: string, system: Pick<System, 'folder'>): JsonObject {
  const name = /^\$\{file:(.*)\}$/.exec(written)?.[1] ?? written;
  const path = shownPath(resolve(folder, name), system.folder);
  return asMapping(readJson(readTextFile(path, system), path), path);
}
