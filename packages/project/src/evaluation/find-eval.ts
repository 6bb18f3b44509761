import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shownPath } from '@unroll/engine';
import type { EvalSpec } from '@unroll/evals';
import { nearestPath } from '../host/nearest-path.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';

export interface EvalFile {
  /** Absolute. */
  readonly file: string;
  readonly folder: string;
  /** As it can be typed. */
  readonly shown: string;
}

/**
 * The evaluation a user names by its file or its folder.
 *
 * @throws ProjectFailure when there is none
 */
export function findEval(given: string | undefined, { folder: from }: Pick<ProjectHost, 'folder'>): EvalFile {
  if (given === undefined) {
    throw new ProjectFailure('which evaluation? Give its eval.yaml, or its folder', {
      help: 'flow help eval shows how.',
    });
  }
  requireName(given, 'an evaluation');
  const path = resolve(from, given);
  if (!existsSync(path))
    throw new ProjectFailure(`there is no file or folder ${given}`, {
      help: nearestPath(path, given) ?? whatItIs,
      code: 'EvalNotFound',
    });
  if (!statSync(path).isDirectory()) {
    requireFile(path, given);
    return { file: path, folder: dirname(path), shown: shownPath(path, from) };
  }
  const file = join(path, 'eval.yaml');
  if (!existsSync(file))
    throw new ProjectFailure(`${given} holds no eval.yaml`, { help: whatItIs, code: 'EvalNotFound' });
  requireFile(file, shownPath(file, from));
  return { file, folder: path, shown: shownPath(file, from) };
}

/** A pipe would be waited for, and a device read without end. */
function requireFile(path: string, shown: string): void {
  if (statSync(path).isFile()) return;
  throw new ProjectFailure(`${shown} cannot be read: it is no file`, { help: whatItIs, code: 'EvalNotFound' });
}

const whatItIs =
  'An evaluation is a file eval.yaml that names a flow, data and metrics; flow init my-agent writes one to start from.';

/** Name of an evaluation: its own, else that of its folder. */
export function evalName(spec: EvalSpec, { folder }: EvalFile): string {
  return spec.name ?? basename(folder);
}
