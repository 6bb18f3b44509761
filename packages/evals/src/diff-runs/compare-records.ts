import type { JsonValue, NodePair, NodeRun } from '@unroll/engine';
import { sameValue } from '../compare-values/same-value.ts';

export type PairClass = 'same' | 'output differs' | 'status differs' | 'only in left' | 'only in right';

/** What became of one node in a pair of rows, in a word. */
export function classOf({ left, right, outputDiffers }: NodePair): PairClass {
  if (right === undefined) return 'only in left';
  if (left === undefined) return 'only in right';
  if (left !== right) return 'status differs';
  return outputDiffers ? 'output differs' : 'same';
}

/** One node of one line in two runs. */
export interface RecordPair {
  readonly line: number;
  readonly node: string;
  readonly class: PairClass;
  readonly left?: NodeRun;
  readonly right?: NodeRun;
}

/**
 * Sets records side by side, one entry a (line, node), in order of line and then of `left`. What a node gave is compared,
 * its output or its error; when and how long it ran is not.
 */
export function compareRecords(left: readonly NodeRun[], right: readonly NodeRun[]): readonly RecordPair[] {
  const [lefts, rights] = [byPlace(left), byPlace(right)];
  const places = new Map([...lefts, ...rights]);
  return [...places]
    .map(([place, { line, node }]): RecordPair => {
      const [one, other] = [lefts.get(place), rights.get(place)];
      const sides = { ...(one === undefined ? {} : { left: one }), ...(other === undefined ? {} : { right: other }) };
      return { line, node, class: classOf(pairOf(node, one, other)), ...sides };
    })
    .sort((one, other) => one.line - other.line);
}

function byPlace(runs: readonly NodeRun[]): ReadonlyMap<string, NodeRun> {
  return new Map(runs.map((run) => [`${run.line}:${run.repeat ?? 0}:${run.node}`, run]));
}

function pairOf(node: string, left: NodeRun | undefined, right: NodeRun | undefined): NodePair {
  return {
    node,
    ...(left === undefined ? {} : { left: left.status }),
    ...(right === undefined ? {} : { right: right.status }),
    outputDiffers: !sameValue(resultOf(left), resultOf(right)),
  };
}

function resultOf(run: NodeRun | undefined): readonly JsonValue[] {
  return [run?.output ?? null, run?.error?.code ?? '', run?.error?.message ?? ''];
}
