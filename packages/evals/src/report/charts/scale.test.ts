import { expect, test } from 'vitest';
import { niceScale } from './scale.ts';

test.for([
  { values: [0.2, 0.9], ticks: [0, 0.25, 0.5, 0.75, 1] },
  { values: [0], ticks: [0, 0.25, 0.5, 0.75, 1] },
  { values: [2.4], ticks: [0, 1, 2, 3] },
  { values: [1703, 1865], ticks: [0, 500, 1000, 1500, 2000] },
  { values: [-0.5, 0.5], ticks: [-0.5, 0, 0.5] },
  { values: [40, 37, 1.5], ticks: [0, 10, 20, 30, 40] },
  { values: [], ticks: [0, 0.25, 0.5, 0.75, 1] },
])('an axis for $values has round ticks that hold them', ({ values, ticks }) => {
  const scale = niceScale(values, [10, 110]);
  expect(scale.ticks).toEqual(ticks);
  expect([scale(scale.from), scale(scale.to)]).toEqual([10, 110]);
});
