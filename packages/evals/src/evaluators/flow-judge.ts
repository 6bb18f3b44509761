// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import type { JsonObject, JsonValue } from '@unroll/engine';
import * as z from 'zod';
import { parseTarget, readSteps } from '../targets/target.ts';
import { defineEvaluator, passed, type Score, type Unscored } from './evaluator.ts';
import { type Judge, type Judged, judgeInputs, judgeParameters, noJudges } from './judge.ts';
import { saidText } from './said-text.ts';
import { ScoreKinds } from './score-kinds.ts';

export const outputReference = z
  .string()
  .refine((text) => outputOf(text) !== undefined, { message: 'an output of the judge: ${outputs.score}' });

/**
 * What another flow says: a score for each row, or with `metric` a number that its aggregation nodes log over all rows, as in
 * an evaluation flow of Prompt flow.
 */
export const flowJudge = defineEvaluator({
  name: 'flow',
  about: 'what a flow that judges says of it',
  parameters: z
    .strictObject({
      ...judgeParameters,
      as: z.string().min(1).optional().describe('Input of the judge that gets what stands at `on`.'),
      score: outputReference
        .optional()
        .describe('Output of the judge that is the score, a number or true and false; default `${outputs.score}`.'),
      pass_from: z.number().optional().describe('Scores from here on pass, those below fail.'),
      metric: z.string().min(1).optional().describe('Metric that the judge logs over all rows, in place of the mean.'),
      better: z.enum(['higher', 'lower']).default('higher').describe('Whether more of it is better.'),
    })
    .refine(({ metric, pass_from: passFrom }) => metric === undefined || passFrom === undefined, {
      path: ['pass_from'],
      message: 'left out beside "metric", whose number stands for all rows',
    }),
  reads: [
    {
      name: 'inputs',
      about: 'Inputs of the judge by their names: `{question: ${inputs.query}, answer: ${outputs.answer}}`.',
      kinds: ['mapping'],
    },
  ],
  expected: 'none',
  measures: 'value',
  isOfRow: true,
  judgedBy: 'score',
  prepare: (
    { flow, connections, as, score = '${outputs.score}', pass_from: passFrom, metric, better },
    { judges },
    _expected,
    key,
  ) => {
    const judge = judges?.open({ flow, connections }, `${key} ${as ?? ''}`) ?? noJudges;
    const kinds = new ScoreKinds(`the judge ${flow}`, (message) => judges?.warn?.(message));
    return {
      kind: passFrom === undefined ? 'number' : 'pass',
      better,
      judgedBy: () => judge.run(),
      ...(metric === undefined ? {} : { total: () => loggedMetric(judge, metric) }),
      score: async ({ value, reads, row, turns }) => {
        const turn = (turns[0]?.iteration ?? 1) - 1;
        const judged = await judge.ask(judgeInputs(reads['inputs'], as, value), { ...placeOf(row), turn });
        const found = scoreOf(judged, score, metric !== undefined);
        if (typeof found === 'number' && 'outputs' in judged)
          kinds.add(typeof readOutput(judged.outputs, score) === 'boolean', row.line);
        return typeof found === 'number' && passFrom !== undefined ? passed(found >= passFrom) : found;
      },
    };
  },
});

function placeOf({ line, repeat }: { readonly line: number; readonly repeat: number }) {
  return { line, repeat };
}

function loggedMetric(judge: Judge, name: string): number | Unscored {
  const metrics = judge.metrics();
  const logged = numeric(metrics[name] ?? null);
  const said = Object.keys(metrics).length === 0 ? 'it logged nothing' : `it logged ${Object.keys(metrics).join(', ')}`;
  return logged ?? { unscored: `the judge logged no number as ${name}`, isError: true, said };
}

/** @param isCounted the judge's own number over all rows counts, so that a row needs none */
function scoreOf(judged: Judged, reference: string, isCounted: boolean): Score {
  if ('failed' in judged) return judgeFailed(judged);
  const output = readOutput(judged.outputs, reference) ?? null;
  const score = numeric(output);
  if (score !== undefined) return score;
  return isCounted
    ? { unscored: 'counted by the judge' }
    : { unscored: 'the judge gave no number', isError: true, said: saidText(output) };
}

export function judgeFailed({ failed, message }: Extract<Judged, { readonly failed: string }>): Unscored {
  return { unscored: `judge failed: ${failed}`, isError: true, ...(message === undefined ? {} : { said: message }) };
}

/** What stands at `${outputs.name.a[0]}` of a judge's outputs. */
export function readOutput(outputs: JsonObject, reference: string): JsonValue | undefined {
  const target = outputOf(reference);
  const value = target === undefined ? undefined : outputs[target.name];
  return value === undefined || target === undefined ? undefined : readSteps(value, target.steps);
}

/** `score` of `${outputs.score.a}`; undefined for what is no output. */
export function readOutputName(reference: string): string | undefined {
  return outputOf(reference)?.name;
}

function outputOf(text: string) {
  const target = parseTarget(text.replace(/^\$\{(.*)\}$/s, '$1'));
  return target?.of === 'outputs' ? target : undefined;
}

/** Numbers, truth values, and texts that are a decimal number: models write them so. */
function numeric(value: JsonValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number(value);
  const number = typeof value === 'string' && /^\s*[+-]?[\d.][\d.eE+-]*\s*$/.test(value) ? Number(value) : Number.NaN;
  const found: unknown = typeof value === 'string' ? number : value instanceof Number ? value.valueOf() : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
