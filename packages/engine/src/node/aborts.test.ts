import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { aborts } from './aborts.ts';

test('all that watch are told once, with one listener, and none is left', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const [one, other, third] = ['one', 'other', 'third'].map((name) => () => void told.push(name));
  for (const work of [one, other, third, one]) if (work !== undefined) aborts.watch(controller.signal, work);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  if (other !== undefined) aborts.unwatch(controller.signal, other);
  controller.abort();
  expect(told).toEqual(['one', 'third']);
  if (one !== undefined) aborts.unwatch(controller.signal, one);
});

test('who is told may end the watch of another', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const other = (): void => void told.push('other');
  aborts.watch(controller.signal, () => aborts.unwatch(controller.signal, other));
  aborts.watch(controller.signal, other);
  aborts.watch(controller.signal, () => void told.push('third'));
  controller.abort();
  expect(told).toEqual(['third']);
});

test('a signal that nobody watches has no listener', () => {
  const { signal } = new AbortController();
  const work = (): void => {};
  aborts.watch(signal, work);
  aborts.unwatch(signal, work);
  aborts.unwatch(signal, work);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
