import { type NodeError, pythonRepr, type Value, type Values } from '@unroll/engine';

const functionExample =
  '{"name": "function_name", "parameters": {"type": "object", "properties": {"parameter_name": {"type": "integer", "description": "parameter_description"}}}, "description": "function_description"}';
const toolExample = `{"type": "function", "function": ${functionExample}}`;

/** What Prompt flow refuses in the functions of a chat node; undefined where all is well. */
export function validateFunctions(functions: Value): NodeError | undefined {
  const wrong = (problem: string): NodeError =>
    invalid(
      'ChatAPIInvalidFunctions',
      `${problem} Here is a valid function example: ${functionExample}. See more details at https://platform.openai.com/docs/api-reference/chat/create#chat/create-functions or view sample 'How to use functions with chat models' in our gallery.`,
    );
  if (!Array.isArray(functions)) return wrong('functions cannot be an empty list.');
  for (const [index, one] of (functions as readonly Value[]).entries()) {
    const problem = functionProblem(one, `function ${index}`);
    if (problem !== undefined) return wrong(problem);
  }
  return undefined;
}

export function validateTools(tools: Value): NodeError | undefined {
  const wrong = (problem: string): NodeError =>
    invalid(
      'ChatAPIInvalidTools',
      `${problem} Here is a valid tool example: ${toolExample}. See more details at https://platform.openai.com/docs/api-reference/chat/create`,
    );
  if (!Array.isArray(tools)) return wrong('tools cannot be an empty list.');
  for (const [index, tool] of (tools as readonly Value[]).entries()) {
    if (!isMapping(tool)) return wrong(`tool ${index} '${pythonRepr(tool)}' is not a dict.`);
    for (const key of ['type', 'function'])
      if (!(key in tool)) return wrong(`tool ${index} '${pythonRepr(tool)}' does not have '${key}' property.`);
    const problem = functionProblem(tool['function'] ?? null, `function in tool ${index}`);
    if (problem !== undefined) return wrong(problem);
  }
  return undefined;
}

function functionProblem(one: Value, label: string): string | undefined {
  const shown = `${label} '${pythonRepr(one)}'`;
  if (!isMapping(one)) return `${shown} is not a dict.`;
  for (const key of ['name', 'parameters']) if (!(key in one)) return `${shown} does not have '${key}' property.`;
  const parameters = one['parameters'] ?? null;
  if (!isMapping(parameters)) return `${shown} 'parameters' property should be described as a JSON Schema object.`;
  if (!('type' in parameters)) return `${shown} 'parameters' property does not have 'type' property.`;
  if (parameters['type'] !== 'object') return `${shown} 'parameters' 'type' should be 'object'.`;
  if (!('properties' in parameters)) return `${shown} 'parameters' property does not have 'properties' property.`;
  return isMapping(parameters['properties'] ?? null)
    ? undefined
    : `${shown} 'parameters' 'properties' should be described as a dict.`;
}

function isMapping(value: Value): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(code: string, message: string): NodeError {
  return { code, message, retryable: false, codes: ['UserError', 'ToolValidationError', code] };
}
