import { expect, test } from 'vitest';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunLog } from '../record/run-log.ts';
import { runInfo } from '../testing/run-info.ts';
import { RecordKeeper } from './record-keeper.ts';

const info = runInfo();
const node: NodeRun = { line: 0, node: 'a', kind: 'python', status: 'Completed', output: 1 };
const row: RowRun = { line: 0, status: 'Completed', inputs: {}, outputs: {}, startedAt: 0, durationMs: 0 };
const full = new Error('the disk is full');

/** A store whose records are durable when they are told to be. */
function slowStore(): { readonly store: RunLog; readonly keep: () => void; readonly lose: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const store = Object.assign(createMemoryRunLog(info), { append: () => promise });
  return { store, keep: resolve, lose: () => reject(full) };
}

test('a row is told as kept once it is durable, and not before', async () => {
  const told: string[] = [];
  const atOnce = new RecordKeeper(createMemoryRunLog(info));
  expect(atOnce.row([node], row, () => told.push('at once'))).toBeUndefined();
  expect(told).toEqual([]);
  await atOnce.settled();
  expect(told).toEqual(['at once']);
  const { store, keep } = slowStore();
  const later = new RecordKeeper(store);
  expect(later.row([node], row, () => told.push('later'))).toBeUndefined();
  expect(told).toEqual(['at once']);
  keep();
  await later.settled();
  expect([told, later.failure]).toEqual([['at once', 'later'], undefined]);
});

test('rows are waited for only once a thousand are not kept yet', async () => {
  const { store, keep } = slowStore();
  const keeper = new RecordKeeper(store);
  const waits = Array.from({ length: 1024 }, () => keeper.row([], row, () => {}) !== undefined);
  expect(waits.indexOf(true)).toBe(1023);
  const wait = keeper.row([], row, () => {});
  keep();
  await wait;
  await keeper.settled();
  expect(keeper.row([], row, () => {})).toBeUndefined();
});

test.for([
  ['a node', (keeper: RecordKeeper): void => keeper.node(node)],
  ['a row', (keeper: RecordKeeper): void => void keeper.row([node], row, () => expect.unreachable())],
] as const)('%s that cannot be kept is a failure, told late or at once; the first one counts', async ([, hand]) => {
  const refusing = Object.assign(createMemoryRunLog(info), {
    append: (): never => {
      throw full;
    },
  });
  const { store, lose } = slowStore();
  const [atOnce, later] = [new RecordKeeper(refusing), new RecordKeeper(store)];
  hand(atOnce);
  hand(later);
  expect([atOnce.failure, later.failure]).toEqual([{ error: full }, undefined]);
  lose();
  await later.settled();
  expect(later.failure).toEqual({ error: full });
});
