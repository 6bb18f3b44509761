import { isMapping, type JsonObject, jsonIn, type Tool, textOrJson } from '@unroll/engine';
import type { ApiAnswer, ApiRequest } from './run-action.ts';
import { functionNameOf } from './standard-name.ts';
import { inputError } from './virtual-api.ts';

/**
 * What a tool table answers for an API: the tool called like the API, or `api_for_tool`, gets the arguments of the request.
 * A call that fails is an answer with its error, as the environment of ToolBench gives it.
 */
export function toolAnswers(
  tools: readonly Tool[],
): (request: ApiRequest, call: { readonly signal: AbortSignal }) => Promise<ApiAnswer> {
  return async (request, { signal }) => {
    const { tool_name: owner, api_name: api, tool_input: input } = request;
    const tool = tools.find(({ name }) => name === api || name === functionNameOf(owner, api));
    if (tool === undefined) return apiAnswer('API not working error...', '');
    const given = argumentsOf(input);
    if (given === undefined) return apiAnswer(inputError, '');
    const result = await tool.call(given, { signal });
    if (result.ok) return apiAnswer('', textOrJson(result.content));
    if (result.error.code === 'TIMEOUT') return { type: 'timeout' };
    return apiAnswer(`${result.error.code}: ${result.error.message}`, '');
  };
}

function apiAnswer(error: string, response: string): ApiAnswer {
  return { type: 'answer', status: 200, body: { error, response } };
}

function argumentsOf(input: string): JsonObject | undefined {
  const value = input.trim() === '' ? {} : jsonIn(input);
  return isMapping(value) ? value : undefined;
}
