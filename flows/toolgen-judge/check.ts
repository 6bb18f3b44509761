import type { SolvedLabel } from '@unroll/evals';

interface Inputs {
  readonly answer: string | null;
  readonly status: string;
  readonly facts: readonly string[];
}

export interface Checked {
  readonly label: SolvedLabel | null;
  readonly needs_judge: boolean;
}

/** What decides without a judge: no answer was given, or what the answer must hold is known. */
export default function check({ answer, status, facts }: Inputs): Checked {
  const text = (answer ?? '').trim();
  if (status !== 'answered' || text === '') return { label: 'Unsolved', needs_judge: false };
  if (facts.length === 0) return { label: null, needs_judge: true };
  return { label: facts.every((fact) => text.includes(fact)) ? 'Solved' : 'Unsolved', needs_judge: false };
}
