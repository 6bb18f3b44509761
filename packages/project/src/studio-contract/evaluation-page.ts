import * as z from 'zod';
import { metricDifference } from './diff-page.ts';
import { figure, interval, list, rowPlace, value, verdict } from './figures.ts';
import { graph, loopView } from './run-page.ts';
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
  /** Of errors alone: the first rows, and what was said in the first of them. */
  unscored: list(
    z.strictObject({ reason: z.string(), rows: z.int(), at: list(rowPlace), said: z.string().optional() }),
  ),
  /** In no row anything stands where it looks. */
  nothingAt: z.string().optional(),
  /** How the scores of rows lie: `failed` and `passed`, or stretches of numbers; the last holds its end. */
  bins: list(z.strictObject({ from: z.number(), to: z.number(), text: z.string(), rows: z.int() })),
  /** Of a family of nodes, by iteration. */
  turns: list(z.strictObject({ turn: z.int(), mean: figure, interval: interval.optional(), scored: z.int() })),
  /** The run in which judges were asked; figures where its record can be read. */
  judge: z.strictObject({ run: z.string(), tokens: figure.optional(), cost: figure.optional() }).optional(),
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
  /** Where lines of its gate stand: none for gates against a baseline. */
  bounds: list(z.number()),
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

/** What the comparison of a run with another one, or with the baseline, tells beside the differences of metrics. */
export const sinceRun = z.strictObject({
  /** Id; its record need not be there any more. */
  before: z.string(),
  isThere: z.boolean(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  paired: z.int(),
  pairedBy: z.enum(['key', 'line']),
  onlyBefore: z.int(),
  onlyAfter: z.int(),
  dataChanged: z.boolean(),
  /** Definitions that changed; absent where a run does not tell its own. */
  changes: list(z.strictObject({ node: z.string(), text: z.string() })).optional(),
  /** Another version or build of Unroll. */
  program: z.string().optional(),
  /** Where rows got worse first: the first of their lines, and the sentence of the cause. */
  worse: list(
    z.strictObject({ node: z.string(), text: z.string(), rows: z.int(), lines: list(z.int()), cause: z.string() }),
  ),
});

/** The scores of a run among the rows of each value of a column. */
export const slicedScores = z.strictObject({
  column: z.string(),
  slices: list(
    z.strictObject({
      value: z.string(),
      /** The rows have no value. */
      isNone: z.boolean(),
      rows: z.int(),
      /** In the order of metrics. */
      scores: list(
        z.strictObject({
          metric: z.string(),
          mean: figure,
          interval: interval.optional(),
          scored: z.int(),
          difference: metricDifference.optional(),
        }),
      ),
    }),
  ),
  /** Told in a sentence each: values that are left out, how verdicts are to be read. */
  notes: list(z.string()),
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
      /** How often each line was run. */
      repeats: z.int(),
      since: sinceRun.optional(),
      /** The flow by its metrics, turns of a loop as one; absent where the record does not tell its flow. */
      graph: graph.optional(),
      failing: list(failingGroup),
      failingRows: z.int(),
      loops: list(loopView),
      slices: list(slicedScores),
    }),
  ),
  metrics: list(metricRow),
  /** How differences were tested, in a sentence. */
  method: z.string(),
});

export type EvaluationsPage = z.infer<typeof evaluationsPage>;
export type RunScore = z.infer<typeof runScore>;
export type MetricRow = z.infer<typeof metricRow>;
export type SinceRun = z.infer<typeof sinceRun>;
export type SlicedScores = z.infer<typeof slicedScores>;
export type FailingGroup = z.infer<typeof failingGroup>;
export type EvaluationPage = z.infer<typeof evaluationPage>;
