import type { Value, Values } from '@unroll/engine';

/** Most operations one action group may have (service quota of Agents for Amazon Bedrock). */
export const operationLimit = 11;

/** An action group as it is written: a name, and an OpenAPI document or function details. */
export interface ActionGroupDefinition {
  readonly action_group: { readonly name: string; readonly description?: string };
  readonly schema: Values;
  readonly functions?: readonly FunctionDetails[];
}

export interface FunctionDetails {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<
    Record<string, { readonly type: string; readonly description: string; readonly required: boolean }>
  >;
}

/** One argument of a function: where it travels (parameter or body) is told by the operation. */
export interface FunctionArgument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly description: string;
  readonly place: 'parameter' | 'body';
}

export interface AgentOperation {
  /** Upper case. */
  readonly verb: string;
  readonly group: string;
  readonly operation: string;
  readonly description: string;
  /** Template form, `/a/{id}`; empty for function details. */
  readonly path: string;
  /** Whether it was written as function details: its event names a function, no path. */
  readonly isFunction?: boolean;
  readonly arguments: readonly FunctionArgument[];
  readonly bodyType?: string;
  /** `type: description` of the 2xx answer. */
  readonly returns: string;
  readonly raises: readonly string[];
}

export type ActionGroupProblem = 'TOO_MANY_OPERATIONS' | 'DUPLICATE_OPERATION' | 'MISSING_OPERATION_ID';

export type ReadActionGroups =
  | { readonly ok: true; readonly operations: readonly AgentOperation[] }
  | { readonly ok: false; readonly code: ActionGroupProblem; readonly message: string };

const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The operations of action groups in the order they are written, or the first problem. */
export function readActionGroups(groups: readonly ActionGroupDefinition[]): ReadActionGroups {
  const operations: AgentOperation[] = [];
  for (const { action_group: group, schema, functions = [] } of groups) {
    const own = [...operationsOf(group.name, schema), ...functions.map((one) => functionOf(group.name, one))];
    const unnamed = own.find(({ operation }) => operation === '');
    if (unnamed !== undefined) {
      const where = `${unnamed.verb} ${unnamed.path} of action group "${group.name}"`;
      return {
        ok: false,
        code: 'MISSING_OPERATION_ID',
        message: `${where} has no operationId, which the model has to write`,
      };
    }
    if (own.length > operationLimit) {
      const message = `action group "${group.name}" has ${own.length} operations; at most ${operationLimit} are allowed`;
      return { ok: false, code: 'TOO_MANY_OPERATIONS', message };
    }
    const names = own.map(({ operation }) => operation);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) {
      const message = `action group "${group.name}" has the operationId "${twice}" twice`;
      return { ok: false, code: 'DUPLICATE_OPERATION', message };
    }
    operations.push(...own);
  }
  return { ok: true, operations };
}

function operationsOf(group: string, schema: Values): readonly AgentOperation[] {
  return Object.entries(mapping(schema['paths'])).flatMap(([path, item]) => {
    const shared = list(mapping(item)['parameters']);
    return verbs
      .filter((verb) => Object.hasOwn(mapping(item), verb))
      .map((verb) => operationOf(group, path, verb, mapping(mapping(item)[verb]), shared));
  });
}

function operationOf(
  group: string,
  path: string,
  verb: string,
  written: Values,
  shared: readonly Value[],
): AgentOperation {
  const [bodyType, media] = Object.entries(mapping(mapping(written['requestBody'])['content']))[0] ?? [];
  const body = mapping(mapping(media)['schema']);
  const parameters = [...shared, ...list(written['parameters'])].map((one) => parameterOf(mapping(one)));
  const responses = Object.entries(mapping(written['responses']));
  const isSuccess = ([status]: readonly [string, Value]): boolean => /^2/.test(status);
  return {
    verb: verb.toUpperCase(),
    group,
    operation: textOf(written['operationId']),
    description: textOf(written['description']),
    path,
    arguments: [...parameters, ...bodyArguments(body)],
    ...(bodyType === undefined ? {} : { bodyType }),
    returns: responses.filter(isSuccess).map(responseText)[0] ?? '',
    raises: responses.filter((entry) => !isSuccess(entry)).map(responseText),
  };
}

/** The verb of function details is one the model has to write, and nothing else. */
function functionOf(group: string, { name, description, parameters }: FunctionDetails): AgentOperation {
  const given = Object.entries(parameters).map(([argument, { type, description: about, required }]) => {
    return { name: argument, isRequired: required, type, description: about, place: 'parameter' as const };
  });
  const shared = { path: '', returns: 'string: The result', raises: [], isFunction: true };
  return { verb: 'GET', group, operation: name, description, arguments: given, ...shared };
}

function parameterOf(written: Values): FunctionArgument {
  return {
    name: textOf(written['name']),
    isRequired: written['required'] === true,
    type: textOf(mapping(written['schema'])['type']),
    description: textOf(written['description']),
    place: 'parameter',
  };
}

function bodyArguments(schema: Values): readonly FunctionArgument[] {
  const required = list(schema['required']);
  return Object.entries(mapping(schema['properties'])).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    type: textOf(mapping(property)['type']),
    description: textOf(mapping(property)['description']),
    place: 'body' as const,
  }));
}

function responseText([, written]: readonly [string, Value]): string {
  const [media] = Object.values(mapping(mapping(written)['content']));
  return `${textOf(mapping(mapping(media)['schema'])['type'])}: ${textOf(mapping(written)['description'])}`;
}

function mapping(value: Value | undefined): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

function list(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
