import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { offAbort, onAbort } from './on-abort.ts';

test('all that watch are told once, with one listener, and none is left', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const [one, other, third] = ['one', 'other', 'third'].map((name) => () => void told.push(name));
  for (const work of [one, other, third, one]) if (work !== undefined) onAbort(controller.signal, work);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  if (other !== undefined) offAbort(controller.signal, other);
  controller.abort();
  expect(told).toEqual(['one', 'third']);
  if (one !== undefined) offAbort(controller.signal, one);
});

test('who is told may end the watch of another', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const other = (): void => void told.push('other');
  onAbort(controller.signal, () => offAbort(controller.signal, other));
  onAbort(controller.signal, other);
  onAbort(controller.signal, () => void told.push('third'));
  controller.abort();
  expect(told).toEqual(['third']);
});

test('a signal that nobody watches has no listener', () => {
  const { signal } = new AbortController();
  const work = (): void => {};
  onAbort(signal, work);
  offAbort(signal, work);
  offAbort(signal, work);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
