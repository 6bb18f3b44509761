import { setTimeout as elapsed } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitRows, startRunLimit } from '../run/limit-rows.ts';
import type { NodeOutcome } from './node-type.ts';
import { within } from './time-limit.ts';

const beyondTimers = 2 ** 31;
const done: NodeOutcome = { ok: true, output: 'done' };

test('a node with more time than a timer can wait for has time', async () => {
  const call = { node: 'slow', signal: new AbortController().signal } as Parameters<typeof within>[1];
  expect(await within(beyondTimers, call, () => elapsed(20, done))).toEqual(done);
});

test('so has a run, and each of its rows', async () => {
  using runLimit = startRunLimit(beyondTimers);
  const limits = limitRows({ timeoutMs: beyondTimers, signal: undefined, runLimit });
  const row = { line: 0, inputs: {}, outputs: {}, startedAt: 0, durationMs: 0, status: 'Completed' } as const;
  expect((await limits.run(0, () => elapsed(20, { row, nodes: [] }))).row.status).toBe('Completed');
  expect(runLimit.over.aborted).toBe(false);
});
