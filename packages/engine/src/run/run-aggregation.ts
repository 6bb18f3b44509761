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
  const lists: Record<string, Value> = {};
  const overNodes = [];
  for (const node of plan.nodes) overNodes.push(await overRows(node, ids, completed, lists));
  const compiled = compilePlan({ ...plan, outputs: [], nodes: overNodes }, prepared, ids);
  const { runs } = await runPlan(compiled, lists, {
    runId: options.runId ?? 'run',
    line: 0,
    signal: options.signal ?? new AbortController().signal,
    onEvent: options.onEvent,
    now,
  });
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

/** The node with every value of the rows as an input of the run over them; `lists` gets these inputs. */
async function overRows(
  node: PlanNode,
  ids: ReadonlySet<number>,
  rows: readonly RowResult[],
  lists: Record<string, Value>,
): Promise<PlanNode> {
  if (!ids.has(node.id)) return node;
  const listed = async (binding: Binding): Promise<Binding> => {
    const values = await valuesOf(binding, ids, rows);
    if (values === undefined) return binding;
    const input = `list ${Object.keys(lists).length}`;
    lists[input] = values;
    return { kind: 'flow-input', input };
  };
  const { activate } = node;
  const inputs = [];
  for (const input of node.inputs) inputs.push({ ...input, binding: await listed(input.binding) });
  return {
    ...node,
    inputs,
    ...(activate === undefined ? {} : { activate: { ...activate, when: await listed(activate.when) } }),
  };
}

/** One value a row, in row order; undefined for what is the same for all. */
async function valuesOf(
  binding: Binding,
  ids: ReadonlySet<number>,
  rows: readonly RowResult[],
): Promise<readonly Value[] | undefined> {
  if (binding.kind === 'literal') return undefined;
  if (binding.kind === 'flow-input') return rows.map(({ row }) => row.inputs[binding.input] ?? null);
  if (ids.has(binding.node)) return undefined;
  const values: Value[] = [];
  for (const { nodes } of rows) {
    const output = nodes.find((run) => run.node === binding.nodeName)?.output ?? null;
    const read = await readProperty(binding.nodeName, output, binding.path, binding.pathText);
    values.push(read.ok ? read.value : null);
  }
  return values;
}

function notRun(node: PlanNode | undefined): NodeRun {
  if (node === undefined) throw new Error('bug: an aggregation node is not in the plan');
  return { line: 0, node: node.name, kind: node.definition.type, status: 'NotRun' };
}
