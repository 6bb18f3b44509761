import { expect, test } from 'vitest';
import { curve } from './arrows.tsx';

const point = (x: number, y: number) => ({ x, y });

test.for([
  { name: 'no way', points: [], expected: '' },
  { name: 'one point leads nowhere', points: [point(1, 2)], expected: '' },
  { name: 'straight', points: [point(0, 0), point(10, 5)], expected: 'M0.0 0.0L20.0 5.0' },
  { name: 'one bend', points: [point(0, 0), point(5, 0), point(10, 5)], expected: 'M0.0 0.0Q10.0 0.0 20.0 5.0' },
  {
    name: 'two bends, joined in their middle',
    points: [point(0, 0), point(4, 0), point(6, 8), point(10, 8)],
    expected: 'M0.0 0.0Q8.0 0.0 10.0 4.0Q12.0 8.0 20.0 8.0',
  },
])('$name', ({ points, expected }) => {
  expect(curve({ points }, 2)).toBe(expected);
});
