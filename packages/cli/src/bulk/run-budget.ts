import { type Budget, type NodeRun, noSpending, type RunStore, reachedText, type Spending } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import { costOf, type Price } from './prices.ts';

type PriceOf = (node: string) => Price | undefined;

/** Keeps watch over what a run spends. */
export interface RunBudget extends Disposable {
  /** Aborted when the budget is reached: no new row starts then. */
  readonly stop: AbortSignal;
  nodeEnded(run: NodeRun): void;
  /** `1,204 of 1,000 tokens`; undefined while there is something left. */
  reached(): string | undefined;
}

/**
 * @param store the record so far: tokens and money of earlier attempts count, the clock begins anew with each
 * @throws CommandFailure where an earlier attempt spent it already
 */
export function openBudget(budget: Budget, store: RunStore, priceOf: PriceOf, startedAt: number): RunBudget {
  const spending = recordedSpending(store, priceOf, startedAt);
  const spent = reachedText(budget, spending, startedAt);
  if (spent === undefined) return watchBudget(budget, spending, priceOf);
  throw new CommandFailure(`run ${store.info.id} has spent its budget: ${spent}`, {
    help: 'A larger one goes on with it: --budget-tokens, --budget-cost or --budget-seconds.',
    code: 'BudgetReached',
  });
}

function watchBudget(budget: Budget, spending: Spending, priceOf: PriceOf): RunBudget {
  const controller = new AbortController();
  let text: string | undefined;
  const look = (limits: Budget, at: number): void => {
    text ??= reachedText(limits, spending, at);
    if (text !== undefined) controller.abort();
  };
  const { seconds } = budget;
  const startedAt = spending.startedAt;
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => look(budget, startedAt + seconds * 1000), seconds * 1000).unref();
  return {
    stop: controller.signal,
    nodeEnded({ node, usage, cache }) {
      if (usage === undefined || cache === 'hit') return;
      const price = priceOf(node);
      spending.tokens += usage.totalTokens;
      spending.cost += price === undefined ? 0 : costOf(usage, price);
      look({ ...budget, seconds: Number.POSITIVE_INFINITY }, startedAt);
    },
    reached: () => text,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function recordedSpending(store: RunStore, priceOf: PriceOf, startedAt: number): Spending {
  const spending = noSpending(startedAt);
  for (const { node, promptTokens, completionTokens } of store.nodeCounts()) {
    const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
    const price = priceOf(node);
    spending.tokens += usage.totalTokens;
    spending.cost += price === undefined ? 0 : costOf(usage, price);
  }
  return spending;
}
