import { labelScore, type SolvedLabel } from './solve-rate.ts';

export type RoundWinner = 'ref' | 'out' | 'tie';
export type PairOutcome = 'win' | 'tie' | 'lose';

/**
 * Who wins a round by the labels alone; undefined where they are equal and a judge has to say. An answer that is missing
 * (null) loses to any other; two of them are a tie.
 */
export function winnerByLabel(reference: SolvedLabel | null, output: SolvedLabel | null): RoundWinner | undefined {
  if (reference === null) return output === null ? 'tie' : 'out';
  if (output === null) return 'ref';
  const difference = labelScore(reference) - labelScore(output);
  if (difference === 0) return undefined;
  return difference > 0 ? 'ref' : 'out';
}

/** A query is won by who won more of its rounds. */
export function pairOutcome(rounds: readonly RoundWinner[]): PairOutcome {
  const balance = rounds.reduce((sum, winner) => sum + (winner === 'out' ? 1 : winner === 'ref' ? -1 : 0), 0);
  if (balance === 0) return 'tie';
  return balance > 0 ? 'win' : 'lose';
}

export interface WinRate {
  readonly winRate: number;
  readonly tieRate: number;
  readonly loseRate: number;
}

/** Shares of all queries; a tie is no win. */
export function winRate(outcomes: readonly PairOutcome[]): WinRate {
  const share = (wanted: PairOutcome): number =>
    outcomes.length === 0 ? 0 : outcomes.filter((outcome) => outcome === wanted).length / outcomes.length;
  return { winRate: share('win'), tieRate: share('tie'), loseRate: share('lose') };
}

/**
 * A judge asked in both orders: it counts only where both orders name the same side, else the round is a tie.
 *
 * @param judge names the better of what it is shown first and second
 */
export async function judgeBothOrders(
  judge: (order: 'ref-first' | 'out-first') => Promise<'first' | 'second'> | 'first' | 'second',
): Promise<RoundWinner> {
  const refFirst = (await judge('ref-first')) === 'first' ? 'ref' : 'out';
  const outFirst = (await judge('out-first')) === 'first' ? 'out' : 'ref';
  return refFirst === outFirst ? refFirst : 'tie';
}
