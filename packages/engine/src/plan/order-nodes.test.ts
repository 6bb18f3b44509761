import { expect, test } from 'vitest';
import { findCycles } from './find-cycle.ts';
import { orderNodes } from './order-nodes.ts';

/** `b < a c`: b waits for a and c. */
function graphOf(notation: string) {
  const lines = notation.split(', ').map((line) => line.split(' < '));
  const names = lines.map(([name = '']) => name);
  const arrows = lines.map(([, sources]) => (sources?.split(' ') ?? []).map((source) => names.indexOf(source)));
  return { arrows, named: (indexes: readonly number[]) => indexes.map((index) => names[index]).join(' ') };
}

test.for([
  { plan: 'a', order: 'a', left: '' },
  { plan: 'a, b, c', order: 'a b c', left: '' },
  { plan: 'c < b, b < a, a', order: 'a b c', left: '' },
  { plan: 'a < d, b, c, d', order: 'b c d a', left: '' },
  { plan: 'z, y < x, x, w < y', order: 'z x y w', left: '' },
  { plan: 'a < b b, b', order: 'b a', left: '' },
  { plan: 'a, b < a c, c < b, d < c', order: 'a', left: 'b c d' },
])('the order of "$plan" is "$order"', ({ plan, order, left }) => {
  const { arrows, named } = graphOf(plan);
  const found = orderNodes(arrows);
  expect([named(found.order), named(found.left)]).toEqual([order, left]);
});

test.for([
  { plan: 'a, b < a, c < b', cycles: [] },
  { plan: 'a < a', cycles: ['a'] },
  { plan: 'x, y < x z, z < y', cycles: ['y z'] },
  { plan: 'a < b, b < a, c < d, d < c, e < a c', cycles: ['a b', 'c d'] },
  { plan: 'a < b, b < c d, c < a, d < a', cycles: ['a b c'] },
  { plan: 'a < b c, b < d, c < a, d < a', cycles: ['a c'] },
])('the cycles of "$plan" are $cycles', ({ plan, cycles }) => {
  const { arrows, named } = graphOf(plan);
  expect(findCycles(arrows).map(named)).toEqual(cycles);
});

test('ten thousand nodes are ordered at once', () => {
  const count = 10_000;
  const arrows = Array.from({ length: count }, (_, index) => (index === count - 1 ? [] : [index + 1]));
  expect(orderNodes(arrows).order[0]).toBe(count - 1);
});
