import {
  type Connection,
  convertValue,
  type InputDefinition,
  type ModelRequest,
  type ModelService,
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type NodeReport,
  type NodeType,
  type Parameter,
  type PrepareContext,
  PrepareError,
  pythonRepr,
  type Value,
  type Values,
} from '@unroll/engine';
import { NewlineList } from '@unroll/engine/template';
import {
  openTemplate,
  type PromptTemplate,
  renderError,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
} from '../prompt/prompt-template.ts';
import { apiParameters, parameterTypes } from './api-parameters.ts';
import { buildChatRequest, buildCompletionRequest, buildEmbeddingRequest, isTrue } from './build-request.ts';
import { callWithRetries, defaultRetryRule, type RetriedCall, type RetryRule } from './call-with-retries.ts';
import { type Clock, ModelGate, systemClock } from './model-gate.ts';
import { offeredFunctions } from './offered-functions.ts';
import { parseChat } from './parse-chat.ts';
import { validateFunctions, validateTools } from './validate-functions.ts';

export interface LlmNodeOptions {
  /** The service behind a connection; undefined where a connection of that type is no model. */
  readonly openService: (connection: Connection) => Promise<ModelService | undefined>;
  readonly clock?: Clock;
}

type Api = 'chat' | 'completion' | 'embedding';

/** `llm`: a template filled, read as messages, and sent to a model. */
export function llmNodeType(given: LlmNodeOptions): NodeType {
  const options = { ...given, openService: openOnce(given.openService) };
  const clock = options.clock ?? systemClock;
  const gates = new Map<string, ModelGate>();
  const gateOf = (connection: string): ModelGate => {
    const gate = gates.get(connection) ?? new ModelGate();
    gates.set(connection, gate);
    return gate;
  };
  return {
    name: 'llm',
    version: 1,
    effects: 'reads',
    keys: [],
    inspect(node, files) {
      const opened = openTemplate(node, files);
      const shared = {
        takesAnyInput: true,
        fillsTemplate: true,
        files: node.source?.path === undefined ? [] : [node.source.path],
        offeredFunctions: offeredFunctions(node),
      };
      if (!opened.ok) return { ...shared, diagnostics: templateDiagnostics(opened) };
      const known = [...(apiParameters[apiOf(node) ?? 'chat'] ?? [])].filter((name) => name in node.inputs);
      const parameters = [...templateParameters(opened.opened), ...known.map(apiParameter)];
      return { ...shared, diagnostics: [], parameters };
    },
    async prepare(node, context) {
      const prepared = await prepareLlm(node, context, options);
      const setting = { rule: retryRule(node), gate: gateOf(node.connection ?? ''), clock };
      return {
        parametersWithDefault: new Set(),
        literals: prepared.literals,
        async run(inputs, call): Promise<NodeOutcome> {
          const built = prepared.build(inputs);
          if (!built.ok) return { ok: false, error: built.error };
          const headers = requestHeaders(prepared.service, context.flowId, call.runId);
          const { onText } = call;
          const called = await callWithRetries(
            prepared.service,
            prepared.api,
            built.request,
            { signal: call.signal, headers, ...(onText === undefined ? {} : { onText }) },
            setting,
          );
          return outcomeOf(called, prepared.api, built.request, call.signal);
        },
      };
    },
  };
}

function outcomeOf(
  { result, attempts }: RetriedCall,
  api: Api,
  request: ModelRequest,
  signal: AbortSignal,
): NodeOutcome {
  const report: NodeReport = { ...(attempts.length > 1 ? { attempts } : {}), ...promptOf(request) };
  if (!result.ok) return { ok: false, error: result.error, canceled: signal.aborted, report };
  const { usage, body } = result.reply;
  const output = outputOf(api, body, request);
  return { ok: true, output, report: usage === undefined ? report : { ...report, usage } };
}

/** Nodes on one connection share its service: its open sockets, and the place in its script. */
function openOnce(open: LlmNodeOptions['openService']): LlmNodeOptions['openService'] {
  const services = new Map<string, ReturnType<LlmNodeOptions['openService']>>();
  return (connection) => {
    const key = JSON.stringify(connection);
    const opened = services.get(key) ?? open(connection);
    services.set(key, opened);
    return opened;
  };
}

