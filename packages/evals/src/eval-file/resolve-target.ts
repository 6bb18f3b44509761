import type { RunInfo, RunNode } from '@unroll/engine';
import type { Step, Target } from '../targets/target.ts';

/** A target found in a run, or in the flow that will be run. */
export type FoundTarget =
  | { readonly kind: 'outputs' | 'inputs'; readonly name: string; readonly steps: readonly Step[] }
  | { readonly kind: 'node'; readonly node: string; readonly steps: readonly Step[] }
  | {
      readonly kind: 'family';
      readonly family: string;
      readonly turns: readonly FoundTurn[];
      readonly steps: readonly Step[];
    };

export interface FoundTurn {
  readonly node: string;
  /** From 1. */
  readonly iteration: number;
}

/** What can be measured in a flow. */
export interface Measurable {
  readonly nodes: readonly RunNode[];
  /** Names; undefined where they are not known. */
  readonly outputs: readonly string[] | undefined;
  readonly inputs: readonly string[] | undefined;
}

export interface NotFound {
  readonly unknown: string;
  readonly kind: 'output' | 'input' | 'node';
  readonly candidates: readonly string[];
}

export function measurableIn({ nodes, outputs }: Pick<RunInfo, 'nodes' | 'outputs'>): Measurable {
  const isOpen = outputs?.some(({ isWhole }) => isWhole === true) === true;
  return { nodes, outputs: isOpen ? undefined : outputs?.map(({ name }) => name), inputs: undefined };
}

/** `name[*]` is a family where there is one of that name, else every member of the list that the node gives. */
export function resolveTarget(target: Target, { nodes, outputs, inputs }: Measurable): FoundTarget | NotFound {
  const { of, name, steps } = target;
  if (of !== 'node') {
    const known = of === 'outputs' ? outputs : inputs;
    if (known === undefined || known.includes(name)) return { kind: of, name, steps };
    return { unknown: name, kind: of === 'outputs' ? 'output' : 'input', candidates: known };
  }
  const turns = nodes
    .filter(({ family }) => family === name)
    .map((node) => ({ node: node.name, iteration: node.iteration ?? 1 }))
    .sort((one, other) => one.iteration - other.iteration);
  if (turns.length > 0 && steps[0]?.kind === 'every') {
    return { kind: 'family', family: name, turns, steps: steps.slice(1) };
  }
  if (nodes.some((node) => node.name === name)) return { kind: 'node', node: name, steps };
  return { unknown: name, kind: 'node', candidates: candidatesOf(nodes) };
}

/** Nodes, and families as they are written. */
function candidatesOf(nodes: readonly RunNode[]): readonly string[] {
  const families = nodes.flatMap(({ family }) => (family === undefined ? [] : [`${family}[*]`]));
  return [...new Set([...families, ...nodes.map(({ name }) => name)])];
}
