import { isMapping, type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';
import type { CatalogueTool } from './catalogue-tool.ts';

/** What a model says that finds none of the offered tools fitting. */
export const noneOfThese = 'none_of_these';

/** Most tools that are offered in one request: OpenAI takes 128, and models choose worse the more there are. */
export const maxOffered = 50;

/**
 * How found tools are told to a model:
 *
 * - `tools`: each a function of its own, `strict` where its schema can be;
 * - `call_tool`: one strict function, `call_tool {name: enum, arguments}`, with `none_of_these`;
 * - `structured_outputs`: as vLLM (0.12 and later) takes it, a JSON Schema with one branch a tool.
 */
export const offerForms = ['tools', 'call_tool', 'structured_outputs'] as const;
export type OfferForm = (typeof offerForms)[number];

/** The request's parameters that offer the tools: `tools`, or `structured_outputs`. */
export function offerTools(tools: readonly CatalogueTool[], form: OfferForm): JsonObject {
  if (form === 'structured_outputs') return { structured_outputs: { json: choiceSchema(tools) } };
  return { tools: form === 'tools' ? tools.map(ownFunction) : [callToolFunction(tools)] };
}

function ownFunction({ name, description, parameters }: CatalogueTool): JsonObject {
  const strict = strictSchema(parameters);
  return {
    type: 'function',
    function:
      strict === undefined
        ? { name, description, parameters: withProperties(parameters) }
        : { name, description, parameters: strict, strict: true },
  };
}

/** Strict functions cannot hold objects whose members are unknown: arguments travel as JSON text. */
function callToolFunction(tools: readonly CatalogueTool[]): JsonObject {
  const lines = tools.map(({ name, description, parameters }) => {
    const members = Object.keys(mappingOf(parameters['properties'])).join(', ');
    return `- ${name}(${members}): ${description.split('\n')[0] ?? ''}`;
  });
  return {
    type: 'function',
    function: {
      name: 'call_tool',
      description: `Calls one of these tools, or ${noneOfThese} where none of them fits:\n${lines.join('\n')}`,
      strict: true,
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', enum: [...tools.map(({ name }) => name), noneOfThese] },
          arguments: { type: 'string', description: "The tool's arguments, a JSON object." },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    },
  };
}

function choiceSchema(tools: readonly CatalogueTool[]): JsonObject {
  const branch = (name: string, parameters: JsonObject): JsonObject => ({
    type: 'object',
    properties: { name: { const: name }, arguments: parameters },
    required: ['name', 'arguments'],
    additionalProperties: false,
  });
  const none = branch(noneOfThese, { type: 'object', properties: {}, additionalProperties: false });
  return { anyOf: [...tools.map(({ name, parameters }) => branch(name, withProperties(parameters))), none] };
}

function withProperties(parameters: JsonObject): JsonObject {
  return { ...parameters, type: 'object', properties: parameters['properties'] ?? {} };
}

/** Keywords that strict functions do not take (OpenAI, Structured Outputs, supported schemas). */
const unsupported = ['oneOf', 'allOf', 'not', 'patternProperties', 'dependentRequired', 'if', 'then', 'else'];

/**
 * The schema as strict functions take it: every member required, one that may be left out may be null, no others. undefined
 * where it says something that strict functions cannot.
 */
export function strictSchema(schema: JsonObject): JsonObject | undefined {
  const { default: _, title: __, example: ___, examples: ____, ...written } = schema;
  if (unsupported.some((keyword) => keyword in written)) return undefined;
  if (written['type'] === 'array') return strictArray(written);
  if (written['type'] === 'object') return strictObject(written);
  return written['type'] === undefined && !('enum' in written) ? undefined : written;
}

function strictArray(written: JsonObject): JsonObject | undefined {
  const items = strictSchema(mappingOf(written['items']));
  return items === undefined ? undefined : { ...written, items };
}

function strictObject(written: JsonObject): JsonObject | undefined {
  const { properties, additionalProperties, required = [] } = written;
  if (!isMapping(properties) || isMapping(additionalProperties)) return undefined;
  const members = Object.entries(properties).map(([name, member]) => {
    const strict = strictSchema(mappingOf(member));
    const isRequired = (required as readonly JsonValue[]).includes(name);
    return [name, strict === undefined || isRequired ? strict : nullable(strict)] as const;
  });
  if (members.some(([, member]) => member === undefined)) return undefined;
  return {
    ...written,
    properties: Object.fromEntries(members) as JsonObject,
    required: members.map(([name]) => name),
    additionalProperties: false,
  };
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: choices } = schema;
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type ?? 'string'];
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as readonly JsonValue[]), null] } : {}),
  };
}
