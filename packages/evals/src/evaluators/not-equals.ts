import { equalValues } from './equal-values.ts';
import { equalityParameters } from './equals.ts';
import { defineEvaluator, passed } from './evaluator.ts';

export const notEquals = defineEvaluator({
  name: 'not_equals',
  about: 'the value is another than the one given as expected',
  parameters: equalityParameters,
  expected: 'needed',
  measures: 'value',
  prepare: ({ ignore_case: ignoreCase, ignore_form: ignoreForm }) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ value, expected = null }) => passed(!equalValues(value, expected, { ignoreCase, ignoreForm })),
  }),
});
