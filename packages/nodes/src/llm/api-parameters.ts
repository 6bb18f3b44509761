import type { ModelApi } from '@unroll/engine';
import type { RequestForm } from './request-form.ts';

export type Api = ModelApi;

/** Inputs that go to the API, with the types their literals are converted to; all others are variables of the template. */
export type ApiParameters = Readonly<Record<string, string>>;

/** `prompt` takes the place of the node's template. */
const sampling: ApiParameters = {
  prompt: 'prompt_template',
  temperature: 'double',
  top_p: 'double',
  stream: 'bool',
  stop: 'list',
  max_tokens: 'int',
};
const penalties: ApiParameters = { presence_penalty: 'double', frequency_penalty: 'double' };
const chat: ApiParameters = {
  ...sampling,
  ...penalties,
  logit_bias: 'object',
  user: 'string',
  function_call: 'object',
  functions: 'list',
  tool_choice: 'object',
  tools: 'list',
  response_format: 'object',
  seed: 'int',
};
const completion: ApiParameters = {
  ...sampling,
  ...penalties,
  suffix: 'string',
  n: 'int',
  logprobs: 'int',
  echo: 'bool',
  best_of: 'int',
  logit_bias: 'object',
  user: 'string',
};
const embedding: ApiParameters = {
  deployment_name: 'string',
  model: 'string',
  input: 'string',
  dimensions: 'int',
  encoding_format: 'string',
  user: 'string',
};

/** What providers of the AI SDK take beside the parameters of OpenAI. */
const ofProviders: ApiParameters = { top_k: 'int', provider_options: 'object' };

/**
 * The parameters of Prompt flow's tools `AzureOpenAI` and `OpenAI`, in `aoai.py` and `openai.py`; `plain` those of providers. A
 * node that goes from chat to the Responses API keeps those of chat.
 */
export const toolParameters: Readonly<Record<RequestForm, Readonly<Record<Api, ApiParameters>>>> = {
  azure: {
    chat: { deployment_name: 'string', n: 'int', ...chat },
    completion: { deployment_name: 'string', ...completion },
    embedding,
    responses: { deployment_name: 'string', ...chat },
  },
  openai: {
    chat: { model: 'string', ...chat },
    completion: { model: 'string', ...completion },
    embedding,
    responses: { model: 'string', ...chat },
  },
  plain: {
    chat: { model: 'string', ...chat, ...ofProviders, n: 'int' },
    completion: { model: 'string', ...completion, ...ofProviders },
    embedding: { ...embedding, provider_options: 'object' },
    responses: { model: 'string', ...chat, ...ofProviders },
  },
};

/**
 * Parameters of Chat Completions that came after Prompt flow's tools, the other provider's name of the model, and vLLM's
 * `structured_outputs`.
 */
export const laterParameters: ApiParameters = {
  deployment_name: 'string',
  model: 'string',
  max_completion_tokens: 'int',
  reasoning_effort: 'string',
  logprobs: 'object',
  top_logprobs: 'int',
  parallel_tool_calls: 'object',
  service_tier: 'string',
  metadata: 'object',
  store: 'object',
  prediction: 'object',
  modalities: 'object',
  audio: 'object',
  verbosity: 'string',
  web_search_options: 'object',
  stream_options: 'object',
  safety_identifier: 'string',
  prompt_cache_key: 'string',
  structured_outputs: 'object',
};

/** Parameters that the Responses API alone knows (API reference, `POST /responses`). */
export const responsesParameters: ApiParameters = {
  max_output_tokens: 'int',
  max_tool_calls: 'int',
  reasoning: 'object',
  text: 'object',
  include: 'list',
  truncation: 'string',
  previous_response_id: 'string',
  prompt_cache_retention: 'string',
};

/** Parameters of chat that the Responses API has nothing like. */
export const chatOnlyParameters: readonly string[] = [
  'stop',
  'n',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'seed',
  'modalities',
  'audio',
  'prediction',
  'web_search_options',
  'structured_outputs',
];

/**
 * What of a node's inputs goes to the API. A later parameter does only where the template reads no variable of its name,
 * so that a flow written before it was known stays what it was.
 */
export function parametersOf(form: RequestForm, api: Api, variables: ReadonlySet<string>): ApiParameters {
  const known = toolParameters[form][api];
  if (api !== 'chat' && api !== 'responses') return known;
  const more = api === 'chat' ? laterParameters : { ...laterParameters, ...responsesParameters };
  const later = Object.entries(more).filter(([name]) => !variables.has(name));
  return { ...Object.fromEntries(later), ...known };
}

/** All that some service's `api` takes, whichever connection answers. */
export function knownParameters(api: Api, variables: ReadonlySet<string> = new Set()): ApiParameters {
  const forms = ['plain', 'azure', 'openai'] as const;
  return Object.assign({}, ...forms.map((form) => parametersOf(form, api, variables)));
}
