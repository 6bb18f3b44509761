import { expect, test } from 'vitest';
import { compareResults } from '../compare-scores/compare-results.ts';
import { agentMade, type MadeMetric, madeResult } from '../testing/index.ts';
import { type BaselineGate, judgeBaseline } from './judge-baseline.ts';

const baseline: BaselineGate = { noWorseThan: 'baseline' };

function judge(
  before: MadeMetric['scores'],
  after: MadeMetric['scores'],
  gate: BaselineGate,
  more: Partial<MadeMetric> = {},
) {
  const [one, other] = [
    madeResult([{ name: 'm', scores: before }]),
    madeResult([{ name: 'm', scores: after, ...more }]),
  ];
  return judgeBaseline(compareResults(one, other), () => gate).metrics[0]?.gate;
}

test.for([
  {
    before: '1111111111',
    after: '1111111111',
    gate: baseline,
    passed: true,
    reason: 'the same 100 % in each of 10 rows',
  },
  {
    before: '1111111111',
    after: '0111111111',
    gate: baseline,
    passed: true,
    reason:
      '100 % → 90 % over 10 rows (−10 points, 95 % interval −40.4 points to +20.5 points, p = 1.00; 0 fixed, 1 broken; not significant, about 80 rows would tell)',
  },
  {
    before: '1111111111',
    after: '0000000111',
    gate: baseline,
    passed: false,
    reason:
      'significantly worse: 100 % → 30 % over 10 rows (−70 points, 95 % interval −89.2 points to −22.8 points, p = 0.02; 0 fixed, 7 broken)',
  },
  {
    before: '1111111111',
    after: '0111111111',
    gate: { ...baseline, margin: 0.05 },
    passed: false,
    reason:
      'worse by more than 0.05: 100 % → 90 % over 10 rows (−10 points, 95 % interval −40.4 points to +20.5 points, p = 1.00; 0 fixed, 1 broken; not significant, about 80 rows would tell)',
  },
  { before: '1111111111', after: '0000000111', gate: { ...baseline, margin: 0.7 }, passed: true },
  { before: '0000000111', after: '1111111111', gate: baseline, passed: true },
  { before: '11', after: '--', gate: baseline, passed: false, reason: 'nothing was scored' },
])('$before, then $after with $gate: passed $passed', ({ before, after, gate, passed, reason }) => {
  const judged = judge(before, after, gate);
  expect(judged?.passed).toBe(passed);
  if (reason !== undefined) expect(judged?.reason).toBe(reason);
});

test('a rule beside its own bounds: the one that fails says why', () => {
  const own = { rule: 'min 0.95', passed: false, reason: 'the mean of 10 scores is 0.9, below 0.95' };
  expect(judge('1111111111', '0111111111', baseline, { gate: own })).toEqual({
    rule: 'min 0.95, no worse than baseline',
    passed: false,
    reason: 'the mean of 10 scores is 0.9, below 0.95',
  });
});

test('other data without a key cannot be compared; a metric that is new is not held to anything', () => {
  const run = (digest: string) => ({
    run: { id: 'r', flow: 'f', startedAt: 0, made: agentMade({ 'data.jsonl': digest }) },
  });
  const [one, other] = [
    madeResult([{ name: 'm', scores: '11' }], run('a')),
    madeResult([{ name: 'm', scores: '11' }], run('b')),
  ];
  expect(judgeBaseline(compareResults(one, other), () => baseline).metrics[0]?.gate).toMatchObject({
    passed: false,
    reason: 'the data changed since the baseline was accepted and no key tells which row is which',
  });
  const fresh = madeResult([{ name: 'new', scores: '11' }]);
  expect(judgeBaseline(compareResults(one, fresh), () => baseline).metrics[0]?.gate?.passed).toBe(true);
});

