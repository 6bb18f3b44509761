import {
  type Connection,
  type ConnectionSource,
  type JsonObject,
  jsonIn,
  type NodeCall,
  type NodeError,
  type NodeOutcome,
  redactorOf,
  stringifyJson,
} from '@unroll/engine';
import {
  askService,
  type GuardedText,
  hostOf,
  maySucceedLater,
  type NoAnswer,
  quoted,
  renderError,
  renderGuarded,
  serviceDetails,
  trustOf,
  userError,
} from '@unroll/nodes/building-blocks';
import type { BuiltInTool, ToolNode, ToolServices } from './built-in-tool.ts';
import { buildOpenModelRequest, type Endpoint, isServerless, readOpenModelAnswer } from './open-model-payload.ts';

/**
 * `promptflow.tools.open_model_llm.OpenModelLLM.call`: a model behind an endpoint of Azure Machine Learning, whose URL and
 * key stand in a custom connection.
 */
export const openModelTool: BuiltInTool = {
  name: 'Open Model LLM',
  takesPrompt: true,
  required: ['endpoint_name'],
  inputs: {
    endpoint_name: ['string'],
    deployment_name: ['string'],
    api: ['string'],
    temperature: ['double'],
    max_new_tokens: ['int'],
    top_p: ['double'],
    model_kwargs: ['object'],
  },
  connectionMistake: ({ endpoint_name: named }, connections) => {
    if (typeof named !== 'string') return undefined;
    const endpoint = findEndpoint(connections, named, 'chat');
    return 'error' in endpoint
      ? { input: 'endpoint_name', message: endpoint.error.message, help: endpointHelp }
      : undefined;
  },
  prepare: async (given) => (inputs, call) => callEndpoint(given, inputs, call),
};

const endpointHelp =
  'write `endpoint_name: localConnection/<connection>`: a custom connection with endpoint_url, model_family and the secret endpoint_api_key';

async function callEndpoint(given: ToolNode, inputs: JsonObject, call: NodeCall): Promise<NodeOutcome> {
  const { prompt, services } = given;
  if (prompt === undefined) throw new Error('bug: an open model was called without a prompt');
  const api = inputs['api'] === 'completion' ? 'completion' : 'chat';
  const endpoint = findEndpoint(given.context.connections, String(inputs['endpoint_name'] ?? ''), api);
  if ('error' in endpoint) return { ok: false, error: endpoint.error };
  let text: GuardedText;
  try {
    const trust = trustOf(given.node, given.context.valuesOpenRoles);
    text = renderGuarded(prompt.template, prompt.file.text, variablesOf(inputs), trust, call);
  } catch (error) {
    return { ok: false, error: renderError(error, prompt.file) };
  }
  const built = buildOpenModelRequest(endpoint, api, text, parametersOf(inputs));
  if ('error' in built) return { ok: false, error: built.error };
  return callWithWaits(
    () => once(endpoint, api, stringifyJson(built.body), headersOf(endpoint, inputs), call),
    services,
    call,
  );
}

async function callWithWaits(
  callOnce: () => Promise<NodeOutcome>,
  services: ToolServices,
  call: NodeCall,
): Promise<NodeOutcome> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await callOnce();
    if (outcome.ok) return outcome;
    const isOver = tries === furtherTries || outcome.error?.retryable !== true || call.signal.aborted;
    if (isOver) return lastOf(outcome);
    await services.sleep(firstWaitMs * 3 ** tries, call.signal);
  }
}

/** As often, and with waits as long, as Prompt flow's. */
const furtherTries = 4;
const firstWaitMs = 6_000;

function lastOf(outcome: NodeOutcome): NodeOutcome {
  if (outcome.ok) return outcome;
  const message = `Exception hit calling Online Endpoint: OpenModelLLMOnlineEndpointError: ${outcome.error.message}`;
  return { ...outcome, error: { ...outcome.error, message } };
}

async function once(
  endpoint: Endpoint,
  api: 'chat' | 'completion',
  body: string,
  headers: Readonly<Record<string, string>>,
  { signal }: NodeCall,
): Promise<NodeOutcome> {
  const result = await askService({ method: 'POST', url: endpoint.url, headers, body, signal });
  if (!result.ok) return { ok: false, canceled: signal.aborted, error: endpointError(result.message, result) };
  const { status, text } = result.answer;
  const redactor = redactorOf({ configs: {}, secrets: { key: endpoint.key } });
  const said = quoted(text, (words) => redactor.message(words));
  const service = serviceDetails({ host: hostOf(endpoint.url), status, said });
  if (status !== 200) {
    const message = `Request failure while calling Online Endpoint Status:${status}\nError:${text}`;
    return { ok: false, error: endpointError(message, { retryable: isPassing(status), service }) };
  }
  const output = readOpenModelAnswer(endpoint, api, jsonIn(text) ?? null);
  if (output !== undefined) return { ok: true, output };
  const unexpected = `Unexpected response format. Response: ${text}`;
  return { ok: false, error: endpointError(unexpected, { retryable: true, service }) };
}

