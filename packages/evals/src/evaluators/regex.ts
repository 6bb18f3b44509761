import { boundedMatch, mayBeSlow } from '@unroll/engine';
import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';
import { comparableText } from './texts.ts';

const flagsForm = /^(?!.*(.).*\1)[imsu]*$/;

/** The text matches a JavaScript regular expression, anywhere unless it is anchored. */
export const regex = defineEvaluator({
  name: 'regex',
  about: 'the text matches a pattern',
  parameters: z
    .strictObject({
      pattern: z.string().describe('A regular expression as JavaScript reads it, anywhere unless anchored.'),
      flags: z
        .string()
        .regex(flagsForm, 'of the letters i, m, s and u, each once')
        .default('u')
        .describe('`i`, `m`, `s`, `u`.'),
    })
    .superRefine(({ pattern, flags }, context) => {
      const problem = regexProblem(pattern, flags);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['pattern'], message: problem });
    }),
  expected: 'none',
  measures: 'value',
  prepare: ({ pattern, flags }) => {
    const compiled = new RegExp(pattern, flags);
    const test = (text: string): boolean =>
      mayBeSlow(pattern, text) ? boundedMatch(() => compiled.test(text)) : compiled.test(text);
    return { kind: 'pass', better: 'higher', score: ({ value }) => passed(test(comparableText(value))) };
  },
});

/** What a pattern must be, and why it is not. */
export function regexProblem(pattern: string, flags: string): string | undefined {
  if (!flagsForm.test(flags)) return undefined;
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
    return `a regular expression: ${reason.toLowerCase()}`;
  }
}
