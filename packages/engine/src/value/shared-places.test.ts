import { expect, test } from 'vitest';
import { changedTogether, withSharedPlaces } from './shared-places.ts';

const place = (...path: (string | number)[]) => ({ path });

test('a list that stands in two places of an output, one of them in another list, is one', () => {
  const output = withSharedPlaces(
    { x: [[1]], y: [[1]], z: [1] },
    [
      { at: place('y'), from: place('x') },
      { at: place('z'), from: place('x', 0) },
    ],
    {},
  ) as { readonly x: readonly unknown[]; readonly y: unknown; readonly z: unknown };
  expect(output.y).toBe(output.x);
  expect(output.z).toBe(output.x[0]);
});

test.for([
  ['itself', [{ at: place('x'), from: place('x') }]],
  ['what it stands in', [{ at: place('x', 0), from: place('x') }]],
  [
    'each other',
    [
      { at: place('x', 0), from: place('y') },
      { at: place('y', 0), from: place('x') },
    ],
  ],
] as const)('places of a record that stand for %s come to an end', ([, shared]) => {
  const output = { x: [[1]], y: [[2]] };
  expect(JSON.stringify(withSharedPlaces(output, shared, {}))).toMatch(/^\{"x":\[.*"y":\[/);
  const named = shared.map(({ at, from }) => ({ at: { input: 'i', path: at.path }, from: place('i', ...from.path) }));
  expect(JSON.stringify(changedTogether({ i: output }, named, {}))).toMatch(/^\{"i":\{"x":\[.*"y":\[/);
});

test('a place that is not there leaves the value as it is', () => {
  const output = { x: [[1]] };
  expect(withSharedPlaces(output, [{ at: place('x'), from: place('none', 3) }], {})).toEqual(output);
});
