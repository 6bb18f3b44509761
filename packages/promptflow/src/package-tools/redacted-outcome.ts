import { type NodeOutcome, type Redactor, redactedError } from '@unroll/engine';

/** What a service made of a node, without the secrets it was asked with. */
export function redactedOutcome(outcome: NodeOutcome, redactor: Redactor): NodeOutcome {
  if (outcome.ok) return { ...outcome, output: redactor.value(outcome.output) };
  return { ...outcome, error: redactedError(outcome.error, redactor) };
}
