import { expect, test } from 'vitest';
import { TextFinder } from './text-finder.ts';

test('texts are found exactly where they occur, over random ones', () => {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const letters = (length: number): string => Array.from({ length }, () => 'abあ'[below(3)]).join('');
  let found = 0;
  for (let round = 0; round < 5000; round += 1) {
    const wanted = Array.from({ length: 1 + below(5) }, () => letters(2 + below(8)));
    const text = letters(below(40));
    const isIn = wanted.some((one) => text.includes(one));
    expect(new TextFinder(wanted).isIn(text), `${wanted} in ${text}`).toBe(isIn);
    found += Number(isIn);
  }
  expect(found).toBeGreaterThan(500);
  expect(found).toBeLessThan(4500);
});
