import {
  answersJson,
  connectionIdentity,
  type FlowFiles,
  type ModelReply,
  type ModelRequest,
  type NodeCall,
  type NodeDefinition,
  type NodeError,
  type NodeInspection,
  type NodeType,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  type Prompty,
  partOf,
  readPrompty,
  textHash,
  type Value,
  type Values,
} from '@unroll/engine';
import type { Provider } from '../llm/api-parameters.ts';
import { type ModelAsker, retryRule } from '../llm/ask-model.ts';
import type { BuiltRequest } from '../llm/build-request.ts';
import { builtOnce } from '../llm/built-once.ts';
import type { OpenService } from '../llm/find-service.ts';
import { readMessages } from '../llm/prompt-request.ts';
import { trustOf } from '../prompt/guarded-text.ts';
import { withoutImageMarks } from '../prompt/image-variables.ts';
import {
  openTemplate,
  renderError,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
} from '../prompt/prompt-template.ts';
import { jsonAnswer } from './prompty-answer.ts';
import { promptyConnection, promptyModel } from './prompty-connection.ts';

/** `prompty`: a prompt file that says itself which model it is for. */
export function promptyNodeType(openService: OpenService, asker: ModelAsker): NodeType {
  return {
    name: 'prompty',
    version: 1,
    effects: 'reads',
    keys: [],
    inspect: inspectPrompty,
    prepare: (node, context) => preparePrompty(node, context, openService, asker),
  };
}

function inspectPrompty(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const path = node.source?.path ?? '';
  const shared = { takesAnyInput: true, fillsTemplate: true, files: path === '' ? [] : [path] };
  const opened = openTemplate(node, templateFiles(files));
  return opened.ok
    ? { ...shared, diagnostics: [], parameters: templateParameters(opened.opened) }
    : { ...shared, diagnostics: templateDiagnostics(opened, node.name) };
}

/** The flow's files, a prompty without its front matter. */
function templateFiles(files: FlowFiles): FlowFiles {
  return {
    ...files,
    read: (path) => {
      const file = files.read(path);
      if (file === undefined) return undefined;
      const read = readPrompty(file);
      if (!read.ok) return file;
      const { template } = read.prompty;
      return { ...template, text: withoutImageMarks(template.text) };
    },
  };
}

async function preparePrompty(
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
  asker: ModelAsker,
): Promise<PreparedNode> {
  const prompty = requirePrompty(node, context.files);
  const environment = { ...process.env, ...context.environment };
  const connection = promptyConnection(prompty, node.name, context.connections, environment);
  const service = await openService(connection);
  const model = promptyModel(prompty);
  if (service === undefined) throw new PrepareError(notSupported(connection.type));
  if (model === undefined && connection.type !== 'offline' && connection.type !== 'scripted')
    throw new PrepareError(noModel());
  const build = builtOnce(requestBuilder(node, context, prompty, service.provider, model ?? connection.type));
  const { api } = prompty;
  const question = { service, api, calledFrom: 'promptflow-core', flowId: context.flowId, rule: retryRule(node) };
  return {
    parametersWithDefault: new Set(),
    parts: () => ({
      connection: partOf(connectionIdentity(connection)),
      answer: partOf([prompty.response, ...prompty.outputs]),
    }),
    renderedParts: {
      [`template ${node.source?.path}`]: textHash(context.files.read(node.source?.path ?? '')?.text ?? ''),
    },
    rendered(inputs) {
      const built = build(inputs);
      return built.ok ? built.request : undefined;
    },
    async run(inputs, call) {
      const built = build(inputs);
      if (!built.ok) return { ok: false, error: built.error };
      const asked = { ...question, request: built.request, wantsMessage: false, connection: connection.name };
      if (prompty.response === 'all') {
        const { onText: _joined, ...whole } = call;
        return asker.ask({ ...asked, read: wholeOf }, whole);
      }
      const outcome = await asker.ask(asked, withoutGaps(call));
      return answersJson(prompty) ? jsonAnswer(outcome, prompty) : outcome;
    },
  };
}

/** Pieces without text, as the first and the last one are, are not handed on. */
function withoutGaps(call: NodeCall): NodeCall {
  const { onText } = call;
  return onText === undefined ? call : { ...call, onText: (text) => (text === '' ? undefined : onText(text)) };
}

function requirePrompty(node: NodeDefinition, files: FlowFiles): Prompty {
  const file = files.read(node.source?.path ?? '');
  const read = file === undefined ? undefined : readPrompty(file, files);
  if (read?.ok === true) return read.prompty;
  const [problem] = read?.diagnostics ?? [];
  const message = problem?.promptFlow?.message ?? problem?.message ?? `there is no file ${node.source?.path ?? ''}`;
  throw new PrepareError({ code: 'UserErrorException', message, retryable: false, codes: ['UserError'] });
}

/** A request of the parameters as they are written, as Prompt flow sends it, with the filled template and the model. */
function requestBuilder(
  node: NodeDefinition,
  context: PrepareContext,
  prompty: Prompty,
  provider: Provider,
  model: Value,
): (inputs: Values) => BuiltRequest {
  const opened = requireTemplate(node, templateFiles(context.files));
  const { deployment_name: _deployment, ...parameters } = prompty.parameters;
  const request = (prompt: Values): BuiltRequest => ({
    ok: true,
    request: { ...parameters, ...prompt, ...choiceOf(parameters), model } as ModelRequest,
  });
  if (prompty.api === 'chat') {
    const prompt = { api: prompty.api, provider, opened, trust: trustOf(node, false) };
    return (inputs) => {
      const read = readMessages(prompt, inputs, { flowInputs: {} }, { images: true });
      return read.ok ? request({ messages: read.messages as Value }) : read;
    };
  }
  const blanked = /^[\s]*/.exec(opened.file.text)?.[0].length ?? 0;
  return (inputs) => {
    try {
      return request({ prompt: opened.template.render(inputs).slice(blanked) });
    } catch (error) {
      return { ok: false, error: renderError(error, opened.file) };
    }
  };
}

/** Which of the tools, or functions, the model is to call: that is its own to say where nothing does. */
function choiceOf({ tools, tool_choice: choice = null, functions, function_call: call = null }: Values): Values {
  if (tools !== undefined) return { tool_choice: choice ?? 'auto' };
  return functions === undefined ? {} : { function_call: call ?? 'auto' };
}

/** What a stand-in, which sends a message alone, would have sent as a service. */
function wholeOf({ whole, body, usage }: ModelReply): Value {
  if (whole !== undefined) return whole;
  const tokens = usage && {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
  };
  return {
    choices: [{ index: 0, message: body, finish_reason: 'stop' }],
    ...(tokens === undefined ? {} : { usage: tokens }),
  };
}

function notSupported(type: string): NodeError {
  const message = `Not Support connection type '${type}' for embedding api. Connection type should be in [AzureOpenAIConnection, OpenAIConnection].`;
  return { code: 'UnknownConnectionType', message, retryable: false, codes: ['UserError', 'UnknownConnectionType'] };
}

function noModel(): NodeError {
  const message = 'the prompty names no model: write azure_deployment or model under model.configuration';
  return { code: 'UserErrorException', message, retryable: false, codes: ['UserError'] };
}
