import { join } from 'node:path';
import {
  type Diagnostic,
  didYouMean,
  type JsonObject,
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type NodeType,
  type Parameter,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  pythonRepr,
  rowAlone,
  stringifyJson,
  TypedFloat,
} from '@unroll/engine';
import { flexEntry } from '../python/python-modules.ts';
import { flexInit } from './flex-init.ts';
import { readEntry } from './read-entry.ts';

/** `flex`: a Python function or class that is a flow by itself, run in the same workers as Python nodes. */
export function flexNodeType(): NodeType {
  return {
    name: 'flex',
    version: 1,
    effects: 'writes',
    keys: ['entry', 'init', 'sampleInit', 'isClass'],
    readEntry,
    inspect: (node, files) => {
      if (typeof node.settings['entry'] !== 'string')
        return { diagnostics: [withoutEntry(node)], takesAnyInput: true, files: [] };
      const { inputs, takesMore = false } = readEntry(String(node.settings['entry']), files) ?? {};
      const path = node.source?.path;
      const seen = inputs === undefined || node.aggregation ? {} : { parameters: inputs };
      const takesAnyInput = inputs === undefined || takesMore;
      return { diagnostics: [], takesAnyInput, files: path === undefined ? [] : [path], ...seen };
    },
    prepare: prepareFlex,
  };
}

/** Code that is a flow stands in a file of its own; what reads that gives its node the entry. */
function withoutEntry(node: NodeDefinition): Diagnostic {
  const message = `node "${node.name}" is of type flex, which is for code that is a flow by itself`;
  return {
    severity: 'error',
    code: 'FLEX_ENTRY',
    message,
    span: node.locate(['type']),
    help: 'write `type: python` for code that is a node; an entry stands in a flow.flex.yaml',
    unreadyNode: node.name,
  };
}

async function prepareFlex(node: NodeDefinition, context: PrepareContext): Promise<PreparedNode> {
  const { preparePythonNode, pythonFileParts } = await import('@unroll/nodes/python');
  const { inputs: _bound, ...definition } = node;
  const prepared = await preparePythonNode({ ...definition, inputs: {} }, flexEntry, context);
  const signature = readEntry(String(node.settings['entry']), context.files);
  const given =
    Object.keys(context.init ?? {}).length > 0
      ? textsAsTexts(context.init ?? {}, signature?.init ?? [])
      : (node.settings['sampleInit'] as JsonObject);
  const defaults = (node.settings['init'] ?? {}) as JsonObject;
  const made = flexInit({ ...defaults, ...given }, context);
  const { entry = '' } = node.settings;
  const file = join(context.files.folder, 'flow.flex.yaml');
  const run = async (
    action: string,
    inputs: JsonObject,
    call: Parameters<PreparedNode['run']>[1],
  ): Promise<NodeOutcome> => prepared.run({ node: node.name, entry, ...made, file, action, inputs }, call);
  const loaded = await run('load', {}, loadCall(node.name));
  if (!loaded.ok) throw new PrepareError(cannotLoad(given ?? {}, loaded.error, made.init, signature?.init ?? []));
  const about = loaded.output as unknown as LoadedEntry;
  const path = context.files.resolve(node.source?.path ?? '');
  const sees = signature?.inputs !== undefined;
  return {
    parametersWithDefault: new Set(),
    ...(path === undefined || node.source?.path === undefined ? {} : { parts: () => pythonFileParts(path, context) }),
    run: async (inputs, call) => {
      // Parameters that cannot be seen in the text: the worker takes those that the code has from what the row gives.
      const given = sees ? inputs : { ...call.flowInputs, ...inputs };
      if (!node.aggregation) return asScriptError(await run(sees ? 'call' : 'call-with', given, call), about);
      return asScriptError(await run('aggregate', inputs, call), { name: '__aggregate__', isAsync: false });
    },
  };
}

/** `--init version=5` is a number, but for a parameter that the class declares as a text. */
function textsAsTexts(given: JsonObject, parameters: readonly Parameter[]): JsonObject {
  const isText = (name: string): boolean => parameters.some((one) => one.name === name && one.type === 'string');
  const values = Object.entries(given).map(([name, value]) => {
    const stays = value === null || typeof value === 'string' || !isText(name);
    return [name, stays ? value : value instanceof TypedFloat ? value.typed : stringifyJson(value)] as const;
  });
  return Object.fromEntries(values);
}

/** What the worker tells of an entry: what is called for a row, as Python names it. */
interface LoadedEntry {
  readonly name: string;
  readonly isAsync: boolean;
}

/** What Prompt flow calls an exception of code that is a flow; one of `async` code it tells as it is. */
function asScriptError(outcome: NodeOutcome, { name, isAsync }: LoadedEntry): NodeOutcome {
  if (outcome.ok || outcome.error.code !== 'ToolExecutionError') return outcome;
  const { error } = outcome;
  const { code: raised = 'Exception', message: said = error.message } = error.cause ?? {};
  if (isAsync) return { ...outcome, error: { ...error, code: raised, message: said } };
  const code = 'ScriptExecutionError';
  const message = `Execution failure in '${name}': (${raised}) ${said}`;
  return { ...outcome, error: { ...error, code, message } };
}

function loadCall(node: string): Parameters<PreparedNode['run']>[1] {
  return { runId: 'load', line: 0, node, signal: new AbortController().signal, flowInputs: {}, row: rowAlone() };
}

/** An exception of the constructor, in Prompt flow's words; what kept the module from being loaded has its own. */
function cannotLoad(
  written: JsonObject,
  error: NodeError,
  taken: JsonObject,
  parameters: readonly Parameter[],
): NodeError {
  if (error.code !== 'ToolExecutionError') return error;
  return {
    code: 'FlowEntryInitializationError',
    message: `Failed to initialize flow entry with '${pythonRepr(written)}', ex:'${error.cause?.message ?? error.message}.`,
    retryable: false,
    ...(unknownArgument(Object.keys(written), parameters) ?? missingArguments(taken, parameters)),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error.trace === undefined ? {} : { trace: error.trace }),
  };
}

function unknownArgument(
  given: readonly string[],
  parameters: readonly Parameter[],
): Pick<NodeError, 'help'> | undefined {
  const names = parameters.map(({ name }) => name);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown === undefined || names.length === 0) return undefined;
  return { help: didYouMean(unknown, names) ?? `it has ${names.join(', ')}` };
}

function missingArguments(given: JsonObject, parameters: readonly Parameter[]): Pick<NodeError, 'help'> {
  const missing = parameters.filter(({ name, required }) => required && !(name in given));
  if (missing.length === 0) return {};
  return {
    help: `give what the class takes: ${missing.map(asOption).join(' ')}, or write it under init in flow.flex.yaml`,
  };
}

/** As a shell takes it: what stands for a connection or a model is written out, since its form is not to be guessed. */
function asOption({ name, type = '' }: Parameter): string {
  if (type.endsWith('AzureOpenAIModelConfiguration')) {
    return `--init '${name}={"connection": "NAME", "azure_deployment": "NAME"}'`;
  }
  if (type.endsWith('ModelConfiguration')) return `--init '${name}={"connection": "NAME", "model": "NAME"}'`;
  return type.endsWith('Connection') ? `--init ${name}=NAME_OF_A_CONNECTION` : `--init ${name}=…`;
}
