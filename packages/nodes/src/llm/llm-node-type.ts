import {
  type Diagnostic,
  type FlowFiles,
  fallbackConnection,
  type JsonObject,
  type NodeCall,
  type NodeDefinition,
  type NodeInspection,
  type NodeType,
  type Parameter,
  type PrepareContext,
  type PreparedNode,
} from '@unroll/engine';
import { missingFor } from '../connections/connection-extras.ts';
import { wrongValue } from '../errors/mistake-at-key.ts';
import { knownRendering } from '../prompt/check-rendering.ts';
import { namesIn } from '../prompt/described-variables.ts';
import { trustOf } from '../prompt/guarded-text.ts';
import { withLiteralImages } from '../prompt/literal-images.ts';
import {
  openTemplate,
  type PromptTemplate,
  possibleVariables,
  printsImages,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
  templateParts,
} from '../prompt/prompt-template.ts';
import { type Api, knownParameters, parametersOf, toolParameters } from './api-parameters.ts';
import { askInStream } from './ask-in-stream.ts';
import { type ModelAsker, retryRule } from './ask-model.ts';
import { type BuiltRequest, buildEmbeddingRequest, isTrue } from './build-request.ts';
import { checkCall } from './check-call.ts';
import { checkParameters } from './check-parameters.ts';
import { checkRoles } from './check-roles.ts';
import { connectionDoubts } from './connection-doubts.ts';
import { convertLiterals } from './convert-literals.ts';
import { duplicateMistakes, refuseDuplicates } from './duplicate-inputs.ts';
import { llmEditorSchema } from './editor-schema.ts';
import { askedFallbacks, openFallbacks, writtenFallbacks } from './fallbacks.ts';
import { apiOf, findService, type OpenService, requireApi, toolClass } from './find-service.ts';
import { memoizeLast } from './memoize-last.ts';
import { offeredFunctions } from './offered-functions.ts';
import { buildFromTemplate, splitInputs } from './prompt-request.ts';
import { choiceOf } from './read-choice.ts';
import type { RequestForm } from './request-form.ts';

/**
 * `llm`: a template filled, read as messages, and sent to a model.
 *
 * @param asksModels whether models are asked; where a recording answers, their clients need not be installed
 */
export function llmNodeType(openService: OpenService, asker: ModelAsker, asksModels = true): NodeType {
  return {
    name: 'llm',
    version: 2,
    effects: 'reads',
    keys: ['returns', 'messages_from'],
    editorSchema: llmEditorSchema,
    inspect: (node, files) => ({
      ...inspectLlm(node, openTemplate(node, files)),
      ...(asksModels
        ? {
            missingPackages: (connections) => [
              ...missingFor(node.connection, connections, ['connection'], files.folder),
              ...writtenFallbacks(node.settings).flatMap((one, index) =>
                missingFor(fallbackConnection(one), connections, ['retry', 'fallback', index], files.folder),
              ),
            ],
            connectionDoubts: (connections) => connectionDoubts(node, connections, apiInputs(node, files)),
          }
        : {}),
    }),
    prepare: (node, context) => prepareLlm(node, context, openService, asker),
  };
}

/** Inputs that go to the API of whatever connection. */
function apiInputs(node: NodeDefinition, files: FlowFiles): ReadonlySet<string> {
  const opened = openTemplate(node, files);
  const variables = opened.ok ? variablesOf(opened.opened) : new Set<string>();
  return new Set(Object.keys(parametersOf('plain', apiOf(node) ?? 'chat', variables)));
}

/** Where the model is named: Azure knows deployments, and for completions nothing else. */
const modelNames = ['deployment_name', 'model'];

function inspectLlm(node: NodeDefinition, opened: ReturnType<typeof openTemplate>): NodeInspection {
  const mistakes = [...checkCall(node), ...returnsMistakes(node), ...messagesMistakes(node)];
  const asAzure = parametersOf('azure', apiOf(node) ?? 'chat', new Set());
  const models = modelNames.filter((name) => name in asAzure);
  const shared = {
    takesAnyInput: true,
    fillsTemplate: true,
    printsImages,
    takesFallback: true,
    files: node.source?.path === undefined ? [] : [node.source.path],
    offeredFunctions: offeredFunctions(node),
    requiredByConnection: { azure_open_ai: models, offline: models },
  };
  const api = apiOf(node) ?? 'chat';
  const variables = opened.ok ? variablesOf(opened.opened) : possibleVariables(opened);
  const { known, parameters } = ownParameters(node, api, variables);
  if (!opened.ok) {
    const told = [...mistakes, ...checkParameters(node, api, variables), ...templateDiagnostics(opened, node)];
    return { ...shared, diagnostics: told, parameters, hasUnreadTemplate: true };
  }
  return {
    ...shared,
    diagnostics: [
      ...mistakes,
      ...checkParameters(node, api, variables),
      ...renderingMistakes(node, opened.opened, api),
      ...(api === 'embedding' ? [] : duplicateMistakes(node, opened.opened, api)),
    ],
    parameters: [...templateParameters(opened.opened), ...parameters],
    otherInputs: Object.keys(known),
  };
}

