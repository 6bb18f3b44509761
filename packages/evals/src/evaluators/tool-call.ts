import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';
import { callsIn, expectedCalls, noCall, sharedCalls } from './tool-calls.ts';

export const callParameters = z.strictObject({
  arguments: z
    .enum(['same', 'expected', 'ignored'])
    .default('expected')
    .describe('`same`: the arguments are those expected; `expected`: these are among them; `ignored`: names only.'),
});

/** The model's answer calls what is expected, all of it and nothing else; an expected null asks for no call. */
export const toolCall = defineEvaluator({
  name: 'tool_call',
  about: 'the model calls the function that is expected, with its arguments',
  parameters: callParameters,
  expected: 'needed',
  measures: 'value',
  isOfCalls: true,
  prepare: ({ arguments: rule }) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ value, expected = null }) => {
      const found = typeof value === 'string' ? [] : callsIn(value);
      const wanted = expectedCalls(expected);
      if (wanted === undefined) return noCall;
      return passed(found.length === wanted.length && sharedCalls(found, wanted, rule) === wanted.length);
    },
  }),
});
