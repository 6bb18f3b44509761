import * as z from 'zod';
import { defineEvaluator } from './evaluator.ts';

/** How many turns of a loop's node ran. */
export const stepsUsed = defineEvaluator({
  name: 'steps_used',
  about: "how many instances of a loop's node ran",
  parameters: z.strictObject({}),
  expected: 'none',
  measures: 'turns',
  isOfLoop: true,
  prepare: () => ({
    kind: 'number',
    range: [0, Number.POSITIVE_INFINITY],
    better: 'lower',
    score: ({ turns }) => turns.length,
  }),
});
