import { expect, test } from 'vitest';
import { RowSlots } from './row-slots.ts';

test('a slot that is freed goes to a row that another worker has lost, then to whoever waits longest', async () => {
  const slots = new RowSlots(1, () => undefined);
  const begun: string[] = [];
  const wait = (name: string, isLost: boolean): Promise<void> => slots.take(isLost).then(() => void begun.push(name));
  await wait('first', false);
  const waiting = [wait('second', false), wait('third', false)];
  waiting.push(wait('lost', true));
  expect(slots.isHungry).toBe(false);
  for (const _ of waiting) {
    slots.give();
    await new Promise(setImmediate);
  }
  expect(begun).toEqual(['first', 'lost', 'second', 'third']);
});
