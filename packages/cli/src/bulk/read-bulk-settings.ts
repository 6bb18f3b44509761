import {
  type ConnectionOverride,
  type DataEncoding,
  type DataFormat,
  dataEncodings,
  dataFormats,
  encodingNamed,
  type JsonObject,
  type JsonValue,
} from '@unroll/engine';
import {
  addressRefusal,
  type BulkSettings,
  type CassetteSettings,
  defaultBulkSettings,
  isAddress,
  type Limit,
  ProjectFailure,
  type RunYaml,
  readRunYaml,
} from '@unroll/project';
import type { CommandCall, Options } from '../command-spec.ts';
import { readJsonPairs } from '../commands/read-inputs.ts';
import { listOf, textOf, wholeNumberOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { sinceOf } from '../runs/given-run.ts';
import { readBudgets } from './budget-options.ts';
import { readEnvironment } from './read-environment.ts';

/** @throws ProjectFailure for the first thing that cannot be understood */
export function readBulkSettings(call: CommandCall): BulkSettings {
  const { options, io } = call;
  const file = textOf(options, 'file');
  const yaml = file === undefined ? {} : readRunYaml(file, hostOf(call));
  return {
    ...definedOf(givenOrWritten(call, yaml)),
    ...readConnections([...(yaml.connections ?? []), ...listOf(options, 'connections')]),
    ...readPace(call),
    ...readBudgets(options),
    ...definedOf({ since: sinceOf(call), cassette: givenCassette(call) }),
    ...(options['durable'] === true ? { durable: true } : {}),
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
function readPace({ options, io }: CommandCall) {
  const nodeTimeout = secondsOf(options, 'timeout');
  const rowTimeout = secondsOf(options, 'rowTimeout');
  const defaults = defaultBulkSettings(io);
  return {
    ...definedOf({
      rows: textOf(options, 'rows'),
      sample: wholeNumberOf(options, 'sample', 1),
      nodeTimeoutMs: nodeTimeout === undefined ? undefined : nodeTimeout * 1000,
      timeoutMs: defaults.timeoutMs,
    }),
    seed: wholeNumberOf(options, 'seed', 0) ?? defaults.seed,
    repeat: wholeNumberOf(options, 'repeat', 1) ?? defaults.repeat,
    concurrency: wholeNumberOf(options, 'concurrency', 1) ?? defaults.concurrency,
    limitRpm: readLimit(listOf(options, 'limitRpm'), 'limit-rpm'),
    limitTpm: readLimit(listOf(options, 'limitTpm'), 'limit-tpm'),
    rowTimeoutMs: rowTimeout === undefined ? defaults.rowTimeoutMs : rowTimeout * 1000,
  };
}

/** The cassette that `--record` or `--replay` names. */
export function givenCassette({ options }: CommandCall): CassetteSettings | undefined {
  const [record, replay] = [textOf(options, 'record'), textOf(options, 'replay')];
  if (record !== undefined && replay !== undefined)
    throw new ProjectFailure('--record and --replay exclude each other');
  if (replay !== undefined) return { replay };
  const recordMode = textOf(options, 'recordMode') as 'new' | 'all' | undefined;
  return record === undefined ? undefined : { record, ...(recordMode === undefined ? {} : { recordMode }) };
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** `answer=${run.outputs.answer}`, or a literal. */
function readMapping(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair): readonly [string, JsonValue] => {
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
