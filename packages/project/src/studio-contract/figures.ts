import * as z from 'zod';

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** Why a figure has no value, or not all of it, where no record gives the reason in words of its own. */
const figureReasons = [
  'worked out when the run is opened',
  'worked out while the record is read',
  'not read yet',
  'not known yet',
  'did not run',
  'no price of its model is known',
  'nobody is billed for it',
  'some calls have no price that is known',
  'not known',
  'its rows were not counted',
  'not scored',
  'no model is asked',
  'no row is judged by both',
  'one of them always says the same',
  'it cannot be read',
] as const;

export type FigureReason = (typeof figureReasons)[number];

/** A number with its words: terminal and page print `text`, and sort and draw by `value`. */
export const figure = z.strictObject({
  /** Milliseconds, tokens, US dollars, rows, a share of 1 …, as `unit` says; null where there is none. */
  value: z.number().nullable(),
  /** `183,793`, `3 min 39 s`, `76.3 %`, `$ 0.06`, `–`; never a unit alone. */
  text: z.string(),
  unit: z.enum(['rows', 'ms', 'tokens', 'USD', 'share', 'number']),
  /** Why there is no value, or why it is not all of it: one of `figureReasons`, or what was recorded. */
  why: z.string().optional(),
});

export const interval = z.strictObject({ low: z.number(), high: z.number(), text: z.string() });

/** How rows and nodes ended. */
export const nodeStatus = z.enum(['Completed', 'Bypassed', 'Failed', 'Canceled', 'NotRun']);
export const rowStatus = z.enum(['Completed', 'Failed', 'Canceled']);

/** A row of a run by its line in the data and its repetition, both from 0. */
export const rowPlace = z.strictObject({ line: z.int(), repeat: z.int() });

/** What a row list is narrowed to. All of them hold at once; those of one kind and name are alternatives. */
export const rowFilter = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('status'), is: rowStatus }),
  /** How a node, or any instance of a loop's node, ended; `cached`: its output was taken from before. */
  z.strictObject({
    by: z.literal('node'),
    node: z.string(),
    is: z.union([nodeStatus, z.literal('cached')]),
  }),
  /** How many turns of a loop ran; 0: it never ended. */
  z.strictObject({ by: z.literal('turns'), loop: z.string(), is: z.int() }),
  z.strictObject({
    by: z.literal('score'),
    metric: z.string(),
    /** `none`: not scored. Against the run it is compared with: `broken`, `fixed`, `better`, `worse`. */
    is: z.enum(['pass', 'fail', 'none', 'broken', 'fixed', 'better', 'worse']),
  }),
  /** `below` and `above` are not met by the bound itself. */
  z.strictObject({
    by: z.literal('score-range'),
    metric: z.string(),
    above: z.number().optional(),
    below: z.number().optional(),
  }),
  /** The first node in the order of the flow whose metric fails, or that failed. */
  z.strictObject({ by: z.literal('first-bad'), node: z.string() }),
  /** `any`: labelled at all; `none`: not yet; `disagrees`: the metric says otherwise. */
  z.strictObject({
    by: z.literal('label'),
    name: z.string(),
    is: z.enum(['pass', 'fail', 'unsure', 'any', 'none', 'disagrees']),
  }),
  /** In inputs, outputs and error texts; case is of no matter, full and half width are one. */
  z.strictObject({ by: z.literal('text'), is: z.string() }),
]);

/** How two runs are compared where it is not the usual way, as the query of an address tells it. */
export const diffOptions = z.strictObject({
  /** An input, or a column of the data, that tells rows apart. */
  key: z.string().optional(),
  /** `old=new`: nodes, or families of them, that the right run calls otherwise. */
  rename: list(z.string()).optional(),
  /** Instances of a loop's node stand one by one. */
  turns: z.literal('each').optional(),
});

