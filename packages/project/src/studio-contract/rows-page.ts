import * as z from 'zod';
import { figure, list, paging, rowFilter, rowStatus } from './figures.ts';

/** A column of the table of rows. */
export const rowColumn = z.strictObject({
  /** `line`, `status`, `input.query`, `output.answer`, `first-bad`, `turns.search`, `score.cited`, `label.cited`, `tokens`, `cost`, `ms`. */
  id: z.string(),
  title: z.string(),
  kind: z.enum(['line', 'status', 'text', 'node', 'turns', 'score', 'label', 'figure']),
  unit: z.string().optional(),
  /** Numbers stand right. */
  isNumber: z.boolean(),
  isSortable: z.boolean(),
  /** Shown where nobody chose columns. */
  isShown: z.boolean(),
});

export const cellScore = z.strictObject({
  figure,
  /** Of pass metrics. */
  passed: z.boolean().optional(),
  flip: z.enum(['broken', 'fixed', 'better', 'worse']).optional(),
  /** Why there is no score. */
  why: z.string().optional(),
});

/** One row of the table: texts are the first 300 characters of their values. */
export const rowLine = z.strictObject({
  line: z.int(),
  repeat: z.int(),
  status: rowStatus,
  /** By names of inputs and outputs. */
  inputs: z.record(z.string(), z.string()),
  outputs: z.record(z.string(), z.string()),
  error: z.strictObject({ code: z.string(), message: z.string(), node: z.string().optional() }).optional(),
  firstBad: z.string().optional(),
  /** By loop: turns that ran, of how many, and whether it ended. */
  turns: z.record(z.string(), z.strictObject({ ran: z.int(), times: z.int(), ended: z.boolean() })),
  scores: z.record(z.string(), cellScore),
  labels: z.record(z.string(), z.enum(['pass', 'fail', 'unsure'])),
  tokens: figure,
  cost: figure,
  duration: figure,
  language: z.enum(['ja', 'en']).optional(),
});

/**
 * GET runs/:run/rows?cursor&limit&offset&sort&filter…: `sort` is `COLUMN` or `-COLUMN` (most first); each `filter` is the JSON of a
 * RowFilter; `limit` 1 to 500, 100 where it is not given; `offset` asks for the rows from there on in place of a cursor.
 */
export const rowsPage = z.strictObject({
  columns: list(rowColumn),
  rows: list(rowLine),
  /** Filters that are worth offering, with how many rows they leave of those there are now. */
  facets: list(z.strictObject({ filter: rowFilter, title: z.string(), rows: z.int() })),
  /** Ended rows of the run, filtered or not. */
  all: z.int(),
  /** Of the first row of this page among those that are left. */
  offset: z.int(),
  paging,
  /** Of a large run whose record is being read: tokens, turns, scores, sorting and facets follow with the event `ready`. */
  isPending: z.boolean(),
  /** Of an export: rows of the run that are not in it. */
  leftOut: z.int().optional(),
});

export type RowColumn = z.infer<typeof rowColumn>;
export type CellScore = z.infer<typeof cellScore>;
export type RowLine = z.infer<typeof rowLine>;
export type RowsPage = z.infer<typeof rowsPage>;