test('rows that could not be scored are not passed over', () => {
  const failed = (errors: number) => {
    const made = madeResult([{ name: 'm', scores: '11--' }]);
    return { ...made, metrics: made.metrics.map((one) => ({ ...one, summary: { ...one.summary, errors } })) };
  };
  const compared = (errors: number) => compareResults(madeResult([{ name: 'm', scores: '1111' }]), failed(errors));
  const gateOf = (errors: number, allowed: number) =>
    judgeBaseline(compared(errors), () => ({ ...baseline, errors: allowed })).metrics[0]?.gate;
  expect(gateOf(2, 0)).toEqual({
    rule: 'no worse than baseline',
    passed: false,
    reason: '2 rows have no score because something failed there or nothing was run; none is allowed',
  });
  expect(gateOf(2, 2)).toMatchObject({
    passed: true,
    reason: 'the same 100 % in each of 2 rows; 2 rows scored before, not now',
  });
});

test('a metric none of whose rows can be compared does not pass', () => {
  const [one, other] = [madeResult([{ name: 'm', scores: '1-' }]), madeResult([{ name: 'm', scores: '-1' }])];
  expect(judgeBaseline(compareResults(one, other), () => baseline).metrics[0]?.gate).toEqual({
    rule: 'no worse than baseline',
    passed: false,
    reason: 'no row is scored both in the baseline and now',
  });
});

test('both rules met: both say how it stands', () => {
  const own = { rule: 'min 0.95', passed: true, reason: 'the mean of 10 scores is 1' };
  expect(judge('1111111111', '1111111111', baseline, { gate: own })).toEqual({
    rule: 'min 0.95, no worse than baseline',
    passed: true,
    reason: 'the mean of 10 scores is 1; the same 100 % in each of 10 rows',
  });
});

test('a metric without a gate, or with bounds alone, is left as it is', () => {
  const result = compareResults(madeResult([{ name: 'm', scores: '11' }]), madeResult([{ name: 'm', scores: '00' }]));
  expect(judgeBaseline(result, () => undefined)).toEqual(result);
  expect(judgeBaseline(result, () => ({}))).toEqual(result);
});

/** Where less is better, worse is more. Five rows are too few for an interval. */
test.for([
  { before: [1, 2, 3, 4, 5], after: [2, 3, 4, 5, 7], passed: false },
  { before: [1, 2, 3, 4, 5], after: [2, 3, 4, 5, 6], passed: true },
  { before: [2, 3, 4, 5, 7], after: [1, 2, 3, 4, 5], passed: true },
])('a margin of a metric of which less is better: $before, then $after', ({ before, after, passed }) => {
  const gate = judge(before, after, { ...baseline, margin: 1 }, { better: 'lower' });
  expect(gate).toMatchObject({ rule: 'no worse than baseline by more than 1', passed });
  expect(gate?.reason).not.toContain('interval');
  expect(gate?.reason).not.toContain('fixed');
});

test('other data with a key is compared all the same', () => {
  const withKey = (digest: string, scores: string) =>
    madeResult([{ name: 'm', scores }], {
      run: { id: 'r', flow: 'f', startedAt: 0, made: agentMade({ 'data.jsonl': digest }) },
      keys: { name: 'id', lines: [0, 1], values: ['a', 'b'] },
    });
  const judged = judgeBaseline(compareResults(withKey('x', '11'), withKey('y', '11')), () => baseline);
  expect(judged.metrics[0]?.gate).toMatchObject({ passed: true, reason: 'the same 100 % in each of 2 rows' });
});

test('a metric that is new says what guards it', () => {
  const [one, other] = [madeResult([{ name: 'm', scores: '11' }]), madeResult([{ name: 'new', scores: '11' }])];
  expect(judgeBaseline(compareResults(one, other), () => baseline).metrics[0]?.gate).toEqual({
    rule: 'no worse than baseline',
    passed: true,
    reason: 'the baseline has no scores of it; accepting a new one guards it from then on',
  });
});
