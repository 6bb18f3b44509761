import * as z from 'zod';
import { figure, list, nodeStatus, place, rowPlace, rowStatus, sentence, value, verdict } from './figures.ts';
import { cellScore } from './rows-page.ts';

/** A stretch of a text that changed: `del` and `ins`. */
export const wordChange = z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string() });

/** One place where two values differ; `path` is empty for the whole. */
export const valueChange = z.strictObject({
  path: z.string(),
  /** Absent for what was added, or removed. */
  left: value.optional(),
  right: value.optional(),
  /** Where both are texts. */
  words: list(wordChange).optional(),
});

export const toolCall = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  arguments: value,
});

/** A message as it was sent to a model, or its answer. */
export const message = z.strictObject({
  role: z.string(),
  name: z.string().optional(),
  /** Parts in their order: texts, and pictures by their place. */
  parts: list(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('text'), text: value }),
      /** `source`: a data address that may be shown, or what was written instead. */
      z.strictObject({ kind: z.literal('image'), source: z.string() }),
      z.strictObject({ kind: z.literal('other'), json: value }),
    ]),
  ),
  calls: list(toolCall),
  /** Call that it answers. */
  answers: z.string().optional(),
  /** The node it comes from: of an answer its own, of a tool's result the one that called. */
  from: z.string().optional(),
});

/** A try of a model call or tool. */
export const attempt = z.strictObject({
  /** Milliseconds from the start of the row. */
  start: z.number().optional(),
  duration: figure,
  error: z.string().optional(),
  /** More of it: wait before the next, status of the answer … */
  details: value.optional(),
});

/** Why a node ran for this row, or did not, against the run before. */
export const why = z.strictObject({
  text: sentence,
  kind: z.enum(['taken', 'bypassed', 'not run', 'ran']),
  /** Run it was taken from, or compared with. */
  run: z.string().optional(),
  changes: list(z.strictObject({ part: z.string(), changes: list(valueChange), from: z.string().optional() })),
});

export const nodeView = z.strictObject({
  name: z.string(),
  kind: z.string(),
  loop: z.string().optional(),
  family: z.string().optional(),
  iteration: z.int().optional(),
  status: nodeStatus,
  written: z.string().optional(),
  /** Milliseconds from the start of the row; absent where it did not run. */
  start: z.number().optional(),
  duration: figure,
  /** A line on what it did: `calls faq_search`, `4 hits`, `finished`; absent where there is nothing short to say. */
  did: z.string().optional(),
  inputs: value,
  output: value,
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean().optional(),
      details: value.optional(),
    })
    .optional(),
  /** Of a node that called a chat model: what was sent, then what was answered. */
  conversation: list(message),
  /** Messages as they were sent, in JSON. */
  request: value.optional(),
  tries: list(attempt),
  tokens: z.strictObject({ total: figure, prompt: figure, completion: figure, cached: figure.optional() }).optional(),
  cost: figure,
  /** Model, temperature … as its definition says. */
  settings: list(z.strictObject({ name: z.string(), value: z.string() })),
  reads: list(z.string()),
  readBy: list(z.string()),
  fingerprint: z.string().optional(),
  cache: z.enum(['hit', 'miss']).optional(),
  takenFrom: z.string().optional(),
  why: why.optional(),
  scores: list(
    z.strictObject({
      metric: z.string(),
      score: cellScore,
      expected: value.optional(),
      actual: value.optional(),
      reason: z.string().optional(),
    }),
  ),
  /** What the user's code printed. */
  printed: z.strictObject({ out: value, error: value }).optional(),
  warnings: list(z.string()),
  /** Fields in which a secret was replaced. */
  redacted: list(z.string()),
  /** Went wrong first here. */
  isFirstBad: z.boolean(),
  /** It ran once over all rows, this one among them. */
  isOverRows: z.boolean().optional(),
});

/** One turn of a loop in this row. */
export const turnView = z.strictObject({
  turn: z.int(),
  status: z.enum(['ran', 'bypassed', 'failed', 'not run']),
  nodes: list(z.string()),
  tokens: figure,
  duration: figure,
  isLast: z.boolean(),
  /** State after it, and what changed since the turn before (since what went in, in the first). */
  state: value,
  changes: list(valueChange),
  /** The same turn in the run compared with. */
  changesAgainst: list(valueChange).optional(),
  isFirstBad: z.boolean(),
});

/** GET runs/:run/rows/:line/:repeat?evaluation&against&filter…&sort: filters and sort tell previous and next. */
export const rowPage = z.strictObject({
  run: z.string(),
  flow: z.string(),
  line: z.int(),
  repeat: z.int(),
  /** Its main input, for a heading. */
  title: z.string(),
  status: rowStatus,
  verdict,
  duration: figure,
  tokens: figure,
  cost: figure,
  /** Rows of the run; its place in the filter, from 1. */
  rows: z.int(),
  inFilter: z.strictObject({ at: z.int(), of: z.int() }).optional(),
  previous: rowPlace.optional(),
  next: rowPlace.optional(),
  inputs: value,
  outputs: value,
  error: z.strictObject({ code: z.string(), message: z.string(), node: z.string().optional() }).optional(),
  scores: list(z.strictObject({ metric: z.string(), node: z.string().optional(), score: cellScore })),
  labels: z.record(z.string(), z.enum(['pass', 'fail', 'unsure'])),
  /** In the order of the flow. */
  nodes: list(nodeView),
  /** Scores, labels and where it went wrong first follow with the event `ready`. */
  isPending: z.boolean(),
  loops: list(
    z.strictObject({ name: z.string(), times: z.int(), until: z.string().optional(), turns: list(turnView) }),
  ),
  /** Run it is compared with, and its row. */
  against: z.strictObject({ run: z.string(), ...rowPlace.shape, to: place }).optional(),
  /** What could not be read of it. */
  problems: list(z.string()),
});

export type WordChange = z.infer<typeof wordChange>;
export type ValueChangeView = z.infer<typeof valueChange>;
export type Message = z.infer<typeof message>;
export type NodeView = z.infer<typeof nodeView>;
export type TurnView = z.infer<typeof turnView>;
export type Why = z.infer<typeof why>;
export type RowPage = z.infer<typeof rowPage>;
