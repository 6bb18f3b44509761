import { isDeepStrictEqual } from 'node:util';
import type { NodeRun } from './node-run.ts';

export type RunDifferenceClass = 'same' | 'output differs' | 'status differs' | 'only in left' | 'only in right';

/** One node of one line in two runs. */
export interface RunDifference {
  readonly line: number;
  readonly node: string;
  readonly class: RunDifferenceClass;
  readonly left?: NodeRun;
  readonly right?: NodeRun;
}

/**
 * Sets two runs side by side, one entry a (line, node), in order of line and then of `left`. What a node gave is
 * compared, its output or its error; when and how long it ran is not.
 */
export function compareRuns(left: readonly NodeRun[], right: readonly NodeRun[]): readonly RunDifference[] {
  const lefts = byPlace(left);
  const rights = byPlace(right);
  const places = [...new Set([...lefts.keys(), ...rights.keys()])];
  return places
    .map((place) => compareNode(lefts.get(place), rights.get(place)))
    .sort((one, other) => one.line - other.line);
}

function byPlace(runs: readonly NodeRun[]): ReadonlyMap<string, NodeRun> {
  return new Map(runs.map((run) => [`${run.line}:${run.node}`, run]));
}

function compareNode(left: NodeRun | undefined, right: NodeRun | undefined): RunDifference {
  if (left === undefined && right === undefined) throw new Error('bug: a place in neither run');
  if (right === undefined) return { ...placeOf(left as NodeRun), class: 'only in left', left: left as NodeRun };
  if (left === undefined) return { ...placeOf(right), class: 'only in right', right };
  return { ...placeOf(left), class: classify(left, right), left, right };
}

function placeOf({ line, node }: NodeRun): { readonly line: number; readonly node: string } {
  return { line, node };
}

function classify(left: NodeRun, right: NodeRun): RunDifferenceClass {
  if (left.status !== right.status) return 'status differs';
  return isDeepStrictEqual(resultOf(left), resultOf(right)) ? 'same' : 'output differs';
}

function resultOf({ output = null, error }: NodeRun): readonly unknown[] {
  return [output, error?.code, error?.message];
}
