import { isMapping, type JsonObject, type JsonValue, RowPace } from '@unroll/engine';
import { dataEncodings } from '@unroll/engine/data-encoding';
import { dataFormats } from '@unroll/engine/data-format';
import { changeKinds } from '@unroll/evals';
import * as z from 'zod';
import { type BulkSettings, defaultBulkSettings } from '../bulk/bulk-settings.ts';
import type { EngineCatalog } from '../host/engine-runs.ts';
import type { Reporter } from '../host/project-event.ts';
import type { ProjectHost, System } from '../host/project-host.ts';
import { earlierRunName } from '../records/since-run.ts';
import { name } from './name-setting.ts';
import { readSettings } from './read-settings.ts';

const values = z.custom<JsonObject>((value) => isMapping(value as JsonValue), 'must be an object');
const texts = z.record(z.string(), z.string());
const count = z.int().min(1);
const milliseconds = z.number().positive();
const limit = z.strictObject({ each: count.optional(), byConnection: z.record(z.string(), count).default({}) });
const budget = z.strictObject({
  tokens: count.optional(),
  /** US dollars. */
  cost: z.number().positive().optional(),
  seconds: z.number().positive().optional(),
});
const cassette = z.union([
  z.strictObject({ record: name, recordMode: z.enum(['new', 'all']).optional() }),
  z.strictObject({ replay: name }),
]);
const signal = z.instanceof(AbortSignal).optional();
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

export const projectSettings = z.strictObject({
  runsFolder: name.optional(),
  engine: z.custom<EngineCatalog>(isObject, 'must be what openEngineCatalog gives').optional(),
  environment: z.custom<System['environment']>(isObject, 'must be an object').optional(),
  otlp: name.optional(),
  reporter: z.custom<Reporter>(isFunction, 'must be a function').optional(),
});

const ofFlows = {
  variant: name.optional(),
  connectionsFile: name.optional(),
  overrides: z
    .array(z.strictObject({ node: z.string(), key: z.string(), value: z.string() }))
    .readonly()
    .optional(),
  environment: texts.optional(),
  init: values.optional(),
  nodeTimeoutMs: milliseconds.optional(),
  limitRpm: limit.optional(),
  limitTpm: limit.optional(),
  limitCalls: limit.optional(),
  /** Of the whole run; of the row, where there is one. */
  budget: budget.optional(),
  rowBudget: budget.optional(),
  /** A run whose outputs stand in where nothing has changed: its name, or `latest`. */
  since: name.optional(),
  cassette: cassette.optional(),
  /** Name of the run. */
  name: name.optional(),
  /** Each row is on the disk before the next is begun. */
  durable: z.boolean().optional(),
};

const pace = {
  concurrency: count.optional(),
  /** In place of it, to make the run slower and faster as it goes. */
  pace: z.instanceof(RowPace).optional(),
  rowTimeoutMs: milliseconds.optional(),
  timeoutMs: milliseconds.optional(),
};

const choice = {
  /** Line numbers from 0 as `0-9,15`. */
  rows: name.optional(),
  /** So many rows taken at random; the same ones for the same seed. */
  sample: count.optional(),
  seed: z.int().min(0).optional(),
  repeat: count.optional(),
};

export const rowRunSettings = z.strictObject({
  ...ofFlows,
  /** Whether texts of models come as events while they are written. */
  streamsText: z.boolean().optional(),
  /** Takes the inputs of the sample that a flow brings, where none are given. */
  usesSample: z.boolean().optional(),
  signal,
});

const { budget: _run, rowBudget: _row, ...ofNodes } = ofFlows;

export const nodeRunSettings = z.strictObject({
  ...ofNodes,
  /** A recorded run whose first row gives the inputs that are not given. */
  from: name.optional(),
  signal,
});

const { name: _name, since: _since, durable: _durable, ...ofChats } = ofFlows;

export const chatSettings = z.strictObject(ofChats);

export const checkSettings = z.strictObject({
  variant: ofFlows.variant,
  connectionsFile: ofFlows.connectionsFile,
  overrides: ofFlows.overrides,
  environment: ofFlows.environment,
});

export const paritySettings = z.strictObject({
  variant: ofFlows.variant,
  connectionsFile: ofFlows.connectionsFile,
  overrides: ofFlows.overrides,
  environment: ofFlows.environment,
  init: ofFlows.init,
  concurrency: pace.concurrency,
  rowTimeoutMs: pace.rowTimeoutMs,
  /** How many differing rows to tell in full: 5 where it is not said. */
  rows: z.int().min(0).optional(),
  signal,
});

