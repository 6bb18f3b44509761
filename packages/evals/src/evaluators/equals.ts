import * as z from 'zod';
import { equalValues } from './equal-values.ts';
import { defineEvaluator, type Evaluator, passed } from './evaluator.ts';

export const equalityParameters = z.strictObject({
  ignore_case: z.boolean().default(false).describe('Upper and lower case of texts are one.'),
  ignore_form: z.boolean().default(false).describe('Full and half width (NFKC) and white space of texts are one.'),
});

function equality(name: string, about: string, isWanted: boolean): Evaluator {
  return defineEvaluator({
    name,
    about,
    parameters: equalityParameters,
    expected: 'needed',
    measures: 'value',
    prepare: ({ ignore_case: ignoreCase, ignore_form: ignoreForm }) => ({
      kind: 'pass',
      better: 'higher',
      score: ({ value, expected = null }) =>
        passed(equalValues(value, expected, { ignoreCase, ignoreForm }) === isWanted),
    }),
  });
}

/** An expected null asks for nothing to be there. */
export const equals = equality('equals', 'the value is the one expected', true);

export const notEquals = equality('not_equals', 'the value is another than the one given as expected', false);
