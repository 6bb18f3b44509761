import type { NodeError } from '../node/node-error.ts';
import type { Binding, Plan, PlanNode } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonValue } from '../value/json.ts';
import { compilePlan } from './compile-plan.ts';
import { loadListImages } from './load-list-images.ts';
import { readProperty } from './read-property.ts';
import type { AggregationResult, RowOptions, RowResult, RowResults } from './run-flow.ts';
import type { PreparedFlow } from './run-node.ts';
import { runPlan } from './run-plan.ts';

/**
 * Runs the aggregation nodes over the completed rows. What an input gets: of a node that runs per row, the list of its
 * values in row order; of a flow input, the list of its values; of another aggregation node, its plain output; of a
 * literal, the literal. Metrics logged before a failure are kept.
 */
export async function runAggregation(
  { plan, prepared, sources, now }: PreparedFlow,
  rows: RowResults,
  options: RowOptions,
): Promise<AggregationResult> {
  const ids = new Set(plan.nodes.filter((node) => node.aggregation).map((node) => node.id));
  if (ids.size === 0) return { nodes: [], metrics: {} };
  const lists = await collectLists(plan, ids, rows);
  const over = { ...plan, outputs: [], nodes: plan.nodes.map((node) => overRows(node, ids, lists)) };
  const gathered = Object.fromEntries([...lists.values()].map(({ input, values }) => [input, values]));
  const loaded = await loadListImages([...lists.values()], gathered, sources);
  if (!loaded.ok) {
    const nodes = [...ids].map((id) => ended(plan.nodes[id], loaded.error));
    reportEnds(nodes, options.onEvent);
    return { nodes, metrics: {} };
  }
  const { runs } = await runPlan(compilePlan(over, prepared, ids), loaded.inputs, {
    runId: options.runId ?? 'run',
    line: 0,
    signal: options.signal ?? new AbortController().signal,
    onEvent: options.onEvent,
    finished: options.finished,
    now,
  });
  const nodes = [...ids].map((id) => runs[id] ?? ended(plan.nodes[id]));
  return { nodes, metrics: Object.fromEntries(nodes.flatMap((node) => Object.entries(node.metrics ?? {}))) };
}

/**
 * Whether testing a flow on one row runs its aggregation nodes: only when one of them reads a node that runs per row.
 */
export function testsAggregation(plan: Plan): boolean {
  return plan.nodes.some(
    (node) => node.aggregation && node.dependencies.some((id) => plan.nodes[id]?.aggregation === false),
  );
}

/** What a binding reads of every completed row, as an input of the run over them. */
interface RowsList {
  readonly input: string;
  /** The name the author knows it by. */
  readonly toldAs: string;
  /** In row order. */
  readonly values: JsonValue[];
}

/** Goes through the rows once: none is kept for longer than it is looked at. */
async function collectLists(
  plan: Plan,
  ids: ReadonlySet<number>,
  rows: RowResults,
): Promise<ReadonlyMap<Binding, RowsList>> {
  const bindings = plan.nodes.filter(({ id }) => ids.has(id)).flatMap(bindingsOf);
  const ofRows = bindings.filter((binding) => isOfRow(binding, ids));
  const lists = new Map(
    ofRows.map((binding, at): [Binding, RowsList] => [
      binding,
      { input: `list ${at}`, toldAs: nameOf(binding), values: [] },
    ]),
  );
  for await (const result of rows) {
    if (result.row.status !== 'Completed') continue;
    for (const [binding, { values }] of lists) values.push(await rowValue(binding, result));
  }
  return lists;
}

function bindingsOf({ inputs, activate }: PlanNode): readonly Binding[] {
  return [...inputs.map(({ binding }) => binding), ...(activate === undefined ? [] : [activate.when])];
}

function nameOf(binding: Binding): string {
  if (binding.kind === 'flow-input') return binding.input;
  return binding.kind === 'node-output' ? binding.nodeName : '';
}

function isOfRow(binding: Binding, ids: ReadonlySet<number>): boolean {
  return binding.kind === 'flow-input' || (binding.kind === 'node-output' && !ids.has(binding.node));
}

async function rowValue(binding: Binding, { row, nodes }: RowResult): Promise<JsonValue> {
  if (binding.kind === 'literal') return binding.value;
  if (binding.kind === 'flow-input') return row.inputs[binding.input] ?? null;
  const output = nodes.find((run) => run.node === binding.nodeName)?.output ?? null;
  const read = await readProperty(binding.nodeName, output, binding.path, binding.pathText);
  return read.ok ? read.value : null;
}

function overRows(node: PlanNode, ids: ReadonlySet<number>, lists: ReadonlyMap<Binding, RowsList>): PlanNode {
  if (!ids.has(node.id)) return node;
  const listed = (binding: Binding): Binding => {
    const list = lists.get(binding);
    return list === undefined ? binding : { kind: 'flow-input', input: list.input };
  };
  const { activate } = node;
  return {
    ...node,
    inputs: node.inputs.map((input) => ({ ...input, binding: listed(input.binding) })),
    ...(activate === undefined ? {} : { activate: { ...activate, when: listed(activate.when) } }),
  };
}

/** Of nodes over all rows that do not run: whoever counts what failed listens to their ends. */
export function reportEnds(nodes: readonly NodeRun[], onEvent: RowOptions['onEvent']): void {
  for (const run of nodes) onEvent?.({ type: 'node-ended', line: 0, run });
}

function ended(node: PlanNode | undefined, error?: NodeError): NodeRun {
  if (node === undefined) throw new Error('bug: an aggregation node is not in the plan');
  const place = { line: 0, node: node.name, kind: node.definition.type };
  return error === undefined ? { ...place, status: 'NotRun' } : { ...place, status: 'Failed', error };
}
