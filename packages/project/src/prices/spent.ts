import type { NodeRun, Usage } from '@unroll/engine';
import { callCost } from './cost-of.ts';
import type { PriceOf } from './node-prices.ts';
import type { Price } from './price-file.ts';
import { freeOfCharge } from './price-list.ts';

/** What calls of models took, counted in one way wherever a sum of them is shown. */
export interface Spending {
  readonly tokens: number;
  /** US dollars of what has a price; undefined where nothing has one, or nobody is billed. */
  readonly cost: number | undefined;
  /** Some of it has no price that is known. */
  readonly isCostPartial: boolean;
}

export class Spent implements Spending {
  tokens = 0;
  cost: number | undefined;
  isCostPartial = false;

  /** @param price undefined where nobody knows it */
  call(usage: Usage, price: Price | undefined): void {
    this.tokens += usage.totalTokens;
    if (price === freeOfCharge && usage.untoldCalls === undefined) return;
    const { dollars, isPartial } = callCost(usage, price);
    if (price !== undefined) this.cost = (this.cost ?? 0) + dollars;
    this.isCostPartial ||= isPartial;
  }

  add({ tokens, cost, isCostPartial }: Spending): void {
    this.tokens += tokens;
    if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
    this.isCostPartial ||= isCostPartial;
  }
}

export function sumOfSpent(parts: Iterable<Spending>): Spending {
  const sum = new Spent();
  for (const part of parts) sum.add(part);
  return sum;
}

type Call = Pick<NodeRun, 'node' | 'usage' | 'cache'>;

export function spentBy(nodes: Iterable<Call>, priceOf: PriceOf): Spending {
  const sum = new Spent();
  for (const { node, usage } of madeCalls(nodes)) sum.call(usage, priceOf(node, usage));
  return sum;
}

export function tokensOf(nodes: Iterable<Call>): number {
  let sum = 0;
  for (const { usage } of madeCalls(nodes)) sum += usage.totalTokens;
  return sum;
}

/** What was taken from before took nothing now. */
function* madeCalls(nodes: Iterable<Call>): Generator<{ readonly node: string; readonly usage: Usage }> {
  for (const { node, usage, cache } of nodes) if (usage !== undefined && cache !== 'hit') yield { node, usage };
}
