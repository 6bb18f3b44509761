import type { JsonObject, JsonValue } from '@unroll/engine';
import type { MetricSpec } from '@unroll/evals';

/** What of a row a metric judges: the output it looks at, else all of them. */
export function judgedAnswer(outputs: JsonObject, { on }: Pick<MetricSpec, 'on'>): JsonValue {
  if (on?.of === 'outputs' && Object.hasOwn(outputs, on.name)) return outputs[on.name] ?? null;
  return outputs;
}
