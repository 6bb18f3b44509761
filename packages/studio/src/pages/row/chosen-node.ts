import type { NodeView, RowPage } from '@unroll/project/studio-contract';

/** The node of the address; else where the row went wrong first, what failed, the last answer of a model, the last that ran for this row. */
export function chosenNode({ nodes }: Pick<RowPage, 'nodes'>, name: string | null): NodeView | undefined {
  const ran = nodes.filter(({ status }) => status === 'Completed' || status === 'Failed');
  return (
    nodes.find((node) => node.name === name) ??
    nodes.find(({ isFirstBad }) => isFirstBad) ??
    nodes.find(({ status }) => status === 'Failed') ??
    ran.findLast(({ conversation }) => conversation.length > 0) ??
    ran.findLast(({ isOverRows }) => isOverRows !== true) ??
    ran.at(-1) ??
    nodes[0]
  );
}

/** The node `step` places further in the order of the flow. */
export function nodeBeside({ nodes }: Pick<RowPage, 'nodes'>, node: string, step: number): string | undefined {
  const at = nodes.findIndex(({ name }) => name === node);
  return nodes[Math.min(Math.max(at + step, 0), nodes.length - 1)]?.name;
}

/** The same node of the turn `step` further; from outside of the loop its first or last turn. */
export function turnBeside({ nodes }: Pick<RowPage, 'nodes'>, node: NodeView, step: number): string | undefined {
  if (node.family !== undefined) {
    const turn = (node.iteration ?? 0) + step;
    return nodes.find(({ family, iteration }) => family === node.family && iteration === turn)?.name;
  }
  const inLoops = nodes.filter(({ iteration = 0 }) => iteration > 0);
  return (step > 0 ? inLoops[0] : inLoops.at(-1))?.name;
}
