import type { Budget } from '@unroll/engine';
import {
  addressRefusal,
  type CassetteSettings,
  type DatasetRunSettings,
  isAddress,
  ProjectFailure,
  type RunYaml,
  readRunYaml,
} from '@unroll/project';
import { readConnections } from '../inputs/read-connections.ts';
import { readInit } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { readEnvironment } from './read-environment.ts';

/** What commands that run over data are told, of which each knows a part. */
export type BulkOptions = Partial<RunSettings>;

/** A run over data, or one row, as the command line and a run.yaml ask for it; what is not given is absent. */
export type RunOptions = DatasetRunSettings & { readonly flow?: string };

/** Those that one row or node of a flow takes too. */
export function withoutRows(asked: RunOptions) {
  const { variant, connectionsFile, overrides, environment, init, nodeTimeoutMs } = asked;
  const { limitRpm, limitTpm, limitCalls, budget, rowBudget, since, cassette, name } = asked;
  return {
    variant,
    connectionsFile,
    overrides,
    environment,
    init,
    nodeTimeoutMs,
    limitRpm,
    limitTpm,
    limitCalls,
    budget,
    rowBudget,
    since,
    cassette,
    name,
  };
}

/** @throws ProjectFailure when a file that is named cannot be read */
export function readBulkSettings(given: BulkOptions, io: Io) {
  const { connections = [], init = [], environmentVariables = [], env = [] } = given;
  const host = hostOf(given, io);
  const yaml = given.file === undefined ? {} : readRunYaml(given.file, host);
  return {
    ...definedOf(givenOrWritten(given, yaml)),
    ...readConnections([...(yaml.connections ?? []), ...connections]),
    ...definedOf({ rows: given.rows, sample: given.sample, seed: given.seed, repeat: given.repeat }),
    ...givenPace(given),
    ...definedOf({ since: sinceOf(given), cassette: givenCassette(given) }),
    ...(given.durable === true ? { durable: true } : {}),
    init: { ...yaml.init, ...readInit(init, io) },
    environment: { ...yaml.environment, ...readEnvironment([...environmentVariables, ...env], host) },
  };
}

function givenOrWritten(given: BulkOptions, yaml: RunYaml) {
  const { columnMapping: mapping } = given;
  return {
    flow: given.flow ?? yaml.flow,
    data: dataPath(given.data ?? yaml.data),
    dataFormat: given.dataFormat,
    encoding: given.encoding,
    run: given.run ?? yaml.run,
    name: given.name ?? yaml.name,
    variant: given.variant ?? yaml.variant,
    columnMapping: mapping === undefined ? yaml.columnMapping : { ...yaml.columnMapping, ...mapping },
    isMappingInFile: given.file === undefined || mapping !== undefined ? undefined : true,
    tags: yaml.tags,
    displayName: yaml.displayName,
    description: yaml.description,
  };
}

function dataPath(given: string | undefined): string | undefined {
  if (given !== undefined && isAddress(given)) throw addressRefusal(given, 'data');
  return given;
}

/** How many rows at a time, how fast and for how long; what is not given is absent. */
export function givenPace(given: BulkOptions) {
  const { concurrency, limitRpm, limitTpm, limitCalls, rowTimeoutMs, nodeTimeoutMs } = given;
  return definedOf({
    concurrency,
    limitRpm,
    limitTpm,
    limitCalls,
    rowTimeoutMs,
    nodeTimeoutMs,
    ...givenBudgets(given),
  });
}

/** Budgets of the run and of each row. */
function givenBudgets(given: BulkOptions) {
  return {
    budget: budgetOf({ tokens: given.budgetTokens, cost: given.budgetCost, seconds: given.budgetSeconds }),
    rowBudget: budgetOf({ tokens: given.rowBudgetTokens, cost: given.rowBudgetCost, seconds: given.rowBudgetSeconds }),
  };
}

function budgetOf(amounts: { readonly [Amount in keyof Budget]: number | undefined }): Budget | undefined {
  const budget = definedOf(amounts);
  return Object.keys(budget).length === 0 ? undefined : budget;
}

/** The cassette that `--record` or `--replay` names. */
export function givenCassette({ record, recordMode, replay }: BulkOptions): CassetteSettings | undefined {
  if (record !== undefined && replay !== undefined)
    throw new ProjectFailure('--record and --replay exclude each other');
  if (replay !== undefined) return { replay };
  return record === undefined ? undefined : { record, ...(recordMode === undefined ? {} : { recordMode }) };
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** The run whose outputs stand in: `--since`, unless `--no-cache` leaves it alone. */
function sinceOf({ since, cache }: Partial<RunSettings>): string | undefined {
  return cache === false ? undefined : since;
}
