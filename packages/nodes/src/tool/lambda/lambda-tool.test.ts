import { expect, test } from 'vitest';
import { createLambdaTool } from './lambda-tool.ts';

const target = { functionName: 'f', region: 'us-east-1' };

test.for(['{"n": 1e400}', '{"a": [{"b": -1e400}]}', '{"n": NaN}'])(
  'numbers that JSON cannot write are not sent, the model is told: %s',
  async (given) => {
    const sent: string[] = [];
    const invoke = async (payload: string) => {
      sent.push(payload);
      return { ok: false, error: { code: 'never', message: 'never', retryable: false }, requestId: undefined } as const;
    };
    const tool = createLambdaTool({ name: 'f', target, invoke }, () => {});
    const result = await tool.call(given, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, toModel: true, error: { code: 'MALFORMED_ARGUMENTS' } });
    expect(sent).toEqual([]);
  },
);
