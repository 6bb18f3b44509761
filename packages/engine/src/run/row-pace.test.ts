import { expect, test } from 'vitest';
import { RowPace, runSlots } from './row-pace.ts';

/** Rows that end when they are told to, in the order in which they began. */
function heldRows() {
  const begun: (() => void)[] = [];
  let wanted: (() => void) | undefined;
  return {
    begun,
    run: () =>
      new Promise<void>((resolve) => {
        begun.push(resolve);
        wanted?.();
      }),
    /** Resolves once so many have begun. */
    until: (count: number) =>
      new Promise<void>((resolve) => {
        wanted = () => (begun.length >= count ? resolve() : undefined);
        wanted();
      }),
  };
}

test('rows begin as the pace says, and another pace holds for those that have not begun', async () => {
  const pace = new RowPace(1);
  const rows = heldRows();
  let left = 7;
  const all = runSlots(pace, async (isWanted) => {
    while (isWanted() && left > 0) {
      left -= 1;
      await rows.run();
    }
  });
  await rows.until(1);
  expect(rows.begun).toHaveLength(1);
  pace.rows = 3;
  await rows.until(3);
  pace.rows = 1;
  for (const end of rows.begun.slice(0, 3)) end();
  await rows.until(4);
  expect(rows.begun).toHaveLength(4);
  pace.rows = 64;
  await rows.until(7);
  for (const end of rows.begun) end();
  expect(await all).toHaveLength(1 + 2 + 63);
});

test('a slot that fails is told, and the others end', async () => {
  const ended = await runSlots(2, async (isWanted) => {
    if (isWanted()) throw new Error('the disk went away');
  });
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a pace that is set once all rows have ended begins nothing', async () => {
  const pace = new RowPace(1);
  let began = 0;
  const slot = async (): Promise<void> => {
    began += 1;
  };
  await runSlots(pace, slot);
  pace.rows = 8;
  expect(began).toBe(1);
});

test('however many are asked for, 10,000 rows are at work at most', async () => {
  let slots = 0;
  await runSlots(1e9, async () => {
    slots += 1;
  });
  expect(slots).toBe(10_000);
});
