import * as z from 'zod';
import { figure, list, rowPlace, value, verdict } from './figures.ts';
import { wordChange } from './row-page.ts';

/** A file of the flow that may be edited: prompt or code. */
export const editableFile = z.strictObject({
  /** Seen from the flow's folder. */
  path: z.string(),
  kind: z.enum(['prompt', 'code']),
  text: z.string(),
  /** Of the text: a write is refused where the file has changed since. */
  digest: z.string(),
  variables: list(z.string()),
});

/** GET playground?run&line&repeat&node */
export const playgroundPage = z.strictObject({
  run: z.string(),
  ...rowPlace.shape,
  node: z.string(),
  title: z.string(),
  files: list(editableFile),
  inputs: z.record(z.string(), value),
  /** Keys of the node's inputs that are parameters: temperature, max_tokens … */
  parameters: z.record(z.string(), value),
  rendered: value.optional(),
  /** Why it cannot be run: the flow is gone, or has mistakes. */
  problem: z.string().optional(),
});

/** What was edited; all of it is left as it is where it is absent. */
export const edits = z.strictObject({
  /** New texts of files, by path. */
  files: z.record(z.string(), z.string()).optional(),
  /** Flow inputs of the row, as JSON. */
  inputs: z.record(z.string(), z.string()).optional(),
  /** Parameters of the node, as JSON. */
  parameters: z.record(z.string(), z.string()).optional(),
});

/** POST playground/check: what is changed, what it would be, and mistakes with their places. */
export const checked = z.strictObject({
  changes: list(z.strictObject({ path: z.string(), lines: z.int(), words: list(wordChange) })),
  mistakes: list(z.strictObject({ severity: z.enum(['error', 'warning']), text: z.string() })),
  rendered: value.optional(),
  verdict,
});

/** POST playground/forecast */
export const forecast = z.strictObject({
  rows: figure,
  calls: figure,
  tokens: figure,
  cost: figure,
  fromCache: figure,
  /** Where the figures come from. */
  basis: z.string(),
});

/** POST playground/runs: rows of the run with the edits; `rows` absent is the one row. Answers with a LiveRun. */
export const playgroundRun = z.strictObject({
  run: z.string(),
  ...rowPlace.shape,
  node: z.string(),
  edits,
  rows: z.union([z.literal('all'), z.int().min(1)]).optional(),
});

/** POST playground/write: writes the edited files, and only those. */
export const playgroundWrite = z.strictObject({
  run: z.string(),
  files: list(z.strictObject({ path: z.string(), text: z.string(), digest: z.string() })),
});
export const written = z.strictObject({ files: list(z.string()) });

/** POST runs */
export const runRequest = z.strictObject({
  flow: z.string(),
  data: z.string().optional(),
  /** Rows to take: the first so many. */
  limit: z.int().min(1).optional(),
  concurrency: z.int().min(1).max(64).optional(),
  name: z.string().max(200).optional(),
});

/** POST runs/:run/control */
export const runControl = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('stop') }),
  z.strictObject({ do: z.literal('resume'), retryFailed: z.boolean() }),
]);

/** What began: its record, which events tell of. */
export const liveRun = z.strictObject({ run: z.string() });

/** GET chat: flows that chat; POST chat/turns, whose answer is a stream of `text` and `ended`. */
export const chatPage = z.strictObject({
  flows: list(z.strictObject({ name: z.string(), path: z.string(), input: z.string(), output: z.string() })),
});
export const chatTurn = z.strictObject({
  flow: z.string(),
  /** Given by the first turn's answer; the turns of a chat are rows of one record. */
  chat: z.string().optional(),
  message: z.string(),
  inputs: z.record(z.string(), z.string()).optional(),
});
export const chatAnswer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('node'), node: z.string(), status: z.string() }),
  z.strictObject({
    type: z.literal('ended'),
    chat: z.string(),
    run: z.string(),
    line: z.int(),
    answer: value,
    error: z.string().optional(),
  }),
]);

export type EditableFile = z.infer<typeof editableFile>;
export type PlaygroundPage = z.infer<typeof playgroundPage>;
export type Edits = z.infer<typeof edits>;
export type Checked = z.infer<typeof checked>;
export type Forecast = z.infer<typeof forecast>;
export type PlaygroundRun = z.infer<typeof playgroundRun>;
export type PlaygroundWrite = z.infer<typeof playgroundWrite>;
export type RunRequest = z.infer<typeof runRequest>;
export type RunControl = z.infer<typeof runControl>;
export type LiveRun = z.infer<typeof liveRun>;
export type ChatPage = z.infer<typeof chatPage>;
export type ChatTurn = z.infer<typeof chatTurn>;
export type ChatAnswer = z.infer<typeof chatAnswer>;
