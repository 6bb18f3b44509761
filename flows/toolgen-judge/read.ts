import type { SolvedLabel } from '@unroll/evals';
import type { Checked } from './check.ts';
import { readLabel } from './labels.ts';

interface Inputs {
  readonly checked: Checked;
  readonly judged: string | null;
}

/** The first label. */
export default function read({ checked, judged }: Inputs): { readonly label: SolvedLabel } {
  return { label: judged === null ? (checked.label ?? 'Unsolved') : readLabel(judged) };
}
