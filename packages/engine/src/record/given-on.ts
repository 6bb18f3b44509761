import type { JsonValue } from '../value/json.ts';
import type { NodeRun } from './node-run.ts';
import { valueHash } from './value-hash.ts';

/**
 * Whether the output of a node may be, or hold, a list or a mapping that it was given, in a row in which code changed what it was given:
 * the two are one object while the row runs, and would be two if the output were taken from its record. Told by what they hold, so that
 * a node that makes the like of what it was given counts too.
 *
 * @param ofRow all records of its row
 */
export function isGivenOn({ inputs = {}, output }: NodeRun, ofRow: readonly NodeRun[]): boolean {
  if (!ofRow.some(({ changed }) => changed !== undefined)) return false;
  const given = new Set(Object.values(inputs).flatMap((value) => [...objectsIn(value)]));
  return given.size > 0 && objectsIn(output).some((one) => given.has(one));
}

/** Hashes of the lists and mappings in a value, itself among them. */
function* objectsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value !== 'object' || value === null || value instanceof Number) return;
  yield valueHash(value);
  for (const member of Object.values(value)) yield* objectsIn(member as JsonValue);
}
