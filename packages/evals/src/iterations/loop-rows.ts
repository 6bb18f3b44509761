import type { NodeRun, RunNode, Usage, Value } from '@unroll/engine';

/** How one row went round a loop. */
export interface LoopRow {
  readonly line: number;
  readonly repeat: number;
  /** By iteration, from 1: index 0 is the first. */
  readonly turns: readonly LoopTurn[];
  /** Iteration after which the loop had ended; absent where it never did. */
  readonly finishedAt?: number;
}

export interface LoopTurn {
  /** Whether a node of the group did something: after the end they are bypassed, or hand the state on. */
  readonly ran: boolean;
  readonly tokens: number;
  /** US dollars; 0 where nothing is known of it. */
  readonly cost: number;
}

/** A loop as the nodes of a run tell of it. */
export interface LoopShape {
  readonly name: string;
  /** Last node of the group: what it gives is the state. */
  readonly stateFamily: string;
  /** Names of its instances by iteration, from 1. */
  readonly stateNodes: readonly string[];
  /** Names of all nodes of the group by iteration, from 1. */
  readonly members: readonly (readonly string[])[];
  readonly until: string;
}

/** The loops of a run, from its nodes. The last family of a loop in the order of the flow is the one that gives its state. */
export function loopShapes(nodes: readonly RunNode[], until = 'finished'): readonly LoopShape[] {
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
      stateFamily,
      stateNodes: iterations.map((one) => at(one).find(({ family }) => family === stateFamily)?.name ?? ''),
      members: iterations.map((one) => at(one).map((node) => node.name)),
      until,
    };
  });
}

/** @param costOf US dollars of a call of a node; 0 where nobody is billed, or nothing is known */
export function readLoopRow(
  shape: LoopShape,
  place: { readonly line: number; readonly repeat: number },
  records: readonly NodeRun[],
  costOf: (node: string, usage: Usage) => number,
): LoopRow {
  const byName = new Map(records.map((run) => [run.node, run]));
  const ended = shape.stateNodes.findIndex((name) => isFinished(byName.get(name)?.output, shape.until));
  const turns = shape.members.map((names, index): LoopTurn => {
    const runs = names.flatMap((name) => byName.get(name) ?? []);
    const used = runs.flatMap(({ node, usage }) => (usage === undefined ? [] : [{ node, usage }]));
    const did = runs.some(({ status }) => status === 'Completed' || status === 'Failed');
    return {
      ran: did && (ended < 0 || index <= ended),
      tokens: used.reduce((sum, { usage }) => sum + usage.totalTokens, 0),
      cost: used.reduce((sum, { node, usage }) => sum + costOf(node, usage), 0),
    };
  });
  return { ...place, turns, ...(ended < 0 ? {} : { finishedAt: ended + 1 }) };
}

function isFinished(state: Value | undefined, until: string): boolean {
  return typeof state === 'object' && state !== null && (state as Readonly<Record<string, Value>>)[until] === true;
}
