import { judgeBothOrders, type RoundWinner } from '@unroll/evals';
import { wordIn } from './labels.ts';
import type { Pair } from './pair.ts';

interface Inputs {
  readonly pair: Pair;
  readonly reference_first: string | null;
  readonly output_first: string | null;
}

/** A judge counts only where it names the same side in both orders. */
export default async function winner(inputs: Inputs): Promise<{ readonly winner: RoundWinner }> {
  const { pair, reference_first: one, output_first: other } = inputs;
  if (one === null || other === null) return { winner: pair.winner ?? 'tie' };
  return { winner: await judgeBothOrders((order) => side(order === 'ref-first' ? one : other)) };
}

function side(written: string): 'first' | 'second' {
  const word = wordIn(written, 'better');
  if (word === 'first' || word === 'second') return word;
  throw new TypeError(`a judge says first or second, not ${JSON.stringify(written)}`);
}
