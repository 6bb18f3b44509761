import { convertValue, type NodeError, type NodeOutcome, parseJson, type Value, type Values } from '@unroll/engine';
import { askService, readJson } from '../http/ask-service.ts';
import type { BuiltInTool, ToolNode } from './built-in-tool.ts';

/** `promptflow.tools.serpapi.SerpAPI.search`: a search engine's page of results as JSON (https://serpapi.com/search-api). */
export const serpApiTool: BuiltInTool = {
  name: 'Serp API',
  takesPrompt: false,
  inputs: {
    connection: ['SerpConnection'],
    engine: ['string'],
    location: ['string'],
    num: ['int'],
    query: ['string'],
    safe: ['string'],
  },
  isMadeOfConnection: true,
  prepare: async (given) => (inputs, call) => search(given, inputs, call.signal),
};

async function search({ connection, services }: ToolNode, inputs: Values, signal: AbortSignal): Promise<NodeOutcome> {
  const key = connection?.secrets['api_key'] ?? '';
  const parameters = new URLSearchParams(searchParameters(inputs));
  if (key !== '') parameters.set('api_key', key);
  const url = `${services.serpApiUrl}/search?${parameters}`;
  const result = await askService({ method: 'GET', url, signal });
  if (!result.ok) return failure(500, `SerpAPI search request failed: ${result.code}: ${result.message}`);
  const { status, text } = result.answer;
  if (status !== 200) return failure(status, refusal(text));
  const body = readJson(text);
  if (body === undefined) return failure(500, 'SerpAPI search request failed: the answer is no JSON');
  return { ok: true, output: parseJson(text) };
}

/** Google and Bing call the same things by other names. */
function searchParameters(inputs: Values): Record<string, string> {
  const { query = '', location = null, safe = 'off', num = 10, engine = 'google' } = inputs;
  const isGoogle = String(engine).toLowerCase() === 'google';
  const count = toInt(num);
  return {
    q: String(query),
    ...(location === null ? {} : { location: String(location) }),
    engine: String(engine),
    ...(safe === 'active' ? (isGoogle ? { safe: 'Active' } : { safeSearch: 'Strict' }) : {}),
    ...(count > 0 ? { [isGoogle ? 'num' : 'count']: String(count) } : {}),
  };
}

function toInt(value: Value): number {
  const converted = convertValue(value, 'int');
  return converted.ok ? Number(converted.value) : 0;
}

function refusal(text: string): string {
  const body = readJson(text);
  const told = typeof body === 'object' && body !== null ? (body as { readonly error?: unknown }).error : undefined;
  return told === undefined || told === '' ? `SerpAPI search request failed: ${text}` : String(told);
}

function failure(status: number, message: string): NodeOutcome {
  const isServers = status >= 500;
  const code = isServers ? 'SerpAPISystemError' : 'SerpAPIUserError';
  const error: NodeError = {
    code,
    message,
    retryable: isServers || status === 429,
    codes: [isServers ? 'SystemError' : 'UserError', code],
  };
  return { ok: false, error };
}
