import {
  convertValue,
  type Diagnostic,
  didYouMean,
  isGiven,
  isMapping,
  type NodeDefinition,
  ownValue,
  stringifyJson,
} from '@unroll/engine';
import { isThinkingModel } from '../openai/thinking-models.ts';
import { type Api, chatOnlyParameters, parametersOf } from './api-parameters.ts';
import { misspeltInSchemas } from './misspelt-in-schemas.ts';
import { wrongKind } from './parameter-kinds.ts';

/**
 * Parameters of a node that its API or its model is known not to take, and literal values that they do not have. What the template
 * reads as a variable is none.
 */
export function checkParameters(node: NodeDefinition, api: Api, variables: ReadonlySet<string>): readonly Diagnostic[] {
  const given = Object.keys(node.inputs).filter((name) => !variables.has(name) && isGiven(node.inputs[name]));
  if (api === 'responses') {
    return [
      ...given.filter((name) => chatOnlyParameters.includes(name)).map((name) => chatOnly(node, name)),
      ...wrongValues(node, given),
      ...wrongKinds(node, api, given),
      ...wrongKeywords(node, given),
    ];
  }
  if (api !== 'chat') return [];
  return [
    ...oldLimit(node, given),
    ...wrongValues(node, given),
    ...wrongKinds(node, api, given),
    ...wrongKeywords(node, given),
  ];
}

function chatOnly(node: NodeDefinition, name: string): Diagnostic {
  return diagnostic(node, name, 'key', {
    severity: 'error',
    message: `node "${node.name}": the Responses API has no parameter "${name}"`,
    help: ownValue(helps, name) ?? 'leave it out, or write api: chat',
  });
}

const helps: Readonly<Record<string, string>> = {
  stop: 'leave it out, or write api: chat; an agent needs format: tools or format: functions',
  web_search_options: 'offer the tool {type: web_search} instead, or write api: chat',
};

function oldLimit(node: NodeDefinition, given: readonly string[]): readonly Diagnostic[] {
  const model = ['model', 'deployment_name'].map((name) => literal(node, name)).find((one) => one !== undefined);
  if (model === undefined || !isThinkingModel(model) || !given.includes('max_tokens')) return [];
  const message = `node "${node.name}": the model ${model} takes no max_tokens`;
  const help = 'write max_completion_tokens: it holds for what the model thinks and for what it answers';
  return [diagnostic(node, 'max_tokens', 'key', { severity: 'warning', message, help })];
}

/** Values as OpenAI lists them; a service may have more by now, so that others are told and sent. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  reasoning_effort: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  verbosity: ['low', 'medium', 'high'],
};

function wrongValues(node: NodeDefinition, given: readonly string[]): readonly Diagnostic[] {
  const unknown = Object.entries(knownValues).flatMap(([name, known]) => {
    const value = given.includes(name) ? literal(node, name) : undefined;
    if (value === undefined || known.includes(value)) return [];
    const message = `node "${node.name}": ${name} "${value}" is none of ${known.join(', ')}`;
    const help = didYouMean(value, known) ?? 'it is sent as it is';
    return [diagnostic(node, name, 'value', { severity: 'warning', message, help })];
  });
  return [...unknown, ...lonelyTopLogprobs(node, given)];
}

/**
 * As they are sent, but for lists and mappings in place of a text, which are told as they are written. A literal that cannot become
 * the type of its parameter is told with the types of all nodes.
 */
function wrongKinds(node: NodeDefinition, api: Api, given: readonly string[]): readonly Diagnostic[] {
  const types = parametersOf('plain', api, new Set());
  return given.flatMap((name) => {
    const input = node.inputs[name];
    const sent = input?.kind === 'literal' ? convertValue(input.value, ownValue(types, name) ?? 'object') : undefined;
    if (input?.kind !== 'literal' || sent?.ok !== true) return [];
    const isText = typeof sent.value === 'string';
    const value = isText && (Array.isArray(input.value) || isMapping(input.value)) ? input.value : sent.value;
    const wrong = wrongKind(name, value);
    if (wrong === undefined) return [];
    const message = `node "${node.name}": ${name} is ${stringifyJson(value)}, and a service takes ${wrong.expected}`;
    return [diagnostic(node, name, 'value', { severity: 'warning', message, help: wrong.help })];
  });
}

function wrongKeywords(node: NodeDefinition, given: readonly string[]): readonly Diagnostic[] {
  const types = Object.entries({ response_format: 'object', tools: 'list', functions: 'list' });
  const sent = types.flatMap(([name, type]) => {
    const input = given.includes(name) ? node.inputs[name] : undefined;
    const converted = input?.kind === 'literal' ? convertValue(input.value, type) : undefined;
    return converted?.ok === true ? [[name, converted.value] as const] : [];
  });
  return misspeltInSchemas(Object.fromEntries(sent)).map(({ message, help, path }) => {
    const told = { severity: 'warning', message, help } as const;
    const span = node.locate(['inputs', ...path], 'key');
    return { ...diagnostic(node, path[0], 'value', told), ...(span === undefined ? {} : { span }) };
  });
}

function lonelyTopLogprobs(node: NodeDefinition, given: readonly string[]): readonly Diagnostic[] {
  if (!given.includes('top_logprobs') || given.includes('logprobs')) return [];
  const message = `node "${node.name}": top_logprobs needs logprobs: true`;
  return [diagnostic(node, 'top_logprobs', 'key', { severity: 'warning', message, help: 'add logprobs: true' })];
}

function literal({ inputs }: NodeDefinition, name: string): string | undefined {
  const input = inputs[name];
  return input?.kind === 'literal' && typeof input.value === 'string' && input.value !== '' ? input.value : undefined;
}

function diagnostic(
  node: NodeDefinition,
  name: string,
  part: 'key' | 'value',
  mistake: Pick<Diagnostic, 'severity' | 'message' | 'help'>,
): Diagnostic {
  // An agent's model node is given inputs that its author did not write.
  return {
    code: 'MODEL_PARAMETER',
    ...mistake,
    span: node.locate(['inputs', name], part) ?? node.locate(['api'], 'value'),
  };
}
