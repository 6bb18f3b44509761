import type { RunGraph } from '../attribute-changes/run-graph.ts';
import { alignNodes } from '../diff-runs/align-nodes.ts';
import { groupParts } from '../diff-runs/diff-runs.ts';
import { groupNodes } from '../diff-runs/group-nodes.ts';
import { mergeRuns } from '../diff-runs/merge-runs.ts';
import type { DefinitionChange, RunMade } from '../eval-result/eval-result.ts';

/** The nodes of both runs, and which of them are defined otherwise. */
export interface ComparedDefinitions {
  readonly graph: RunGraph;
  /** In the order of the flow, instances of a loop's node as one. */
  readonly changes: readonly DefinitionChange[];
}

/** @returns undefined where a run does not tell its definitions */
export function compareDefinitions(before: RunMade, after: RunMade): ComparedDefinitions | undefined {
  if (before.nodeDefinitions === undefined || after.nodeDefinitions === undefined) return undefined;
  const graph = mergeRuns(before, after, alignNodes(before, after));
  const changes = groupNodes(graph, false).flatMap(({ name, nodes }): DefinitionChange[] => {
    const sides = new Set(nodes.map(({ onlyIn }) => onlyIn));
    const [onlyIn] = sides;
    if (sides.size === 1 && onlyIn !== undefined) {
      return [{ node: name, change: onlyIn === 'left' ? 'removed' : 'added', parts: [] }];
    }
    const parts = groupParts(nodes) ?? [];
    return parts.length === 0 ? [] : [{ node: name, change: 'changed', parts }];
  });
  return { graph, changes };
}
