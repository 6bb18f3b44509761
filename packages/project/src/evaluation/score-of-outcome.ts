import {
  Float,
  fromLines,
  type JsonObject,
  type NodeError,
  type NodeOutcome,
  type Redactor,
  redactedError,
} from '@unroll/engine';
import { type Score, saidText } from '@unroll/evals';

function redacted(outcome: NodeOutcome, redactor: Redactor): NodeOutcome {
  if (outcome.ok) return { ...outcome, output: redactor.value(outcome.output) };
  return { ...outcome, error: redactedError(outcome.error, redactor) };
}

/**
 * A number, true or false, null for no score, or `{score, reason}` of these. What the code throws and says stands in results and
 * reports, which are handed on.
 */
export function scoreOfOutcome(
  given: NodeOutcome,
  redactor: Redactor,
): { readonly score: Score; readonly isTruth: boolean } {
  const outcome = redacted(given, redactor);
  const unscored = (text: string, isError: boolean, said?: string) => ({
    score: { unscored: text, isError, ...(said === undefined ? {} : { said }) },
    isTruth: false,
  });
  if (!outcome.ok) return unscored('the evaluator failed', true, errorText(outcome.error));
  const { output } = outcome;
  const isDetailed = typeof output === 'object' && output !== null && !Array.isArray(output) && 'score' in output;
  const { score, reason = null } = (isDetailed ? output : { score: output }) as JsonObject;
  if (typeof score === 'boolean') return { score: Number(score), isTruth: true };
  if (typeof score === 'number' || typeof score === 'bigint' || score instanceof Float) {
    return { score: Number(score), isTruth: false };
  }
  if (score === null || score === undefined)
    return unscored(typeof reason === 'string' ? reason : 'the evaluator gave none', false);
  return unscored('the evaluator gave neither a number nor true, false or null', true, saidText(score));
}

/** `ValueError: no good (own.py:2 in own) — from KeyError: 'a'`, as far as it is known. */
function errorText(error: NodeError): string {
  const { code, message } = error.cause ?? error;
  const place = error.trace?.at(-1);
  const named = message.startsWith(code) ? message : `${code}: ${message}`;
  const placed = place === undefined ? named : `${named} (${place})`;
  return [placed, ...fromLines(error)].join(' — ');
}
