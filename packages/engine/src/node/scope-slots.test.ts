import { expect, test } from 'vitest';
import { rowAlone } from './row-scope.ts';
import { ScopeSlot, ScopeSlots } from './scope-slots.ts';

test('what is kept in a slot is made once for each scope, and slots do not meet', () => {
  const count = new ScopeSlot<{ calls: number }>('count');
  const other = new ScopeSlot<{ calls: number }>('count');
  const [one, two] = [new ScopeSlots(), new ScopeSlots()];
  one.kept(count, () => ({ calls: 1 })).calls += 1;
  expect(one.kept(count, () => ({ calls: 9 }))).toEqual({ calls: 2 });
  expect(one.kept(other, () => ({ calls: 5 }))).toEqual({ calls: 5 });
  expect(two.kept(count, () => ({ calls: 7 }))).toEqual({ calls: 7 });
});

test('undefined is kept like any other value', () => {
  const slot = new ScopeSlot<string | undefined>('maybe');
  const scope = new ScopeSlots();
  expect(scope.kept(slot, () => undefined)).toBeUndefined();
  expect(scope.kept(slot, () => 'made again')).toBeUndefined();
});

test('a call outside of any row has slots, and nothing was handed on before it', () => {
  const slot = new ScopeSlot<number>('n');
  const row = rowAlone();
  expect([row.kept(slot, () => 1), row.kept(slot, () => 2), row.handed('a'), row.workedSince(0)]).toEqual([
    ...[1, 1, undefined, 0],
  ]);
});
