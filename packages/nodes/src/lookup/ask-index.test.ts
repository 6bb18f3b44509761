import type { SearchIndex, SearchResult } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { Clock } from '../llm/concurrency-limiter.ts';
import { askIndex } from './ask-index.ts';

/** Refuses each question; the clock tells how long was waited in all. */
async function askThrottled(retryAfterMs: number | undefined, times = 3) {
  let calls = 0;
  let waited = 0;
  const error = { code: 'RateLimitError', message: 'busy', retryable: true };
  const index: SearchIndex = {
    search: async (): Promise<SearchResult> => {
      calls += 1;
      return { ok: false, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    },
  };
  const sleep: Clock['sleep'] = async (ms) => {
    waited += ms;
  };
  const clock: Clock = { now: () => waited, sleep };
  const rule = { times, firstWaitSeconds: 1 };
  const outcome = await askIndex(index, 'apple', { topK: 1 }, { rule, clock });
  return { outcome, calls, waited };
}

test.for([
  { retryAfterMs: undefined, calls: 4, waited: 7_000 },
  { retryAfterMs: 0, calls: 4, waited: 0 },
  { retryAfterMs: 600_000, calls: 4, waited: 1_800_000 },
])('an index that asks to wait $retryAfterMs ms is asked $calls times', async ({ retryAfterMs, calls, waited }) => {
  const asked = await askThrottled(retryAfterMs);
  expect(asked).toMatchObject({ calls, waited, outcome: { ok: false, error: { message: 'busy' } } });
});

test('waits double up to a minute, and no further', async () => {
  const seconds = 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60;
  expect(await askThrottled(undefined, 8)).toMatchObject({ calls: 9, waited: seconds * 1000 });
});

test('a wait of more than 10 minutes is not waited for, and the failure says so', async () => {
  const { outcome, calls, waited } = await askThrottled(999_999_999_000);
  expect([calls, waited]).toEqual([1, 0]);
  expect(outcome).toMatchObject({
    ok: false,
    error: { message: 'busy The service asks to wait 999999999 s; at most 600 s are waited.', retryable: true },
  });
});
