import { dirname, resolve } from 'node:path';
import { didYouMean, isMapping, type JsonObject, parseYaml, shownPath, textOrJson } from '@unroll/engine';
import { readDotenvFile } from '../connections/environment-values.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { readInputsFile, readTextFile } from '../host/text-file.ts';
import { isAddress } from '../host/workspace-address.ts';

/** Prompt flow's run YAML. Paths are seen from the current folder. */
export interface RunYaml {
  readonly name?: string;
  readonly flow?: string;
  readonly data?: string;
  readonly run?: string;
  readonly columnMapping?: JsonObject;
  /** Arguments of a class that is the flow. */
  readonly init?: JsonObject;
  readonly variant?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** `node.key=value`. */
  readonly connections?: readonly string[];
  readonly tags?: JsonObject;
  readonly displayName?: string;
  readonly description?: string;
}

const knownKeys = [
  'name',
  'flow',
  'data',
  'run',
  'column_mapping',
  'variant',
  'environment_variables',
  'connections',
  'tags',
  'display_name',
  'description',
  'init',
  // Of runs in a workspace: nothing to do for a run here.
  'runtime',
  'resources',
  'identity',
  'properties',
  '$schema',
  'type',
];

/**
 * A key that a run does not have is told and passed over, as in Prompt flow.
 *
 * @throws ProjectFailure naming the file when it cannot be read or holds what a run cannot be given
 */
export function readRunYaml(path: string, host: ProjectHost): RunYaml {
  const values = readMapping(path, host);
  const wrong = (message: string, help?: string): ProjectFailure => new ProjectFailure(`${path}: ${message}`, { help });
  reportUnknown(values, path, host);
  const text = (key: string): string | undefined => textAt(values, key, wrong);
  const file = (key: string): string | undefined => {
    const given = text(key);
    if (given === undefined || isAddress(given)) return given;
    return shownPath(resolve(host.folder, dirname(path), given), host.folder);
  };
  const fields = {
    name: text('name'),
    flow: file('flow'),
    data: file('data'),
    run: text('run'),
    columnMapping: mappingOf(values, 'column_mapping', wrong),
    init: initOf(values, path, host, wrong),
    variant: text('variant'),
    environment: environmentOf(values, path, host, wrong),
    connections: connectionsOf(values, wrong),
    tags: mappingOf(values, 'tags', wrong),
    displayName: text('display_name'),
    description: text('description'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as RunYaml;
}

function readMapping(path: string, host: ProjectHost): JsonObject {
  const { value, diagnostics } = parseYaml({ path, text: readTextFile(path, host) });
  const [first] = diagnostics;
  if (first !== undefined) throw new ProjectFailure(`${path} cannot be read: ${first.message}`);
  if (!isMapping(value)) throw new ProjectFailure(`${path} must hold a mapping: flow, data, column_mapping …`);
  return value;
}

function reportUnknown(values: JsonObject, path: string, host: ProjectHost): void {
  for (const key of Object.keys(values).filter((one) => !knownKeys.includes(one))) {
    const nearest = didYouMean(key, knownKeys);
    const message = `${path}: a run has no "${key}"${nearest === undefined ? '' : `: ${nearest}`}`;
    notify(host, { kind: 'warning', message });
  }
}

/** A mapping, or a JSON or JSONL file whose first object it is. */
function initOf(values: JsonObject, path: string, host: ProjectHost, wrong: Wrong): JsonObject | undefined {
  const written = values['init'];
  if (typeof written !== 'string') return mappingOf(values, 'init', wrong);
  const file = shownPath(resolve(host.folder, dirname(path), written), host.folder);
  return readInputsFile(file, readTextFile(file, host));
}

type Wrong = (message: string, help?: string) => ProjectFailure;

function textAt(values: JsonObject, key: string, wrong: Wrong): string | undefined {
  const value = values[key] ?? null;
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw wrong(`${key} must be a text`);
}

function mappingOf(values: JsonObject, key: string, wrong: Wrong): JsonObject | undefined {
  const value = values[key] ?? null;
  if (value === null) return undefined;
  if (isMapping(value)) return value;
  throw wrong(`${key} must be a mapping`);
}

/** A mapping, or a `.env` file. */
function environmentOf(values: JsonObject, path: string, host: ProjectHost, wrong: Wrong): RunYaml['environment'] {
  const written = values['environment_variables'];
  if (typeof written === 'string') {
    const file = shownPath(resolve(host.folder, dirname(path), written), host.folder);
    return readDotenvFile(file, host, (message) => notify(host, { kind: 'warning', message }));
  }
  const variables = mappingOf(values, 'environment_variables', wrong);
  if (variables === undefined) return undefined;
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, textOrJson(value)]));
}

/** `{node: {connection: name, deployment_name: name}}`. */
function connectionsOf(values: JsonObject, wrong: Wrong): readonly string[] | undefined {
  const nodes = mappingOf(values, 'connections', wrong);
  if (nodes === undefined) return undefined;
  return Object.entries(nodes).flatMap(([node, keys]) => {
    if (!isMapping(keys)) throw wrong(`connections.${node} must be a mapping: connection, deployment_name, model`);
    return Object.entries(keys).map(([key, value]) => `${node}.${key}=${String(value)}`);
  });
}
