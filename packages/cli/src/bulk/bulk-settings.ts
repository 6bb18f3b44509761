import {
  type Budget,
  type ConnectionOverride,
  type DataEncoding,
  type DataFormat,
  dataEncodings,
  dataFormats,
  encodingNamed,
  type Value,
  type Values,
} from '@unroll/engine';
import { addressRefusal, isAddress, ProjectFailure } from '@unroll/project';
import type { CommandCall, Options } from '../command-spec.ts';
import { readJsonPairs } from '../commands/read-inputs.ts';
import { listOf, textOf, wholeNumberOf } from '../option-values.ts';
import { readBudgets } from './budget-options.ts';
import { readEnvironment } from './read-environment.ts';
import { type RunYaml, readRunYaml } from './run-yaml.ts';

/** What a bulk run was asked to do, from the command line and a run YAML; the command line wins. */
export interface BulkSettings {
  /** As given, seen from the current folder. */
  readonly flow?: string;
  /** A file, a folder, or `-`. */
  readonly data?: string;
  /** In place of the extension of the data's files. */
  readonly dataFormat?: DataFormat;
  /** In place of what the bytes of the data's files say. */
  readonly encoding?: DataEncoding;
  /** An earlier run whose inputs and outputs are the sets `run.inputs` and `run.outputs`. */
  readonly run?: string;
  readonly name?: string;
  /** Line numbers from 0 as `0-9,15`. */
  readonly rows?: string;
  /** So many rows taken at random; the same ones for the same seed. */
  readonly sample?: number;
  readonly seed: number;
  readonly repeat: number;
  readonly concurrency: number;
  readonly limitRpm: Limit;
  readonly limitTpm: Limit;
  /** For nodes that have no time limit of their own. */
  readonly nodeTimeoutMs?: number;
  readonly rowTimeoutMs: number;
  /** Of the whole run: rows in flight fail once it is over (`PF_BATCH_TIMEOUT_SEC`). */
  readonly timeoutMs?: number;
  /** Of the whole run: once it is reached no new row starts. */
  readonly budget?: Budget;
  readonly rowBudget?: Budget;
  /** Absent: each input takes the column of its name. */
  readonly columnMapping?: Values;
  /** A column of an input's name comes before the input's default, as in evaluations and, where it is not said, in flows that are no Prompt flow. */
  readonly columnsFirst?: boolean;
  /** Arguments of a class that is the flow. */
  readonly init: Values;
  readonly variant?: string;
  /** As given: a value `${connection.key}` stands for that of the connection. */
  readonly environment: Readonly<Record<string, string>>;
  readonly connectionsFile?: string;
  readonly overrides: readonly ConnectionOverride[];
  /** Nodes whose outputs are given to the run. */
  readonly oracle?: readonly string[];
  readonly tags?: Values;
  readonly displayName?: string;
  readonly description?: string;
}

/** A minute's limit for every connection, or for those named. */
export interface Limit {
  readonly each?: number;
  readonly byConnection: Readonly<Record<string, number>>;
}

const defaultConcurrency = 8;
const defaultRowTimeoutSeconds = 600;

/** @throws ProjectFailure for the first thing that cannot be understood */
export function readBulkSettings(call: CommandCall): BulkSettings {
  const { options, io } = call;
  const file = textOf(options, 'file');
  const yaml = file === undefined ? {} : readRunYaml(file, io);
  return {
    ...definedOf(givenOrWritten(call, yaml)),
    ...readConnections([...(yaml.connections ?? []), ...listOf(options, 'connections')]),
    ...readPace(call),
    ...readBudgets(options),
    init: { ...yaml.init, ...readJsonPairs(listOf(options, 'init'), io) },
    environment: {
      ...yaml.environment,
      ...readEnvironment([...listOf(options, 'environmentVariables'), ...listOf(options, 'env')], io),
    },
  };
}

function givenOrWritten({ arguments: given, options }: CommandCall, yaml: RunYaml) {
  const mapping = listOf(options, 'columnMapping');
  return {
    flow: given[0] ?? yaml.flow,
    data: dataPath(textOf(options, 'data') ?? yaml.data),
    dataFormat: formatOf(textOf(options, 'dataFormat')),
    encoding: encodingOf(textOf(options, 'encoding')),
    run: textOf(options, 'run') ?? yaml.run,
    name: textOf(options, 'name') ?? yaml.name,
    variant: textOf(options, 'variant') ?? yaml.variant,
    columnMapping: mapping.length === 0 ? yaml.columnMapping : { ...yaml.columnMapping, ...readMapping(mapping) },
    tags: yaml.tags,
    displayName: yaml.displayName,
    description: yaml.description,
  };
}

function dataPath(given: string | undefined): string | undefined {
  if (given !== undefined && isAddress(given)) throw addressRefusal(given, 'data');
  return given;
}

