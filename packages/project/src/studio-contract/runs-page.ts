import * as z from 'zod';
import { figure, list, paging, sentence, verdict } from './figures.ts';

/** GET session: what this studio may do; asked first. */
export const session = z.strictObject({
  version: z.literal(1),
  /** Of Unroll. */
  release: z.string(),
  /** Name of the folder that is shown. */
  folder: z.string(),
  runsFolder: z.string(),
  isReadOnly: z.boolean(),
  /** Made by --export: there is no server to ask for more. */
  isExport: z.boolean(),
  /** Run, or runs, it was opened for. */
  opened: list(z.string()),
});

/** Progress of a run that some process is at work on. */
export const progress = z.strictObject({
  done: z.int(),
  /** Undefined where they were not counted. */
  total: z.int().optional(),
  /** 0 to 1; null where `total` is not known. */
  share: figure,
  /** `188 rows/s`; null value before there is one. */
  rate: figure,
  left: figure,
  failed: z.int(),
  /** Begun from this page: it can be slowed here. */
  isOurs: z.boolean(),
  /** From here: it was begun here, or is on workers. */
  canStop: z.boolean(),
  /** Rows at a time; only of our own. */
  concurrency: z.int().optional(),
});

/** A run as the list shows it. */
export const runLine = z.strictObject({
  id: z.string(),
  flow: z.string(),
  flowPath: z.string().optional(),
  data: z.string().optional(),
  /** Given by people, kept beside the runs. */
  name: z.string().optional(),
  note: z.string().optional(),
  tags: list(z.string()),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  status: z.enum(['Completed', 'Failed', 'Canceled', 'Unfinished', 'Running', 'Unreadable']),
  /** Rows that ended, and rows there were to run. */
  rows: figure,
  total: z.int().optional(),
  failed: figure,
  tokens: figure,
  cost: figure,
  duration: figure,
  /** What came of it, most important first. */
  outcome: list(sentence),
  /** Fails gates, has failed rows, cannot be read. */
  needsLook: z.boolean(),
  /** Rows it is missing, where it can go on. */
  canResume: z.int().optional(),
  isBaseline: z.boolean(),
  progress: progress.optional(),
  /** Why it cannot be read. */
  problem: z.string().optional(),
});

/** GET runs?cursor&limit&filter=all|live|needs-look|resumable|evaluation&flow&text */
export const runsPage = z.strictObject({
  verdict,
  runs: list(runLine),
  /** All filters with how many they leave. */
  filters: list(
    z.strictObject({
      name: z.enum(['all', 'live', 'needs-look', 'resumable', 'evaluation']),
      runs: z.int(),
    }),
  ),
  flows: list(z.strictObject({ name: z.string(), runs: z.int() })),
  paging,
  /** Older runs that were not read yet, nor counted above: the list is to be asked for again. */
  unread: z.int(),
});

/** PATCH runs/:run: what is now said of it; null takes away, what is left out stays. DELETE runs/:run removes the run. */
export const runMarks = z.strictObject({
  name: z.string().nullable().optional(),
  note: z.string().nullable().optional(),
  tags: list(z.string()).optional(),
});

export type Session = z.infer<typeof session>;
export type Progress = z.infer<typeof progress>;
export type RunLine = z.infer<typeof runLine>;
export type RunsPage = z.infer<typeof runsPage>;
export type RunMarks = z.infer<typeof runMarks>;
