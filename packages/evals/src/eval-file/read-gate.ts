import { type JsonValue, plainScalars } from '@unroll/engine';
import { gateSchema } from './eval-schema.ts';
import type { GateSpec } from './eval-spec.ts';

/** A gate as it is written; undefined where it is of another shape, which `checkEvalShape` tells. */
export function readGate(written: JsonValue): GateSpec | undefined {
  // One with nothing behind it asks for nothing, as {} does.
  const parsed = gateSchema.safeParse(plainScalars(written ?? {}));
  if (!parsed.success) return undefined;
  const { errors, each_slice: slices, ...rules } = parsed.data;
  const eachSlice = slices == null ? undefined : givenRules(slices);
  return { ...givenRules({ ...rules, eachSlice }), errors: errors ?? 0 };
}

/** What is written of a gate, without what is written as null. */
function givenRules<Rules extends { readonly no_worse_than?: unknown }>({
  no_worse_than: noWorseThan,
  ...bounds
}: Rules): object {
  return Object.fromEntries(Object.entries({ ...bounds, noWorseThan }).filter(([, value]) => value != null));
}
