import {
  convertValue,
  type JsonObject,
  type JsonValue,
  type NodeError,
  type NodeOutcome,
  parseJson,
  redactorOf,
  type ServiceDetails,
} from '@unroll/engine';
import { askService, hostOf, maySucceedLater, quoted, readJson, serviceDetails } from '@unroll/nodes/building-blocks';
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

async function search(
  { connection, services }: ToolNode,
  inputs: JsonObject,
  signal: AbortSignal,
): Promise<NodeOutcome> {
  const key = connection?.secrets['api_key'] ?? '';
  const parameters = new URLSearchParams(searchParameters(inputs));
  if (key !== '') parameters.set('api_key', key);
  const url = `${services.serpApiUrl}/search?${parameters}`;
  const result = await askService({ method: 'GET', url, signal });
  if (!result.ok) {
    const { message, retryable, service } = result;
    return failure(500, `SerpAPI search request failed: ${result.code}: ${message}`, { retryable, service });
  }
  const { status, text } = result.answer;
  const redactor = redactorOf(...(connection === undefined ? [] : [connection]));
  const serviceOf = (said: string): ServiceDetails =>
    serviceDetails({ host: hostOf(url), status, said: quoted(said, (words) => redactor.message(words)) });
  if (status !== 200) {
    const said = refusal(text);
    return failure(status, said ?? `SerpAPI search request failed: ${text}`, {
      retryable: maySucceedLater(status),
      service: serviceOf(said ?? text),
    });
  }
  if (readJson(text) === undefined) {
    const message = 'SerpAPI search request failed: the answer is no JSON';
    return failure(500, message, { retryable: true, service: serviceOf(text) });
  }
  return { ok: true, output: parseJson(text) };
}

/** Google and Bing call the same things by other names. */
function searchParameters(inputs: JsonObject): Record<string, string> {
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

function toInt(value: JsonValue): number {
  const converted = convertValue(value, 'int');
  return converted.ok ? Number(converted.value) : 0;
}

/** What SerpAPI says of a search that failed; undefined where it does not say it in its own way. */
function refusal(text: string): string | undefined {
  const body = readJson(text);
  const error = typeof body === 'object' && body !== null ? (body as { readonly error?: unknown }).error : undefined;
  return error === undefined || error === '' ? undefined : String(error);
}

interface Circumstances {
  readonly retryable: boolean;
  readonly service: ServiceDetails;
}

function failure(status: number, message: string, { retryable, service }: Circumstances): NodeOutcome {
  const isServers = status >= 500;
  const code = isServers ? 'SerpAPISystemError' : 'SerpAPIUserError';
  const error: NodeError = {
    code,
    message,
    retryable,
    service,
  };
  return { ok: false, error };
}
