import { Float, type JsonValue, jsonIn } from '@unroll/engine';

/**
 * Warnings of calls whose arguments a provider's package read as numbers before it wrote them down again: of an integer beyond 2^53 the
 * last digits may be others than the model's.
 */
export function roundedWarnings(
  calls: readonly { readonly name: string; readonly input: string }[],
): readonly string[] {
  return calls.flatMap(({ name, input }) => {
    const found = roundedIn(jsonIn(input) ?? null);
    if (found === undefined) return [];
    return `an argument of ${name} is ${found}, beyond 2^53: its last digits may be others than the model's`;
  });
}

/** One written with the digits that a double has, and no more. */
function roundedIn(value: JsonValue): string | undefined {
  if (typeof value === 'bigint') return String(Number(value)) === String(value) ? String(value) : undefined;
  if (value instanceof Float) return Number.isSafeInteger(value.valueOf()) ? undefined : String(value.valueOf());
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const found = roundedIn(member as JsonValue);
    if (found !== undefined) return found;
  }
  return undefined;
}
