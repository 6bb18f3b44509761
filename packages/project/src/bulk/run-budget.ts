import {
  type Budget,
  type CallCost,
  longestTimerMs,
  type NodeRun,
  noSpending,
  type RunReader,
  reachedText,
  type Spending,
  spendOn,
  type Usage,
} from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { callCost } from '../prices/cost-of.ts';
import { isPricedByPart, type PriceOf, recordedPrices } from '../prices/node-prices.ts';
import type { PriceList } from '../prices/price-list.ts';
import { nodesWithTokens, recordedUsages } from './recorded-usages.ts';

/** Keeps watch over what a run spends. */
export interface RunBudget extends Disposable {
  /** Aborted when the budget is reached: no new row starts then. */
  readonly stop: AbortSignal;
  nodeEnded(run: NodeRun): void;
  /** `1,204 of 1,000 tokens`; undefined while there is something left. */
  reached(): string | undefined;
}

/**
 * @param store the record so far: tokens and money of earlier attempts count, the clock starts again with each
 * @throws ProjectFailure where an earlier attempt spent it already
 */
export async function openBudget(
  budget: Budget,
  store: RunReader,
  priceOf: PriceOf,
  startedAt: number,
): Promise<RunBudget> {
  const spending = await recordedSpending(store, priceOf, startedAt);
  const spent = reachedText(budget, spending, startedAt);
  if (spent === undefined) return watchBudget(budget, spending, priceOf);
  throw new ProjectFailure(`run ${store.info.id} has spent its budget: ${spent}`, {
    help: 'A larger one goes on with it: --budget-tokens, --budget-cost or --budget-seconds.',
    code: 'BudgetReached',
  });
}

/** What a recorded run spent of its budget, where that is reached; its seconds are not told by a record. */
export async function recordedBudget(store: RunReader, prices: PriceList): Promise<string | undefined> {
  const { options } = store.info;
  const bulk = options?.['bulk'] as { readonly budget?: Budget } | undefined;
  if (bulk?.budget === undefined) return undefined;
  const { seconds: _of, ...budget } = bulk.budget;
  const spending = await recordedSpending(store, recordedPrices(store.info, prices), 0);
  return reachedText(budget, spending, 0);
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
      : setTimeout(() => look(budget, startedAt + seconds * 1000), Math.min(seconds * 1000, longestTimerMs)).unref();
  return {
    stop: controller.signal,
    nodeEnded({ node, usage, cache }) {
      if (usage === undefined || cache === 'hit') return;
      spendOn(spending, usage.totalTokens, callCost(usage, priceOf(node, usage)));
      look({ ...budget, seconds: Number.POSITIVE_INFINITY }, startedAt);
    },
    reached: () => text,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

async function recordedSpending(store: RunReader, priceOf: PriceOf, startedAt: number): Promise<Spending> {
  const spending = noSpending(startedAt);
  const cost = (node: string, usage: Usage): CallCost => callCost(usage, priceOf(node, usage));
  for (const { node, promptTokens, completionTokens } of await store.nodeCounts()) {
    const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
    if (usage.totalTokens > 0) spendOn(spending, usage.totalTokens, cost(node, usage));
  }
  // Those of rows that were broken off stay at the full price.
  const priced = (await nodesWithTokens(store)).filter((node) => isPricedByPart(node, store.info, priceOf));
  for await (const { node, usage } of recordedUsages(store, priced)) {
    const { dollars, isPartial } = cost(node, usage);
    const { details: _details, billedAs: _billed, parts: _parts, ...plain } = usage;
    // Its tokens were counted above, at the full price.
    spendOn(spending, 0, { dollars: dollars - cost(node, plain).dollars, isPartial });
  }
  return spending;
}
