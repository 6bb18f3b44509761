import {
  type Connection,
  type JsonValue,
  type ModelApi,
  type ModelCall,
  type ModelRequest,
  type ModelService,
  redactorOf,
} from '@unroll/engine';
import type OpenAI from 'openai';
import type { Stream } from 'openai/streaming';
import { throwMissing } from '../extras/extras.ts';
import { maxBytesOf } from '../http/answer-limit.ts';
import { type FetchLimits, openFetch } from '../http/fetch.ts';
import { hostOf } from '../http/quoted.ts';
import { type Answered, askClient, type ModelPath } from './ask-client.ts';
import { azureTokenProvider } from './azure-token.ts';
import { type Asked, describeFailure, describeProblem } from './describe-failure.ts';
import { keepingErrorBodies } from './error-bodies.ts';
import { exactNumbers } from './exact-numbers.ts';
import { parseChatCompletion, parseCompletion, parseEmbeddings, type ReadAnswer } from './read-answer.ts';
import { parseResponse } from './read-response.ts';
import { readResponseStream } from './read-response-stream.ts';
import { readChatStream, readCompletionStream, type StreamEnd } from './read-stream.ts';
import { readStreamed } from './read-streamed.ts';
import { responsesRequest } from './responses-request.ts';
import { refusingUnusable, type StreamOptions } from './unusable-body.ts';

/**
 * A model behind the OpenAI wire format: OpenAI itself, Azure OpenAI (key, or Entra identity with
 * `auth_mode: meid_token`), and any compatible server. The `openai` package is loaded on first use; its own retries are
 * off, since retries are recorded.
 */
export async function openAiService(connection: Connection): Promise<ModelService> {
  const isAzure = connection.type === 'azure_open_ai';
  const client = isAzure ? await azureClient(connection) : await openAiClient(connection);
  const responsesClient = isAzure ? await azureVersionOneClient(connection) : client;
  const redactor = redactorOf(connection);
  const asked: Asked = { host: hostOf(client.baseURL), scrub: (text) => redactor.message(text) };
  const maxBytes = maxBytesOf(connection);
  return {
    async call(api, request, call) {
      try {
        const { read, retryAfterMs } = await send({ client, responsesClient, maxBytes }, api, request, call);
        if (!read.ok) return describeProblem(read.problem, asked);
        return { ok: true, reply: read.reply, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
      } catch (error) {
        return describeFailure(error, asked);
      }
    },
  };
}

interface Caller {
  readonly client: OpenAI;
  /** Azure has its Responses API at another address, without a version. */
  readonly responsesClient: OpenAI;
  /** Of an answer, unpacked, that are taken. */
  readonly maxBytes: number;
}

function post(
  client: OpenAI,
  maxBytes: number,
  path: ModelPath,
  body: ModelRequest,
  call: ModelCall,
): Promise<Answered> {
  return askClient(client, path, { ...optionsOf(call, { maxBytes }), body });
}

/** Its log would write parts of answers to stderr. */
const shared = { maxRetries: 0, logLevel: 'off' } as const;

/** A server of one's own may ask for no key; the client library does not start without one. */
const noKey = 'none';

/** The door to openai. @throws PrepareError where it is not installed */
async function loadClients(): Promise<typeof import('openai')> {
  return import('openai').catch((error: unknown) => throwMissing('openai', error));
}

async function openAiClient({ type, configs, secrets }: Connection): Promise<OpenAI> {
  const { OpenAI: Client } = await loadClients();
  const written = type === 'serverless' ? (configs['api_base'] ?? '') : (configs['base_url'] ?? '');
  const base = type === 'serverless' && !/\/v1\/?$/.test(written) ? `${written.replace(/\/$/, '')}/v1` : written;
  const { organization } = configs;
  return new Client({
    ...shared,
    apiKey: secrets['api_key'] || noKey,
    organization: organization === undefined || organization === '' ? null : organization,
    ...(base === '' || base === '_' ? {} : { baseURL: base }),
    fetch: await checkedFetch(),
  });
}

async function azureClient(connection: Connection): Promise<OpenAI> {
  const { AzureOpenAI } = await loadClients();
  const { configs, secrets } = connection;
  const identity =
    configs['auth_mode'] === 'meid_token'
      ? // Else the client library takes that of AZURE_OPENAI_API_KEY, and refuses to have both.
        { apiKey: '', azureADTokenProvider: await azureTokenProvider() }
      : { apiKey: secrets['api_key'] || noKey };
  return new AzureOpenAI({
    ...shared,
    ...identity,
    // Else the client library takes that of OPENAI_BASE_URL, and refuses to have both.
    baseURL: null,
    endpoint: (configs['api_base'] ?? '').replace(/\/$/, ''),
    apiVersion: configs['api_version'] || '2024-02-01',
    fetch: await checkedFetch(),
  });
}

/** The `v1` path of Azure OpenAI, which knows no `api-version` (Azure OpenAI API version lifecycle, "v1 API"). */
async function azureVersionOneClient({ configs, secrets }: Connection): Promise<OpenAI> {
  const { OpenAI: Client } = await loadClients();
  const identity =
    configs['auth_mode'] === 'meid_token'
      ? { apiKey: await azureTokenProvider() }
      : { apiKey: 'none', defaultHeaders: { 'api-key': secrets['api_key'] ?? '', authorization: null } };
  return new Client({
    ...shared,
    ...identity,
    organization: null,
    baseURL: `${(configs['api_base'] ?? '').replace(/\/$/, '')}/openai/v1`,
    fetch: await checkedFetch(),
  });
}

async function checkedFetch(): Promise<typeof globalThis.fetch> {
  return refusingUnusable(keepingErrorBodies(await openFetch()));
}

interface ReadCall extends Pick<Answered, 'retryAfterMs'> {
  readonly read: ReadAnswer;
}

function send(caller: Caller, api: ModelApi, given: ModelRequest, call: ModelCall): Promise<ReadCall> {
  const request = exactNumbers(given);
  if (api === 'responses') return respond(caller, request, call);
  if (api === 'embedding') return embed(caller, request, call);
  return api === 'completion' ? complete(caller, request, call) : chat(caller, request, call);
}

async function embed({ client, maxBytes }: Caller, request: ModelRequest, call: ModelCall): Promise<ReadCall> {
  const { json, ...told } = await post(
    client,
    maxBytes,
    '/embeddings',
    { encoding_format: 'base64', ...request },
    call,
  );
  return { read: parseEmbeddings(json, textCount(request['input'])), ...told };
}

/** A list of numbers is one text in tokens. */
function textCount(input: JsonValue | undefined): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? Math.max(1, input.length) : 1;
}

