import * as z from 'zod';
import { bleu, chrf, rougeL, wordF1 } from '../scorers/text-metrics.ts';
import { wordsOf } from '../scorers/text-tokens.ts';
import { defineEvaluator, type Evaluator } from './evaluator.ts';
import { comparableText, expectedTexts } from './texts.ts';

/** Evaluators of a text against one or several references, of which the nearest counts; nothing is the empty text. */
function textLikeness(
  name: string,
  about: string,
  likeness: (text: string, reference: string) => number,
  ofWords = true,
): Evaluator {
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
        const references = expectedTexts(expected);
        if (references.length === 0) return { unscored: 'no expectation' };
        const comparable = ofWords ? references.filter(holdsWord) : references;
        if (comparable.length === 0) return { unscored: 'expected has no words' };
        const text = comparableText(value);
        return Math.max(...comparable.map((reference) => likeness(text, reference)));
      },
    }),
  });
}

/** Marks and emoji are no words: 「○」 and 「×」 would be as alike as any two texts without one. */
function holdsWord(text: string): boolean {
  return wordsOf(text).length > 0;
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
  false,
);
