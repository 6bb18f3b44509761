// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import type { JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { sameValue } from '../compare-values/same-value.ts';
import { judgeBothOrders } from '../scorers/win-rate.ts';
import { defineEvaluator, type Score, type Unscored } from './evaluator.ts';
import { judgeFailed, outputReference, readOutput } from './flow-judge.ts';
import { type Judged, judgeInputs, judgeParameters, noJudges } from './judge.ts';
import { saidText } from './said-text.ts';

/**
 * Whether a judge prefers what stands at `on` to what is expected: 1 where it does, 0 where it prefers the other. It is
 * asked twice, with either answer first; where the two disagree, or one says tie, the score is 0.5. Of two answers that are
 * one it is 0.5 without being asked.
 */
export const pairwiseJudge = defineEvaluator({
  name: 'pairwise',
  about: 'whether a flow that judges prefers it to `expected`, asked in both orders',
  parameters: z.strictObject({
    ...judgeParameters,
    between: z
      .tuple([z.string().min(1), z.string().min(1)])
      .refine(([first, second]) => first !== second, 'two inputs, one for each answer')
      .describe('Inputs of the judge that get the two answers, the first and the second.'),
    winner: outputReference
      .default('${outputs.winner}')
      .describe('Output of the judge that names the better: `first`, `second` or `tie`, or an input of `between`.'),
  }),
  reads: [
    {
      name: 'inputs',
      about: 'Other inputs of the judge by their names: `{question: ${inputs.query}}`.',
      kinds: ['mapping'],
    },
  ],
  expected: 'needed',
  measures: 'value',
  judgedBy: 'winner',
  prepare: ({ flow, connections, between, winner }, { judges }, _expected, key) => {
    const judge = judges?.open({ flow, connections }, key) ?? noJudges;
    return {
      kind: 'number',
      range: [0, 1],
      better: 'higher',
      judgedBy: () => judge.run(),
      score: async ({ value, expected = null, reads, row: { line, repeat } }) => {
        if (sameValue(value, expected)) return 0.5;
        const ask = async (first: JsonValue, second: JsonValue, turn: number): Promise<Verdict> => {
          const inputs = { ...judgeInputs(reads['inputs'], between[0], first), [between[1]]: second };
          return verdictOf(await judge.ask(inputs, { line, repeat, turn }), winner, between);
        };
        const [refFirst, outFirst] = await Promise.all([ask(expected, value, 0), ask(value, expected, 1)]);
        return await scoreOf(refFirst, outFirst);
      },
    };
  },
});

type Verdict = 'first' | 'second' | 'tie' | Extract<Judged, { readonly failed: string }> | Unscored;

async function scoreOf(refFirst: Verdict, outFirst: Verdict): Promise<Score> {
  for (const verdict of [refFirst, outFirst]) {
    if (typeof verdict === 'object') return 'unscored' in verdict ? verdict : judgeFailed(verdict);
  }
  if (refFirst === 'tie' || outFirst === 'tie') return 0.5;
  const winner = await judgeBothOrders((order) => (order === 'ref-first' ? refFirst : outFirst) as 'first' | 'second');
  return winner === 'tie' ? 0.5 : winner === 'out' ? 1 : 0;
}

const words: readonly (readonly [verdict: 'first' | 'second' | 'tie', said: readonly string[]])[] = [
  ['first', ['first', '1', 'a']],
  ['second', ['second', '2', 'b']],
  ['tie', ['tie', '0', 'c', 'equal', 'both', 'neither']],
];

function verdictOf(judged: Judged, reference: string, [first, second]: readonly [string, string]): Verdict {
  if ('failed' in judged) return judged;
  const output = readOutput(judged.outputs, reference) ?? null;
  const said = String(output ?? '').trim();
  const named = namedInput(said, [first, second]);
  if (named !== undefined) return named;
  const found = words.find(([, forms]) => forms.includes(said.toLowerCase()));
  return found?.[0] ?? { unscored: 'the judge names no winner', isError: true, said: saidText(output) };
}

/** An input of the judge as it is written, and then in letters of either case, where only one is called so. */
function namedInput(said: string, inputs: readonly [string, string]): 'first' | 'second' | undefined {
  for (const form of [(text: string) => text, (text: string) => text.toLowerCase()]) {
    const found = inputs.filter((one) => form(one) === form(said));
    if (found.length === 1) return found[0] === inputs[0] ? 'first' : 'second';
  }
  return undefined;
}
