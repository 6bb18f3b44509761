import type { PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { Redactor } from '../secrets/redactor.ts';
import { type BudgetOptions, withBudgets } from './budget-places.ts';
import { preciseNow } from './precise-now.ts';
import { type CacheRule, withCache } from './with-cache.ts';
import { withDepthLimit } from './with-depth-limit.ts';
import { withEndedLoop } from './with-ended-loop.ts';
import { withErrorFeedback } from './with-error-feedback.ts';
import { type OracleRule, withOracles } from './with-oracle.ts';
import { withReads } from './with-reads.ts';
import { withRecordedResults } from './with-recorded-results.ts';
import { withRedactedError } from './with-redacted-error.ts';
import { type RerunRule, withRerun } from './with-rerun.ts';
import { withTimeout } from './with-timeout.ts';

/** A concern of a run: something that is done round each node, whatever its type. */
export interface NodeWrapper {
  /** The concern: `time limit`, `budget`. */
  readonly name: string;
  /** Called once for each node that is made ready; gives the node itself where there is nothing to do round it. */
  wrap(prepared: PreparedNode, node: WrappedNode): PreparedNode;
}

/** The node that is wrapped. */
export interface WrappedNode {
  readonly plan: PlanNode;
  /** What its records are recognised by; absent where no fingerprints are asked for. */
  readonly cacheRule?: CacheRule;
}

export interface WrapperOptions extends BudgetOptions {
  readonly redactor?: Redactor;
  /** Milliseconds since the epoch, with fractions. */
  readonly now?: () => number;
  /** Time limit of nodes that have none of their own. */
  readonly nodeTimeoutMs?: number;
  /** Nodes that give what is expected of them. */
  readonly oracle?: OracleRule;
  /** Nodes that run again over what an earlier run recorded of the others. */
  readonly rerun?: RerunRule;
  /** Further concerns, such as spans; they stand round all of the engine's own, the last outermost. */
  readonly wrappers?: readonly NodeWrapper[];
}

/** All that goes round the nodes of a flow, the innermost first. */
export function nodeWrappers(plan: Plan, options: WrapperOptions): readonly NodeWrapper[] {
  const { redactor = new Redactor(), now = preciseNow, nodeTimeoutMs, oracle, rerun, wrappers = [] } = options;
  return [
    {
      name: 'time limit',
      wrap(prepared, { plan: { timeoutMs = nodeTimeoutMs } }) {
        return timeoutMs === undefined ? prepared : withTimeout(prepared, timeoutMs);
      },
    },
    { name: 'reads', wrap: (prepared, { cacheRule }) => (cacheRule === undefined ? prepared : withReads(prepared)) },
    {
      name: 'cache',
      wrap: (prepared, { cacheRule }) => (cacheRule === undefined ? prepared : withCache(prepared, cacheRule)),
    },
    { name: 'depth limit', wrap: withDepthLimit },
    { name: 'redacted errors', wrap: (prepared) => withRedactedError(prepared, redactor) },
    {
      name: 'feed-back',
      wrap: (prepared, { plan: { feedBack } }) =>
        feedBack === undefined ? prepared : withErrorFeedback(prepared, feedBack),
    },
    { name: 'ended loop', wrap: withEndedLoop(plan) },
    { name: 'finished', wrap: withRecordedResults },
    { name: 'budget', wrap: withBudgets(plan, options, now) },
    { name: 'oracle', wrap: withOracles(plan, oracle) },
    { name: 'rerun', wrap: withRerun(plan, rerun) },
    ...wrappers,
  ];
}

/** The node with each wrapper round the one before. */
export function wrapNode(wrappers: readonly NodeWrapper[], prepared: PreparedNode, node: WrappedNode): PreparedNode {
  return wrappers.reduce((inner, wrapper) => wrapper.wrap(inner, node), prepared);
}
