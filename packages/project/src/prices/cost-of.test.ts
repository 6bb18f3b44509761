import type { UsageDetails } from '@unroll/engine';
import { expect, test } from 'vitest';
import { callCost, costOf, isPriced } from './cost-of.ts';
import type { Price } from './price-file.ts';
import { freeOfCharge } from './price-list.ts';

const plain: Price = { input: 2, output: 8 };
const full: Price = { ...plain, cached_input: 0.5, cache_write_input: 2.5, audio_input: 40, audio_output: 80 };

test.for<readonly [UsageDetails, number, number, boolean]>([
  [{}, 2.8, 2.8, true],
  [{ cachedTokens: 600_000 }, 2.8, 1.9, true],
  [{ cacheWriteTokens: 100_000 }, 2.8, 2.85, false],
  [{ cachedTokens: 600_000, cacheWriteTokens: 400_000 }, 2.8, 2.1, false],
  [{ reasoningTokens: 100_000 }, 2.8, 2.8, true],
  [{ audioPromptTokens: 10_000 }, 2.8, 3.18, false],
  [{ audioCompletionTokens: 10_000 }, 2.8, 3.52, false],
  [{ cachedTokens: 1_000_000, audioPromptTokens: 1_000_000 }, 2.8, 1.3, false],
  [{ acceptedPredictionTokens: 50_000, rejectedPredictionTokens: 50_000 }, 2.8, 2.8, true],
])('a million tokens sent and 100,000 answered, of which %j', ([details, plainly, fully, isPricedPlainly]) => {
  const usage = { promptTokens: 1_000_000, completionTokens: 100_000, totalTokens: 1_100_000, details };
  expect(costOf(usage, plain)).toBeCloseTo(plainly, 10);
  expect(costOf(usage, full)).toBeCloseTo(fully, 10);
  expect([isPriced(usage, plain), isPriced(usage, full)]).toEqual([isPricedPlainly, true]);
});

test.for<readonly [string, UsageDetails, Price | undefined, number, boolean]>([
  ['all its tokens have a price', {}, plain, 2.8, false],
  ['nobody knows its price', {}, undefined, 0, true],
  ['audio has no price', { audioPromptTokens: 10_000 }, plain, 2.8, true],
  ['audio has one', { audioPromptTokens: 10_000 }, full, 3.18, false],
  ['nothing is paid', { audioPromptTokens: 10_000, cacheWriteTokens: 10 }, freeOfCharge, 0, false],
])('a call where %s: its cost is partial where some of it is not known', ([, details, price, dollars, isPartial]) => {
  const usage = { promptTokens: 1_000_000, completionTokens: 100_000, totalTokens: 1_100_000, details };
  const cost = callCost(usage, price);
  expect(cost.isPartial).toBe(isPartial);
  expect(cost.dollars).toBeCloseTo(dollars, 10);
});
