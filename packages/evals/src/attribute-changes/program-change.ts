import type { MadeWith } from '@unroll/engine';
import type { PartChange } from './attribution.ts';

/** The part that stands for the program that made the runs. */
const program = 'Unroll';

/** Which Unroll made one run and which the other; undefined where it is the same, or a run does not tell. */
export function programChange(left: MadeWith | undefined, right: MadeWith | undefined): PartChange | undefined {
  if (left === undefined || right === undefined) return undefined;
  const isSame = left.version === right.version && left.build === right.build;
  return isSame ? undefined : { part: program, left: programText(left), right: programText(right) };
}

export function isProgram({ part }: PartChange): boolean {
  return part === program;
}

/** `0.1.0 (build 4f1c2a9b03de)` */
function programText({ version, build }: MadeWith): string {
  return `${version} (build ${build})`;
}
