import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Baseline, readBaseline } from '@unroll/evals';
import { ProjectFailure, shownPath } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { textOf } from '../option-values.ts';
import type { EvalFile } from './open-eval.ts';

/** Where the baseline of an evaluation is kept, absolute: as given, else `baseline.json` beside its eval.yaml. */
export function baselinePath({ file, folder }: EvalFile, { options, io }: CommandCall): string {
  const given = textOf(options, 'baseline');
  if (given !== undefined) return resolve(io.folder, given);
  const stem = basename(file).replace(/\.ya?ml$/, '');
  return join(folder, stem === 'eval' ? 'baseline.json' : `${stem}.baseline.json`);
}

/**
 * The accepted baseline; undefined where none was accepted yet.
 *
 * @throws ProjectFailure when the file is none, or one that was asked for is not there
 */
export function openBaseline(found: EvalFile, call: CommandCall): Baseline | undefined {
  const path = baselinePath(found, call);
  const shown = shownPath(path, call.io.folder);
  if (!existsSync(path)) {
    if (textOf(call.options, 'baseline') === undefined) return undefined;
    throw new ProjectFailure(`there is no baseline ${shown}`, { help: acceptHelp(found), code: 'BaselineNotFound' });
  }
  const read = readBaseline(readFileSync(path, 'utf8'));
  if (read.ok) return read.baseline;
  throw new ProjectFailure(`${shown} is no baseline: ${read.message}`, {
    help: acceptHelp(found),
    code: 'BaselineFileError',
  });
}

export function acceptHelp({ shown }: EvalFile): string {
  return `flow baseline accept ${shown.replace(/\/eval\.yaml$/, '')} writes one.`;
}
