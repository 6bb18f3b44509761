import {
  type Connection,
  type JsonObject,
  type ModelService,
  type NodeCall,
  type NodeOutcome,
  PrepareError,
  pythonClass,
} from '@unroll/engine';
import { compileTemplate } from '@unroll/engine/template';
import {
  buildEmbeddingRequest,
  buildFromTemplate,
  buildVisionRequest,
  connectionClass,
  isTrue,
  llmError,
  type PromptTemplate,
  type RequestForm,
  readMessages,
  requestForm,
  retryRule,
  splitInputs,
  toolParameters,
  trustOf,
  userError,
  withoutImageMarks,
} from '@unroll/nodes/building-blocks';
import type { BuiltInTool, RunTool, ToolNode } from './built-in-tool.ts';
import { unfitDeployment } from './unfit-deployment.ts';

const sampling = { temperature: ['double'], top_p: ['double'], max_tokens: ['int'], stop: ['list'] };
const azureOrOpenAi = ['AzureOpenAIConnection', 'OpenAIConnection'];
const anyModel = [...azureOrOpenAi, 'ServerlessConnection'];

/** `promptflow.tools.llm.llm`: chat or completion, by the input `api`. */
export const llmTool: BuiltInTool = {
  name: 'LLM',
  takesPrompt: true,
  readsChat: true,
  required: ['connection'],
  inputs: {
    connection: anyModel,
    api: ['string'],
    deployment_name: ['string'],
    model: ['string'],
    ...sampling,
    presence_penalty: ['double'],
    response_format: ['object'],
    frequency_penalty: ['int'],
    logit_bias: ['object'],
    seed: ['int'],
    suffix: ['string'],
    logprobs: ['int'],
    echo: ['bool'],
    best_of: ['int'],
    tools: ['list'],
    tool_choice: ['object', 'string'],
  },
  async prepare(given) {
    if (given.connection === undefined) return withoutConnection('llm', 'llm', anyModel);
    const service = await requireService(given, given.connection, 'llm');
    return (inputs, call) => askLlm(given, service, inputs, call);
  },
};

async function askLlm(
  given: ToolNode,
  service: ModelService,
  inputs: JsonObject,
  call: NodeCall,
): Promise<NodeOutcome> {
  const form = formOf(given);
  const { api: wanted, connection: _connection, ...others } = inputs;
  const api = wanted === 'completion' ? 'completion' : 'chat';
  const parameters = { ...toolParameters[form][api], ...llmTool.inputs, stream: 'bool' } as Readonly<
    Record<string, string>
  >;
  const [written, variables] = splitInputs(others, parameters);
  const defaults = {
    [form === 'azure' ? 'deployment_name' : 'model']: '',
    ...(api === 'completion' ? { max_tokens: null } : {}),
  };
  const prompt = {
    api,
    form,
    opened: requirePrompt(given),
    trust: trustOf(given.node, given.context.valuesOpenRoles),
  } as const;
  const built = buildFromTemplate(prompt, variables, { ...defaults, ...written }, call);
  if (!built.ok) return { ok: false, error: built.error };
  const wantsMessage = isTrue(written['functions']) || isTrue(written['tools']);
  const question = { service, api, request: built.request, calledFrom: 'aoai-tool', wantsMessage } as const;
  return given.services.asker.ask({ ...question, ...shared(given) }, call);
}

const visionInputs = {
  ...sampling,
  presence_penalty: ['double'],
  frequency_penalty: ['double'],
  seed: ['int'],
  detail: ['string'],
};

/** `promptflow.tools.aoai_gpt4v.AzureOpenAI.chat` */
export const azureVisionTool: BuiltInTool = {
  name: 'Azure OpenAI GPT-4 Turbo with Vision',
  takesPrompt: true,
  readsChat: true,
  required: ['deployment_name'],
  inputs: { connection: ['AzureOpenAIConnection'], deployment_name: ['string'], ...visionInputs },
  isMadeOfConnection: true,
  prepare: (given) => prepareVision(given, undefined),
};

/** `promptflow.tools.openai_gpt4v.OpenAI.chat` */
export const openAiVisionTool: BuiltInTool = {
  name: 'OpenAI GPT-4V',
  takesPrompt: true,
  readsChat: true,
  inputs: { connection: ['OpenAIConnection'], model: ['string'], ...visionInputs },
  isMadeOfConnection: true,
  prepare: (given) => prepareVision(given, 'gpt-4-vision-preview'),
};

/** `promptflow.tools.llm_vision.llm_vision` */
export const visionTool: BuiltInTool = {
  name: 'LLM-Vision',
  takesPrompt: true,
  readsChat: true,
  required: ['connection'],
  inputs: {
    connection: azureOrOpenAi,
    deployment_name: ['string'],
    model: ['string'],
    ...visionInputs,
    frequency_penalty: ['int'],
  },
  prepare: async (given) =>
    given.connection === undefined ? withoutConnection('llm_vision', 'llm', azureOrOpenAi) : prepareVision(given, ''),
};

