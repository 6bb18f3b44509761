import * as z from 'zod';
import { metricDifference } from './diff-page.ts';
import { figure, interval, list, rowPlace, value, verdict } from './figures.ts';
import { loopView } from './run-page.ts';
import { runLine } from './runs-page.ts';

/** GET evaluations: every eval.yaml of the folder. */
export const evaluationsPage = z.strictObject({
  evaluations: list(
    z.strictObject({
      /** Its path, as a person would type it: what other routes take for `evaluation`. */
      path: z.string(),
      name: z.string(),
      flow: z.string().optional(),
      data: z.string().optional(),
      metrics: z.int(),
      gates: z.int(),
      hasBaseline: z.boolean(),
      /** Asks a model: its scores are not worked out until they are asked for. */
      asksJudges: z.boolean(),
      /** Runs of its flow over its data, newest first. */
      runs: list(z.string()),
      /** Mistakes of the file, with their places. */
      mistakes: list(z.string()),
    }),
  ),
});

export const runScore = z.strictObject({
  run: z.string(),
  mean: figure,
  interval: interval.optional(),
  scored: z.int(),
  unscored: list(z.strictObject({ reason: z.string(), rows: z.int() })),
  gate: z.strictObject({ rule: z.string(), passed: z.boolean(), reason: z.string() }).optional(),
  /** Against the first run; of the first, against the baseline. */
  difference: metricDifference.optional(),
});

/** A metric in all runs, in the order of the runs. */
export const metricRow = z.strictObject({
  name: z.string(),
  evaluator: z.string(),
  on: z.string(),
  node: z.string().optional(),
  kind: z.enum(['pass', 'number']),
  better: z.enum(['higher', 'lower']),
  unit: z.string().optional(),
  /** What the bar goes from and to. */
  scale: z.strictObject({ low: z.number(), high: z.number() }),
  /** Where the line of the gate stands; absent for gates against a baseline. */
  gateAt: z.number().optional(),
  runs: list(runScore),
  isSignificant: z.boolean(),
});

export const failingGroup = z.strictObject({
  node: z.string(),
  /** Metric that fails, or `failed`. */
  metric: z.string(),
  rows: z.int(),
  examples: list(
    z.strictObject({
      ...rowPlace.shape,
      expected: value.optional(),
      actual: value.optional(),
      reason: z.string().optional(),
    }),
  ),
});

/**
 * GET evaluation?path&run&run…: the first run is the one the others are compared with, and is itself compared with the baseline;
 * without runs the run of the baseline, where it is there, and the newest. No model is asked for it.
 */
export const evaluationPage = z.strictObject({
  path: z.string(),
  name: z.string(),
  verdict,
  /** Why there are no scores: a model would have to be asked, the file has mistakes, there is no run yet. */
  problem: z.string().optional(),
  /** Id of the run that was accepted. */
  baseline: z.string().optional(),
  /** Runs that may be asked for, newest first. */
  candidates: list(z.string()),
  rows: z.int(),
  pairedBy: z.string(),
  runs: list(
    z.strictObject({
      run: runLine,
      isBaseline: z.boolean(),
      gates: z.strictObject({ met: z.int(), failed: z.int(), failing: list(z.string()) }),
      unfinished: z.int(),
      failing: list(failingGroup),
      failingRows: z.int(),
      loops: list(loopView),
    }),
  ),
  metrics: list(metricRow),
  /** How differences were tested, in a sentence. */
  method: z.string(),
});

export type EvaluationsPage = z.infer<typeof evaluationsPage>;
export type RunScore = z.infer<typeof runScore>;
export type MetricRow = z.infer<typeof metricRow>;
export type FailingGroup = z.infer<typeof failingGroup>;
export type EvaluationPage = z.infer<typeof evaluationPage>;
