import * as z from 'zod';
import { diffOptions, figure, interval, list, paging, rowPlace, verdict } from './figures.ts';
import { valueChange, wordChange } from './row-page.ts';
import { graph } from './run-page.ts';
import { runLine } from './runs-page.ts';

export const changeKind = z.enum(['cause', 'both', 'effect', 'input', 'noise', 'unknown']);

/** A definition that changed and shows: what of it, and where it is written. */
export const diffCause = z.strictObject({
  /** `prompt agent.jinja2`, `code functions.ts`, `temperature`. */
  part: z.string(),
  /** Nodes it belongs to, instances of one as one, and rows in which it shows. */
  nodes: list(z.string()),
  rows: z.int(),
  written: z.string().optional(),
  /** Short values of it before and after, where they are known. */
  left: z.string().optional(),
  right: z.string().optional(),
  /**
   * Words of a prompt as models were sent it, from the first row in which it differs; stretches without a change are folded by
   * the page. Absent where only digests are known.
   */
  words: list(wordChange).optional(),
});

export const diffNode = z.strictObject({
  name: z.string(),
  kind: z.string(),
  /** Instances of a loop's node are one. */
  instances: list(z.string()),
  same: z.int(),
  changed: z.int(),
  statusDiffers: z.int(),
  failedLeft: z.int(),
  failedRight: z.int(),
  kinds: z.partialRecord(changeKind, z.int()),
  /** `prompt agent.jinja2 changed; function → agent`. */
  why: z.string(),
  onlyIn: z.enum(['left', 'right']).optional(),
  /** What the left run calls it, where that is another name. */
  leftName: z.string().optional(),
});

/** A metric over the rows scored in both runs. */
export const metricDifference = z.strictObject({
  metric: z.string(),
  kind: z.enum(['pass', 'number']),
  before: figure,
  after: figure,
  difference: figure,
  interval: interval.optional(),
  pairs: z.int(),
  adjustedPValue: z.number(),
  /** `p = 0.03`. */
  p: z.string(),
  verdict: z.enum(['better', 'worse', 'not significant', 'same']),
  flips: z.strictObject({ fixed: z.int(), broken: z.int() }).optional(),
  rowsNeeded: z.int().optional(),
  /** Rows of both that had a score before and have none now. */
  lost: z.int().optional(),
});

/** Rows by what became of them. */
export const diffGroup = z.strictObject({
  /** For GET diff/rows: `worse`, `changed`, `failed`, `inside`, `same`, and of each pass metric `broken:cited`, `fixed:cited`. */
  name: z.string(),
  /** Of `broken:` and `fixed:`. */
  metric: z.string().optional(),
  title: z.string(),
  rows: z.int(),
});

/** Rows that only one run has. */
const lonelyRows = z.strictObject({ rows: z.int(), first: list(rowPlace) });

/**
 * GET diff?left&right&evaluation&key&rename&turns: without left, the run before of the same flow over the same data; without right, the newest;
 * without evaluation, the first of the flow that can be scored without asking a model.
 */
export const diffPage = z.strictObject({
  left: runLine,
  right: runLine,
  options: diffOptions,
  verdict,
  pairedBy: z.enum(['key', 'content', 'line']),
  paired: z.int(),
  same: z.int(),
  outputsDiffer: z.int(),
  onlyLeft: lonelyRows,
  onlyRight: lonelyRows,
  causes: list(diffCause),
  /** Nodes of either run; ids and names of its boxes are those of `nodes`, instances of a loop's node as one there and here. */
  graph,
  nodes: list(diffNode),
  metrics: list(metricDifference),
  /** What nodes over all rows logged, where it differs; `–` for none. */
  logged: list(z.strictObject({ name: z.string(), left: z.string(), right: z.string() })),
  evaluation: z.string().optional(),
  /** All that may be asked for. */
  evaluations: list(z.string()),
  /** Why there are no scores: a model would have to be asked, the file has mistakes … */
  evaluationProblem: z.string().optional(),
  groups: list(diffGroup),
});

/**
 * GET diff/rows?left&right&evaluation&group&node&only&cursor&limit, and the options of the page: pairs of rows in the order of the
 * left run; with `node`, those in which it differs, with its kind among `what`; with `only`, those in which a node, or that one,
 * differs by this kind.
 */
export const diffRows = z.strictObject({
  rows: list(
    z.strictObject({
      left: rowPlace,
      right: rowPlace,
      title: z.string(),
      /** `cited broken`, `answer changed`, `failed`; of what is bad alone, `isBad`. */
      what: list(z.strictObject({ text: z.string(), isBad: z.boolean() })),
      language: z.enum(['ja', 'en']).optional(),
    }),
  ),
  paging,
});

/** Places at which a value differs; of a very different one the first. */
const placesThatDiffer = z.strictObject({ places: list(valueChange), leftOut: z.int() });

/** GET diff/row?left&right&line&repeat, and the options of the page: line and repeat of the right run. */
export const diffRow = z.strictObject({
  left: rowPlace,
  right: rowPlace,
  title: z.string(),
  ended: z.strictObject({ left: z.string(), right: z.string() }).optional(),
  inputChanges: placesThatDiffer,
  outputChanges: placesThatDiffer,
  /** Nodes that differ in the order of the flow. */
  nodes: list(
    z.strictObject({
      node: z.string(),
      kind: changeKind,
      /** In either language: rows are many, and an export holds each once. */
      why: z.strictObject({ en: z.string(), ja: z.string() }),
      promptChanges: placesThatDiffer,
      changes: placesThatDiffer,
      /** How it ended on either side, where that differs; `no record` where there is none. */
      ended: z.strictObject({ left: z.string(), right: z.string() }).optional(),
    }),
  ),
});

export type DiffCause = z.infer<typeof diffCause>;
export type DiffNode = z.infer<typeof diffNode>;
export type MetricDifference = z.infer<typeof metricDifference>;
export type DiffGroup = z.infer<typeof diffGroup>;
export type DiffPage = z.infer<typeof diffPage>;
export type DiffRows = z.infer<typeof diffRows>;
export type DiffRow = z.infer<typeof diffRow>;
