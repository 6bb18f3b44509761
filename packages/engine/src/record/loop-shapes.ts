import type { NodeStatus } from './node-run.ts';
import type { RunNode } from './run-info.ts';

/** A loop as the nodes of a run tell of it. */
export interface LoopShape {
  readonly name: string;
  /** Property of the state that ends it when true. */
  readonly until: string;
  /** Last node of the group: what it gives is the state. */
  readonly stateFamily: string;
  /** Names of its instances by iteration, from 1. */
  readonly stateNodes: readonly string[];
  /** Names of all nodes of the group by iteration, from 1. */
  readonly members: readonly (readonly string[])[];
}

/** The loops of a run, from its nodes. The last family of a loop in the order of the flow is the one that gives its state. */
export function loopShapes(nodes: readonly RunNode[]): readonly LoopShape[] {
  const inLoops = nodes.filter((node) => (node.iteration ?? 0) > 0);
  const names = [...new Set(inLoops.flatMap(({ loop }) => loop ?? []))];
  return names.map((name) => {
    const own = inLoops.filter(({ loop }) => loop === name);
    const times = Math.max(...own.map(({ iteration = 0 }) => iteration));
    const stateFamily = own.at(-1)?.family ?? '';
    const at = (iteration: number) => own.filter((node) => node.iteration === iteration);
    const iterations = Array.from({ length: times }, (_, index) => index + 1);
    return {
      name,
      until: nodes.find(({ loop, iteration }) => loop === name && iteration === 0)?.until ?? 'finished',
      stateFamily,
      stateNodes: iterations.map((one) => at(one).find(({ family }) => family === stateFamily)?.name ?? ''),
      members: iterations.map((one) => at(one).map((node) => node.name)),
    };
  });
}

/**
 * Iteration, from 1, of the nodes that tell whether a row went round: an iteration was gone round where one of them ran. The node of
 * the state is none of them where there are others, since it hands the answer on in iterations that are passed over.
 */
export function tellingNodes({ stateNodes, members }: LoopShape): ReadonlyMap<string, number> {
  const states = new Set(stateNodes);
  return new Map(
    members.flatMap((names, index) => {
      const others = names.filter((name) => !states.has(name));
      return (others.length > 0 ? others : names).map((name) => [name, index + 1] as const);
    }),
  );
}

/** How many times a row went round a loop: the last iteration in which one of these nodes ran; 0 where none did. */
export function timesRound(
  telling: ReadonlyMap<string, number>,
  nodes: Iterable<{ readonly node: string; readonly status: NodeStatus }>,
): number {
  let times = 0;
  for (const { node, status } of nodes) if (hasRun(status)) times = Math.max(times, telling.get(node) ?? 0);
  return times;
}

/** Whether it began: one that was bypassed, or never reached, did not. */
export function hasRun(status: NodeStatus): boolean {
  return status === 'Completed' || status === 'Failed' || status === 'Canceled';
}
