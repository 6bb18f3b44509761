import {
  declaresNoOutputs,
  type FlowInputSpec,
  isFalsy,
  type JsonObject,
  type JsonValue,
  ownValue,
  type Plan,
} from '@unroll/engine';
import type { AnsweredOutputs } from './answered-outputs.ts';

/** The words of OpenAPI for Prompt flow's types. Pictures go as objects. */
const typeNames: Readonly<Record<string, string>> = {
  int: 'integer',
  double: 'number',
  number: 'number',
  bool: 'boolean',
  string: 'string',
  list: 'array',
  object: 'object',
  image: 'object',
};

/**
 * The document that Prompt flow's server gives for a flow.
 *
 * @param name of the flow's folder
 * @param outputs those that are answered
 * @param samples what samples.json holds; of a list the first is the example
 */
export function swaggerOf(
  name: string,
  plan: Plan,
  outputs: AnsweredOutputs,
  samples: JsonValue | undefined,
): JsonObject {
  const { inputs } = plan;
  const all = declaresNoOutputs(plan) ? [] : plan.outputs;
  const [example = {}] = Array.isArray(samples) ? (samples as readonly JsonValue[]) : [];
  return {
    openapi: '3.0.0',
    info: {
      title: `Promptflow[${name}] API`,
      version: '1.0.0',
      'x-flow-name': name,
      ...chatMarks(inputs, all),
    },
    components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearerAuth: [] }],
    paths: {
      '/score': { post: scorePath(name, inputSchema(inputs), outputSchema(all, outputs), example) },
      '/feedback': feedbackPath,
    },
  };
}

function chatMarks(inputs: Plan['inputs'], outputs: Plan['outputs']): JsonObject {
  const said = inputs.findLast(({ isChatInput }) => isChatInput);
  const history = inputs.findLast(({ isChatHistory }) => isChatHistory);
  const answer = outputs.findLast(({ isChatOutput, evaluationOnly }) => isChatOutput && !evaluationOnly);
  return {
    ...(said === undefined ? {} : { 'x-chat-input': said.name, 'x-flow-type': 'chat' }),
    ...(history === undefined ? {} : { 'x-chat-history': history.name }),
    ...(answer === undefined ? {} : { 'x-chat-output': answer.name }),
  };
}

function inputSchema(inputs: Plan['inputs']): JsonObject {
  if (inputs.length === 0) return { type: 'object' };
  const properties = Object.fromEntries(inputs.map((input) => [input.name, inputField(input)]));
  return { type: 'object', properties, required: inputs.map(({ name }) => name) };
}

function inputField({ type, description, default: fallback = null }: FlowInputSpec): JsonObject {
  return {
    ...fieldOf(type, description),
    ...(isFalsy(fallback) ? {} : { default: fallback }),
  };
}

function outputSchema(outputs: Plan['outputs'], answered: AnsweredOutputs): JsonObject {
  if (outputs.length === 0) return { type: 'object' };
  const shown = outputs.filter(({ name, evaluationOnly }) => answered.has(name) && !evaluationOnly);
  const fields = shown.map(({ name, type, description }) => [name, fieldOf(type, description)] as const);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function fieldOf(type: string, description: string | undefined): JsonObject {
  return {
    type: ownValue(typeNames, type) ?? 'string',
    ...(description === undefined || description === '' ? {} : { description }),
    ...(type === 'object' ? { additionalProperties: {} } : {}),
    ...(type === 'list' ? { items: { type: 'object', additionalProperties: {} } } : {}),
  };
}

function scorePath(name: string, input: JsonObject, output: JsonObject, example: JsonValue): JsonObject {
  return {
    summary: `run promptflow: ${name} with an given input`,
    requestBody: {
      description: 'promptflow input data',
      required: input['properties'] !== undefined,
      content: { 'application/json': { schema: input, example } },
    },
    responses: {
      '200': { description: 'successful operation', content: { 'application/json': { schema: output } } },
      '400': { description: 'Invalid input' },
      default: { description: 'unexpected error' },
    },
  };
}

const anything = { 'application/json': { schema: { type: 'object', additionalProperties: {} } } };
const feedbackPath: JsonObject = {
  parameters: [
    {
      name: 'flatten',
      in: 'query',
      description: 'flatten the feedback data into traced data',
      required: false,
      schema: { type: 'boolean' },
    },
  ],
  post: {
    summary: 'collect promptflow feedback',
    requestBody: { description: 'promptflow feedback data', required: true, content: anything },
    responses: {
      '200': { description: 'successful operation', content: anything },
      '400': { description: 'Invalid input' },
      default: { description: 'unexpected error' },
    },
  },
};
