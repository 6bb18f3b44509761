import * as z from 'zod';
import { parseSteps, readSteps, type Step } from '../targets/target.ts';
import { equalValues } from './equal-values.ts';
import { equalityParameters } from './equals.ts';
import { defineEvaluator, passed } from './evaluator.ts';
import { asJson } from './json-schema.ts';

/** What stands at a path of the value, or of the JSON a text holds, is the one expected. */
export const jsonPath = defineEvaluator({
  name: 'json_path',
  about: 'what stands at a path of the JSON is the one expected',
  parameters: equalityParameters.extend({
    path: z
      .string()
      .refine((path) => stepsOf(path) !== undefined, 'a path such as items[0].name')
      .describe('`items[0].name`, `[-1].id`.'),
  }),
  expected: 'needed',
  measures: 'value',
  prepare: ({ path, ignore_case: ignoreCase, ignore_form: ignoreForm }) => {
    const steps = stepsOf(path) ?? [];
    return {
      kind: 'pass',
      better: 'higher',
      score: ({ value, expected = null }) => {
        const read = asJson(value);
        const found = read === undefined ? undefined : (readSteps(read, steps) ?? null);
        return passed(found !== undefined && equalValues(found, expected, { ignoreCase, ignoreForm }));
      },
    };
  },
});

/** A leading `$` or name without a dot is a member of the whole. */
function stepsOf(path: string): readonly Step[] | undefined {
  const rest = path.replace(/^\$/, '');
  return parseSteps(rest === '' || /^[.[]/.test(rest) ? rest : `.${rest}`);
}
