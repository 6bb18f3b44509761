import {
  type ChosenModel,
  type ConnectionSource,
  type Diagnostic,
  type FlowFiles,
  isMapping,
  type JsonObject,
  type JsonValue,
  mappingOf,
  type NodeType,
  type Plan,
  readPrompty,
  type SpecPath,
} from '@unroll/engine';
import type { System } from '../host/project-host.ts';
import { readInitVariable } from './init-variable.ts';

interface Surroundings {
  readonly files: FlowFiles;
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly environment: System['environment'];
  readonly connections: ConnectionSource;
}

/** What a flow takes from outside its files and is not there: variables of the environment, arguments of a class. */
export function checkGiven(plan: Plan | undefined, surroundings: Surroundings): readonly Diagnostic[] {
  if (plan === undefined) return [];
  const ofNodes = plan.nodes.flatMap(({ definition, aggregation }) => {
    const { type, settings, source, chosen } = definition;
    if (type === 'prompty') return unsetVariables(source?.path ?? '', chosen, plan, surroundings);
    return type === 'flex' && !aggregation ? missingArguments(settings, definition.locate([]), surroundings) : [];
  });
  return [...ofNodes, ...wrongInitVariable(plan, surroundings)];
}

/** Of a flow that is served; a run does not read it. What is JSON is passed over where nothing takes arguments. */
function wrongInitVariable({ nodes }: Plan, { files, nodeTypes, environment }: Surroundings): readonly Diagnostic[] {
  const read = readInitVariable(environment);
  const taking = nodes.find(({ definition: { type, settings } }) => {
    if (type === 'prompty') return true;
    return nodeTypes.get(type)?.readEntry?.(String(settings['entry']), files)?.isClass === true;
  });
  if (read.ok || (read.isJson && taking === undefined)) return [];
  const { message, help } = read;
  const span = (taking ?? nodes[0])?.definition.locate([]);
  return [{ severity: 'warning', code: 'FLEX_VARIABLE', message: `${message}: flow serve stops there`, help, span }];
}

const variable = /^\$\{env:(.*)\}$/;

function unsetVariables(
  path: string,
  chosen: ChosenModel | undefined,
  plan: Plan,
  { files, environment }: Surroundings,
): readonly Diagnostic[] {
  const file = files.read(path);
  const read = file === undefined ? undefined : readPrompty(file, files, chosen);
  if (read?.ok !== true) return [];
  const { configuration, parameters, document } = read.prompty;
  return textsIn({ configuration, parameters }, ['model']).flatMap(([text, place]) => {
    const name = variable.exec(text)?.[1]?.trim();
    if (name === undefined || environment[name] !== undefined || Object.hasOwn(plan.environmentVariables, name))
      return [];
    return [
      {
        severity: 'error' as const,
        code: 'PROMPTY_MODEL',
        message: `the environment variable ${name} is not set`,
        help: `set ${name}, or write the value in place of ${text}`,
        span: document.locate(place),
      },
    ];
  });
}

function textsIn(value: JsonValue, path: SpecPath): readonly (readonly [text: string, path: SpecPath])[] {
  if (typeof value === 'string') return [[value, path]];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one, at) => textsIn(one, [...path, at]));
  return isMapping(value) ? Object.entries(value).flatMap(([key, one]) => textsIn(one, [...path, key])) : [];
}

/** Arguments that the constructor requires or takes a connection for, and that neither the flow's file nor its sample gives; `--init` may. */
function missingArguments(
  { entry, init, sampleInit }: JsonObject,
  span: Diagnostic['span'],
  { files, nodeTypes, connections }: Surroundings,
): readonly Diagnostic[] {
  const given: JsonObject = { ...mappingOf(init), ...mappingOf(sampleInit) };
  const taken = nodeTypes.get('flex')?.readEntry?.(String(entry), files)?.init ?? [];
  const missing = taken.filter(({ name, required }) => required && !Object.hasOwn(given, name)).map(({ name }) => name);
  const names = connections.names();
  const unknown = taken.flatMap(({ name, type = '' }) => {
    const value = given[name];
    const named = type.endsWith('Connection')
      ? value
      : type.endsWith('ModelConfiguration') && mappingOf(value)['connection'];
    return typeof named !== 'string' || names.includes(named) ? [] : [{ name, named }];
  });
  return [
    ...(missing.length === 0
      ? []
      : [argument(`the class takes ${missing.join(', ')}, and the flow's file gives no value`, missing, span)]),
    ...unknown.map(({ name, named }) => argument(`there is no connection "${named}" for ${name}`, [name], span)),
  ];
}

function argument(message: string, names: readonly string[], span: Diagnostic['span']): Diagnostic {
  return {
    severity: 'warning',
    code: 'FLEX_ARGUMENT',
    message,
    help: `give one when it runs: ${names.map((name) => `--init ${name}=…`).join(' ')}, or a default under init`,
    span,
  };
}
