import type { CallCost, Usage } from '@unroll/engine';
import type { Price } from './price-file.ts';
import { freeOfCharge } from './price-list.ts';

/**
 * US dollars of a call. Tokens from the cache and to it cost what is listed for them, else what the others cost, which is never
 * less than was paid for what was read; audio likewise (`isPriced` tells where that is too little). What a model thought to itself is part of
 * what it answered.
 */
export function costOf({ promptTokens, completionTokens, details = {} }: Usage, price: Price): number {
  const { cachedTokens = 0, cacheWriteTokens = 0, audioPromptTokens = 0, audioCompletionTokens = 0 } = details;
  const { input, output, cached_input: cached = input, cache_write_input: written = input } = price;
  const { audio_input: heard = input, audio_output: spoken = output } = price;
  // Audio from the cache is told as both; it is counted once.
  const otherPrompt = Math.max(0, promptTokens - cachedTokens - cacheWriteTokens);
  const audioPrompt = Math.min(audioPromptTokens, otherPrompt);
  const dollars =
    cachedTokens * cached +
    cacheWriteTokens * written +
    audioPrompt * heard +
    (otherPrompt - audioPrompt) * input +
    audioCompletionTokens * spoken +
    (completionTokens - audioCompletionTokens) * output;
  return dollars / 1_000_000;
}

/** @param price undefined where nobody knows it */
export function callCost(usage: Usage, price: Price | undefined): CallCost {
  if (price === undefined) return { dollars: 0, isPartial: true };
  const isKnown = price === freeOfCharge || isPriced(usage, price);
  return { dollars: costOf(usage, price), isPartial: !isKnown || (usage.untoldCalls ?? 0) > 0 };
}

/** Whether all of these tokens have a price: audio and what is written to a cache may cost more than the rest. */
export function isPriced({ details = {} }: Usage, price: Price): boolean {
  const { cacheWriteTokens = 0, audioPromptTokens = 0, audioCompletionTokens = 0 } = details;
  return (
    (cacheWriteTokens === 0 || price.cache_write_input !== undefined) &&
    (audioPromptTokens === 0 || price.audio_input !== undefined) &&
    (audioCompletionTokens === 0 || price.audio_output !== undefined)
  );
}
