import type { SolvedLabel } from '@unroll/evals';
import { readLabel } from './labels.ts';

interface Inputs {
  readonly first: { readonly label: SolvedLabel };
  readonly second: string | null;
}

/** The label that counts: the second where the whole execution was shown. */
export default function label({ first, second }: Inputs): { readonly label: SolvedLabel } {
  return second === null ? first : { label: readLabel(second) };
}
