import { declaresNoOutputs, type FlowInputSpec, type JsonObject, type Plan } from '@unroll/engine';

const types: Readonly<Record<string, JsonObject>> = {
  int: { type: 'integer' },
  double: { type: 'number' },
  bool: { type: 'boolean' },
  string: { type: 'string' },
  secret: { type: 'string', format: 'password' },
  list: { type: 'array' },
  object: { type: 'object' },
};

/** The inputs of a flow as JSON schema. */
export function inputsSchema({ inputs }: Plan): JsonObject {
  const required = inputs.filter((input) => (input.default ?? null) === null).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(inputs.map((input) => [input.name, inputSchema(input)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The outputs of a flow as JSON schema; any of them may be null, where nodes were bypassed. Of code that declares none there may be any. */
export function outputsSchema(plan: Plan): JsonObject {
  const outputs = declaresNoOutputs(plan) ? [] : plan.outputs;
  const fields = outputs.map(({ name, description }) => [name, describedBy(description)] as const);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** What a type does not say is anything: an image, a class of Python. */
function inputSchema({ type, description, default: fallback = null }: FlowInputSpec): JsonObject {
  return {
    ...types[type],
    ...describedBy(description),
    ...(fallback === null ? {} : { default: fallback }),
  };
}

function describedBy(description: string | undefined): JsonObject {
  return description === undefined ? {} : { description };
}
