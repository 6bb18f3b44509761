import type { JsonObject, JsonValue, NodeFailure, NodeOutcome, NodeType, PreparedNode } from '@unroll/engine';
import { type DeclaredFunction, functionNode } from '@unroll/nodes/functions';

/**
 * The node type of the cases: what a node does stands in its key `fn`, the defaults of its parameters in `params`. A kind
 * that is not known is a mistake of this file and fails the test.
 */
export const caseNodeType: NodeType = {
  name: 'case',
  version: 1,
  effects: 'reads',
  keys: ['fn', 'params'],
  inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
  prepare: async ({ settings }) => prepareCaseNode(settings),
};

interface CaseFunction {
  readonly kind: string;
  readonly [key: string]: JsonValue;
}

function prepareCaseNode(settings: JsonObject): PreparedNode {
  const fn = settings['fn'] as CaseFunction;
  const behave = behaviours[fn.kind];
  if (behave === undefined)
    throw new Error(`the cases name a function of kind "${fn.kind}" that the harness does not know`);
  const defaults = defaultsOf(settings['params'] ?? {});
  return {
    parametersWithDefault: new Set(Object.keys(defaults)),
    run: (inputs) => behave({ ...defaults, ...inputs }, fn),
  };
}

function defaultsOf(parameters: JsonValue): JsonObject {
  const written = Object.entries(parameters as Readonly<Record<string, JsonObject>>);
  return Object.fromEntries(
    written.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Behaviour = (inputs: JsonObject, fn: CaseFunction) => NodeOutcome | Promise<NodeOutcome>;

const behaviours: Readonly<Record<string, Behaviour>> = {
  const: (_inputs, fn) => success(fn['value'] ?? null),
  args: (inputs) => success(inputs),
  echo: (inputs) => success(inputs),
  inc: ({ x = null }) => (typeof x === 'number' ? success(x + 1) : failure('TypeError', 'x is no whole number')),
  identity: (inputs) => success(Object.values(inputs)[0] ?? null),
  raise: (_inputs, fn) => raised(fn),
  raises: (_inputs, fn) => raised(fn),
  throw: (_inputs, fn) => raised(fn),
  fail: (_inputs, fn) => raised(fn),
  error: (_inputs, fn) => raised(fn),
  state_init: ({ query = null }) => success({ finished: false, query, function_results: [] }),
  seed_functions: runSeedFunctions,
};

/** The functions node of the reference system: ours, but that it refuses a message without the key `function_call`. */
async function runSeedFunctions(inputs: JsonObject, fn: CaseFunction): Promise<NodeOutcome> {
  const message = inputs['agent_message'] as JsonObject | null;
  if (message !== null && !('function_call' in message)) return failure('KeyError', "'function_call'");
  const written = Object.entries(fn['functions'] as Readonly<Record<string, JsonObject>>);
  const node = functionNode(Object.fromEntries(written.map(([name, behaviour]) => [name, seedFunction(behaviour)])));
  try {
    return success((await node(inputs)) as unknown as JsonValue);
  } catch (error) {
    return failure((error as Error).name, (error as Error).message);
  }
}

function seedFunction(behaviour: JsonObject): DeclaredFunction {
  const run = (): JsonValue => {
    if ('returns' in behaviour) return behaviour['returns'] ?? null;
    const { code, message } = raised(behaviour, 'RuntimeError').error;
    throw Object.assign(new Error(message), { name: code });
  };
  return { run, parameters: { query: 'string' } };
}

const errorKeys = ['raises', 'raise', 'throws', 'throw', 'error', 'message'];

/** An error is written as its message or as `{type, message}`; a node that names no type raises a ValueError. */
function raised(written: JsonObject, untyped = 'ValueError'): NodeFailure {
  const key = errorKeys.find((name) => name in written);
  if (key === undefined)
    throw new Error(`the cases write an error in a way that the harness does not know: ${JSON.stringify(written)}`);
  const error = written[key];
  if (typeof error === 'string') return failure((written['type'] as string | undefined) ?? untyped, error);
  const { type = untyped, message = '' } = error as JsonObject;
  return failure(String(type), String(message));
}

function success(output: JsonValue): NodeOutcome {
  return { ok: true, output };
}

function failure(code: string, message: string): NodeFailure {
  return { ok: false, error: { code, message, retryable: false } };
}
