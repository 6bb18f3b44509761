import type { PreparedNode } from '../node/node-type.ts';
import type { Binding, NodeBinding, Plan, PlanNode, PlanOutput } from '../plan/plan.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { ImageSources } from './load-images.ts';

/** A plan worked out once, so that a row costs its nodes and edges and nothing is looked up by name. */
export interface CompiledPlan {
  readonly plan: Plan;
  readonly nodes: readonly CompiledNode[];
  readonly idOf: ReadonlyMap<string, number>;
  /** Number of dependencies of each node, copied for every row. */
  readonly waitingFor: readonly number[];
  /** Nodes that wait for nothing, in plan order. */
  readonly first: readonly number[];
  readonly outputs: readonly PlanOutput[];
  /** Properties that aggregation nodes read of the nodes compiled here. */
  readonly alsoRead: readonly NodeBinding[];
  /** Where images are had from; absent where no input of the flow may hold one. */
  readonly images?: ImageSources;
}

export interface CompiledNode {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly plan: PlanNode;
  readonly prepared: PreparedNode;
  /** Inputs in the order they were written. */
  readonly names: readonly string[];
  readonly bindings: readonly Binding[];
  /** Ids of the nodes its inputs read (not those of `activate`); empty means: never bypassed for its inputs' sake. */
  readonly reads: readonly number[];
  readonly dependents: readonly number[];
  /** Whether its output is an output of the flow and goes to no other node. */
  readonly isAnswer: boolean;
  /** Whether something else reads an input of the flow, or an output of a node, that it reads. */
  readonly sharesInputs: boolean;
  readonly activate?: { readonly when: Binding; readonly is: JsonValue };
}

/** @param prepared one a node of the plan, by id; only nodes of `ids` are compiled to run */
export function compilePlan(plan: Plan, prepared: readonly PreparedNode[], ids: ReadonlySet<number>): CompiledPlan {
  const answers = answeringNodes(plan);
  const shared = sharedSources(plan);
  const nodes = plan.nodes.map((node) => ({
    ...compileNode(node, prepared[node.id], ids, answers.has(node.id)),
    sharesInputs: node.inputs.some(({ binding }) => shared.has(sourceOf(binding))),
  }));
  const waitingFor = plan.nodes.map((node) => node.dependencies.filter((id) => ids.has(id)).length);
  return {
    plan,
    nodes,
    idOf: new Map(nodes.map(({ id, name }) => [name, id])),
    waitingFor,
    first: plan.nodes.filter((node) => ids.has(node.id) && waitingFor[node.id] === 0).map((node) => node.id),
    outputs: plan.outputs,
    alsoRead: readByAggregation(plan, ids),
  };
}

function readByAggregation(plan: Plan, ids: ReadonlySet<number>): readonly NodeBinding[] {
  const outside = plan.nodes.filter(({ id, aggregation }) => aggregation && !ids.has(id));
  return outside.flatMap(({ inputs }) =>
    inputs.flatMap(({ binding }) =>
      binding.kind === 'node-output' && binding.path.length > 0 && ids.has(binding.node) ? [binding] : [],
    ),
  );
}

function answeringNodes({ nodes, outputs }: Plan): ReadonlySet<number> {
  const answers = outputs.flatMap(({ binding }) => (binding?.kind === 'node-output' ? [binding.node] : []));
  const read = nodes.flatMap(({ inputs }) =>
    inputs.flatMap(({ binding }) => (binding.kind === 'node-output' ? [binding.node] : [])),
  );
  return new Set(answers.filter((id) => !read.includes(id)));
}

/** Inputs of the flow and outputs of nodes that are read more than once. */
function sharedSources({ nodes, outputs }: Plan): ReadonlySet<string | number | undefined> {
  const read = [...nodes.flatMap(({ inputs }) => inputs), ...outputs].map(({ binding }) => sourceOf(binding));
  const once = new Set<string | number | undefined>();
  return new Set(read.filter((source) => source !== undefined && once.size === once.add(source).size));
}

function sourceOf(binding: Binding): string | number | undefined {
  if (binding.kind === 'literal') return undefined;
  return binding.kind === 'flow-input' ? binding.input : binding.node;
}

function compileNode(
  node: PlanNode,
  prepared: PreparedNode | undefined,
  ids: ReadonlySet<number>,
  isAnswer: boolean,
): Omit<CompiledNode, 'sharesInputs'> {
  if (prepared === undefined) throw new Error(`bug: node ${node.name} was not prepared`);
  const inputs = withLiterals(node, prepared.literals);
  const bindings = inputs.map((input) => input.binding);
  const reads = bindings.flatMap((binding) => (binding.kind === 'node-output' ? [binding.node] : []));
  return {
    id: node.id,
    name: node.name,
    kind: node.definition.type,
    plan: node,
    prepared,
    names: inputs.map((input) => input.name),
    bindings,
    reads: [...new Set(reads)],
    dependents: node.dependents.filter((id) => ids.has(id)),
    isAnswer,
    ...(node.activate === undefined ? {} : { activate: node.activate }),
  };
}

function withLiterals(node: PlanNode, literals: JsonObject | undefined): readonly { name: string; binding: Binding }[] {
  if (literals === undefined) return node.inputs;
  return node.inputs.flatMap(({ name, binding }): { name: string; binding: Binding }[] => {
    if (binding.kind !== 'literal') return [{ name, binding }];
    const value = literals[name];
    return value === undefined ? [] : [{ name, binding: { kind: 'literal', value } }];
  });
}
