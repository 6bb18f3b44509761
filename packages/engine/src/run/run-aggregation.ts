import type { PreparedNode } from '../node/node-type.ts';
import type { Binding, Plan, PlanNode } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { Value } from '../value/json.ts';
import { compilePlan } from './compile-plan.ts';
import { readProperty } from './read-property.ts';
import type { AggregationResult, RowOptions, RowResult } from './run-flow.ts';
import { runPlan } from './run-plan.ts';

/**
 * Runs the aggregation nodes over the completed rows. What an input gets: of a node that runs per row, the list of its
 * values in row order; of a flow input, the list of its values; of another aggregation node, its plain output; of a
 * literal, the literal (Prompt flow, `_exec_aggregation`). Metrics logged before a failure are kept.
 */
export async function runAggregation(
  plan: Plan,
  prepared: readonly PreparedNode[],
  rows: readonly RowResult[],
  options: RowOptions,
  now: () => number,
): Promise<AggregationResult> {
  const ids = new Set(plan.nodes.filter((node) => node.aggregation).map((node) => node.id));
  if (ids.size === 0) return { nodes: [], metrics: {} };
  const completed = rows.filter(({ row }) => row.status === 'Completed');
  const over = { ...plan, outputs: [], nodes: plan.nodes.map((node) => overRows(node, ids, completed)) };
  const compiled = compilePlan(
    over,
    prepared.map((node, id) => withLists(node, plan.nodes[id], over.nodes[id])),
    ids,
  );
  const { runs } = await runPlan(
    compiled,
    {},
    {
      runId: options.runId ?? 'run',
      line: 0,
      signal: options.signal ?? new AbortController().signal,
      onEvent: options.onEvent,
      now,
    },
  );
  const nodes = [...ids].map((id) => runs[id] ?? notRun(plan.nodes[id]));
  return { nodes, metrics: Object.assign({}, ...nodes.map((node) => node.metrics ?? {})) };
}

/**
 * Whether testing a flow on one row runs its aggregation nodes: only when one of them reads a node that runs per row.
 */
export function testsAggregation(plan: Plan): boolean {
  return plan.nodes.some(
    (node) => node.aggregation && node.dependencies.some((id) => plan.nodes[id]?.aggregation === false),
  );
}

function overRows(node: PlanNode, ids: ReadonlySet<number>, rows: readonly RowResult[]): PlanNode {
  if (!ids.has(node.id)) return node;
  const listed = (binding: Binding): Binding => listBinding(binding, ids, rows);
  const { activate } = node;
  return {
    ...node,
    inputs: node.inputs.map((input) => ({ ...input, binding: listed(input.binding) })),
    ...(activate === undefined ? {} : { activate: { ...activate, when: listed(activate.when) } }),
  };
}

/** A node that converts its literals keeps the lists beside them: they stand where a literal is read. */
function withLists(prepared: PreparedNode, written: PlanNode | undefined, over: PlanNode | undefined): PreparedNode {
  if (prepared.literals === undefined || written === undefined || over === undefined) return prepared;
  const lists = over.inputs.flatMap(({ name, binding }, index) =>
    binding.kind === 'literal' && written.inputs[index]?.binding.kind !== 'literal' ? [[name, binding.value]] : [],
  );
  return { ...prepared, literals: { ...prepared.literals, ...Object.fromEntries(lists) } };
}

function listBinding(binding: Binding, ids: ReadonlySet<number>, rows: readonly RowResult[]): Binding {
  if (binding.kind === 'literal') return binding;
  if (binding.kind === 'flow-input') {
    return { kind: 'literal', value: rows.map(({ row }) => row.inputs[binding.input] ?? null) };
  }
  if (ids.has(binding.node)) return binding;
  const values = rows.map(({ nodes }): Value => {
    const output = nodes.find((run) => run.node === binding.nodeName)?.output ?? null;
    const read = readProperty(binding.nodeName, output, binding.path, binding.pathText);
    return read.ok ? read.value : null;
  });
  return { kind: 'literal', value: values };
}

function notRun(node: PlanNode | undefined): NodeRun {
  if (node === undefined) throw new Error('bug: an aggregation node is not in the plan');
  return { line: 0, node: node.name, kind: node.definition.type, status: 'NotRun' };
}
