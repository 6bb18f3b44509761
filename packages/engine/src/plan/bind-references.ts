import { endedLoop, type FlowSpec, type NodeSpec } from '../flow/flow-spec.ts';
import { readBudget } from '../flow/read-budget.ts';
import { parsePropertyPath, parseReference } from '../flow/reference.ts';
import { type Diagnostic, preventsRun } from '../source/diagnostic.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { checkCycles } from './check-cycles.ts';
import { checkLiterals } from './check-literals.ts';
import { checkNodeOrder, forgetsMessageFormat } from './check-node-order.ts';
import { checkOutputs } from './check-outputs.ts';
import { checkReferences } from './check-references.ts';
import { defineNode } from './define-node.ts';
import { knownNames } from './explain-reference.ts';
import { nodeReferences } from './flow-references.ts';
import { namedModules } from './named-modules.ts';
import { oncePerPlace } from './once-each.ts';
import { dependentsOf, orderNodes } from './order-nodes.ts';
import type { Binding, Plan, PlanInput, PlanLoop, PlanNode, PlanOutput } from './plan.ts';

export interface BoundFlow {
  /** Absent where a mistake keeps the flow from running. */
  readonly plan?: Plan;
  /** In the order in which they are looked for: names, inputs of the flow, then node by node. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns text references into ids of nodes, and nodes into an order in which they can run. Loops are laid out before. */
export function bindReferences(spec: FlowSpec): BoundFlow {
  const dependencies = dependenciesOf(spec);
  const { order, left } = orderNodes(dependencies);
  const known = knownNames(spec);
  const diagnostics = oncePerPlace([
    ...checkReferences(spec, known),
    ...checkCycles(spec, dependencies, left),
    ...checkOutputs(spec, known),
    ...checkLiterals(spec),
    ...(left.length === 0 ? checkNodeOrder(spec, order) : []),
  ]);
  if (diagnostics.some(preventsRun)) return { diagnostics };
  return { plan: planOf(spec, order, dependencies), diagnostics };
}

/** Indexes into `spec.nodes`; nodes that do not exist are left out. */
function dependenciesOf(spec: FlowSpec): readonly (readonly number[])[] {
  const indexes = new Map<string, number>();
  for (const [index, { name }] of spec.nodes.entries()) if (!indexes.has(name)) indexes.set(name, index);
  return spec.nodes.map((node) => {
    const sources = nodeReferences(spec, node).flatMap(({ reference }) => {
      const index = reference.kind === 'node' ? indexes.get(reference.node) : undefined;
      return index === undefined ? [] : [index];
    });
    return [...new Set(sources)];
  });
}

function planOf(spec: FlowSpec, order: readonly number[], dependencies: readonly (readonly number[])[]): Plan {
  const ids = new Map(order.map((index, id) => [index, id]));
  const idsByName = new Map(order.map((index, id) => [spec.nodes[index]?.name ?? '', id]));
  const dependents = dependentsOf(dependencies);
  const toIds = (indexes: readonly number[] = []): readonly number[] =>
    indexes.map((index) => ids.get(index) ?? -1).sort((left, right) => left - right);
  const nodes = order.map((index, id) =>
    planNode(spec, index, id, idsByName, toIds(dependencies[index]), toIds(dependents[index])),
  );
  const aggregations = new Set(nodes.filter((node) => node.aggregation).map((node) => node.id));
  return {
    file: spec.file,
    flowId: spec.id ?? 'default_flow_id',
    name: spec.name ?? 'flow',
    messageFormat: forgetsMessageFormat(spec, order) ? 'basic' : spec.messageFormat,
    writtenFormat: spec.messageFormat,
    isStandard: spec.isStandard,
    valuesOpenRoles: spec.valuesOpenRoles,
    inputs: spec.inputs,
    ...(spec.takesAnyInput === undefined ? {} : { takesAnyInput: spec.takesAnyInput }),
    outputs: planOutputs(spec, idsByName, aggregations),
    ...answering(spec, idsByName),
    nodes,
    loops: planLoops(nodes),
    environmentVariables: spec.environmentVariables,
    modules: namedModules(spec),
    ...(spec.sample === undefined ? {} : { sample: spec.sample }),
  };
}

function planNode(
  spec: FlowSpec,
  index: number,
  id: number,
  ids: ReadonlyMap<string, number>,
  dependencies: readonly number[],
  dependents: readonly number[],
): PlanNode {
  const node = spec.nodes[index] as NodeSpec;
  const { activate, instance, feedBack, retry, timeout } = node;
  return {
    id,
    name: node.name,
    definition: defineNode(spec, node),
    inputs: Object.entries(node.inputs).map(([name, value]) =>
      planInput(spec, node, name, leftOut(spec, bind(value, ids))),
    ),
    ...(activate === undefined
      ? {}
      : { activate: { when: bind(activate.when, ids), is: activate.is, text: String(activate.when) } }),
    aggregation: node.aggregation,
    dependencies,
    dependents,
    ...(instance === undefined ? {} : { instance }),
    ...(feedBack === undefined ? {} : { feedBack }),
    ...(retry?.times === undefined ? {} : { retry: { times: retry.times, waitMs: (retry.wait_seconds ?? 0) * 1000 } }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  };
}

function planInput(spec: FlowSpec, node: NodeSpec, name: string, binding: Binding): PlanInput {
  const span = spec.locate([...node.path, 'inputs', name]);
  return { name, binding, ...(span === undefined ? {} : { span }) };
}

/** What only a signature tells of is left to the code. */
function leftOut({ inputs }: FlowSpec, binding: Binding): Binding {
  if (binding.kind !== 'flow-input') return binding;
  const isAnnotated = inputs.some((input) => input.name === binding.input && input.isAnnotated === true);
  return isAnnotated ? { ...binding, isLeftOut: true } : binding;
}

function bind(value: JsonValue, ids: ReadonlyMap<string, number>): Binding {
  const reference = parseReference(value);
  if (reference === undefined) return { kind: 'literal', value };
  if (reference.kind === 'flow-input') return { kind: 'flow-input', input: reference.input };
  const { node, section, property } = reference;
  const id = ids.get(node);
  if (id === undefined) throw new Error(`bug: node ${node} passed the check and does not exist`);
  return {
    kind: 'node-output',
    node: id,
    nodeName: node,
    path: parsePropertyPath(property),
    pathText: property,
    ...(section === 'output' ? {} : { unsupportedSection: section }),
  };
}

/** What refers to an aggregation node is not given; in an output the section of a reference is ignored. */
function planOutputs(
  spec: FlowSpec,
  ids: ReadonlyMap<string, number>,
  aggregations: ReadonlySet<number>,
): readonly PlanOutput[] {
  return spec.outputs.flatMap(({ reference = null, name, type, description, ...marks }): PlanOutput[] => {
    const about = { name, type, ...(description === undefined ? {} : { description }) };
    const { evaluationOnly, isChatOutput } = marks;
    const bound = bind(reference, ids);
    if (bound.kind !== 'node-output') return [{ ...about, binding: bound, evaluationOnly, isChatOutput }];
    if (aggregations.has(bound.node)) return [];
    const { unsupportedSection: _ignored, ...binding } = bound;
    return [{ ...about, binding, evaluationOnly, isChatOutput }];
  });
}

function answering(
  { answersBy, readsImageTexts = false }: FlowSpec,
  ids: ReadonlyMap<string, number>,
): Pick<Plan, 'answersBy' | 'readsImageTexts'> {
  const id = answersBy === undefined ? undefined : ids.get(answersBy);
  return id === undefined ? {} : { answersBy: id, readsImageTexts };
}

/** Loops as their instances tell of them. */
function planLoops(nodes: readonly PlanNode[]): readonly PlanLoop[] {
  return nodes.flatMap((end) => {
    const name = endedLoop(end.instance);
    if (name === undefined) return [];
    const members = nodes.flatMap((node) =>
      node.instance?.loop === name && node.instance.iteration > 0 ? [node.instance] : [],
    );
    const until = end.definition.inputs['until'];
    const budget = end.definition.inputs['budget'];
    return [
      {
        name,
        times: Math.max(0, ...members.map(({ iteration }) => iteration)),
        until: until?.kind === 'literal' ? String(until.value) : 'finished',
        families: [...new Set(members.map(({ family }) => family))],
        endNode: end.id,
        ...(budget?.kind === 'literal' && isMapping(budget.value) ? { budget: readBudget(budget.value) } : {}),
      },
    ];
  });
}
