import {
  answersJson,
  connectionIdentity,
  type Diagnostic,
  type FlowFiles,
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelReply,
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
} from '@unroll/engine';
import {
  chatOutput,
  checkRoles,
  knownRendering,
  type ModelAsker,
  memoizeLast,
  missingBehind,
  type OpenService,
  openTemplate,
  requestForm,
  retryRule,
  templateDiagnostics,
  templateParameters,
} from '@unroll/nodes/building-blocks';
import { promptFlowError } from '../errors/diagnostic-error.ts';
import { checkSentParameters } from './check-sent-parameters.ts';
import { jsonAnswer } from './prompty-answer.ts';
import {
  connectionDoubts,
  parameterDoubts,
  promptyConnection,
  promptyModel,
  withVariables,
} from './prompty-connection.ts';
import { requestBuilder, templateFiles } from './prompty-request.ts';

/** `prompty`: a prompt file that says itself which model it is for. */
export function promptyNodeType(openService: OpenService, asker: ModelAsker): NodeType {
  return {
    name: 'prompty',
    version: 2,
    effects: 'reads',
    keys: [],
    choosesModel: true,
    inspect: inspectPrompty,
    prepare: (node, context) => preparePrompty(node, context, openService, asker),
  };
}

function inspectPrompty(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const path = node.source?.path ?? '';
  const shared = { takesAnyInput: true, fillsTemplate: true, files: path === '' ? [] : [path] };
  const opened = openTemplate(node, templateFiles(files));
  const file = files.read(path);
  const read = file === undefined ? undefined : readPrompty(file, files, node.chosen);
  if (read?.ok === false) return { ...shared, diagnostics: unreadable(read.diagnostics, node) };
  const parameters = read === undefined ? [] : checkSentParameters(read.prompty);
  const asked = read === undefined ? {} : behind(read.prompty, node.name, files);
  if (!opened.ok) return { ...shared, ...asked, diagnostics: [...parameters, ...templateDiagnostics(opened, node)] };
  const roles = read?.prompty.api === 'chat' ? checkRoles(opened.opened) : [];
  return {
    ...shared,
    ...asked,
    diagnostics: [...parameters, ...knownRendering(opened.opened, node).diagnostics, ...roles],
    parameters: templateParameters(opened.opened),
  };
}

/** Of a prompty that a node names; of one that is a flow itself they are told as it is read. */
function unreadable(diagnostics: readonly Diagnostic[], node: NodeDefinition): readonly Diagnostic[] {
  return diagnostics.map((one) => ({ ...one, unreadyNode: node.name }));
}

/** What is known of the connection that it asks. */
function behind(
  prompty: Prompty,
  node: string,
  files: FlowFiles,
): Pick<NodeInspection, 'missingPackages' | 'connectionDoubts'> {
  return {
    missingPackages: missingPackagesOf(prompty, node, files),
    connectionDoubts: (connections) => [
      ...connectionDoubts(prompty, node, connections),
      ...parameterDoubts(prompty, node, connections),
    ],
  };
}

/** Those of the connection that its model configuration is; that there is none, or that one cannot be read, is told elsewhere. */
function missingPackagesOf(
  prompty: Prompty,
  node: string,
  { folder }: FlowFiles,
): NonNullable<NodeInspection['missingPackages']> {
  return (connections) => {
    try {
      return missingBehind(promptyConnection(prompty, node, connections), ['source', 'path'], folder);
    } catch (error) {
      if (error instanceof PrepareError) return [];
      throw error;
    }
  };
}

async function preparePrompty(
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
  asker: ModelAsker,
): Promise<PreparedNode> {
  const environment = { ...process.env, ...context.environment };
  const prompty = withVariables(requirePrompty(node, context.files), environment);
  const connection = promptyConnection(prompty, node.name, context.connections);
  context.redactor.learnConnection(connection);
  const service = await openService(connection);
  const model = promptyModel(prompty);
  if (service === undefined) throw new PrepareError(notSupported(connection.type));
  if (model === undefined && connection.type !== 'offline' && connection.type !== 'scripted')
    throw new PrepareError(noModel());
  const form = requestForm(connection);
  const build = memoizeLast(requestBuilder(node, context, prompty, form, model ?? connection.type));
  const { api } = prompty;
  const question = { service, form, api, calledFrom: 'promptflow-core', flowId: context.flowId, rule: retryRule(node) };
  return {
    parametersWithDefault: new Set(),
    parts: () => ({
      connection: partOf(connectionIdentity(connection)),
      answer: partOf([prompty.response, ...Object.keys(prompty.outputs)]),
    }),
    renderedParts: {
      [`template ${node.source?.path}`]: textHash(context.files.read(node.source?.path ?? '')?.text ?? ''),
    },
    rendered(inputs) {
      const built = build(inputs);
      return built.ok ? built.request : undefined;
    },
    renderProblem(inputs) {
      const built = build(inputs);
      return built.ok ? undefined : built.error;
    },
    async run(inputs, call) {
      const built = build(inputs);
      if (!built.ok) return { ok: false, error: built.error };
      const asked = { ...question, request: built.request, wantsMessage: false, connection: connection.name };
      if (prompty.response === 'all') {
        const { onText: _joined, ...whole } = call;
        return asker.ask({ ...asked, read: wholeOf }, whole);
      }
      const chat = api === 'chat' ? { ...asked, read: firstOf } : asked;
      if (!answersJson(prompty)) return asker.ask(chat, withoutGaps(call));
      // Pieces of JSON are no output: they are read once all are there.
      const { onText: _pieces, ...silent } = call;
      return jsonAnswer(await asker.ask(chat, silent), prompty);
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
  const read = file === undefined ? undefined : readPrompty(file, files, node.chosen);
  if (read?.ok === true) return read.prompty;
  const [problem] = read?.diagnostics ?? [];
  const said = problem === undefined ? undefined : (promptFlowError(problem) ?? problem);
  const message = said?.message ?? `there is no file ${node.source?.path ?? ''}`;
  throw new PrepareError({ code: 'UserErrorException', message, retryable: false });
}

/** The text of the first choice; its message where it ends in calls of tools. */
function firstOf({ whole, body }: ModelReply): JsonValue {
  const [choice] =
    isMapping(whole) && Array.isArray(whole['choices']) ? (whole['choices'] as readonly JsonObject[]) : [];
  const { content = null, tool_calls: calls = null } = body as JsonObject;
  const reason =
    choice === undefined ? (calls !== null && content === null ? 'tool_calls' : 'stop') : choice['finish_reason'];
  return chatOutput(body, reason === 'tool_calls' || reason === 'function_calls');
}

/** What a stand-in, which sends a message alone, would have sent as a service. */
function wholeOf({ whole, body, usage }: ModelReply): JsonValue {
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
  return { code: 'UnknownConnectionType', message, retryable: false };
}

function noModel(): NodeError {
  const message = 'the prompty names no model: write azure_deployment or model under model.configuration';
  return { code: 'UserErrorException', message, retryable: false };
}
