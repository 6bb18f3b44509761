import type { CheckedNode } from './checked-node.ts';
import type { Plan, PlanInput } from './plan.ts';

const textTypes: ReadonlySet<string | undefined> = new Set(['str', 'string']);

/** The plan, in which inputs that the nodes' code declares as texts say so. */
export function withTextParameters(plan: Plan, nodes: readonly CheckedNode[]): Plan {
  const parameters = new Map(nodes.map(({ spec, inspection }) => [spec.name, inspection.parameters ?? []]));
  const marked = (input: PlanInput, node: string): PlanInput => {
    const own = parameters.get(node)?.find(({ name }) => name === input.name);
    return textTypes.has(own?.type) ? { ...input, isText: true } : input;
  };
  const planned = plan.nodes.map((node) => ({
    ...node,
    inputs: node.inputs.map((input) => marked(input, node.name)),
  }));
  return { ...plan, nodes: planned };
}
