import { describe, expect, test } from 'vitest';
import { madeResult } from '../testing/made-result.ts';
import { randomScores, type ScoreModel } from '../testing/random-scores.ts';
import { compareResults } from './compare-results.ts';

describe('simulated runs', () => {
  const pairs = 100;
  const verdicts = (models: readonly ScoreModel[], rows: number): readonly (readonly string[])[] =>
    Array.from({ length: pairs }, (_, seed) => {
      const drawn = models.map((model, at) => randomScores(model, rows, seed * 100 + at + 1));
      const result = (side: 'before' | 'after') =>
        madeResult(drawn.map((one, at) => ({ name: `m${at}`, kind: models[at]?.kind ?? 'pass', scores: one[side] })));
      const { metrics } = compareResults(result('before'), result('after'));
      return metrics.map(({ comparison }) => comparison?.verdict ?? 'none');
    });
  const noise = [
    { kind: 'pass', difference: 0 },
    { kind: 'number', difference: 0 },
    { kind: 'pass', difference: 0 },
  ] as const;

  test('two runs that differ by noise alone are not told apart', () => {
    const quiet = verdicts(noise, 60).filter((all) => all.every((one) => one === 'not significant' || one === 'same'));
    expect(quiet.length / pairs).toBeGreaterThanOrEqual(0.93);
  });

  test('a real difference of 5 points is found at the rows needed', () => {
    const before = Array.from({ length: 100 }, (_, row) => (row < 10 ? 0 : 1));
    const after = before.map((score, row) => (row < 10 ? 1 : row < 15 ? 0 : score));
    const needed = compareResults(
      madeResult([{ name: 'm', kind: 'pass', scores: before }]),
      madeResult([{ name: 'm', kind: 'pass', scores: after }]),
    ).metrics[0]?.comparison?.rowsNeeded;
    expect(needed).toBe(523);
    const found = verdicts([{ kind: 'pass', difference: 0.05, broken: 0.05 }], needed ?? 0).flat();
    expect(found.filter((one) => one === 'better').length / pairs).toBeGreaterThan(0.74);
  });
});
