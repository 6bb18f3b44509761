import { longestTimerMs } from './longest-timer.ts';
import type { NodeCall, NodeOutcome } from './node-type.ts';

/** Runs a node and ends it with `NodeTimeout` when it takes longer than `timeoutMs`, whether or not it listens to its signal. */
export function within(
  timeoutMs: number,
  call: NodeCall,
  run: (call: NodeCall) => NodeOutcome | Promise<NodeOutcome>,
): NodeOutcome | Promise<NodeOutcome> {
  const limit = new AbortController();
  const outcome = run({ ...call, signal: AbortSignal.any([call.signal, limit.signal]) });
  if (!(outcome instanceof Promise)) return outcome;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        limit.abort(new Error('time limit'));
        resolve(timedOut(call.node, timeoutMs));
      },
      Math.min(timeoutMs, longestTimerMs),
    );
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What becomes of a node that took longer. */
export function timedOut(node: string, timeoutMs: number): NodeOutcome {
  const message = `node '${node}' ran longer than its time limit of ${timeoutMs / 1000} s`;
  return { ok: false, error: { code: 'NodeTimeout', message, retryable: true } };
}
