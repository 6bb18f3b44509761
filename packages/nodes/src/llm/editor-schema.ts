// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { laterParameters, responsesParameters, toolParameters } from './api-parameters.ts';
import { apis } from './find-service.ts';

const reference = '\\$\\{[^}]+\\}';
const number = '[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?';

/** What a literal of each type may be written as; a reference may be anything. */
const literals: Readonly<Record<string, object>> = {
  double: { type: ['number', 'string', 'null'], pattern: `^\\s*(${reference}|${number}|)\\s*$` },
  int: { type: ['number', 'string', 'null'], pattern: `^\\s*(${reference}|${number}|inf|)\\s*$` },
  bool: { type: ['boolean', 'string', 'number', 'null'], pattern: `^(${reference}|[Tt]rue|[Ff]alse|TRUE|FALSE|)$` },
};

/** Names that templates take for variables of their own too. */
const mayBeVariables = ['n'];

/** What editors can see of an llm node: its connection, its API, the name of its model and the types of parameters. */
export function llmEditorSchema(): object {
  const own = { ...toolParameters.azure.chat, ...toolParameters.openai.chat };
  const others = { ...toolParameters.plain.chat, ...laterParameters, ...responsesParameters };
  const known = Object.entries({ ...others, ...own })
    .filter(([, type]) => type !== 'prompt_template')
    .map(([name, type]) => [name, parameterSchema(name, type, Object.hasOwn(own, name))] as const);
  const isServerless = { properties: { provider: { const: 'Serverless' } }, required: ['provider'] };
  return {
    required: ['connection', 'api'],
    properties: {
      connection: { description: 'Connection to the model, by name.', type: 'string', minLength: 1 },
      api: {
        description: '`chat`, `completion`, `embedding`, or `responses` for the Responses API.',
        enum: apis,
      },
      inputs: {
        description: 'Parameters of the model, and variables of the template.',
        properties: Object.fromEntries(known),
      },
    },
    if: { not: isServerless },
    then: { required: ['inputs'], properties: { inputs: namesModel } },
  };
}

/** @param isAlways whatever the connection is; templates may have variables of all other names */
function parameterSchema(name: string, type: string, isAlways: boolean): object {
  const description = `Parameter of the model, of type ${type}.`;
  if (!isAlways)
    return { description: `${description} Where the template has a variable of this name, that variable.` };
  return { description, ...(mayBeVariables.includes(name) ? {} : literals[type]) };
}

const namesModel = {
  description: 'Azure knows deployments, others models.',
  type: 'object',
  anyOf: [{ required: ['deployment_name'] }, { required: ['model'] }],
};
