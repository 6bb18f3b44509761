import { expect, test } from 'vitest';
import { baselineOf } from '../baseline/baseline-of.ts';
import { judgeBaseline } from '../judge-gates/judge-baseline.ts';
import { measureSentences } from '../report/verdict-text.ts';
import { madeResult } from '../testing/index.ts';
import { compareResults } from './compare-results.ts';

const before = madeResult([
  { name: 'same', scores: '11' },
  { name: 'kind', scores: '11' },
  { name: 'end', scores: '11' },
  { name: 'settings', scores: '11' },
]);
const now = madeResult([
  { name: 'same', scores: '11' },
  { name: 'kind', scores: [20, 40] },
  { name: 'end', scores: '11', better: 'lower' },
  { name: 'settings', scores: '10' },
  { name: 'new', scores: '11' },
]);
const measuredThen = new Map(before.metrics.map(({ name }) => [name, 'a']));
const measures = new Map([...measuredThen, ['kind', 'b'], ['settings', 'b']]);

test('metrics of another kind, with the other end better, measured otherwise: each is told', () => {
  const compared = compareResults(baselineOf(before, measuredThen), now, { measures });
  expect(compared.comparison).toMatchObject({
    newMetrics: ['kind', 'new'],
    otherKinds: ['kind'],
    turned: ['end'],
    measuredOtherwise: ['settings'],
  });
  expect(measureSentences(compared)).toEqual([
    'kind is not compared with the baseline: one of the two has scores that pass or fail, the other has numbers.',
    'end: in the baseline what is better was the other way round, higher or lower; better and worse are told as they are meant now.',
    "settings is measured otherwise than when the baseline was accepted: the settings in eval.yaml, the evaluator's file or the judge is another, and what differs may be that alone.",
  ]);
  const gated = judgeBaseline(compared, () => ({ noWorseThan: 'baseline' }));
  expect(gated.metrics.find(({ name }) => name === 'kind')?.gate).toMatchObject({
    reason: 'the baseline has scores of another kind; accepting a new one guards it from then on',
  });
});

test('nothing is told of a baseline that does not tell how it was measured, and of metrics that are as they were', () => {
  const { comparison } = compareResults(baselineOf(before), madeResult([{ name: 'same', scores: '11' }]), { measures });
  expect(comparison).not.toHaveProperty('otherKinds');
  expect(comparison).not.toHaveProperty('turned');
  expect(comparison).not.toHaveProperty('measuredOtherwise');
});
