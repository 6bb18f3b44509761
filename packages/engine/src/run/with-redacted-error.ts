import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { redactedError } from './redacted-run.ts';

/** A node whose failures hold no secret: they go on to other nodes. */
export function withRedactedError(node: PreparedNode, redactor: Redactor): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const redacted = (outcome: NodeOutcome): NodeOutcome =>
        outcome.ok ? outcome : { ...outcome, error: redactedError(outcome.error, call.redactor ?? redactor) };
      const outcome = node.run(inputs, call);
      return outcome instanceof Promise ? outcome.then(redacted) : redacted(outcome);
    },
  };
}
