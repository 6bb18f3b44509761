import type { NodeStatus } from './node-run.ts';
import type { NodePair } from './run-comparison.ts';

/** What goes into a node is recorded only where it was started. */
export function nodePair(pair: NodePair): NodePair {
  return isStarted(pair.left) && isStarted(pair.right) ? pair : { ...pair, inputsDiffer: undefined };
}

function isStarted(status: NodeStatus | undefined): boolean {
  return status !== undefined && status !== 'Bypassed' && status !== 'NotRun';
}
