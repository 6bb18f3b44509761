import type { PreparedNode } from '../node/node-type.ts';
import { within } from '../node/time-limit.ts';

/**
 * Ends a node that runs longer than `timeoutMs`: its signal is aborted and the node fails with `NodeTimeout`, whether
 * or not it listens to the signal. A node that keeps the time itself is only told.
 */
export function withTimeout(node: PreparedNode, timeoutMs: number): PreparedNode {
  if (node.keepsTime === true) {
    return { ...node, run: (inputs, call) => node.run(inputs, { ...call, timeLimitMs: timeoutMs }) };
  }
  return { ...node, run: (inputs, call) => within(timeoutMs, call, (limited) => node.run(inputs, limited)) };
}
