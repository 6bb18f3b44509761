import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';
import { numberOf } from './number.ts';

/**
 * The first turn whose value says it is finished. With an expectation, whether it is that turn; an expected null asks for
 * none. Without one the number of the turn, and a row that never finished has no score.
 */
export const finishedAt = defineEvaluator({
  name: 'finished_at',
  about: 'the turn in which the loop finished, or with `expected` whether it is the right one',
  parameters: z.strictObject({
    until: z
      .string()
      .min(1)
      .optional()
      .describe('Property of the state that ends the loop; what its `until` says where this is absent.'),
  }),
  expected: 'optional',
  measures: 'turns',
  isOfLoop: true,
  prepare: ({ until = 'finished' }, _services, hasExpected) => ({
    kind: hasExpected ? 'pass' : 'number',
    ...(hasExpected ? {} : { range: [1, Number.POSITIVE_INFINITY] as const }),
    better: hasExpected ? 'higher' : 'lower',
    score: ({ turns, expected }) => {
      const found = turns.find((turn) => turn.member(until) === true)?.iteration;
      if (!hasExpected) return found ?? { unscored: 'never finished' };
      if (expected === undefined) return { unscored: 'no expectation' };
      const wanted = expected === null ? undefined : numberOf(expected);
      if (expected !== null && wanted === undefined) return { unscored: 'expected is no number' };
      return passed(found === wanted);
    },
  }),
});