/** Parameters of the node that are no variables of its template; all that it may have, by name. */
function ownParameters(node: NodeDefinition, api: Api, variables: ReadonlySet<string>) {
  const known = knownParameters(api, variables);
  const given = Object.entries(known).filter(([name]) => name in node.inputs && !variables.has(name));
  const { messages_from: more } = node.settings;
  const parameters: readonly Parameter[] = [
    ...given.map(([name, type]) => ({ name, required: false, type })),
    ...(typeof more === 'string' ? [{ name: more, required: false, type: 'list' }] : []),
  ];
  return { known, parameters };
}

function renderingMistakes(node: NodeDefinition, opened: PromptTemplate, api: Api): readonly Diagnostic[] {
  // An input `prompt` takes the place of the template.
  if (api === 'embedding' || Object.hasOwn(node.inputs, 'prompt')) return [];
  const { text, diagnostics } = knownRendering(opened, node);
  const isChat = api === 'chat' || api === 'responses';
  return [...diagnostics, ...(isChat && diagnostics.length === 0 ? checkRoles(opened, text) : [])];
}

async function prepareLlm(
  node: NodeDefinition,
  context: PrepareContext,
  openService: OpenService,
  asker: ModelAsker,
): Promise<PreparedNode> {
  const { service, form } = await findService(node, context, openService);
  const fallbacks = await openFallbacks(node, context, openService);
  const api = requireApi(node, form);
  const opened = openTemplate(node, context.files);
  const variables = opened.ok ? variablesOf(opened.opened) : new Set<string>();
  const converted = convertLiterals(node, parametersOf(form, api, variables));
  const build = memoizeLast(requestBuilder(node, context, form, api));
  const literals = opened.ok ? await withLiteralImages(converted, opened.opened, context) : converted;
  const question = {
    service,
    form,
    api,
    calledFrom: 'aoai-tool',
    flowId: context.flowId,
    rule: retryRule(node),
    ...choiceOf(node),
  };
  return {
    parametersWithDefault: new Set(),
    literals,
    parts: () => ({}),
    ...(opened.ok
      ? { renderedParts: templateParts(node, opened.opened), looksInto: namesIn(opened.opened.file.text) }
      : {}),
    rendered(inputs, call) {
      const built = build(inputs, call);
      return built.ok ? built.request : undefined;
    },
    renderProblem(inputs, call) {
      const built = build(inputs, call);
      return built.ok ? undefined : built.error;
    },
    run(inputs, call) {
      const built = build(inputs, call);
      if (!built.ok) return { ok: false, error: built.error };
      const wantsMessage = isTrue(inputs['functions']) || isTrue(inputs['tools']);
      const { request } = built;
      const others = askedFallbacks(fallbacks, { api, request, inputs, variables });
      if ('error' in others) return { ok: false, error: others.error };
      const asked = { ...question, request, wantsMessage, connection: node.connection ?? '', ...others };
      const isStream = context.isStandard === true && request['stream'] === true;
      return isStream ? askInStream(asker, asked, inputs, call) : asker.ask(asked, call);
    },
  };
}

function returnsMistakes(node: NodeDefinition): readonly Diagnostic[] {
  const { returns } = node.settings;
  if (returns === undefined || returns === 'choice') return [];
  return [wrongValue(node, 'returns', 'expected "choice", or no such key')];
}

function messagesMistakes(node: NodeDefinition): readonly Diagnostic[] {
  const { messages_from: name } = node.settings;
  if (name === undefined || (typeof name === 'string' && Object.hasOwn(node.inputs, name))) return [];
  return [wrongValue(node, 'messages_from', 'expected the name of an input of this node')];
}

type BuildRequest = (inputs: JsonObject, call: NodeCall) => BuiltRequest;

/** @throws PrepareError when there is no template, or a variable of it is named like a parameter */
function requestBuilder(node: NodeDefinition, context: PrepareContext, form: RequestForm, api: Api): BuildRequest {
  if (api === 'embedding') return (inputs) => buildEmbeddingRequest(form, inputs);
  const opened = requireTemplate(node, context.files);
  const variables = variablesOf(opened);
  refuseDuplicates(node, variables, toolParameters[form][api], `${toolClass[form]}.${api}`);
  const parameters = parametersOf(form, api, variables);
  const { messages_from: messagesFrom } = node.settings;
  const prompt = {
    api,
    form,
    opened,
    trust: trustOf(node, context.valuesOpenRoles),
    ...(typeof messagesFrom === 'string' ? { messagesFrom } : {}),
  };
  return (inputs, call) => {
    const [given, values] = splitInputs(inputs, parameters);
    return buildFromTemplate(prompt, values, given, call);
  };
}

function variablesOf({ template }: PromptTemplate): ReadonlySet<string> {
  return new Set(template.variables.map(({ name }) => name));
}
