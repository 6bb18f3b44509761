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
      const isExact = tolerance === 0 && relative === 0;
      return passed((isExact ? sameWhole(value, expected) : undefined) ?? isNear(found, wanted, tolerance, relative));
    },
  }),
});

function isNear(found: number, wanted: number, tolerance: number, relative: number): boolean {
  const off = Math.abs(found - wanted);
  const isWithin = off <= tolerance || off <= relative * Math.abs(wanted);
  return found === wanted || (isWithin && Number.isFinite(off));
}

/** undefined where one of them is no whole number. */
function sameWhole(value: JsonValue, expected: JsonValue): boolean | undefined {
  const [found, wanted] = [wholeOf(value), wholeOf(expected)];
  return found === undefined || wanted === undefined ? undefined : found === wanted;
}

/** A whole number with every digit: of more than fifteen a double is the nearest that it can hold. */
function wholeOf(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  const digits = typeof value === 'string' ? plainText(value) : undefined;
  return digits !== undefined && /^[+-]?\d{1,400}$/.test(digits) ? BigInt(digits.replace(/^\+/, '')) : undefined;
}

/** Also of a text such as `1,204.5`, ` 12 % ` or `−5` (U+2212); undefined for what is none, and for `5²`, which NFKC makes 52. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return Number(value);
  if (typeof value !== 'string') return undefined;
  const text = plainText(value);
  return text !== undefined && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** As digits are written without ornament; undefined where a small digit stands behind one. */
function plainText(value: string): string | undefined {
  if (/\d[\u00b2\u00b3\u00b9\u2070-\u209f]/.test(value)) return undefined;
  return value
    .normalize('NFKC')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/%\s*$/, '')
    .replaceAll('\u2212', '-')
    .trim();
}