function formatOf(name: string | undefined): DataFormat | undefined {
  const found = dataFormats.find((format) => format === name);
  if (name === undefined || found !== undefined) return found;
  throw new ProjectFailure(`--data-format takes ${dataFormats.join(', ')}, not "${name}"`);
}

function encodingOf(name: string | undefined): DataEncoding | undefined {
  const found = name === undefined ? undefined : encodingNamed(name);
  if (name === undefined || found !== undefined) return found;
  throw new ProjectFailure(`--encoding takes ${dataEncodings.join(', ')}, not "${name}"`);
}

/** What of the pace the command line says, for a run that goes on at another one. */
export function givenPace(call: CommandCall): Partial<BulkSettings> {
  const { concurrency, limitRpm, limitTpm, rowTimeoutMs, nodeTimeoutMs, timeoutMs } = readPace(call);
  const { options } = call;
  return definedOf({
    concurrency: options['concurrency'] === undefined ? undefined : concurrency,
    limitRpm: options['limitRpm'] === undefined ? undefined : limitRpm,
    limitTpm: options['limitTpm'] === undefined ? undefined : limitTpm,
    rowTimeoutMs: options['rowTimeout'] === undefined ? undefined : rowTimeoutMs,
    nodeTimeoutMs,
    timeoutMs,
    ...readBudgets(options),
  });
}

/** How many rows, how many at a time, how fast and for how long. */
function readPace({ options, io: { environment } }: CommandCall) {
  const nodeTimeout = secondsOf(options, 'timeout');
  const rowTimeout = secondsOf(options, 'rowTimeout') ?? environmentNumber('PF_LINE_TIMEOUT_SEC', environment);
  const runTimeout = environmentNumber('PF_BATCH_TIMEOUT_SEC', environment);
  const concurrency = wholeNumberOf(options, 'concurrency', 1) ?? environmentNumber('PF_WORKER_COUNT', environment);
  return {
    ...definedOf({
      rows: textOf(options, 'rows'),
      sample: wholeNumberOf(options, 'sample', 1),
      nodeTimeoutMs: nodeTimeout === undefined ? undefined : nodeTimeout * 1000,
      timeoutMs: runTimeout === undefined ? undefined : runTimeout * 1000,
    }),
    seed: wholeNumberOf(options, 'seed', 0) ?? 0,
    repeat: wholeNumberOf(options, 'repeat', 1) ?? 1,
    concurrency: concurrency ?? defaultConcurrency,
    limitRpm: readLimit(listOf(options, 'limitRpm'), 'limit-rpm'),
    limitTpm: readLimit(listOf(options, 'limitTpm'), 'limit-tpm'),
    rowTimeoutMs: (rowTimeout ?? defaultRowTimeoutSeconds) * 1000,
  };
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** `answer=${run.outputs.answer}`, or a literal. */
function readMapping(pairs: readonly string[]): Values {
  return Object.fromEntries(
    pairs.map((pair): readonly [string, Value] => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new ProjectFailure(`--column-mapping takes name=value, not "${pair}"`, {
        help: "For instance: --column-mapping question='${data.query}' answer='${run.outputs.answer}'",
      });
    }),
  );
}

/** `node.key=value` overrides a node, anything else is a connections file. */
export function readConnections(given: readonly string[]): {
  readonly connectionsFile?: string;
  readonly overrides: readonly ConnectionOverride[];
} {
  const overrides: ConnectionOverride[] = [];
  const files: string[] = [];
  for (const text of given) {
    const [, node, key, value] = /^([^.=/\\]+)\.([^.=/\\]+)=(.*)$/.exec(text) ?? [];
    if (node === undefined || key === undefined || value === undefined) files.push(text);
    else overrides.push({ node, key, value });
  }
  const [connectionsFile, second] = files;
  if (second !== undefined) {
    throw new ProjectFailure(`--connections takes one file and any number of node.key=value, not "${second}"`, {
      help: 'For instance: --connections ask.connection=mine ask.deployment_name=gpt-4o',
    });
  }
  return { overrides, ...(connectionsFile === undefined ? {} : { connectionsFile }) };
}

/** `600` for every connection, `mine=600` for one. */
function readLimit(given: readonly string[], flag: string): Limit {
  const byConnection: Record<string, number> = {};
  let each: number | undefined;
  for (const text of given) {
    const [, name, digits = ''] = /^(?:(.+)=)?(\d+)$/.exec(text) ?? [];
    const limit = Number(digits);
    if (limit < 1) {
      throw new ProjectFailure(`--${flag} takes a number a minute from 1, or connection=number, not "${text}"`);
    }
    if (name === undefined) each = limit;
    else byConnection[name] = limit;
  }
  return { byConnection, ...(each === undefined ? {} : { each }) };
}

function secondsOf(options: Options, name: string): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new ProjectFailure(`--${flag} takes seconds, more than 0, not "${text}"`);
}

/** Prompt flow's variables are heeded where they hold a number, as Prompt flow does. */
function environmentNumber(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const number = Number(environment[name] ?? '');
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
