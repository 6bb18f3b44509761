import { type JsonObject, textOf } from '@unroll/engine';
import { type OperationResponse, readOperations } from '../../openapi/read-operations.ts';

/** Most operations one action group may have (service quota of Agents for Amazon Bedrock). */
export const operationLimit = 11;

/** An action group as it is written: a name, and an OpenAPI document or function details. */
export interface ActionGroupDefinition {
  readonly action_group: { readonly name: string; readonly description?: string };
  readonly schema: JsonObject;
  readonly functions?: readonly FunctionDetails[];
}

interface FunctionDetails {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<
    Record<string, { readonly type: string; readonly description: string; readonly required: boolean }>
  >;
}

/** One argument of a function: where it travels (as a parameter, in the body or both) is told by the operation. */
export interface FunctionArgument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly description: string;
  readonly places: readonly ('parameter' | 'body')[];
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

type ActionGroupProblem = 'TOO_MANY_OPERATIONS' | 'DUPLICATE_OPERATION' | 'MISSING_OPERATION_ID';

export type ReadActionGroups =
  | { readonly ok: true; readonly operations: readonly AgentOperation[] }
  | { readonly ok: false; readonly code: ActionGroupProblem; readonly message: string };

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
    // The scratchpad shows names in lower case, so that a call means either of two that differ in case alone.
    const names = own.map(({ operation }) => operation.toLowerCase());
    const twice = own.find((_, at) => names.indexOf(names[at] ?? '') !== at)?.operation;
    if (twice !== undefined) {
      const isSame = own.filter(({ operation }) => operation === twice).length > 1;
      const message = `action group "${group.name}" has the operationId "${twice}" twice${isSame ? '' : ', once in other letters'}`;
      return { ok: false, code: 'DUPLICATE_OPERATION', message };
    }
    operations.push(...own);
  }
  return { ok: true, operations };
}

function operationsOf(group: string, schema: JsonObject): readonly AgentOperation[] {
  return readOperations(schema).map((read) => {
    const returns = read.responses.filter(isSuccess).map(responseText);
    const raises = read.responses.filter((one) => !isSuccess(one)).map(responseText);
    return {
      verb: read.verb,
      group,
      operation: read.operationId,
      description: read.description,
      path: read.path,
      arguments: read.arguments.map(({ name, isRequired, places, schema: { type, description } }) => ({
        name,
        isRequired,
        type: textOf(type),
        description: textOf(description),
        places: [...new Set(places.map((place) => (place === 'body' ? place : 'parameter')))],
      })),
      ...(read.body === undefined ? {} : { bodyType: read.body.type }),
      returns: returns[0] ?? '',
      raises,
    };
  });
}

/** The verb of function details is one the model has to write, and nothing else. */
function functionOf(group: string, { name, description, parameters }: FunctionDetails): AgentOperation {
  const given = Object.entries(parameters).map(([argument, { type, description: about, required }]) => {
    return { name: argument, isRequired: required, type, description: about, places: ['parameter'] as const };
  });
  const shared = { path: '', returns: 'string: The result', raises: [], isFunction: true };
  return { verb: 'GET', group, operation: name, description, arguments: given, ...shared };
}

function isSuccess({ status }: OperationResponse): boolean {
  return status.startsWith('2');
}

function responseText({ type, description }: OperationResponse): string {
  return `${type}: ${description}`;
}