/** Where a link of a sentence leads; the page makes addresses of them. */
export const place = z.discriminatedUnion('page', [
  z.strictObject({ page: z.literal('runs'), filter: z.string().optional() }),
  z.strictObject({
    page: z.literal('run'),
    run: z.string(),
    node: z.string().optional(),
    filters: list(rowFilter).optional(),
  }),
  z.strictObject({ page: z.literal('row'), run: z.string(), ...rowPlace.shape, node: z.string().optional() }),
  z.strictObject({
    page: z.literal('diff'),
    left: z.string(),
    right: z.string(),
    node: z.string().optional(),
    /** A group of its rows. */
    group: z.string().optional(),
    ...diffOptions.shape,
  }),
  z.strictObject({ page: z.literal('evaluation'), evaluation: z.string(), metric: z.string().optional() }),
  z.strictObject({ page: z.literal('labels'), set: z.string(), run: z.string().optional() }),
]);

/**
 * A part of a sentence. `name`: of a node, file, function or metric, in the type of code; `figure` keeps number and unit together;
 * `told`: what a record or a failure says, as it stands there.
 */
export const sentencePart = z.strictObject({
  text: z.string(),
  as: z.enum(['text', 'name', 'figure', 'told']),
  /** Only for failures, and where rows went wrong first: `bad`. */
  tone: z.enum(['bad', 'good']).optional(),
  to: place.optional(),
});

/** One sentence, full stop among its parts; each comes from one rule over the data. */
export const sentence = z.strictObject({
  /** Name of the rule. */
  rule: z.string(),
  parts: list(sentencePart),
});

/** What stands first on a page: empty where the data carries no answer. */
export const verdict = z.strictObject({
  /** The answer: large. */
  answer: list(sentence),
  /** What belongs to it: smaller. */
  details: list(sentence),
  /** The run is not over: a page says "so far". */
  isSoFar: z.boolean(),
});

/**
 * A value as it was recorded: a text as it is, anything else as JSON with indents, as the terminal writes it (`1.0` stays `1.0`,
 * no digit of a large number is lost). Shown as text, never as markup.
 */
export const value = z.strictObject({
  form: z.enum(['text', 'json', 'none']),
  text: z.string(),
  /** Characters of the whole. */
  size: z.int(),
  /** `text` is only its beginning; all of it is asked for with `ref`. */
  isCut: z.boolean(),
  /** Whether what is cut holds pictures, which are seen only in all of it. */
  holdsPictures: z.boolean().optional(),
  /** For GET runs/:run/rows/:line/:repeat/values/:ref; only where it is cut. */
  ref: z.string().optional(),
  /** Of what it mostly says, for `lang`. */
  language: z.enum(['ja', 'en']).optional(),
});

/** What a row gave, as people read it. */
export const spokenOutputs = z.strictObject({
  /** The output that speaks, as text; all of them where none does. */
  answer: value,
  /** The others, a long one cut. */
  others: list(z.strictObject({ name: z.string(), text: z.string() })),
});

/** A page of a list. */
export const paging = z.strictObject({
  /** To be given as `cursor`; null at the end. */
  next: z.string().nullable(),
  /** Of all pages. */
  total: z.int(),
});

/** Every answer but 2xx. */
export const errorAnswer = z.strictObject({
  error: z.strictObject({
    /** `RunNotFound`, `RowNotFound`, `RunDamaged`, `RunRemoved`, `BadQuery`, `TokenNeeded`, `ReadOnly`, `HostNotServed` … */
    code: z.string(),
    message: z.string(),
    help: z.string().optional(),
  }),
});

export type Figure = z.infer<typeof figure>;
export type Interval = z.infer<typeof interval>;
export type RowFilter = z.infer<typeof rowFilter>;
export type DiffOptions = z.infer<typeof diffOptions>;
export type Place = z.infer<typeof place>;
export type SentencePart = z.infer<typeof sentencePart>;
export type Sentence = z.infer<typeof sentence>;
export type Verdict = z.infer<typeof verdict>;
export type Value = z.infer<typeof value>;
export type SpokenOutputs = z.infer<typeof spokenOutputs>;
export type Paging = z.infer<typeof paging>;
export type ErrorAnswer = z.infer<typeof errorAnswer>;
