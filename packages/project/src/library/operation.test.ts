import { expect, test } from 'vitest';
import { startOperation } from './operation.ts';

/** Emits 0, 1, 2 …, one a turn of the event loop, until it is to stop. */
async function count(to: number, emit: (event: number) => void, signal: AbortSignal): Promise<string> {
  for (let number = 0; number < to; number += 1) {
    emit(number);
    await new Promise((turn) => setImmediate(turn));
    if (signal.aborted) return `stopped after ${number}`;
  }
  return 'counted';
}

async function taken<Event>(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const found: Event[] = [];
  for await (const event of events) found.push(event);
  return found;
}

test('who iterates before the next await is told everything, whoever else does', async () => {
  const operation = startOperation<number, string>((emit, signal) => count(3, emit, signal));
  expect(await Promise.all([taken(operation), taken(operation)])).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
  expect(await operation.result).toBe('counted');
});

test('who comes when it has ended is told nothing, and the result is still there', async () => {
  const operation = startOperation<number, string>((emit, signal) => count(3, emit, signal));
  await operation.result;
  expect(await taken(operation)).toEqual([]);
  expect(await operation.result).toBe('counted');
});

test('who leaves the loop stops the work', async () => {
  const operation = startOperation<number, string>((emit, signal) => count(1000, emit, signal));
  for await (const number of operation) if (number === 2) break;
  expect(await operation.result).toMatch(/^stopped after \d$/);
});

test('a signal that is given stops it too, before it begins as well', async () => {
  const stop = new AbortController();
  const operation = startOperation<number, string>((emit, signal) => count(1000, emit, signal), stop.signal);
  stop.abort();
  expect(await operation.result).toBe('stopped after 0');
});

test('a failure comes out of the loop after the events before it, and out of the result', async () => {
  const operation = startOperation<number, string>(async (emit) => {
    emit(1);
    throw new RangeError('no more');
  });
  const told: number[] = [];
  const loop = async (): Promise<void> => {
    for await (const number of operation) told.push(number);
  };
  await expect(loop()).rejects.toThrow('no more');
  expect(told).toEqual([1]);
  await expect(operation.result).rejects.toThrow('no more');
});

test('a failure that nobody asks for ends no process', async () => {
  startOperation<number, string>(async () => {
    throw new RangeError('nobody asks');
  });
  await new Promise((turn) => setImmediate(turn));
});
