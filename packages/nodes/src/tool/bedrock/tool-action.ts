import { type JsonObject, type JsonValue, jsonOrText, textOrJson } from '@unroll/engine';
import type { TableTool } from '../table/index.ts';
import type { ActionExecutor } from './act-step.ts';
import { dependencyFailed } from './lambda-action.ts';

/**
 * Tools of a tool table behind an action group: the tool that is called like the operation's id gets its arguments, as
 * the types of its schema say, since the text protocol knows texts only. An error the model can correct comes back as HTTP
 * 400 in the response, any other ends the turn.
 */
export function toolAction(tools: readonly TableTool[]): ActionExecutor {
  return async (event, { signal, operation }) => {
    const tool = tools.find(({ name, operation: own }) => (own?.operationId ?? name) === operation);
    if (tool === undefined) throw dependencyFailed(`there is no tool "${operation}" behind the action group`);
    const result = await tool.call(typedArguments(event, tool.parameters), { signal });
    if (!result.ok && !result.toModel) throw dependencyFailed(`${result.error.code}: ${result.error.message}`);
    const text = result.ok ? textOrJson(result.content) : result.error.message;
    return responseTo(event, text, result.ok);
  };
}

function typedArguments({ parameters, requestBody }: JsonObject, schema: JsonObject): JsonObject {
  const content = Object.values(
    ((requestBody as JsonObject | undefined)?.['content'] ?? {}) as JsonObject,
  ) as readonly JsonObject[];
  const body = content.flatMap(({ properties }) => (properties ?? []) as readonly JsonObject[]);
  const types = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const given = [...((parameters ?? []) as readonly JsonObject[]), ...body];
  return Object.fromEntries(
    given.map(({ name, value }) => [String(name), typedValue(String(value ?? ''), types[String(name)] ?? {})]),
  );
}

/** A text that is no value of its type stays a text: the tool's schema then tells what is wrong. */
function typedValue(text: string, schema: JsonObject): JsonValue {
  const { type } = schema;
  if (type === 'boolean') return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
  const isOfParts = type === undefined && ['allOf', 'anyOf', 'oneOf', 'properties'].some((key) => key in schema);
  if (isOfParts && /^\s*[[{]/.test(text)) return jsonOrText(text);
  if (type !== 'integer' && type !== 'number' && type !== 'array' && type !== 'object') return text;
  return jsonOrText(text);
}

function responseTo(event: JsonObject, text: string, isOk: boolean): JsonObject {
  const { actionGroup = null, apiPath = null, httpMethod = null, function: name } = event;
  if (name !== undefined) {
    const state = isOk ? {} : { responseState: 'REPROMPT' };
    const functionResponse = { ...state, responseBody: { TEXT: { body: text } } };
    return { messageVersion: '1.0', response: { actionGroup, function: name, functionResponse } };
  }
  const responseBody = { 'application/json': { body: text } };
  const response = { actionGroup, apiPath, httpMethod, httpStatusCode: isOk ? 200 : 400, responseBody };
  return { messageVersion: '1.0', response };
}