function optionsOf({ signal, headers }: ModelCall, limits: FetchLimits & StreamOptions): OpenAI.RequestOptions {
  const fetchOptions: object = limits;
  return { signal, fetchOptions, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}

async function complete({ client, maxBytes }: Caller, request: ModelRequest, call: ModelCall): Promise<ReadCall> {
  const { onText } = call;
  if (request['stream'] !== true && onText === undefined) {
    const { json, ...told } = await post(client, maxBytes, '/completions', unstreamed(request), call);
    return { read: parseCompletion(json), ...told };
  }
  const body = request as unknown as OpenAI.CompletionCreateParamsStreaming;
  const { end, options } = streamOptions(call, maxBytes);
  const opened = client.completions.create({ ...body, stream: true }, options);
  return { read: await readStreamed(opened, (parts) => readCompletionStream(parts, end, onText), parseCompletion) };
}

async function chat({ client, maxBytes }: Caller, request: ModelRequest, call: ModelCall): Promise<ReadCall> {
  const { onText, countsTokens = false } = call;
  if (request['stream'] !== true && onText === undefined) {
    const { json, ...told } = await post(client, maxBytes, '/chat/completions', unstreamed(request), call);
    return { read: parseChatCompletion(json), ...told };
  }
  const { end, options } = streamOptions(call, maxBytes);
  // Its `chat.completions` makes objects of choices that are none.
  const body = streamed(client, request, countsTokens);
  const opened = client.post<Stream<unknown>>('/chat/completions', { ...options, body, stream: true });
  return { read: await readStreamed(opened, (parts) => readChatStream(parts, end, onText), parseChatCompletion) };
}

async function respond(
  { responsesClient: client, maxBytes }: Caller,
  request: ModelRequest,
  call: ModelCall,
): Promise<ReadCall> {
  const { onText } = call;
  const asFunction = request['functions'] !== undefined && request['tools'] === undefined;
  const body = responsesRequest(request);
  if (request['stream'] !== true && onText === undefined) {
    const { json, ...told } = await post(client, maxBytes, '/responses', body, call);
    return { read: parseResponse(json, asFunction), ...told };
  }
  const { options } = streamOptions(call, maxBytes);
  const streamed = { ...options, body: { ...body, stream: true }, stream: true } as const;
  const opened = client.post<Stream<unknown>>('/responses', streamed);
  const readEvents = (events: Stream<unknown>): Promise<ReadAnswer> => readResponseStream(events, asFunction, onText);
  return { read: await readStreamed(opened, readEvents, (json) => parseResponse(json, asFunction)) };
}

function streamOptions(
  call: ModelCall,
  maxBytes: number,
): { readonly end: StreamEnd; readonly options: OpenAI.RequestOptions } {
  const end: StreamEnd = { isDone: false };
  return { end, options: optionsOf(call, { streamEnd: end, maxBytes }) };
}

/** `stream` is told where the request tells it: a prompty sends its own parameters and no others. */
function unstreamed(request: ModelRequest): ModelRequest {
  return 'stream' in request ? { ...request, stream: false } : request;
}

/** Tokens are asked for only where the version of the service knows the option. */
function streamed(
  client: OpenAI,
  request: ModelRequest,
  countsTokens: boolean,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
  const { apiVersion } = client as { readonly apiVersion?: string };
  const isKnown = apiVersion === undefined || apiVersion >= firstVersionWithUsage;
  if (!countsTokens || request['stream_options'] !== undefined || !isKnown) return { ...body, stream: true };
  return { ...body, stream: true, stream_options: { include_usage: true } };
}

const firstVersionWithUsage = '2024-09-01';
