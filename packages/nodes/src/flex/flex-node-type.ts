import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type NodeType,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  pythonRepr,
  type Values,
} from '@unroll/engine';
import type { PythonOptions } from '../python/prepare-python-node.ts';
import { workerFolder } from '../python/worker-folder.ts';
import { flexInit } from './flex-init.ts';
import { readEntry } from './read-entry.ts';

/** `flex`: a Python function or class that is a flow by itself, run in the same workers as Python nodes. */
export function flexNodeType(options: PythonOptions = {}): NodeType {
  return {
    name: 'flex',
    version: 1,
    effects: 'writes',
    keys: ['entry', 'init', 'sampleInit', 'isClass'],
    readEntry,
    inspect: (node, files) => {
      const { inputs } = readEntry(String(node.settings['entry']), files) ?? {};
      const path = node.source?.path;
      const seen = inputs === undefined || node.aggregation ? {} : { parameters: inputs };
      return { diagnostics: [], takesAnyInput: inputs === undefined, files: path === undefined ? [] : [path], ...seen };
    },
    prepare: (node, context) => prepareFlex(node, context, options),
  };
}

const adapter = fileURLToPath(new URL('unroll_worker/flex_entry.py', workerFolder));
const shortestSecret = 4;

async function prepareFlex(
  node: NodeDefinition,
  context: PrepareContext,
  options: PythonOptions,
): Promise<PreparedNode> {
  const { preparePythonNode, pythonFileParts } = await import('../python/prepare-python-node.ts');
  const { inputs: _bound, ...definition } = node;
  const prepared = await preparePythonNode({ ...definition, inputs: {} }, adapter, context, options);
  const given = Object.keys(context.init ?? {}).length > 0 ? context.init : (node.settings['sampleInit'] as Values);
  const defaults = (node.settings['init'] ?? {}) as Values;
  const { init, connections, secrets } = flexInit({ ...defaults, ...given }, context);
  const { entry = '', isClass = false } = node.settings;
  const shared = { node: node.name, entry, init, connections, file: join(context.files.folder, 'flow.flex.yaml') };
  const run = async (action: string, inputs: Values, call: Parameters<PreparedNode['run']>[1]): Promise<NodeOutcome> =>
    withoutSecrets(asScriptError(await prepared.run({ ...shared, action, inputs }, call), isClass === true), secrets);
  const loaded = await run('load', {}, loadCall(node.name));
  if (!loaded.ok) throw new PrepareError(cannotLoad(given ?? {}, loaded.error));
  const path = context.files.resolve(node.source?.path ?? '');
  return {
    parametersWithDefault: new Set(),
    ...(path === undefined || node.source?.path === undefined ? {} : { parts: () => pythonFileParts(path, context) }),
    run: (inputs, call) => run(node.aggregation ? 'aggregate' : 'call', inputs, call),
  };
}

/** What Prompt flow calls an exception of code that is a flow. */
function asScriptError(outcome: NodeOutcome, isClass: boolean): NodeOutcome {
  if (outcome.ok || outcome.error.code !== 'ToolExecutionError') return outcome;
  const code = 'ScriptExecutionError';
  const { error } = outcome;
  const message = isClass ? error.message.replace(/^Execution failure in '\w+/, '$&.__call__') : error.message;
  return { ...outcome, error: { ...error, code, message, codes: ['UserError', code] } };
}

function loadCall(node: string): Parameters<PreparedNode['run']>[1] {
  return { runId: 'load', line: 0, node, signal: new AbortController().signal, flowInputs: {} };
}

function withoutSecrets(outcome: NodeOutcome, secrets: readonly string[]): NodeOutcome {
  const told = secrets.filter((secret) => secret.length >= shortestSecret);
  if (outcome.ok || told.length === 0) return outcome;
  const hide = (text: string): string => told.reduce((shown, secret) => shown.replaceAll(secret, '**********'), text);
  const { error } = outcome;
  const cause = error.cause === undefined ? {} : { cause: { ...error.cause, message: hide(error.cause.message) } };
  return { ...outcome, error: { ...error, message: hide(error.message), ...cause } };
}

/** An exception of the constructor, in Prompt flow's words; what kept the module from being loaded has its own. */
function cannotLoad(written: Values, error: NodeError): NodeError {
  if (error.code !== 'ScriptExecutionError') return error;
  return {
    code: 'FlowEntryInitializationError',
    message: `Failed to initialize flow entry with '${pythonRepr(written)}', ex:'${error.cause?.message ?? error.message}.`,
    retryable: false,
    ...(error.trace === undefined ? {} : { trace: error.trace }),
    codes: ['UserError', 'FlowEntryInitializationError'],
  };
}
