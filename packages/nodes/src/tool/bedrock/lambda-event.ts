import type { JsonObject } from '@unroll/engine';
import type { AgentOperation, FunctionArgument } from './action-group.ts';

/** What an agent asks for: names as the model wrote them. */
export interface ActionCall {
  readonly verb: string;
  readonly group: string;
  readonly operation: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface AgentSession {
  readonly agent: { readonly name: string; readonly id: string; readonly alias: string; readonly version: string };
  readonly inputText: string;
  readonly sessionId: string;
  readonly sessionAttributes: JsonObject;
  readonly promptSessionAttributes: JsonObject;
}

type CallProblem = 'UNKNOWN_FUNCTION' | 'UNKNOWN_ARGUMENT' | 'MISSING_ARGUMENT' | 'BAD_ARGUMENT_TYPE';

export type BuiltEvent =
  | { readonly ok: true; readonly event: JsonObject; readonly operation: AgentOperation }
  | { readonly ok: false; readonly reprompt: CallProblem; readonly message: string };

/**
 * The event an action group's Lambda function gets, message version 1.0, or why the call goes back to the model. Names
 * are matched whatever their case, since the scratchpad shows them in lower case. All values are texts; `type` carries
 * the schema's type.
 */
export function buildLambdaEvent(
  call: ActionCall,
  operations: readonly AgentOperation[],
  session: AgentSession,
): BuiltEvent {
  const operation = operations.find((one) => functionName(one) === functionName(call));
  if (operation === undefined) {
    const known = operations.map((one) => `${one.verb}::${one.group}::${one.operation}`).join(', ');
    const message = `there is no function ${call.verb}::${call.group}::${call.operation}; the functions are ${known}`;
    return { ok: false, reprompt: 'UNKNOWN_FUNCTION', message };
  }
  const problem = problemOf(operation, call.args);
  if (problem !== undefined) return { ok: false, ...problem };
  return { ok: true, operation, event: eventOf(operation, call.args, session) };
}

function functionName({ verb, group, operation }: Omit<ActionCall, 'args'>): string {
  return `${verb}::${group}::${operation}`.toLowerCase();
}

function problemOf(
  operation: AgentOperation,
  args: ActionCall['args'],
): { readonly reprompt: CallProblem; readonly message: string } | undefined {
  const names = operation.arguments.map(({ name }) => name);
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return {
      reprompt: 'UNKNOWN_ARGUMENT',
      message: `"${unknown}" is no argument; the arguments are ${names.join(', ')}`,
    };
  }
  const missing = operation.arguments.find(({ name, isRequired }) => isRequired && !Object.hasOwn(args, name));
  if (missing !== undefined) {
    return { reprompt: 'MISSING_ARGUMENT', message: `the argument "${missing.name}" is required` };
  }
  const unfit = operation.arguments.find(
    ({ name, type }) => Object.hasOwn(args, name) && !fits(args[name] ?? '', type),
  );
  if (unfit === undefined) return undefined;
  return { reprompt: 'BAD_ARGUMENT_TYPE', message: `the argument "${unfit.name}" must be of type ${unfit.type}` };
}

function fits(value: string, type: string): boolean {
  if (type === 'integer') return /^[+-]?\d+$/.test(value.trim());
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value));
  if (type === 'boolean') return /^(true|false)$/i.test(value.trim());
  if (type === 'array' || type === 'object') return isJson(value, type);
  return true;
}

function isJson(value: string, type: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return type === 'array'
      ? Array.isArray(parsed)
      : typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

function eventOf(operation: AgentOperation, args: ActionCall['args'], session: AgentSession): JsonObject {
  const valuesAt = (place: FunctionArgument['places'][number]): readonly JsonObject[] =>
    operation.arguments
      .filter((argument) => argument.places.includes(place) && Object.hasOwn(args, argument.name))
      .map(({ name, type }) => ({ name, type, value: args[name] ?? '' }));
  const { bodyType } = operation;
  const body = valuesAt('body');
  return {
    messageVersion: '1.0',
    agent: session.agent,
    inputText: session.inputText,
    sessionId: session.sessionId,
    actionGroup: operation.group,
    ...addressOf(operation),
    parameters: valuesAt('parameter'),
    ...(bodyType === undefined ? {} : { requestBody: { content: { [bodyType]: { properties: body } } } }),
    sessionAttributes: session.sessionAttributes,
    promptSessionAttributes: session.promptSessionAttributes,
  };
}

function addressOf({ operation, path, verb, isFunction = false }: AgentOperation): JsonObject {
  return isFunction ? { function: operation } : { apiPath: path, httpMethod: verb };
}
