import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import type { Usage } from '@unroll/engine';

/** Time and tokens of operations, by the names and the buckets of the GenAI semantic conventions. */
export interface OperationMetrics {
  /** @param ms that a call of a model or a tool took */
  operation(ms: number, attributes: Attributes): void;
  tokens(usage: Usage, attributes: Attributes): void;
  /** @param ms that a row of a flow took */
  workflow(ms: number, attributes: Attributes): void;
}

const secondsBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);

export function operationMetrics(meter: Meter): OperationMetrics {
  const operation = seconds(meter, 'gen_ai.client.operation.duration', 'GenAI operation duration.');
  const workflow = seconds(meter, 'gen_ai.workflow.duration', 'Duration of a row of a flow.');
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: tokenBuckets },
  });
  return {
    operation: (ms, attributes) => operation.record(ms / 1000, attributes),
    workflow: (ms, attributes) => workflow.record(ms / 1000, attributes),
    tokens: ({ promptTokens, completionTokens }, attributes) => {
      tokens.record(promptTokens, { ...attributes, 'gen_ai.token.type': 'input' });
      if (completionTokens > 0) tokens.record(completionTokens, { ...attributes, 'gen_ai.token.type': 'output' });
    },
  };
}

function seconds(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, {
    description,
    unit: 's',
    advice: { explicitBucketBoundaries: secondsBuckets },
  });
}
