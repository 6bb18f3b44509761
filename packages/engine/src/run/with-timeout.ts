import type { NodeCall, NodeOutcome, PreparedNode } from '../node/node-type.ts';

/**
 * Ends a node that runs longer than `timeoutMs`: its signal is aborted and the node fails with `NodeTimeout`, whether
 * or not it listens to the signal.
 */
export function withTimeout(node: PreparedNode, timeoutMs: number): PreparedNode {
  return { ...node, run: (inputs, call) => within(timeoutMs, call, (limited) => node.run(inputs, limited)) };
}

function within(
  timeoutMs: number,
  call: NodeCall,
  run: (call: NodeCall) => NodeOutcome | Promise<NodeOutcome>,
): NodeOutcome | Promise<NodeOutcome> {
  const limit = new AbortController();
  const outcome = run({ ...call, signal: AbortSignal.any([call.signal, limit.signal]) });
  if (!(outcome instanceof Promise)) return outcome;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      limit.abort(new Error('time limit'));
      resolve(timedOut(call.node, timeoutMs));
    }, timeoutMs);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function timedOut(node: string, timeoutMs: number): NodeOutcome {
  const message = `node '${node}' ran longer than its time limit of ${timeoutMs / 1000} s`;
  return { ok: false, error: { code: 'NodeTimeout', message, retryable: true, codes: ['UserError', 'NodeTimeout'] } };
}
