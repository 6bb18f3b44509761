import { Float, type JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';

/** A number, or a text that is one, is near the one expected: by either tolerance. */
export const number = defineEvaluator({
  name: 'number',
  about: 'the number is near the one expected',
  parameters: z.strictObject({
    tolerance: z.number().min(0).default(0).describe('How far off it may be.'),
    relative: z.number().min(0).default(0).describe('How far off as a share of the expected: 0.01 for 1 %.'),
  }),
  expected: 'needed',
  measures: 'value',
  prepare: ({ tolerance, relative }) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ value, expected = null }) => {
      const wanted = numberOf(expected);
      if (wanted === undefined || Number.isNaN(wanted))
        return { unscored: expected === null ? 'no expectation' : 'expected is no number' };
      const found = numberOf(value);
      if (found === undefined) return 0;
      const off = Math.abs(found - wanted);
      const isNear = off <= tolerance || off <= relative * Math.abs(wanted);
      return passed(found === wanted || (isNear && Number.isFinite(off)));
    },
  }),
});

/** Also of a text such as `1,204.5`, ` 12 % ` or `−5` (U+2212); undefined for what is none, and for `5²`, which NFKC makes 52. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return Number(value);
  if (typeof value !== 'string') return undefined;
  if (/\d[\u00b2\u00b3\u00b9\u2070-\u209f]/.test(value)) return undefined;
  const text = value
    .normalize('NFKC')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/%\s*$/, '')
    .replaceAll('\u2212', '-')
    .trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
