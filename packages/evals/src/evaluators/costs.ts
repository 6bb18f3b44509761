import type { Usage } from '@unroll/engine';
import * as z from 'zod';
import { type Cost, defineEvaluator } from './evaluator.ts';

const cached = { unscored: 'taken from an earlier run' };

/** Milliseconds. What was taken from an earlier run took no time of its own and has no score. */
export const latency = defineEvaluator({
  name: 'latency',
  about: 'milliseconds it took',
  parameters: z.strictObject({}),
  expected: 'none',
  measures: 'cost',
  prepare: () => ({
    kind: 'number',
    better: 'lower',
    unit: 'ms',
    score: ({ cost: { durationMs, isCached } }) =>
      isCached ? cached : (durationMs ?? { unscored: 'no time recorded' }),
  }),
});

export const tokens = defineEvaluator({
  name: 'tokens',
  about: 'tokens of the model calls; 0 where there were none',
  parameters: z.strictObject({
    of: z.enum(['all', 'prompt', 'completion']).default('all').describe('What is counted.'),
  }),
  expected: 'none',
  measures: 'cost',
  prepare: ({ of }) => ({ kind: 'number', better: 'lower', unit: 'tokens', score: ({ cost }) => tokensOf(cost, of) }),
});

/** US dollars. */
export const cost = defineEvaluator({
  name: 'cost',
  about: 'US dollars of the model calls, where their prices are known; 0 where there were none',
  parameters: z.strictObject({}),
  expected: 'none',
  measures: 'cost',
  prepare: () => ({
    kind: 'number',
    better: 'lower',
    unit: 'USD',
    score: ({ cost: { usage, dollars } }) =>
      usage === undefined ? 0 : (untold(usage) ?? dollars ?? { unscored: 'no price known' }),
  }),
});

/** Calls that code made itself and whose tokens nobody told. */
function untold({ untoldCalls = 0 }: Usage): { readonly unscored: string } | undefined {
  return untoldCalls === 0 ? undefined : { unscored: 'tokens not told' };
}

function tokensOf({ usage }: Cost, of: 'all' | 'prompt' | 'completion'): number | { readonly unscored: string } {
  if (usage === undefined) return 0;
  const unknown = untold(usage);
  if (unknown !== undefined) return unknown;
  if (of === 'all') return usage.totalTokens;
  return of === 'prompt' ? usage.promptTokens : usage.completionTokens;
}
