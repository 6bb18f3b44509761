import type { JsonValue } from '@unroll/engine';
import { Float, parseJson, pythonJsonError } from '@unroll/engine/values';

/** A function an agent may call: it gets its arguments by name. */
export type AgentFunction = (values: never) => unknown;

/** A function with the arguments it takes, `?` behind the type of one that may be missing: `{query: 'string'}`. */
export interface DeclaredFunction {
  readonly run: AgentFunction;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What travels along a loop's pairs; `content` is there once it is finished. */
export interface LoopState {
  readonly finished: boolean;
  readonly query?: JsonValue;
  readonly function_results?: readonly FunctionResult[];
  readonly content?: JsonValue;
}

/** One call an agent made; `id` is there when the model used `tools`. */
export interface FunctionResult {
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonValue;
  readonly content: readonly [unknown];
}

/** The node: takes the state as `state` or `inputs`, the agent's message as `message` or `agent_message`. */
export type FunctionNode = (inputs: Readonly<Record<string, unknown>>) => Promise<LoopState>;

/**
 * Makes the function node of an agent loop, one step from a state and the agent's message to the next state:
 *
 * 1. no message (the agent was bypassed): the answer is handed on, `{finished: true, content}`;
 * 2. a message that asks for no call: `{finished: true, content}` of the message;
 * 3. else every call asked for is made, all at once, and recorded in the order asked for.
 *
 * Errors have Python's names, as those of the same node written in Python: `JSONDecodeError` for arguments that are no
 * JSON, `KeyError` for a function that is not there, `TypeError` for arguments that do not fit (declared functions).
 */
export function functionNode(functions: Readonly<Record<string, AgentFunction | DeclaredFunction>>): FunctionNode {
  return async (inputs) => {
    const state = given(inputs, 'state', 'inputs') as LoopState;
    const message = given(inputs, 'message', 'agent_message') as AgentMessage | null;
    if (message === null) return { finished: true, content: memberOf(state, 'content') };
    const calls = callsOf(message);
    if (calls.length === 0) return { finished: true, content: message.content === undefined ? '' : message.content };
    const results = await Promise.all(calls.map((call) => makeCall(functions, call)));
    const before = memberOf(state, 'function_results') as unknown as readonly FunctionResult[];
    return { finished: false, query: memberOf(state, 'query'), function_results: [...before, ...results] };
  };
}

interface AgentMessage {
  readonly content?: JsonValue;
  readonly function_call?: { readonly name: string; readonly arguments: string } | null;
  readonly tool_calls?:
    | readonly { readonly id?: string; readonly function: { readonly name: string; readonly arguments: string } }[]
    | null;
}

interface Call {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

function given(inputs: Readonly<Record<string, unknown>>, ...names: readonly string[]): unknown {
  const name = names.find((candidate) => inputs[candidate] !== undefined);
  if (name === undefined)
    throw new TypeError(`the function node has no input ${names.map((one) => `"${one}"`).join(' or ')}`);
  return inputs[name];
}

function memberOf(state: LoopState, name: keyof LoopState): JsonValue {
  const value = state[name];
  if (value === undefined) throw named('KeyError', `'${name}'`);
  return value as JsonValue;
}

function callsOf(message: AgentMessage): readonly Call[] {
  if (message.tool_calls != null && message.tool_calls.length > 0) {
    return message.tool_calls.map((call) => ({ ...call.function, id: call.id }));
  }
  return message.function_call == null ? [] : [message.function_call];
}

async function makeCall(
  functions: Readonly<Record<string, AgentFunction | DeclaredFunction>>,
  call: Call,
): Promise<FunctionResult> {
  const values = parseArguments(call.arguments);
  const chosen = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
  if (chosen === undefined) throw named('KeyError', `'${call.name}'`);
  const byName = argumentsByName(call.name, values);
  if (typeof chosen !== 'function') checkArguments(call.name, byName, chosen.parameters);
  const run = (typeof chosen === 'function' ? chosen : chosen.run) as (values: unknown) => unknown;
  const content = await run(byName);
  const result = { name: call.name, arguments: byName as JsonValue, content: [content ?? null] as const };
  return call.id === undefined ? result : { id: call.id, ...result };
}

function parseArguments(text: string): JsonValue {
  const refusal = pythonJsonError(text);
  if (refusal !== undefined) throw named('JSONDecodeError', refusal);
  return withPlainFloats(parseJson(text));
}

/** TypeScript's functions know one kind of number. */
function withPlainFloats(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return value.valueOf();
  if (Array.isArray(value)) return value.map(withPlainFloats);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainFloats(item)]));
}

/** What is no mapping is taken for the names of arguments without values, as Python's `**` of an iterable takes it. */
function argumentsByName(name: string, values: JsonValue): Readonly<Record<string, unknown>> {
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values as Record<string, unknown>;
  if (typeof values !== 'string' && !Array.isArray(values)) {
    throw new TypeError(`'${pythonType(values)}' object is not iterable`);
  }
  const [first] = values;
  if (first === undefined) return {};
  throw new TypeError(`${name}() got an unexpected keyword argument '${String(first)}'`);
}

function checkArguments(
  name: string,
  values: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
): void {
  const unexpected = Object.keys(values).find((key) => !Object.hasOwn(parameters, key));
  if (unexpected !== undefined) throw new TypeError(`${name}() got an unexpected keyword argument '${unexpected}'`);
  const missing = Object.keys(parameters).filter(
    (key) => !Object.hasOwn(values, key) && parameters[key]?.endsWith('?') !== true,
  );
  if (missing.length === 0) return;
  const words = missing.length === 1 ? 'argument' : 'arguments';
  throw new TypeError(`${name}() missing ${missing.length} required positional ${words}: ${listed(missing)}`);
}

/** As Python lists them: `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length <= 2) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

function pythonType(value: JsonValue): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) ? 'int' : 'float';
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
