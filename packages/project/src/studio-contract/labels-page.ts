import * as z from 'zod';
import { figure, interval, list, paging, rowPlace, value, verdict } from './figures.ts';
import { wordChange } from './row-page.ts';

export const judgement = z.enum(['pass', 'fail', 'unsure']);

/** What a person says of one answer. */
export const label = z.strictObject({
  /** Absent for a note, score or expectation alone. */
  judgement: judgement.optional(),
  /** 1 to 5. */
  score: z.int().min(1).max(5).optional(),
  note: z.string().max(10_000).optional(),
  /** The answer there should have been. */
  expected: z.string().max(1_000_000).optional(),
});

/** Judge against person: rows in which both have a judgement, unsure ones apart. */
export const agreement = z.strictObject({
  rows: z.int(),
  bothPass: z.int(),
  bothFail: z.int(),
  onlyJudgePasses: z.int(),
  onlyPersonPasses: z.int(),
  share: figure,
  /** Cohen's; null value where one of them always says the same. */
  kappa: figure,
  interval: interval.optional(),
});

export const labelRow = z.strictObject({
  ...rowPlace.shape,
  title: z.string(),
  answer: value,
  /** Tells this answer from others to the same question: it goes back with a label. */
  answered: z.string(),
  /** What the metric said; absent where it has no score. */
  judge: z
    .strictObject({
      passed: z.boolean(),
      evaluator: z.string(),
      reason: z.string().optional(),
      by: z.string().optional(),
    })
    .optional(),
  label: label.optional(),
  /** What the dataset has in `expectation.column`. */
  expectation: value.optional(),
  disagrees: z.boolean(),
});

/** Rows by what is said of them: where judge and person both judged, where a person did and cannot be compared (unsure, or no score), and where nobody did. */
const labelCounts = z.strictObject({ disagree: z.int(), agree: z.int(), apart: z.int(), unlabelled: z.int() });

/**
 * GET labels?evaluation&metric&run&order=disagreement|line&cursor&limit&line&repeat: a row that is asked for stands first. Labels belong to the row's content, so they hold for
 * every run in which the same question has the same answer. Later pages may hold rows of earlier ones that were labelled meanwhile.
 */
export const labelsPage = z.strictObject({
  /** Where they are kept, as a person would type it. */
  file: z.string(),
  run: z.string(),
  /** Runs that may be asked for, newest first. */
  runs: list(z.string()),
  evaluation: z.string(),
  metric: z.string(),
  /** Metrics of outputs, which people can judge. */
  metrics: list(z.string()),
  /** Where an answer is accepted as the expected one: a file of the data, and the column the metric compares with. */
  expectation: z.strictObject({ file: z.string(), column: z.string() }).optional(),
  /** Why the metric says nothing: a model would have to be asked … */
  problem: z.string().optional(),
  verdict,
  agreement,
  counts: labelCounts,
  rows: list(labelRow),
  paging,
});

/** PUT labels: null takes it back. Answers with the agreement as it is then. */
export const labelChange = z.strictObject({
  run: z.string(),
  evaluation: z.string(),
  metric: z.string(),
  line: z.int(),
  repeat: z.int(),
  label: label.nullable(),
  /** Of the row as it was seen: an answer that is another one by now is not labelled. */
  answered: z.string().optional(),
  /** What it was when it was read, null for none: one that somebody else gave since is not written over. */
  before: label.nullable(),
});
export const labelChanged = z.strictObject({ label: label.nullable(), agreement, verdict, counts: labelCounts });

/**
 * POST labels/expectation: writes the answer there should have been into the dataset, into a column or what lies in one
 * (`expected.answer`). Without `digest` nothing is written, and the answer shows what would be; with it the file must still be that one.
 */
export const expectationChange = z.strictObject({
  run: z.string(),
  evaluation: z.string(),
  line: z.int(),
  repeat: z.int(),
  metric: z.string(),
  /** Without it that of the metric. */
  column: z.string().min(1).max(200).optional(),
  /** A text; JSON where the column holds something else. Without it what the flow answered. */
  expected: z.string().max(1_000_000).optional(),
  digest: z.string().optional(),
});
export const expectationChanged = z.strictObject({
  file: z.string(),
  column: z.string(),
  /** Of the file that the change was made for. */
  digest: z.string(),
  /** Lines of the file that change, from 1. */
  lines: list(z.strictObject({ number: z.int(), changes: list(wordChange) })),
  /** What is expected then. */
  expectation: value,
  isWritten: z.boolean(),
});

export type Label = z.infer<typeof label>;
export type Agreement = z.infer<typeof agreement>;
export type LabelRow = z.infer<typeof labelRow>;
export type LabelsPage = z.infer<typeof labelsPage>;
export type LabelChange = z.infer<typeof labelChange>;
export type LabelChanged = z.infer<typeof labelChanged>;
export type ExpectationChange = z.infer<typeof expectationChange>;
export type ExpectationChanged = z.infer<typeof expectationChanged>;
