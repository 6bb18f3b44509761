import type { NodeFailure, NodeOutcome, NodeType, PreparedNode, Value, Values } from '@unroll/engine';

/**
 * The node type of the cases: what a node does stands in its key `fn`, the defaults of its parameters in `params`.
 *
 * `seed_functions` behaves as the functions node of the reference system, in Python, does; the errors it gives are
 * Python's. A kind that is not known is a mistake of this file and fails the test.
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
  readonly [key: string]: Value;
}

function prepareCaseNode(settings: Values): PreparedNode {
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

function defaultsOf(parameters: Value): Values {
  const written = Object.entries(parameters as Readonly<Record<string, Values>>);
  return Object.fromEntries(
    written.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Behaviour = (inputs: Values, fn: CaseFunction) => NodeOutcome;

const behaviours: Readonly<Record<string, Behaviour>> = {
  const: (_inputs, fn) => success(fn['value'] ?? null),
  args: (inputs) => success(inputs),
  echo: (inputs) => success(inputs),
  identity: (inputs) => success(Object.values(inputs)[0] ?? null),
  raise: (_inputs, fn) => raised(fn),
  raises: (_inputs, fn) => raised(fn),
  throw: (_inputs, fn) => raised(fn),
  fail: (_inputs, fn) => raised(fn),
  error: (_inputs, fn) => raised(fn),
  state_init: ({ query = null }) => success({ finished: false, query, function_results: [] }),
  seed_functions: runSeedFunctions,
};

function runSeedFunctions(inputs: Values, fn: CaseFunction): NodeOutcome {
  const state = inputs['inputs'] as Values;
  const message = inputs['agent_message'] as Values | null;
  if (message === null) return success({ finished: true, content: state['content'] ?? null });
  if (!('function_call' in message)) return failure('KeyError', "'function_call'");
  const call = message['function_call'] as Values | null;
  if (call === null)
    return success({ finished: true, content: 'content' in message ? (message['content'] ?? null) : '' });
  return callSeedFunction(state, call, fn['functions'] as Readonly<Record<string, Values>>);
}

function callSeedFunction(state: Values, call: Values, functions: Readonly<Record<string, Values>>): NodeOutcome {
  const name = call['name'] as string;
  const parsed = parseArguments(call['arguments'] as string);
  if ('ok' in parsed) return parsed;
  const called = functions[name];
  if (called === undefined) return failure('KeyError', `'${name}'`);
  const refused = refuseArguments(name, parsed.value);
  if (refused !== undefined) return refused;
  if (!('returns' in called)) return raised(called);
  const results = state['function_results'] as readonly Value[];
  const result = { name, arguments: parsed.value, content: [called['returns'] ?? null] };
  return success({ finished: false, query: state['query'] ?? null, function_results: [...results, result] });
}

function parseArguments(text: string): NodeFailure | { readonly value: Value } {
  try {
    return { value: JSON.parse(text) as Value };
  } catch (error) {
    return failure('JSONDecodeError', (error as Error).message);
  }
}

/** Each function takes one argument, `query`. */
function refuseArguments(name: string, given: Value): NodeFailure | undefined {
  if (typeof given !== 'object' || given === null) {
    return failure('TypeError', `${name}() argument after ** must be a mapping`);
  }
  const keys = Array.isArray(given) ? given.map(String) : Object.keys(given);
  const extra = keys.find((key) => key !== 'query');
  if (extra !== undefined) return failure('TypeError', `${name}() got an unexpected keyword argument '${extra}'`);
  if (keys.includes('query')) return undefined;
  return failure('TypeError', `${name}() missing 1 required positional argument: 'query'`);
}

const errorKeys = ['raises', 'raise', 'throws', 'throw', 'error', 'message'];

/** An error is written as its message or as `{type, message}`. */
function raised(written: Values): NodeFailure {
  const key = errorKeys.find((name) => name in written);
  if (key === undefined)
    throw new Error(`the cases write an error in a way that the harness does not know: ${JSON.stringify(written)}`);
  const error = written[key];
  if (typeof error === 'string') return failure((written['type'] as string | undefined) ?? 'RuntimeError', error);
  const { type = 'RuntimeError', message = '' } = error as Values;
  return failure(String(type), String(message));
}

function success(output: Value): NodeOutcome {
  return { ok: true, output };
}

function failure(code: string, message: string): NodeFailure {
  return { ok: false, error: { code, message, retryable: false } };
}
