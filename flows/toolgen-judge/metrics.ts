import { hallucinationRate, pairOutcome, type RoundWinner, type SolvedLabel, solveRate, winRate } from '@unroll/evals';

interface Inputs {
  readonly labels: readonly SolvedLabel[];
  readonly winners: readonly RoundWinner[];
  readonly actions: readonly (readonly { readonly action: string; readonly code: number }[])[];
}

interface Context {
  readonly logMetric: (name: string, value: number) => void;
}

/** No such function, in the codes of ToolBench. */
const noSuchFunction = 1;

/** Percentages over all rows; one round of judging. */
export default function metrics({ labels, winners, actions }: Inputs, { logMetric }: Context) {
  const rounds = Object.fromEntries(labels.map((label, row) => [String(row), { '0': label }]));
  const { winRate: won, tieRate: tied } = winRate(winners.map((winner) => pairOutcome([winner])));
  const taken = actions.flat();
  const known = taken.filter(({ code }) => code !== noSuchFunction).map(({ action }) => action);
  const { rate } = hallucinationRate(
    taken.map(({ action }) => action),
    known,
  );
  const found = {
    pass_rate: solveRate(rounds, 1).ratePercent,
    win_rate: 100 * won,
    tie_rate: 100 * tied,
    hallucination_rate: 100 * (rate ?? 0),
  };
  for (const [name, value] of Object.entries(found)) logMetric(name, value);
  return found;
}
