import type { Budget } from '../flow/flow-spec.ts';
import { dollarsText } from '../value/amount-text.ts';

/** What was spent so far: of a loop in one row, of a row, or of a run. */
export interface Spending {
  tokens: number;
  /** US dollars. */
  cost: number;
  /** Tokens were spent whose price nobody knows. */
  isCostPartial?: boolean;
  /** Milliseconds since the epoch; what an earlier attempt took is counted back from the beginning of this one. */
  startedAt: number;
}

/** What the calls of a node cost. */
export interface CallCost {
  /** US dollars; 0 where nobody is billed, or nothing is known. */
  readonly dollars: number;
  /** Some of their tokens have no price that is known: it was more, or may have been. */
  readonly isPartial: boolean;
}

export function spendOn(spending: Spending, tokens: number, { dollars, isPartial }: CallCost): void {
  spending.tokens += tokens;
  spending.cost += dollars;
  if (isPartial) spending.isCostPartial = true;
}

export function noSpending(startedAt: number): Spending {
  return { tokens: 0, cost: 0, startedAt };
}

/** `1,204 of 1,000 tokens` for the first limit that is reached; undefined while there is something left. */
export function reachedText(budget: Budget, spending: Spending, now: number): string | undefined {
  const { tokens, cost, seconds } = budget;
  const elapsed = (now - spending.startedAt) / 1000;
  if (tokens !== undefined && spending.tokens >= tokens)
    return `${grouped(spending.tokens)} of ${grouped(tokens)} tokens`;
  if (cost !== undefined && spending.cost >= cost) {
    const partial = spending.isCostPartial === true ? ' (partial)' : '';
    return `${dollarsText(spending.cost)} of ${dollarsText(cost)}${partial}`;
  }
  if (seconds !== undefined && elapsed >= seconds) return `${Number(elapsed.toFixed(1))} of ${seconds} s`;
  return undefined;
}

export function hasLimit({ tokens, cost, seconds }: Budget): boolean {
  return tokens !== undefined || cost !== undefined || seconds !== undefined;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
