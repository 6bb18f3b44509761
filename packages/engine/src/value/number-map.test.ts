import { expect, test } from 'vitest';
import { NumberMap } from './number-map.ts';

test('holds what a Map holds, whatever comes and goes', () => {
  const map = new NumberMap<string>();
  const model = new Map<number, string>();
  const differing: number[] = [];
  const random = seeded(7);
  for (let step = 0; step < 20_000; step += 1) {
    const key = keyOf(random);
    if (random(2) === 0) {
      map.set(key, `${step}`);
      model.set(key, `${step}`);
    } else if (map.delete(key) !== model.delete(key)) differing.push(step);
    const other = random(40) * 2 ** 20;
    const seen = [map.get(other), map.has(other), map.size].join();
    if (seen !== [model.get(other), model.has(other), model.size].join()) differing.push(step);
  }
  expect(differing).toEqual([]);
  const sorted = [...model.keys()].sort((one, other) => one - other);
  expect(map.keys()).toEqual(sorted);
  expect(map.keys().map((key) => map.get(key))).toEqual(sorted.map((key) => model.get(key)));
  map.clear();
  expect([map.size, map.keys(), map.get(sorted[0] ?? 0)]).toEqual([0, [], undefined]);
});

type Random = (below: number) => number;

function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** Places of rows and repetitions, and small numbers. */
function keyOf(random: Random): number {
  if (random(3) === 0) return random(40);
  return random(30) * 2 ** 20 + random(3) + (random(4) === 0 ? 2 ** 50 : 0);
}

test('an entry may be undefined', () => {
  const map = new NumberMap<number | undefined>();
  map.set(0, undefined);
  expect([map.has(0), map.get(0), map.has(1), map.size]).toEqual([true, undefined, false, 1]);
});
