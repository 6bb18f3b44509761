import { imagesIn } from '../image/image.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { holdsRemoteValue } from '../value/remote-value.ts';
import type { NodeRun } from './node-run.ts';
import { isJson } from './value-hash.ts';

/** Whether a record of the value gives it again, to the type of its numbers. */
export function readsBack(value: JsonValue): boolean {
  return isJson(value) && imagesIn(value).length === 0 && !holdsOtherNumber(value);
}

/** Whether a row can go on from the record of a node that completed, and do what it would have done with the node's own output. */
export function givesAgain({ output = null, changed, inexact }: NodeRun): boolean {
  return inexact === undefined && readsBack(output) && (changed === undefined || readsBack(changed));
}

/** As it is recorded: a node that completed and whose record does not give its output again is marked. */
export function markedInexact(run: NodeRun): NodeRun {
  if (run.status !== 'Completed' || run.inexact !== undefined || givesAgain(run)) return run;
  return { ...run, inexact: holdsRemoteValue(run.output) ? 'shown' : 'copied' };
}

/** Numbers of JavaScript's that JSON gives back as others: an integer past 2^53 as a bigint, a small bigint as a number, -0 as 0. */
function holdsOtherNumber(value: JsonValue): boolean {
  if (typeof value === 'number')
    return Object.is(value, -0) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  if (typeof value === 'bigint') return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null || value instanceof Float) return false;
  if (Array.isArray(value)) return value.some(holdsOtherNumber);
  for (const key in value) if (holdsOtherNumber((value as Record<string, JsonValue>)[key] as JsonValue)) return true;
  return false;
}
