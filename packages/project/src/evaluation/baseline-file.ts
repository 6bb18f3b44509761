import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { shownPath } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { type Baseline, type EvalSpec, readBaseline } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { readTextFile } from '../host/text-file.ts';
import { type EvalFile, evalName } from './find-eval.ts';

/** Where the baseline of an evaluation is kept, absolute: as given, else `baseline.json` beside its eval.yaml. */
export function baselinePath({ file, folder }: EvalFile, given: string | undefined, system: System): string {
  if (given !== undefined) return resolve(system.folder, given);
  const stem = basename(file).replace(/\.ya?ml$/, '');
  return join(folder, stem === 'eval' ? 'baseline.json' : `${stem}.baseline.json`);
}

/**
 * The accepted baseline; undefined where none was accepted yet.
 *
 * @throws ProjectFailure when the file is none, or one that was asked for is not there
 */
export function openBaseline(found: EvalFile, given: string | undefined, system: System): Baseline | undefined {
  const path = baselinePath(found, given, system);
  const shown = shownPath(path, system.folder);
  if (!existsSync(path)) {
    if (given === undefined) return undefined;
    throw new ProjectFailure(`there is no baseline ${shown}`, { help: acceptHelp(found), code: 'BaselineNotFound' });
  }
  const read = readBaseline(readTextFile(shown, system));
  if (read.ok) return read.baseline;
  throw new ProjectFailure(`${shown} is no baseline: ${read.message}`, {
    help: acceptHelp(found),
    code: 'BaselineFileError',
  });
}

/** @throws ProjectFailure where the baseline is one of another evaluation of another flow: what differs then tells nothing */
export function refuseOther(
  baseline: Baseline | undefined,
  { spec, flowName }: { readonly spec: EvalSpec; readonly flowName: string | undefined },
  found: EvalFile,
  given: string | undefined,
  system: System,
): void {
  const own = evalName(spec, found);
  if (baseline === undefined || flowName === undefined) return;
  const { name, run } = baseline;
  if (name === own || run.flow === flowName) return;
  const path = shownPath(baselinePath(found, given, system), system.folder);
  throw new ProjectFailure(
    `${path} is the baseline of evaluation ${name} of flow ${run.flow}, not of ${own} of ${flowName}`,
    { help: `${acceptHelp(found)} To compare runs of two flows: --against RUN.`, code: 'BaselineFileError' },
  );
}

export function acceptHelp({ shown }: EvalFile): string {
  return `flow baseline accept ${shellWord(shown.replace(/\/eval\.yaml$/, ''))} writes one.`;
}
