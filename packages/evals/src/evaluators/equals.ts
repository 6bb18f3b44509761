import * as z from 'zod';
import { equalValues } from './equal-values.ts';
import { defineEvaluator, passed } from './evaluator.ts';

export const equalityParameters = z.strictObject({
  ignore_case: z.boolean().default(false).describe('Upper and lower case of texts are one.'),
  ignore_form: z.boolean().default(false).describe('Full and half width (NFKC) and white space of texts are one.'),
});

/** The value is the one expected; an expected null asks for nothing to be there. */
export const equals = defineEvaluator({
  name: 'equals',
  about: 'the value is the one expected',
  parameters: equalityParameters,
  expected: 'needed',
  measures: 'value',
  prepare: ({ ignore_case: ignoreCase, ignore_form: ignoreForm }) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ value, expected = null }) => passed(equalValues(value, expected, { ignoreCase, ignoreForm })),
  }),
});
