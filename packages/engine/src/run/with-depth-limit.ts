import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import { depthMessage, isTooDeep } from '../value/depth.ts';

/**
 * Fails a node whose output nests deeper than values may: what comes after walks over it level by level. A node's own code
 * may have to look earlier, where it walks over what it was given.
 */
export function withDepthLimit(node: PreparedNode): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const outcome = node.run(inputs, call);
      return outcome instanceof Promise
        ? outcome.then((ended) => limited(ended, call.node))
        : limited(outcome, call.node);
    },
  };
}

function limited(outcome: NodeOutcome, node: string): NodeOutcome {
  if (!outcome.ok || !isTooDeep(outcome.output)) return outcome;
  const { report } = outcome;
  const code = 'NodeOutputTooDeep';
  const message = `the output of node '${node}' is ${depthMessage()}, which is the limit`;
  const error = { code, message, retryable: false };
  return { ok: false, error, ...(report === undefined ? {} : { report }) };
}
