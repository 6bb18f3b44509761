import type { JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { equalValues } from './equal-values.ts';
import { defineEvaluator, passed } from './evaluator.ts';
import { comparableText, plainText, remembered } from './texts.ts';

/** What is expected stands in the text, or is a member of the list; several expected ones all do, or `any` of them. */
export const contains = defineEvaluator({
  name: 'contains',
  about: 'the text, or list, holds what is expected',
  parameters: z.strictObject({
    mode: z.enum(['all', 'any']).default('all').describe('Of several expected ones: all of them, or any.'),
    ignore_case: z.boolean().default(false).describe('Upper and lower case are one.'),
    ignore_form: z.boolean().default(true).describe('Full and half width (NFKC) and white space are one.'),
  }),
  expected: 'needed',
  measures: 'value',
  prepare: ({ mode, ignore_case: ignoreCase, ignore_form: ignoreForm }) => {
    const options = { ignoreCase, ignoreForm };
    const formed = (text: string): string => {
      const plain = ignoreForm ? plainText(text) : text;
      return ignoreCase ? plain.toLowerCase() : plain;
    };
    const formedWanted = remembered((wanted) => formed(comparableText(wanted)));
    const holds = (value: JsonValue, wanted: JsonValue): boolean =>
      Array.isArray(value)
        ? value.some((member) => equalValues(member as JsonValue, wanted, options))
        : formed(comparableText(value)).includes(formedWanted(wanted));
    return {
      kind: 'pass',
      better: 'higher',
      score: ({ value, expected = null }) => {
        const given = Array.isArray(expected) ? (expected as readonly JsonValue[]) : [expected];
        // Each text holds the empty one: a cell that was left empty is no expectation.
        const wanted = Array.isArray(value) ? given : given.filter((one) => formedWanted(one) !== '');
        if (expected === null || wanted.length === 0) return { unscored: 'no expectation' };
        return passed(
          mode === 'all' ? wanted.every((one) => holds(value, one)) : wanted.some((one) => holds(value, one)),
        );
      },
    };
  },
});
