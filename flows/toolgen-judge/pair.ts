import { type RoundWinner, type SolvedLabel, winnerByLabel } from '@unroll/evals';

export interface Pair {
  readonly winner: RoundWinner | null;
  readonly needs_judge: boolean;
}

/** Who wins by the labels alone; a reference that is written solves the task. Only equal ones are judged. */
export default function pair({ label, reference }: { label: SolvedLabel; reference: string }): Pair {
  const winner = winnerByLabel(reference === '' ? 'Unsolved' : 'Solved', label) ?? null;
  return { winner, needs_judge: winner === null && reference !== '' };
}
