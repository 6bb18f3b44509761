import type { Budget } from '../flow/flow-spec.ts';
import type { Usage } from '../node/node-report.ts';
import type { PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanLoop, PlanNode } from '../plan/plan.ts';
import { type CallCost, hasLimit } from './spending.ts';
import { type BudgetPlace, Ledger, type LoopPlace, withBudget } from './with-budget.ts';

export interface BudgetOptions {
  /** What one row may spend. */
  readonly rowBudget?: Budget;
  readonly costOf?: (plan: Plan) => (node: string, usage: Usage) => CallCost;
}

/** Puts budgets round the nodes that spend of one; where nothing has a budget, nodes stay as they are. */
export function withBudgets(
  plan: Plan,
  { rowBudget, costOf }: BudgetOptions,
  now: () => number,
): (prepared: PreparedNode, node: { readonly plan: PlanNode }) => PreparedNode {
  const row = rowBudget !== undefined && hasLimit(rowBudget) ? rowBudget : undefined;
  const limited = plan.loops.filter(({ budget = {} }) => row !== undefined || hasLimit(budget));
  if (row === undefined && limited.length === 0) return (prepared) => prepared;
  const ledger = new Ledger(now);
  const price = costOf?.(plan) ?? (() => ({ dollars: 0, isPartial: false }));
  const afterLoops = nodesAfterLoops(plan);
  return (prepared, { plan: node }) => {
    const loop = limited.find(({ name }) => name === node.instance?.loop && node.instance.iteration > 0);
    const around = limited.find(({ name }) => name === node.instance?.outer?.loop);
    if (node.aggregation || (loop ?? around ?? row) === undefined) return prepared;
    const place: BudgetPlace = {
      ...(loop === undefined ? {} : { loop: loopPlace(node, loop, plan) }),
      ...(around === undefined ? {} : { around: around.name }),
      row,
      failsWithRow: node.instance === undefined && asksModel(node) && !afterLoops.has(node.id),
      costOf: (usage) => price(node.name, usage),
    };
    return withBudget(prepared, place, ledger);
  };
}

/** Where a node of a loop's group stands in it. */
export function loopPlace(
  node: PlanNode,
  { name, until, budget = {}, endNode, times }: PlanLoop,
  plan: Plan,
): LoopPlace {
  const state = plan.nodes[endNode]?.inputs.find((input) => input.name === 'state')?.binding;
  const lastNode = state?.kind === 'node-output' ? plan.nodes[state.node] : undefined;
  const { family, iteration } = node.instance ?? { family: '', iteration: 0 };
  if (lastNode?.instance?.family !== family) return { name, until, budget };
  const before = plan.nodes.find(
    ({ instance }) =>
      instance?.loop === name && instance.family === family && instance.iteration === iteration - 1 && iteration > 1,
  );
  const input = node.inputs.find(
    ({ binding }) => binding.kind === 'node-output' && binding.node === before?.id && binding.path.length === 0,
  );
  const isAtBound = iteration === times;
  return { name, until, budget, last: { ...(input === undefined ? {} : { stateInput: input.name }), isAtBound } };
}

/** Nodes that read, directly or not, what a loop gives: they are what still answers once a budget is spent. */
function nodesAfterLoops({ nodes, loops }: Plan): ReadonlySet<number> {
  const after = new Set(loops.map(({ endNode }) => endNode));
  for (const { id, dependencies } of nodes) if (dependencies.some((one) => after.has(one))) after.add(id);
  return after;
}

function asksModel({ definition }: PlanNode): boolean {
  return definition.connection !== undefined || definition.inputs['connection']?.kind === 'literal';
}
