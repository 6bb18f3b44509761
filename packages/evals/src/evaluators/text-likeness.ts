import type { JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { bleu, chrf, rougeL, wordF1 } from '../scorers/text-metrics.ts';
import { defineEvaluator, type Evaluator } from './evaluator.ts';
import { comparableText } from './texts.ts';

/** Evaluators of a text against one or several references, of which the nearest counts; nothing is the empty text. */
function textLikeness(name: string, about: string, likeness: (text: string, reference: string) => number): Evaluator {
  return defineEvaluator({
    name,
    about,
    parameters: z.strictObject({}),
    expected: 'needed',
    measures: 'value',
    prepare: () => ({
      kind: 'number',
      range: [0, 1],
      better: 'higher',
      score: ({ value, expected = null }) => {
        const references = Array.isArray(expected) ? (expected as readonly JsonValue[]) : [expected];
        if (expected === null || references.length === 0) return { unscored: 'no expectation' };
        const text = comparableText(value);
        return Math.max(...references.map((reference) => likeness(text, comparableText(reference))));
      },
    }),
  });
}

export const wordF1Evaluator = textLikeness('word_f1', 'F1 of the words shared with the expected text', (one, other) =>
  wordF1(one, other),
);

export const rougeLEvaluator = textLikeness(
  'rouge_l',
  'ROUGE-L against the expected text: words in the same order',
  (one, other) => rougeL(one, other),
);

export const bleuEvaluator = textLikeness(
  'bleu',
  'BLEU against the expected text: runs of up to four words',
  (one, other) => bleu(one, other),
);

export const chrfEvaluator = textLikeness(
  'chrf',
  'chrF2 against the expected text: runs of up to six characters',
  chrf,
);
