import { type JsonObject, type JsonValue, type PrepareContext, stringifyJson } from '@unroll/engine';
import { requireConnection } from '../../connections/find-connection.ts';
import { askVirtualApi } from '../toolgen/ask-virtual-api.ts';
import type { RunFunction } from './code-tool.ts';
import { toolFailure } from './limited-tool.ts';
import type { ToolDefinition, ToolExecutor } from './tool-definition.ts';

/**
 * An API that a virtual API server answers for, by StableToolBench's contract. The secret `toolbench_key` of its connection
 * is sent along. The `response` is the result; an `error` is told to the model.
 *
 * @throws PrepareError when the connection does not exist
 */
export function openVirtualApi(
  { name, timeoutMs, maxBytes }: ToolDefinition,
  { url, place, connection: connectionName }: Extract<ToolExecutor, { kind: 'toolbench' }>,
  context: PrepareContext,
): RunFunction {
  const connection =
    connectionName === undefined ? undefined : requireConnection(connectionName, name, context.connections);
  const key = connection?.secrets['toolbench_key'];
  const server = { url, timeoutMs, maxBytes, ...(key === undefined ? {} : { key }) };
  return async (given, { signal }) => {
    const request = {
      category: place.category,
      tool_name: place.tool,
      api_name: place.api,
      tool_input: stringifyJson(given),
      strip: 'truncate',
    };
    const answer = await askVirtualApi(request, server, signal);
    if (answer.type === 'timeout') return toolFailure('TIMEOUT', `${name} did not answer within ${timeoutMs / 1000} s`);
    if (answer.status !== 200)
      return toolFailure('HTTP_STATUS', `the virtual API server answered HTTP ${answer.status}`);
    return readAnswer(answer.body);
  };
}

function readAnswer(body: JsonValue | undefined): Awaited<ReturnType<RunFunction>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, 'response')) {
    return toolFailure('UNEXPECTED_RESPONSE', 'the virtual API server answered in another form than {error, response}');
  }
  const { error = '', response = '' } = body as JsonObject;
  if (error !== '' && error !== null) return toolFailure('TOOL_FAILED', String(error), true);
  return { ok: true, content: response };
}
