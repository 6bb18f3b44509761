import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import { feedBackState } from '../plan/loop-end.ts';
import type { JsonObject } from '../value/json.ts';

/**
 * Turns the failure of a loop's function node into the next state: the error stands among the results, where the model
 * reads it, and one unit of the bound is spent. A node that was stopped is not fed back.
 */
export function withErrorFeedback(
  node: PreparedNode,
  inputs: { readonly stateInput: string; readonly messageInput: string },
): PreparedNode {
  const fedBack = (given: JsonObject, outcome: NodeOutcome): NodeOutcome => {
    if (outcome.ok || outcome.canceled === true) return outcome;
    const output = feedBackState(given[inputs.stateInput] ?? null, given[inputs.messageInput] ?? null, outcome.error);
    const warning = `fed back to the model: ${outcome.error.message}`;
    const { fingerprint: _of, ...report } = outcome.report ?? {};
    const notKept = 'the node failed, and its failure was fed back';
    return { ok: true, output, report: { ...report, notKept, warnings: [...(report.warnings ?? []), warning] } };
  };
  return {
    ...node,
    run: (given, call) => {
      const outcome = node.run(given, call);
      return outcome instanceof Promise ? outcome.then((ended) => fedBack(given, ended)) : fedBack(given, outcome);
    },
  };
}
