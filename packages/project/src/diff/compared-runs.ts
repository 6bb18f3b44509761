import type { RowId, RowPairId, RunComparison, RunInfo } from '@unroll/engine';
import type { RunDiff, RunGraph, VerdictOptions } from '@unroll/evals';
import type { SideBySide } from './side-by-side.ts';

/** Two runs as they were compared: which rows are pairs, and why they differ. */
export interface ComparedRuns {
  readonly pairedBy: RunComparison['pairedBy'];
  readonly diff: RunDiff;
  readonly graph: RunGraph;
  readonly verdictOptions: VerdictOptions;
  /** Nodes that outputs of the flow are taken from. */
  readonly outputReads: ReadonlyMap<string, string>;
  /** All pairs in the order of the left run. */
  readonly pairs: readonly RowPairId[];
  /** First rows that only one run has. */
  readonly unpaired: UnpairedRows;
  /** By id of a pattern: its outputs, or how its rows ended, differ. */
  readonly outputsDiffer: ReadonlySet<number>;
  /** By id of a pattern: only the right run failed. */
  readonly failed: ReadonlySet<number>;
  /** Name of a node in the left run. */
  leftName(node: string): string;
}

export interface UnpairedRows {
  readonly left: readonly RowId[];
  readonly right: readonly RowId[];
}

/** How many of the rows that only one run has are told on a page. */
export const maxUnpaired = 20;

/** @param limit of rows of each run */
export function unpairedRows({ unpaired }: RunComparison, limit: number): UnpairedRows {
  return { left: unpaired('left', limit), right: unpaired('right', limit) };
}

/** @param side may be disposed of already: its pairs and patterns are in memory */
export function comparedRuns(
  { comparison, graph, verdictOptions, leftName }: SideBySide,
  { diff, right, unpaired }: { readonly diff: RunDiff; readonly right: RunInfo; readonly unpaired: UnpairedRows },
): ComparedRuns {
  const { patterns, pairedBy } = comparison;
  const ids = patterns.map(({ id }) => id);
  const idsOf = (isMeant: (pattern: (typeof patterns)[number]) => boolean) =>
    new Set(patterns.filter(isMeant).map(({ id }) => id));
  return {
    ...{ pairedBy, diff, graph, verdictOptions, leftName },
    outputReads: new Map((right.outputs ?? []).map(({ name, reads = '' }) => [name, reads])),
    pairs: comparison.pairs(ids, comparison.left),
    unpaired: { left: unpaired.left.slice(0, maxUnpaired), right: unpaired.right.slice(0, maxUnpaired) },
    outputsDiffer: idsOf((pattern) => pattern.outputsDiffer || pattern.left !== pattern.right),
    failed: idsOf((pattern) => pattern.right === 'Failed' && pattern.left !== 'Failed'),
  };
}
