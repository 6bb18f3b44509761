import { defineEvaluator } from './evaluator.ts';
import { callParameters } from './tool-call.ts';
import { callsIn, expectedCalls, noCall, sharedCalls } from './tool-calls.ts';

/** F1 of the calls of all turns against those expected, in any order; none expected and none made agree. */
export const toolCallF1 = defineEvaluator({
  name: 'tool_call_f1',
  about: 'F1 of the calls that were made against those expected, in any order',
  parameters: callParameters,
  expected: 'needed',
  measures: 'turns',
  isOfCalls: true,
  prepare: ({ arguments: rule }) => ({
    kind: 'number',
    range: [0, 1],
    better: 'higher',
    score: ({ turns, expected = null }) => {
      const found = turns.flatMap(({ value }) => (typeof value === 'string' ? [] : callsIn(value)));
      const wanted = expectedCalls(expected);
      if (wanted === undefined) return noCall;
      if (found.length === 0 && wanted.length === 0) return 1;
      return (2 * sharedCalls(found, wanted, rule)) / (found.length + wanted.length);
    },
  }),
});
