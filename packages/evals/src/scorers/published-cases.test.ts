import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mcnemarExact } from '../statistics/mcnemar-test.ts';
import { meanInterval, wilsonInterval } from '../statistics/mean-interval.ts';
import { benjaminiHochberg } from '../statistics/multiple-tests.ts';
import { normalQuantile } from '../statistics/normal-distribution.ts';
import { averagePrecision, ndcgAt, ndcgOfScores } from './rank-metrics.ts';
import { bleu, chrf, rougeL } from './text-metrics.ts';

/**
 * Figures of sacreBLEU 2.6.0, rouge-score 0.1.2, scikit-learn, SciPy 1.17.1 and statsmodels 0.15.0 on random cases, as
 * testing/record-published-cases.py records them. PUBLISHED_CASES names another file of the same form.
 */
type PublishedCase =
  | { of: 'text'; given: [string, string]; bleu: number; chrf: number; rougeL: number }
  | {
      of: 'ranking';
      given: [number[], number[], number, boolean[]];
      ndcgOfScores: number;
      ndcg: number;
      averagePrecision: number;
    }
  | { of: 'flips'; given: [number, number]; p: number }
  | { of: 'tests'; given: number[]; adjusted: number[] }
  | { of: 'share'; given: [number, number]; low: number; high: number }
  | { of: 'normal'; given: number; quantile: number }
  | { of: 'mean'; given: number[]; low: number; high: number };

const path = process.env['PUBLISHED_CASES'] ?? new URL('./published-cases.jsonl', import.meta.url);
const cases = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as PublishedCase);

const bySpaces = (text: string): readonly string[] => text.split(' ');

function figuresOf(one: Exclude<PublishedCase, { of: 'mean' }>): object {
  switch (one.of) {
    case 'text': {
      const [text, reference] = one.given;
      const scores = { bleu: bleu(text, reference, bySpaces), rougeL: rougeL(text, reference, bySpaces) };
      return { ...scores, chrf: chrf(text, reference) };
    }
    case 'ranking': {
      const [gains, scores, k, isRelevant] = one.given;
      const relevant = new Set(isRelevant.flatMap((is, at) => (is ? [String(at)] : [])));
      const returned = isRelevant.map((_, at) => String(at));
      const ofScores = { ndcgOfScores: ndcgOfScores(gains, scores, k) };
      return {
        ...ofScores,
        ndcg: ndcgAt(returned, relevant, k),
        averagePrecision: averagePrecision(returned, relevant),
      };
    }
    case 'flips':
      return { p: mcnemarExact({ fixed: one.given[0], broken: one.given[1] }) };
    case 'tests':
      return { adjusted: benjaminiHochberg(one.given) };
    case 'share':
      return wilsonInterval(one.given[0] / one.given[1], one.given[1]);
    case 'normal':
      return { quantile: normalQuantile(one.given) };
  }
}

test.for(cases.filter((one) => one.of !== 'mean'))('$of: $given', (one) => {
  const { of: _, given: __, ...published } = one;
  const found = figuresOf(one);
  for (const [name, figure] of Object.entries(published)) {
    const own = found[name as never] as number | readonly number[];
    for (const [at, value] of [figure].flat().entries()) expect([own].flat()[at], name).toBeCloseTo(value, 8);
  }
});

test.for(cases.filter((one) => one.of === 'mean'))(
  'around the bootstrap of skewed values, which is known to be too narrow: low end near, high end above, of $given.length values',
  ({ given, low, high }) => {
    const found = meanInterval(given) ?? { low: Number.NaN, high: Number.NaN };
    expect(Math.abs(found.low - low)).toBeLessThan((high - low) / 15);
    expect(found.low).toBeLessThan(low);
    expect(found.high).toBeGreaterThan(high);
  },
);
