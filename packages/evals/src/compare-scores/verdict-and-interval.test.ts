import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../eval-result/eval-result.ts';
import { randomStream } from '../statistics/random-stream.ts';
import { madeResult, randomScores, type ScoreModel } from '../testing/index.ts';
import { compareResults } from './compare-results.ts';

interface Scores {
  readonly kind: 'pass' | 'number';
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function compared(metrics: readonly Scores[]): readonly MetricComparison[] {
  const made = (side: 'before' | 'after') =>
    madeResult(metrics.map((one, at) => ({ name: `m${at}`, kind: one.kind, scores: one[side] })));
  return compareResults(made('before'), made('after')).metrics.flatMap(({ comparison }) => comparison ?? []);
}

function isDifferent({ verdict }: MetricComparison): boolean {
  return verdict === 'better' || verdict === 'worse';
}

function excludesZero({ interval }: MetricComparison): boolean {
  return interval !== undefined && (interval.low > 0 || interval.high < 0);
}

const models: readonly (readonly [name: string, model: ScoreModel])[] = [
  ['binary', { kind: 'pass', difference: 0 }],
  ['normal', { kind: 'number', difference: 0, spread: 'normal' }],
  ['lognormal', { kind: 'number', difference: 0, spread: 'lognormal' }],
  ['bounded', { kind: 'number', difference: 0, spread: 'bounded' }],
  ['tied', { kind: 'number', difference: 0, spread: 'tied' }],
];

describe('two runs that differ by noise alone: the interval holds 0 in 19 of 20, and the verdict says so', () => {
  const pairs = 120;

  test.for(models.flatMap(([name, model]) => [20, 60].map((rows) => ({ name, model, rows }))))(
    '$name, $rows rows',
    ({ model, rows }) => {
      const all = Array.from({ length: pairs }, (_, seed) => {
        return compared([{ kind: model.kind, ...randomScores(model, rows, seed + 1) }])[0] as MetricComparison;
      });
      // 95 % of 120 is 114; fewer than 106 are seen once in a thousand times.
      expect(all.filter((one) => !excludesZero(one)).length).toBeGreaterThanOrEqual(106);
      expect(all.filter(isDifferent)).toEqual(all.filter(excludesZero));
    },
  );
});

describe('better or worse is said exactly where the interval excludes 0', () => {
  const random = randomStream(5);
  const integer = (below: number): number => Math.floor(random() * below);
  const draws: readonly (() => number)[] = [
    () => random(),
    () => integer(2),
    () => integer(3) / 2,
    () => 0.1 * integer(4),
    () => Math.exp(4 * random()),
    () => 1,
  ];
  /** Runs that are alike, that differ by noise, and that differ by more; with one row, two, or many. */
  const drawScores = (): Scores => {
    const draw = draws[integer(draws.length)] as () => number;
    const kind = draw === draws[1] ? 'pass' : 'number';
    const rows = [1, 2, 5, 6, 7, 13, 14, 30][integer(8)] as number;
    const [same, shift] = [random(), kind === 'pass' ? 0 : integer(2) * 0.1 * integer(5)];
    const before = Array.from({ length: rows }, draw);
    const isFixing = integer(3) === 0;
    const after = before.map((one) => (random() < same ? one : isFixing && kind === 'pass' ? 1 : draw()) + shift);
    return { kind, before, after };
  };

  test('over random pairs of runs', () => {
    let [different, alike] = [0, 0];
    for (let round = 0; round < 400; round += 1) {
      for (const one of compared([drawScores()])) {
        expect(excludesZero(one), JSON.stringify(one)).toBe(isDifferent(one));
        expect(isDifferent(one), JSON.stringify(one)).toBe(one.adjustedPValue < 0.05);
        if (isDifferent(one)) different += 1;
        else alike += 1;
      }
    }
    expect(Math.min(different, alike)).toBeGreaterThan(30);
  });

  test('however many metrics are looked at together', () => {
    let corrected = 0;
    for (let round = 0; round < 60; round += 1) {
      const all = compared(Array.from({ length: 2 + integer(12) }, drawScores));
      for (const one of all) {
        expect(excludesZero(one), JSON.stringify(one)).toBe(isDifferent(one));
        expect(isDifferent(one), JSON.stringify(one)).toBe(one.adjustedPValue < 0.05);
        if (one.pValue < 0.05 && !isDifferent(one)) corrected += 1;
      }
    }
    expect(corrected).toBeGreaterThan(5);
  });

  test.for([
    ['a few turned one way', 4_500, (row: number) => (row < 6 ? 1 : 0), 'pass', 'better'],
    ['one too few', 4_500, (row: number) => (row < 5 ? 1 : 0), 'pass', 'not significant'],
    ['every row alike', 4_500, () => 0.25, 'number', 'better'],
    ['a small rise', 6_000, (row: number) => (row % 2 === 0 ? 0.52 : -0.48), 'number', 'better'],
    ['noise', 6_000, (row: number) => (row % 2 === 0 ? 0.501 : -0.499), 'number', 'not significant'],
    [
      'one row outweighs the rest',
      5_000,
      (row: number) => (row === 0 ? 1_000 : row % 2 ? 1 : -1),
      'number',
      'not significant',
    ],
  ] as const)('where rows are many: %s', ([, rows, differenceOf, kind, verdict]) => {
    const before = Array<number>(rows).fill(0);
    const [one] = compared([{ kind, before, after: before.map((_, row) => differenceOf(row)) }]);
    expect(one).toMatchObject({ verdict });
    expect(excludesZero(one as MetricComparison)).toBe(verdict === 'better');
  });
});
