import type { Usage, UsageDetails } from '@unroll/engine';
import { expect, test } from 'vitest';
import { callCost, costOf, isPriced } from './cost-of.ts';
import { recordedPrices } from './node-prices.ts';
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

test('calls of several models cost what they cost together; where one has no price, nobody knows', () => {
  const models = { dear: { input: 2, output: 8 }, cheap: { input: 0.1, output: 0 } };
  const priceOf = recordedPrices({}, { models, from: 'a test' });
  const part = (model: string, promptTokens: number, completionTokens: number): Usage => ({
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    billedAs: { connectionType: 'open_ai', model },
  });
  const together = (...parts: readonly Usage[]): Usage => ({
    promptTokens: 1_500_000,
    completionTokens: 100_000,
    totalTokens: 1_600_000,
    parts,
  });
  const known = together(part('dear', 1_000_000, 100_000), part('cheap', 500_000, 0));
  expect(callCost(known, priceOf('n', known)).dollars).toBeCloseTo(2.85, 10);
  const unknown = together(part('dear', 1_000_000, 100_000), part('other', 500_000, 0));
  expect(callCost(unknown, priceOf('n', unknown))).toEqual({ dollars: 0, isPartial: true });
  const untold = { ...part('dear', 10, 0), untoldCalls: 1 };
  expect(callCost(untold, priceOf('n', untold)).isPartial).toBe(true);
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