export const datasetRunSettings = z.strictObject({
  ...ofFlows,
  ...pace,
  ...choice,
  /** A file, or a folder of files. */
  data: name.optional(),
  dataFormat: z.enum(dataFormats).optional(),
  encoding: z.enum(dataEncodings).optional(),
  /** An earlier run whose inputs and outputs are the sets `run.inputs` and `run.outputs`. */
  run: name.optional(),
  columnMapping: values.optional(),
  /** It is written in a file, under `column_mapping`: warnings then say how it is written there, and not with a command. */
  isMappingInFile: z.boolean().optional(),
  columnsFirst: z.boolean().optional(),
  tags: values.optional(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  signal,
});

export const resumeRunSettings = z.strictObject({
  ...pace,
  limitRpm: limit.optional(),
  limitTpm: limit.optional(),
  limitCalls: limit.optional(),
  nodeTimeoutMs: milliseconds.optional(),
  budget: budget.optional(),
  rowBudget: budget.optional(),
  environment: texts.optional(),
  init: values.optional(),
  data: name.optional(),
  cassette: cassette.optional(),
  /** Takes no outputs from the run that it was begun with. */
  ignoresEarlier: z.boolean().optional(),
  /** Goes on though flow or data are others now. */
  force: z.boolean().optional(),
  durable: z.boolean().optional(),
  signal,
});

export const evaluationSettings = z.strictObject({
  ...ofFlows,
  ...pace,
  ...choice,
  /** Scores this run, and runs nothing. */
  run: name.optional(),
  /** Compares with the scores of this run in place of the baseline. */
  against: name.optional(),
  /** Columns of the data by which scores are told apart, `expected.kind` of a field, in place of `slices` of the file. */
  by: z.array(name).readonly().optional(),
  /** In place of the baseline.json beside the file. */
  baseline: name.optional(),
  /** Asks judges again, also where nothing has changed since they judged last. */
  asksAgain: z.boolean().optional(),
  signal,
});

export const oracleRunSettings = z.strictObject({
  ...evaluationSettings.shape,
  /** Nodes whose outputs are given; none: each that something is expected of. */
  nodes: z.array(z.string()).readonly().optional(),
  /** Metrics by name; none: those of the flow's outputs. */
  metrics: z.array(z.string()).readonly().optional(),
  /** A run that is right; absent: the data says what is expected. */
  from: name.optional(),
  isSweep: z.boolean().optional(),
});

export const diffSettings = z.strictObject({
  /** Nodes that have another name in the second run. */
  renames: texts.optional(),
  /** Input or column that says which rows belong together. */
  key: name.optional(),
  byIteration: z.boolean().optional(),
  /** A node or a family. */
  node: name.optional(),
  only: z.array(z.enum(changeKinds)).readonly().optional(),
  /** How many row pairs to tell in full: 5 where it is not said. */
  rows: z.int().min(0).optional(),
});

export type RowRunSettings = Readonly<z.input<typeof rowRunSettings>>;
export type NodeRunSettings = Readonly<z.input<typeof nodeRunSettings>>;
export type ChatSettings = Readonly<z.input<typeof chatSettings>>;
export type ParitySettings = Readonly<z.input<typeof paritySettings>>;
export type DatasetRunSettings = Readonly<z.input<typeof datasetRunSettings>>;
export type ResumeRunSettings = Readonly<z.input<typeof resumeRunSettings>>;
export type EvaluationSettings = Readonly<z.input<typeof evaluationSettings>>;
export type OracleRunSettings = Readonly<z.input<typeof oracleRunSettings>>;
export type DiffSettings = Readonly<z.input<typeof diffSettings>>;

type ParsedDatasetSettings = Omit<z.output<typeof datasetRunSettings>, 'signal'>;

/** Settings of a run over data; what is not given is as it is where nothing is said. */
export async function bulkSettingsOf(
  flow: string | undefined,
  { since, ...given }: ParsedDatasetSettings,
  host: ProjectHost,
): Promise<BulkSettings> {
  const named = since === undefined ? undefined : await earlierRunName(since, host);
  return { ...defaultBulkSettings(host), ...definedOf({ ...given, flow, since: named }) } as BulkSettings;
}

/** The same of settings that were not read yet. @throws ProjectFailure with everything that is wrong in them */
export async function datasetSettings(
  flow: string | undefined,
  given: DatasetRunSettings,
  host: ProjectHost,
): Promise<BulkSettings> {
  const { signal: _, ...settings } = readSettings(datasetRunSettings, given);
  return await bulkSettingsOf(flow, settings, host);
}

export function definedOf<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
