import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { PythonDate } from '../value/python-date.ts';
import { RemoteValue } from '../value/remote-value.ts';

/** What is counted: `3.0` is none. */
const counts: ReadonlySet<string> = new Set(['times', 'tokens']);

/** As a schema looks at it: where a text is asked for a date will do, where a number is one with a point. */
export function plainScalars(value: JsonValue): JsonValue {
  const current: unknown = value;
  if (current instanceof PythonDate) return current.toString();
  if (current instanceof Float) return current.valueOf();
  if (typeof current !== 'object' || current === null || current instanceof RemoteValue) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plainScalars);
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  return Object.fromEntries(
    entries.map(([key, member]) => [
      key,
      counts.has(key) && (member as unknown) instanceof Float ? member : plainScalars(member),
    ]),
  );
}
