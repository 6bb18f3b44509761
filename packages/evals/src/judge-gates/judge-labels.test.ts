import { describe, expect, test } from 'vitest';
import type { EvalResult, GateResult } from '../eval-result/eval-result.ts';
import { judgeLabels } from './judge-labels.ts';

type Pair = readonly [metric: 0 | 1, person: 'pass' | 'fail' | undefined];

const agreeing: readonly Pair[] = [...Array(9).fill([1, 'pass']), ...Array(9).fill([0, 'fail'])];

function gateOf(rows: readonly Pair[], own?: GateResult, least = 0.6): GateResult | undefined {
  const metric = {
    ...{ name: 'judge', on: 'outputs.answer', evaluator: 'equals', kind: 'pass', better: 'higher' },
    summary: { mean: 0.5, scored: rows.length, unscored: [], errors: 0 },
    scores: { lines: rows.map((_, at) => at), repeats: rows.map(() => 0), values: rows.map(([value]) => value) },
    ...(own === undefined ? {} : { gate: own }),
  } as const;
  const result = { metrics: [metric, { ...metric, name: 'other' }] } as unknown as EvalResult;
  const judged = judgeLabels(
    result,
    (name, { line }) => (name === 'judge' ? rows[line]?.[1] : undefined),
    (name) => (name === 'judge' ? least : undefined),
    () => 'those in a file count',
  );
  expect(judged.metrics[1]).toBe(result.metrics[1]);
  return judged.metrics[0]?.gate;
}

describe('agreement with labels of at least 0.6', () => {
  test.for<{ what: string; rows: readonly Pair[]; passed: boolean; reason: string }>([
    {
      what: 'one of twenty differs',
      rows: [...agreeing, [1, 'pass'], [0, 'pass'], [1, undefined]],
      passed: true,
      reason: 'κ 0.90 over 20 labelled rows, 95 % interval 0.71 to 1.00',
    },
    {
      what: 'five of twenty-three differ',
      rows: [...agreeing, ...(Array(5).fill([1, 'fail']) as Pair[])],
      passed: false,
      reason: 'κ 0.58 over 23 labelled rows, 95 % interval 0.29 to 0.88, below 0.6',
    },
    {
      what: 'two digits would put it at the bound',
      rows: [
        ...(Array(21).fill([1, 'pass']) as Pair[]),
        ...(Array(14).fill([0, 'fail']) as Pair[]),
        ...(Array(9).fill([1, 'fail']) as Pair[]),
      ],
      passed: false,
      reason: 'κ 0.598 over 44 labelled rows, 95 % interval 0.38 to 0.81, below 0.6',
    },
    {
      what: 'nobody labelled',
      rows: [[1, undefined]],
      passed: false,
      reason: 'no row is labelled pass or fail: those in a file count',
    },
    {
      what: 'people always pass',
      rows: [
        [1, 'pass'],
        [0, 'pass'],
      ],
      passed: false,
      reason: 'κ is not known over 2 labelled rows: one of metric and people always says the same',
    },
  ])('$what', ({ rows, passed, reason }) => {
    expect(gateOf(rows)).toEqual({ rule: 'agreement 0.6', passed, reason });
  });

  test('exactly what is asked for is enough', () => {
    const { passed, reason } = gateOf(agreeing, undefined, 1) ?? {};
    expect([passed, reason]).toEqual([true, expect.stringMatching(/^κ 1\.00 over 18 labelled rows/)]);
  });

  test('beside a bound of its own', () => {
    const own = { rule: 'min 0.9', passed: false, reason: 'below' };
    expect(gateOf(agreeing, own)).toEqual({ rule: 'min 0.9, agreement 0.6', passed: false, reason: 'below' });
  });
});