/** 424: the model behind the endpoint failed, or is not ready. */
function isPassing(status: number): boolean {
  return status === 424 || maySucceedLater(status);
}

function headersOf({ key, family }: Endpoint, inputs: JsonObject): Readonly<Record<string, string>> {
  const deployment = String(inputs['deployment_name'] ?? '').trim();
  return {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${key}`,
    'x-ms-user-agent': `PromptFlow/OpenModelLLM/${family}`,
    ...(deployment === '' || deployment === 'default' ? {} : { 'azureml-model-deployment': deployment }),
  };
}

const ownInputs = new Set(Object.keys(openModelTool.inputs));

function variablesOf(inputs: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !ownInputs.has(name)));
}

function parametersOf(inputs: JsonObject): JsonObject {
  const { model_kwargs: more = {}, top_p: topP = 1, temperature = 1, max_new_tokens: max = 500 } = inputs;
  return { ...(more as JsonObject), top_p: topP, temperature, max_new_tokens: max };
}

const families: Readonly<Record<string, string>> = { LLAMA: 'LLaMa', DOLLY: 'Dolly', GPT2: 'GPT-2', FALCON: 'Falcon' };

function findEndpoint(
  connections: ConnectionSource,
  named: string,
  api: 'chat' | 'completion',
): Endpoint | { readonly error: NodeError } {
  const [kind = '', name = ''] = named.split('/');
  const wanted = kind.toLowerCase();
  if (wanted === 'serverlessendpoint' || wanted === 'onlineendpoint') {
    const message = `Endpoint '${named}' would have to be looked up in an Azure Machine Learning workspace, which is not done here. Put its URL and key in a custom connection (configs: endpoint_url, model_family; secrets: endpoint_api_key) and name it: endpoint_name: localConnection/<connection>`;
    return { error: userError('OpenModelLLMUserError', message) };
  }
  if (wanted !== 'connection' && wanted !== 'localconnection') {
    return { error: userError('OpenModelLLMUserError', `Invalid endpoint connection type: ${wanted}`) };
  }
  const connection = connections.find(name);
  if (connection === undefined)
    return { error: userError('OpenModelLLMUserError', `Connection '${name}' is not found.`) };
  return readEndpoint(connection, api);
}

function readEndpoint(connection: Connection, api: 'chat' | 'completion'): Endpoint | { readonly error: NodeError } {
  const given = { ...connection.configs, ...connection.secrets };
  const missing = ['endpoint_url', 'model_family'].find((key) => given[key] === undefined);
  if (missing !== undefined) {
    return {
      error: keyError(
        `Required key \`${missing}\` not found in given custom connection.\nRequired keys are: endpoint_url,model_family.`,
      ),
    };
  }
  if (given['endpoint_api_key'] === undefined) {
    return {
      error: keyError(
        'Required secret key `endpoint_api_key` not found in given custom connection.\nRequired keys are: endpoint_api_key.',
      ),
    };
  }
  const family = families[given['model_family'] ?? ''];
  if (family === undefined) {
    return {
      error: keyError(
        `Given model_family '${given['model_family']}' not recognized.\nSupported models are: LLAMA,DOLLY,GPT2,FALCON.`,
      ),
    };
  }
  return { url: withPath(given['endpoint_url'] ?? '', api), key: given['endpoint_api_key'] ?? '', family };
}

function withPath(url: string, api: 'chat' | 'completion'): string {
  const path = api === 'chat' ? '/v1/chat/completions' : '/v1/completions';
  return isServerless(url) && !url.endsWith(path) ? `${url}${path}` : url;
}

function keyError(message: string): NodeError {
  return userError('OpenModelLLMKeyValidationError', message);
}

function endpointError(message: string, { retryable, service }: Pick<NoAnswer, 'retryable' | 'service'>): NodeError {
  return { ...userError('OpenModelLLMOnlineEndpointError', message), retryable, service };
}
