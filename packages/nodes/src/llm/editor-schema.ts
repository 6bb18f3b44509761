// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { toolParameters } from './api-parameters.ts';

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
  const parameters = { ...toolParameters.azure.chat, ...toolParameters.openai.chat };
  const typed = Object.entries(parameters).flatMap(([name, type]) => {
    const literal = literals[type];
    const description = `Parameter of the model, of type ${type}.`;
    return literal === undefined || mayBeVariables.includes(name) ? [] : [[name, { description, ...literal }] as const];
  });
  const isServerless = { properties: { provider: { const: 'Serverless' } }, required: ['provider'] };
  return {
    required: ['connection'],
    properties: {
      connection: { description: 'Connection to the model, by name.', type: 'string', minLength: 1 },
      api: {
        description: '`chat`, `completion`, or `responses` for the Responses API.',
        enum: ['chat', 'completion', 'responses', null],
      },
      inputs: {
        description: 'Parameters of the model, and variables of the template.',
        properties: Object.fromEntries(typed),
      },
    },
    if: { not: isServerless },
    then: { required: ['inputs'], properties: { inputs: namesModel } },
  };
}

const namesModel = {
  description: 'Azure knows deployments, others models.',
  type: 'object',
  anyOf: [{ required: ['deployment_name'] }, { required: ['model'] }],
};
