import * as z from 'zod';
import { defineEvaluator, passed } from './evaluator.ts';
import { callParameters } from './tool-call.ts';
import {
  type ArgumentRule,
  callsIn,
  expectedCalls,
  type FoundCall,
  isCall,
  noCall,
  sharedCalls,
} from './tool-calls.ts';

/**
 * The calls of all turns go the expected way: `exact`, the same calls in the same order; `in_order`, the expected ones in
 * their order, others between them; `any_order`, the expected ones among them.
 */
export const trajectory = defineEvaluator({
  name: 'trajectory',
  about: 'the calls of all turns go the expected way',
  parameters: callParameters.extend({
    mode: z
      .enum(['exact', 'in_order', 'any_order'])
      .default('exact')
      .describe('`exact`; `in_order`: others may stand between; `any_order`: the expected ones are among them.'),
    arguments: callParameters.shape.arguments.unwrap().default('ignored').describe('As for `tool_call`.'),
  }),
  expected: 'needed',
  measures: 'turns',
  isOfCalls: true,
  prepare: ({ mode, arguments: rule }) => ({
    kind: 'pass',
    better: 'higher',
    score: ({ turns, expected = null }) => {
      const found = turns.flatMap(({ value }) => (typeof value === 'string' ? [] : callsIn(value)));
      const wanted = expectedCalls(expected);
      return wanted === undefined ? noCall : passed(matches[mode](found, wanted, rule));
    },
  }),
});

type Match = (found: readonly FoundCall[], wanted: readonly FoundCall[], rule: ArgumentRule) => boolean;

const matches: Readonly<Record<'exact' | 'in_order' | 'any_order', Match>> = {
  exact: (found, wanted, rule) =>
    found.length === wanted.length && found.every((call, at) => isCall(call, wanted[at] as FoundCall, rule)),
  in_order: (found, wanted, rule) => {
    let at = 0;
    for (const call of found) if (at < wanted.length && isCall(call, wanted[at] as FoundCall, rule)) at += 1;
    return at === wanted.length;
  },
  any_order: (found, wanted, rule) => sharedCalls(found, wanted, rule) === wanted.length,
};
