import { Float } from '@unroll/engine';
import { expect, test } from 'vitest';
import { metricDiffs } from './metric-diffs.ts';

test('metrics of another value, and those that one run alone has; one and the same number in two forms is the same', () => {
  const left = { same: 1, none: Number.NaN, form: new Float(3), worse: 0.75, gone: 'a', big: 2n ** 60n };
  const right = { same: 1, none: Number.NaN, form: 3, worse: 0.5, constructor: 1, big: 2n ** 60n + 1n };
  expect(metricDiffs(left, right)).toEqual([
    { name: 'worse', left: 0.75, right: 0.5 },
    { name: 'gone', left: 'a', right: undefined },
    { name: 'big', left: 2n ** 60n, right: 2n ** 60n + 1n },
    { name: 'constructor', left: undefined, right: 1 },
  ]);
});
