import { resolve } from 'node:path';
import type { Plan, Values } from '@unroll/engine';
import { asMapping, readJson, readTextFile, shownPath } from '@unroll/project';
import type { Io } from '../io.ts';

/**
 * The inputs a prompty or a flow of code brings to be tried with, used when none are given: a mapping, or a JSON file beside it.
 * Those the flow does not have are left out, since a sample may hold more.
 *
 * @throws ProjectFailure when the file cannot be read
 */
export function withSample(given: Values, plan: Plan, folder: string, io: Io): Values {
  const { sample } = plan;
  if (sample === undefined || Object.keys(given).length > 0 || plan.inputs.length === 0) return given;
  const values = typeof sample === 'string' ? readSampleFile(sample, folder, io) : asMapping(sample, 'sample');
  const known = new Set(plan.inputs.map(({ name }) => name));
  io.stderr.write('inputs are those of the sample\n');
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

function readSampleFile(written: string, folder: string, io: Io): Values {
  const name = /^\$\{file:(.*)\}$/.exec(written)?.[1] ?? written;
  const path = shownPath(resolve(folder, name), io.folder);
  return asMapping(readJson(readTextFile(path, io), path), path);
}