/** @param model where none is given; undefined where the tool must be given one */
async function prepareVision(given: ToolNode, model: string | undefined): Promise<RunTool> {
  const { connection, node, context, services } = given;
  if (connection === undefined) throw new Error('bug: a vision node without a connection was loaded');
  const service = await requireService(given, connection, 'llm');
  const form = formOf(given);
  const opened = withImagesOnLines(requirePrompt(given));
  const prompt = { api: 'chat', form, opened, trust: trustOf(node, context.valuesOpenRoles) } as const;
  const parameters = {
    ...visionInputs,
    connection: [],
    deployment_name: [],
    model: [],
    stream: [],
  } as unknown as Readonly<Record<string, string>>;
  return async (inputs, call) => {
    const [written, variables] = splitInputs(inputs, parameters);
    const name = written[form === 'azure' ? 'deployment_name' : 'model'] ?? model;
    if (name === undefined) return { ok: false, error: missing('AzureOpenAI.chat', 'deployment_name') };
    const read = readMessages(prompt, variables, call, { images: true });
    if (!read.ok) return { ok: false, error: read.error };
    const request = buildVisionRequest(name, read.messages, written);
    const question = { service, api: 'chat', request, calledFrom: 'aoai-gpt4v-tool', wantsMessage: false } as const;
    return services.asker.ask({ ...question, ...shared(given) }, call);
  };
}

/** `![image]({{name}})` becomes the variable on a line of its own. */
function withImagesOnLines({ file, template }: PromptTemplate): PromptTemplate {
  const text = withoutImageMarks(file.text);
  if (text === file.text) return { file, template };
  const compiled = compileTemplate(text, { trimBlocks: true, keepTrailingNewline: true });
  if (!compiled.ok) throw new Error('bug: a template was no template after its images were put on lines of their own');
  return { file: { ...file, text }, template: compiled.template };
}

/** `promptflow.tools.embedding.embedding` */
export const embeddingTool: BuiltInTool = {
  name: 'Embedding',
  takesPrompt: false,
  required: ['connection', 'input'],
  refusesOthers: true,
  inputs: { connection: anyModel, deployment_name: ['string'], model: ['string'], input: ['string'] },
  connectionMistake: unfitDeployment,
  async prepare(given) {
    const { connection, services } = given;
    if (connection === undefined) return withoutConnection('embedding', 'embedding api', azureOrOpenAi);
    const service = await requireService(given, connection, 'embedding api');
    const kind = connection.type === 'serverless' ? 'serverless' : requestForm(connection);
    return async (inputs, call) => {
      const unknown = Object.keys(inputs).find((name) => !(name in embeddingTool.inputs));
      if (unknown !== undefined) return { ok: false, error: unexpected('embedding', unknown) };
      if (inputs['input'] === undefined) return { ok: false, error: missing('embedding', 'input') };
      const { request } = buildEmbeddingRequest(
        kind,
        kind === 'azure' || kind === 'plain' ? inputs : withoutDeployment(inputs),
      );
      const question = { service, api: 'embedding', request, calledFrom: 'aoai-tool', wantsMessage: false } as const;
      return services.asker.ask({ ...question, ...shared(given) }, call);
    };
  },
};

/** Only Azure has deployments: elsewhere Prompt flow's tool asks for `model`, or for its default, whatever deployment is written. */
function withoutDeployment({ deployment_name: _, ...others }: JsonObject): JsonObject {
  return others;
}

function formOf({ connection }: ToolNode): RequestForm {
  return connection === undefined ? 'openai' : requestForm(connection);
}

function shared(given: ToolNode) {
  const { context, node, connection } = given;
  return { form: formOf(given), flowId: context.flowId, rule: retryRule(node), connection: connection?.name ?? '' };
}

async function requireService({ services }: ToolNode, connection: Connection, api: string): Promise<ModelService> {
  const service = await services.openService(connection);
  if (service !== undefined) return service;
  const message = `Not Support connection type '${connectionClass(connection)}' for ${api}. Connection type should be in [AzureOpenAIConnection, OpenAIConnection, ServerlessConnection].`;
  throw new PrepareError(userError('InvalidConnectionType', message));
}

function requirePrompt({ prompt }: ToolNode): PromptTemplate {
  if (prompt === undefined) throw new Error('bug: a tool that takes a prompt was prepared without one');
  return prompt;
}

function missing(tool: string, argument: string) {
  return llmError('TypeError', `${tool}() missing 1 required positional argument: '${argument}'`);
}

function unexpected(tool: string, argument: string) {
  return llmError('TypeError', `${tool}() got an unexpected keyword argument '${argument}'`);
}

/** A tool whose connection is not named in the flow: none is given, or what another node gave is none. */
function withoutConnection(tool: string, api: string, classes: readonly string[]): RunTool {
  return ({ connection }) => {
    if (connection === undefined) return { ok: false, error: missing(tool, 'connection') };
    const message = `Not Support connection type '${pythonClass(connection)}' for ${api}. Connection type should be in [${classes.join(', ')}].`;
    return { ok: false, error: userError('InvalidConnectionType', message) };
  };
}
