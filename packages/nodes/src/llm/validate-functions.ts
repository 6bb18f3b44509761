import { isMapping, type JsonValue, type NodeError, pythonClass, pythonJson, pythonStr } from '@unroll/engine';
import { userError } from '../errors/tool-error.ts';

type Refuse = (problem: string) => NodeError;

/** What Prompt flow refuses in the functions of a chat node (`validate_functions`); undefined where all is well. */
export function validateFunctions(functions: JsonValue): NodeError | undefined {
  if (isEmpty(functions)) return refuseFunctions('functions cannot be an empty list.');
  return firstProblem(itemsOf(functions), (one, index) => functionProblem(one, index, refuseFunctions));
}

/** What Prompt flow refuses in the tools of an Azure chat node (`validate_tools`); undefined where all is well. */
export function validateTools(tools: JsonValue): NodeError | undefined {
  if (isEmpty(tools)) return refuseTools('tools cannot be an empty list.');
  return firstProblem(itemsOf(tools), (tool, index) => {
    if (!isMapping(tool)) return refuseTools(`tool ${index} '${pythonStr(tool)}' is not a dict.`);
    const missing = ['type', 'function'].find((key) => !(key in tool));
    if (missing !== undefined) {
      return refuseTools(`tool ${index} '${pythonStr(tool)}' does not have '${missing}' property.`);
    }
    return functionProblem(tool['function'] ?? null, index, refuseTools);
  });
}

/** `auto` where none is given; refused where it is neither `auto`, `none` nor a mapping that names a function. */
export function readFunctionCall(given: JsonValue): { readonly value: JsonValue } | { readonly error: NodeError } {
  if (given === null) return { value: 'auto' };
  if (given === 'auto' || given === 'none') return { value: given };
  const refuse: Refuse = (problem) => userError('ChatAPIInvalidFunctions', `${problem} ${callGuide}`);
  const what = 'function_call parameter';
  if (!isMapping(given)) return { error: refuse(`${what} '${pythonStr(given)}' must be a dict, ${butNot(given)}`) };
  if (!('name' in given)) return { error: refuse(`${what} ${pythonJson(given)} must contain "name" field.`) };
  return { value: given };
}

/** As `readFunctionCall`, for `tool_choice`. */
export function readToolChoice(given: JsonValue): { readonly value: JsonValue } | { readonly error: NodeError } {
  if (given === null) return { value: 'auto' };
  if (given === 'auto' || given === 'none') return { value: given };
  const problem = toolChoiceProblem(given);
  if (problem === undefined) return { value: given };
  return { error: userError('ChatAPIInvalidTools', `${problem} ${choiceGuide}`) };
}

function toolChoiceProblem(given: JsonValue): string | undefined {
  const what = 'tool_choice parameter';
  if (!isMapping(given)) return `${what} '${pythonStr(given)}' must be a dict, ${butNot(given)}`;
  const missing = ['type', 'function'].find((key) => !(key in given));
  if (missing !== undefined) return `${what} ${pythonJson(given)} must contain "${missing}" field.`;
  const chosen = given['function'] ?? null;
  if (!isMapping(chosen)) {
    return `function parameter "${pythonStr(chosen)}" in tool_choice must be a dict, ${butNot(chosen)}`;
  }
  if ('name' in chosen) return undefined;
  return `function parameter "${pythonJson(chosen)}" in tool_choice must contain "name" field.`;
}

function functionProblem(one: JsonValue, index: number, refuse: Refuse): NodeError | undefined {
  if (!isMapping(one)) return refuse(`function ${index} '${pythonStr(one)}' is not a dict.`);
  const missing = ['name', 'parameters'].find((key) => !(key in one));
  if (missing !== undefined) {
    return refuse(`function ${index} '${pythonStr(one)}' does not have '${missing}' property.`);
  }
  const problem = parametersProblem(one['parameters'] ?? null);
  return problem === undefined ? undefined : refuse(`function ${index} '${pythonStr(one['name'] ?? null)}' ${problem}`);
}

function parametersProblem(parameters: JsonValue): string | undefined {
  const shown = `parameters '${pythonStr(parameters)}'`;
  if (!isMapping(parameters)) return `${shown} should be described as a JSON Schema object.`;
  const missing = ['type', 'properties'].find((key) => !(key in parameters));
  if (missing !== undefined) return `${shown} does not have '${missing}' property.`;
  if (parameters['type'] !== 'object') return `parameters 'type' should be 'object'.`;
  if (isMapping(parameters['properties'] ?? null)) return undefined;
  return `parameters 'properties' should be described as a JSON Schema object.`;
}

/** As Python walks it: the keys of a mapping, the letters of a text. */
function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  return isMapping(value) ? Object.keys(value) : [];
}

function firstProblem(
  items: readonly JsonValue[],
  problemOf: (one: JsonValue, index: number) => NodeError | undefined,
): NodeError | undefined {
  for (const [index, one] of items.entries()) {
    const problem = problemOf(one, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function butNot(value: JsonValue): string {
  return `but not <class '${pythonClass(value)}'>.`;
}

const refuseFunctions: Refuse = (problem) =>
  userError(
    'ChatAPIInvalidFunctions',
    `${problem} Here is a valid function example: ${functionExample}. See more details at https://platform.openai.com/docs/api-reference/chat/create#chat/create-functions or view sample 'How to use functions with chat models' in our gallery.`,
  );
const refuseTools: Refuse = (problem) =>
  userError(
    'ChatAPIInvalidTools',
    `${problem} Here is a valid tool example: ${toolExample}. See more details at https://platform.openai.com/docs/api-reference/chat/create`,
  );
const functionExample = pythonJson({
  name: 'function_name',
  parameters: {
    type: 'object',
    properties: { parameter_name: { type: 'integer', description: 'parameter_description' } },
  },
  description: 'function_description',
});
const toolExample = pythonJson({
  type: 'function',
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather in a given location',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['location'],
    },
  },
});
const callGuide =
  'Here is a valid example: {"name": "function_name"}. See the guide at https://platform.openai.com/docs/api-reference/chat/create#chat/create-function_call or view sample \'How to call functions with chat models\' in our gallery.';
const choiceGuide =
  'Here is a valid example: {"type": "function", "function": {"name": "my_function"}}. See the guide at https://platform.openai.com/docs/api-reference/chat/create.';