function apiParameter(name: string): Parameter {
  const type = parameterTypes[name];
  return { name, required: false, ...(type === undefined ? {} : { type }) };
}

function promptOf(request: ModelRequest): { promptMessages?: Value } {
  const sent = request['messages'] ?? request['prompt'];
  return sent === undefined ? {} : { promptMessages: sent };
}

function requestHeaders(service: ModelService, flowId: string, runId: string): Readonly<Record<string, string>> {
  const headers = {
    'x-ms-useragent': 'unroll',
    'ms-azure-ai-promptflow': JSON.stringify({ flow_id: flowId, root_run_id: runId }),
  };
  return service.provider === 'azure' ? { ...headers, 'ms-azure-ai-promptflow-called-from': 'aoai-tool' } : headers;
}

function retryRule(node: NodeDefinition): RetryRule {
  const { times, wait_seconds: wait } = (node.settings['retry'] ?? {}) as { times?: number; wait_seconds?: number };
  return { times: times ?? defaultRetryRule.times, firstWaitSeconds: wait ?? defaultRetryRule.firstWaitSeconds };
}

interface PreparedLlm {
  readonly api: Api;
  readonly service: ModelService;
  readonly literals: Values;
  build(
    inputs: Values,
  ): { readonly ok: true; readonly request: ModelRequest } | { readonly ok: false; readonly error: NodeError };
}

function apiOf(node: NodeDefinition): Api | undefined {
  const { api } = node;
  return api === 'chat' || api === 'completion' || api === 'embedding' ? api : undefined;
}

async function prepareLlm(
  node: NodeDefinition,
  context: PrepareContext,
  options: LlmNodeOptions,
): Promise<PreparedLlm> {
  const service = await openService(node, context, options);
  const api = apiOf(node);
  if (api === undefined) {
    const provider = service.provider === 'azure' ? 'AzureOpenAI' : 'OpenAI';
    throw new PrepareError({
      code: 'APINotFound',
      message: `The API '${provider}.${node.api ?? 'None'}' is not found.`,
      retryable: false,
      codes: ['UserError', 'ValidationError', 'InvalidFlowRequest', 'APINotFound'],
    });
  }
  const parameters = apiParameters[api] ?? new Set();
  const literals = convertLiterals(node, parameters);
  if (api === 'embedding')
    return {
      api,
      service,
      literals,
      build: (inputs) => ({
        ok: true,
        request: buildEmbeddingRequest(service.provider, inputs['input'] ?? '', inputs),
      }),
    };
  const opened = requireTemplate(node, context.files);
  refuseDuplicates(node, opened, parameters, service, api);
  const build = (inputs: Values): ReturnType<PreparedLlm['build']> =>
    buildFromTemplate(api, service.provider, opened, inputs, parameters);
  return { api, service, literals, build };
}

async function openService(
  node: NodeDefinition,
  context: PrepareContext,
  options: LlmNodeOptions,
): Promise<ModelService> {
  const name = node.connection ?? '';
  const connection = context.connections.find(name);
  if (connection === undefined) {
    const detail = `Connection '${name}' not found in dict connection provider. Available keys are [${context.connections
      .names()
      .map((one) => `'${one}'`)
      .join(', ')}].`;
    throw new PrepareError({
      code: 'GetConnectionError',
      message: `Get connection '${name}' for node '${node.name}' error: ${detail}`,
      retryable: false,
      codes: ['UserError', 'ValidationError', 'InvalidFlowRequest', 'GetConnectionError'],
    });
  }
  const service = await options.openService(connection);
  if (service === undefined) {
    throw new PrepareError({
      code: 'NotSupported',
      message: `Connection type ${connection.type} is not supported for LLM.`,
      retryable: false,
      codes: ['UserError', 'NotSupported'],
    });
  }
  return service;
}

function refuseDuplicates(
  node: NodeDefinition,
  { template }: PromptTemplate,
  parameters: ReadonlySet<string>,
  service: ModelService,
  api: Api,
): void {
  const twice = template.variables.map(({ name }) => name).filter((name) => parameters.has(name));
  if (twice.length === 0) return;
  const provider = service.provider === 'azure' ? 'AzureOpenAI' : 'OpenAI';
  const message = `Invalid inputs {${twice.map((name) => `'${name}'`).join(', ')}} in prompt template of node ${node.name}. These inputs are duplicated with the parameters of ${provider}.${api}.`;
  throw new PrepareError(inputError(message));
}

