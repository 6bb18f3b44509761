// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { type JsonValue, stringifyJson } from '@unroll/engine';
import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';
import { comparableText } from './texts.ts';

const quotations = /「([^「」]*(?:「[^「」]*」[^「」]*)*)」|『([^『』]*)』|“([^“”]*)”|"([^"\n]*)"|«([^«»]*)»/gu;

/**
 * A quotation of the answer (`quotes: all`: each) stands in the sources, but for forms of letters (NFKC) and white space. Quotations shorter than
 * `shortest` are names and turns of speech and do not count. An answer without a quotation fails; with `expected`, only
 * where that says that one is asked for.
 */
export const quoteInSources = defineEvaluator({
  name: 'quote_in_sources',
  about: 'what the answer quotes stands in the sources',
  parameters: z.strictObject({
    quotes: z.enum(['any', 'all']).default('any').describe('Of several quotations: any of them, or all.'),
    shortest: z.int().min(1).default(8).describe('Characters from which a quotation counts.'),
  }),
  reads: [
    {
      name: 'sources',
      about: 'Where quotations are looked for, for instance `${retrieve}`; what lookups and loops found where absent.',
      kinds: ['text', 'list', 'mapping'],
      implied: 'retrieved',
    },
  ],
  expected: 'optional',
  measures: 'value',
  prepare: ({ quotes, shortest }, _services, hasExpected) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ value, expected, reads }) => {
      if (hasExpected && asksForNone(expected)) {
        return { unscored: 'no quotation asked for' };
      }
      const { sources } = reads;
      if (sources === undefined) return { unscored: 'no sources' };
      const text = packed(sourceText(sources));
      const found = quotationsIn(comparableText(value), shortest);
      if (found.length === 0) return 0;
      const stands = (quote: string): boolean => text.includes(quote);
      return passed(quotes === 'all' ? found.every(stands) : found.some(stands));
    },
  }),
});

function asksForNone(expected: JsonValue | undefined): boolean {
  const isEmpty = expected === '' || (Array.isArray(expected) && expected.length === 0);
  return expected === undefined || expected === null || expected === false || isEmpty;
}

function quotationsIn(text: string, shortest: number): readonly string[] {
  // Half-width 「｢」 and full-width 「＂」 are quotation marks too.
  return [...text.normalize('NFKC').matchAll(quotations)]
    .map((match) => packed(match.slice(1).find((group) => group !== undefined) ?? ''))
    .filter((quote) => [...quote].length >= shortest);
}

/** Without white space: Japanese has none, and lines are broken anywhere. */
function packed(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/gu, '');
}

/** Texts of a value as they read, not as JSON escapes them. */
function sourceText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sourceText).join('\n');
  if (typeof value !== 'object' || value === null || value instanceof Number) return stringifyJson(value);
  return Object.values(value as Readonly<Record<string, JsonValue>>)
    .map(sourceText)
    .join('\n');
}
