export { attributeRow, differs } from './attribute-changes/attribute-row.ts';
export type { Attribution, ChangeKind } from './attribute-changes/attribution.ts';
export type { GraphNode, RunGraph } from './attribute-changes/run-graph.ts';
export type { ValueChange } from './compare-values/diff-values.ts';
export { diffValues } from './compare-values/diff-values.ts';
export type { TextPart } from './compare-values/diff-words.ts';
export { diffWords } from './compare-values/diff-words.ts';
export { alignNodes, renamableNames } from './diff-runs/align-nodes.ts';
export { mergeRuns } from './diff-runs/merge-runs.ts';