function inputError(message: string): NodeError {
  return {
    code: 'NodeInputValidationError',
    message,
    retryable: false,
    codes: ['UserError', 'ValidationError', 'InvalidFlowRequest', 'NodeInputValidationError'],
  };
}

/** Literals null and "" are dropped, those of the API converted to its types. */
function convertLiterals(node: NodeDefinition, parameters: ReadonlySet<string>): Values {
  const literals: Record<string, Value> = {};
  for (const [name, input] of Object.entries(node.inputs)) {
    const value = literalOf(input);
    if (value === undefined || value === null || value === '') continue;
    literals[name] = parameters.has(name) ? converted(node, name, value) : value;
  }
  return literals;
}

function literalOf(input: InputDefinition): Value | undefined {
  return input.kind === 'literal' ? input.value : undefined;
}

function converted(node: NodeDefinition, name: string, value: Value): Value {
  const type = parameterTypes[name];
  if (type === undefined || (name === 'stop' && typeof value === 'string')) return value;
  const result = convertValue(value, type);
  if (result.ok) return result.value;
  const shown = typeof value === 'string' ? value : pythonRepr(value);
  throw new PrepareError(
    inputError(`Input '${name}' for node '${node.name}' of value '${shown}' is not type ${type}.`),
  );
}

function buildFromTemplate(
  api: Api,
  provider: 'azure' | 'openai',
  opened: PromptTemplate,
  inputs: Values,
  parameters: ReadonlySet<string>,
): ReturnType<PreparedLlm['build']> {
  const given = Object.fromEntries(Object.entries(inputs).filter(([name]) => parameters.has(name)));
  const variables = Object.fromEntries(Object.entries(inputs).filter(([name]) => !parameters.has(name)));
  const refused = api === 'chat' ? refuseFunctions(provider, given) : undefined;
  if (refused !== undefined) return { ok: false, error: refused };
  const guard = api === 'chat' ? unusedCharacter(opened.file.text, variables) : '';
  let text: string;
  try {
    text = opened.template.render(provider === 'azure' && api === 'chat' ? withNewlineLists(variables) : variables, {
      guard,
    });
  } catch (error) {
    return { ok: false, error: renderError(error, opened.file) };
  }
  if (api !== 'chat') return { ok: true, request: buildCompletionRequest(provider, text, given) };
  const parsed = parseChat(text, guard);
  return parsed.ok ? { ok: true, request: buildChatRequest(provider, parsed.messages, given) } : parsed;
}

function refuseFunctions(provider: 'azure' | 'openai', given: Values): NodeError | undefined {
  if (isTrue(given['tools'])) return provider === 'azure' ? validateTools(given['tools'] as Value) : undefined;
  return isTrue(given['functions']) ? validateFunctions(given['functions'] as Value) : undefined;
}

/** Prompt flow's Azure chat tool prints each list of an input one item a line. */
function withNewlineLists(values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, newlineLists(value)]));
}

export function newlineLists(value: unknown): unknown {
  if (Array.isArray(value)) return NewlineList.from(value.map(newlineLists));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, newlineLists(member)]));
}

/** A character for the guard that stands nowhere in the prompt. */
export function unusedCharacter(...texts: readonly unknown[]): string {
  for (let code = 0xf0000; ; code += 1) {
    const character = String.fromCodePoint(code);
    if (!texts.some((text) => holds(text, character))) return character;
  }
}

function holds(value: unknown, character: string): boolean {
  if (typeof value === 'string') return value.includes(character);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes(character) || holds(member, character));
}

/** The message where functions or tools were offered, with `function_call: null` when none was asked for; else its text. */
function outputOf(api: Api, body: Value, request: ModelRequest): Value {
  if (api !== 'chat') return body;
  const message = body as Record<string, Value>;
  if (request['functions'] === undefined && request['tools'] === undefined) return message['content'] ?? null;
  return { ...message, content: message['content'] ?? null, function_call: message['function_call'] ?? null };
}
