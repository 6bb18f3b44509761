import type { Usage } from '@unroll/engine';
import { callCost } from '../prices/cost-of.ts';
import type { PriceOf } from '../prices/node-prices.ts';

/** What a call of a node cost, as far as prices are known. */
export interface CallCost {
  readonly dollars: number;
  /** Some of its tokens have no price that is known. */
  readonly isPartial: boolean;
  /** Its model has a price. */
  readonly isKnown: boolean;
}

export function costOfCall(node: string, usage: Usage | undefined, priceOf: PriceOf): CallCost | undefined {
  if (usage === undefined) return undefined;
  const price = priceOf(node, usage);
  return { ...callCost(usage, price), isKnown: price !== undefined };
}
