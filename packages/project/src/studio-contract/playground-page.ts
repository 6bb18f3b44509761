import * as z from 'zod';
import { errorAnswer, figure, list, nodeStatus, spokenOutputs, verdict } from './figures.ts';
import { message, valueChange } from './row-page.ts';

/** Lines of a file before and after an edit; `skipped`: so many lines that stay as they are. */
export const lineChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string(), line: z.int() }),
  z.strictObject({ kind: z.literal('skipped'), lines: z.int() }),
]);

/** A file of the flow's folder that the node is made of. */
export const editableFile = z.strictObject({
  /** Seen from the flow's folder. */
  path: z.string(),
  text: z.string(),
  /** Of the file: a write is refused where it has changed since. */
  digest: z.string(),
  /** Nodes that share it, iterations of a loop among them: an edit holds for all of them. */
  nodes: list(z.string()),
  /** Why it is only shown: it lies outside of the flow's folder, holds a secret … */
  problem: z.string().optional(),
});

/** What was edited, all of it left as it is where it is absent. Values are JSON. */
export const edits = z.strictObject({
  /** New texts of files, by path. */
  files: z.record(z.string(), z.string().max(1_000_000)).optional(),
  /** Inputs of the flow, for the one row. */
  inputs: z.record(z.string(), z.string().max(1_000_000)).optional(),
  /** Literal inputs of the node, as its definition has them. */
  parameters: z.record(z.string(), z.string().max(10_000)).optional(),
});

/** An input of the flow, or a parameter of the node: its JSON, and why it is only shown. */
const editableValue = z.strictObject({ name: z.string(), json: z.string(), problem: z.string().optional() });

/**
 * GET playground?run&line&node: without a run, the newest that changes can be tried on; without a line, its first row; without a node, the
 * first with a prompt. A run that tried a change itself opens with that change, on the run it was tried on.
 */
export const playgroundPage = z.strictObject({
  /** The run that stands in for what does not run, and is compared with. */
  run: z.string(),
  line: z.int(),
  node: z.string(),
  flow: z.string(),
  title: z.string(),
  nodes: list(z.strictObject({ name: z.string(), kind: z.string(), canBeEdited: z.boolean() })),
  prompt: editableFile.optional(),
  /** Names that a prompt may use: inputs of the node. */
  variables: list(z.string()),
  parameters: list(editableValue),
  inputs: list(editableValue),
  edits,
  /** What the record holds of the row. */
  recorded: spokenOutputs,
  rows: z.int(),
});

const asked = { run: z.string(), line: z.int().min(0), node: z.string(), edits };

/** POST playground/check: what is changed and what that makes of the flow; nothing runs. */
export const playgroundCheck = z.strictObject(asked);
export const checked = z.strictObject({
  verdict,
  files: list(z.strictObject({ path: z.string(), digest: z.string(), lines: z.int(), changes: list(lineChange) })),
  mistakes: list(z.strictObject({ severity: z.enum(['error', 'warning']), text: z.string() })),
});

/** POST playground/rendered: the messages that the node would send for the row, its parts taken from the record. */
export const rendered = z.strictObject({ messages: list(message), problem: z.string().optional() });

/** How many rows: the first so many of the run, or all. */
const rows = z.union([z.literal('all'), z.int().min(1).max(1_000_000)]);

/** POST playground/forecast */
export const forecastRequest = z.strictObject({ ...asked, rows });
export const forecast = z.strictObject({
  rows: figure,
  calls: figure,
  tokens: figure,
  cost: figure,
  /** Rows whose nodes are all taken from the record. */
  taken: figure,
  /** `between`: from the least to the most, where that is not one number. */
  between: z.strictObject({ calls: z.string(), tokens: z.string(), cost: z.string() }),
  /** The run that the likely numbers come from. */
  basis: z.string().optional(),
  /** What the numbers leave out, a sentence each. */
  leftOut: list(z.string()),
});

/** POST playground/row: the one row; a stream (text/event-stream) whose `data` is one of these. Who leaves stops it. */
export const rowAnswer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('began'), run: z.string() }),
  z.strictObject({ type: z.literal('node'), node: z.string(), status: z.union([nodeStatus, z.literal('Running')]) }),
  z.strictObject({ type: z.literal('text'), node: z.string(), text: z.string() }),
  /** It is recorded: what of it differs from the recorded row. */
  z.strictObject({
    type: z.literal('ended'),
    run: z.string(),
    /** Of the row's outputs, and of the node. */
    outputs: list(valueChange),
    node: list(valueChange),
  }),
  z.strictObject({ type: z.literal('failed'), error: errorAnswer.shape.error }),
]);

/** POST playground/runs: answers with a LiveRun. */
export const trialRequest = z.strictObject({
  ...asked,
  rows,
  concurrency: z.int().min(1).max(64).optional(),
});

/** POST playground/write: writes the edited files, where each is still as its digest says. */
export const playgroundWrite = z.strictObject({ ...asked, digests: z.record(z.string(), z.string()) });
export const written = z.strictObject({
  files: list(z.strictObject({ path: z.string(), lines: z.int() })),
});

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
  /** Slower or faster: rows in flight end, the others go on, so many at a time. */
  z.strictObject({ do: z.literal('pace'), concurrency: z.int().min(1).max(64) }),
]);

/** What began: its record, which events tell of. */
export const liveRun = z.strictObject({ run: z.string() });

export type LineChange = z.infer<typeof lineChange>;
export type EditableFile = z.infer<typeof editableFile>;
export type Edits = z.infer<typeof edits>;
export type PlaygroundPage = z.infer<typeof playgroundPage>;
export type PlaygroundCheck = z.infer<typeof playgroundCheck>;
export type Checked = z.infer<typeof checked>;
export type Rendered = z.infer<typeof rendered>;
export type ForecastRequest = z.infer<typeof forecastRequest>;
export type Forecast = z.infer<typeof forecast>;
export type RowAnswer = z.infer<typeof rowAnswer>;
export type TrialRequest = z.infer<typeof trialRequest>;
export type PlaygroundWrite = z.infer<typeof playgroundWrite>;
export type Written = z.infer<typeof written>;
export type RunRequest = z.infer<typeof runRequest>;
export type RunControl = z.infer<typeof runControl>;
export type LiveRun = z.infer<typeof liveRun>;
