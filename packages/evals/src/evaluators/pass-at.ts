import * as z from 'zod';
import { passAll, passAt } from '../statistics/pass-at.ts';
import { defineEvaluator } from './evaluator.ts';

const parameters = z.strictObject({
  k: z.int().min(1).describe('Attempts; `pass@3` is short for it.'),
  of: z.string().min(1).describe('Name of a metric that passes or fails, of which it is told.'),
});

/** Chance that at least one of k attempts at a row passes (Chen et al. 2021, unbiased). */
export const passAtK = defineEvaluator({
  name: 'pass',
  about: 'chance that at least one of k attempts passes `of`; rows are run k times or more',
  parameters,
  takesK: true,
  expected: 'none',
  measures: 'metric',
  ofAttempts: ({ k }, attempts, passed) => passAt(Number(k), attempts, passed),
  prepare: prepareDerived,
});

/** Chance that all of k attempts at a row pass (pass^k of τ-bench, unbiased). */
export const passAllK = defineEvaluator({
  name: 'pass_all',
  about: 'chance that all of k attempts pass `of`; rows are run k times or more',
  parameters,
  takesK: true,
  expected: 'none',
  measures: 'metric',
  ofAttempts: ({ k }, attempts, passed) => passAll(Number(k), attempts, passed),
  prepare: prepareDerived,
});

function prepareDerived() {
  return {
    kind: 'number' as const,
    range: [0, 1] as const,
    better: 'higher' as const,
    score: () => {
      throw new Error('bug: worked out of another metric');
    },
  };
}
