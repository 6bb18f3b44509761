import * as z from 'zod';
import { list } from './figures.ts';
import { rowLine, rowsPage } from './rows-page.ts';

/**
 * The rows of a run that an export holds: which of them a filter leaves and how they are sorted was worked out when it was made.
 * Numbers are places in `lines`.
 */
export const exportedRows = z.strictObject({
  /** Columns, facets and counts of all rows; `rows` is empty. */
  head: rowsPage,
  /** In the order of the run. */
  lines: list(rowLine),
  /** By column, with `-` before it the most first. */
  orders: z.record(z.string(), list(z.int())),
  /** By the JSON of a filter: the rows it leaves. */
  filtered: z.record(z.string(), list(z.int())),
  /** Rows whose own page is in the export. */
  opened: list(z.int()),
});

/**
 * What an exported page reads in place of a server. Answers are named by what they are asked by: the path of the API and its query,
 * sorted by name, without paging and language; of rows without filters and sort as well. Where Japanese sentences are known, another
 * answer has `#ja` behind its name.
 */
export const exportedAnswers = z.strictObject({
  answers: z.record(z.string(), z.unknown()),
  rows: z.record(z.string(), exportedRows),
});

export const exported = z.strictObject({
  /** Address that is shown first. */
  start: z.string(),
  ...exportedAnswers.shape,
  /** Files beside the page that hold more answers, by the name of each answer. */
  files: z.record(z.string(), z.string()),
});

export type ExportedRows = z.infer<typeof exportedRows>;
export type ExportedAnswers = z.infer<typeof exportedAnswers>;
export type Exported = z.infer<typeof exported>;
