import type { Connection, ModelCall, ModelRequest, ModelResult, ModelService, Usage, Value } from '@unroll/engine';
import type OpenAI from 'openai';
import { openFetch } from '../http/fetch.ts';
import { openPost } from '../http/post.ts';
import { azureTokenProvider } from './azure-token.ts';
import { describeFailure, scrubber } from './describe-failure.ts';
import { type Answered, answeredFetch, askClient, DirectCalls, type ModelPath } from './direct-calls.ts';
import { readChatStream, readCompletionStream, type TokenCounts } from './read-stream.ts';
import { keepingRefusals } from './refused-bodies.ts';

/**
 * A model behind the OpenAI wire format: OpenAI itself, Azure OpenAI (key, or Entra identity with
 * `auth_mode: meid_token`), and any compatible server. The `openai` package is loaded on first use; its own retries are
 * off, since retries are recorded.
 */
export async function openAiService(connection: Connection): Promise<ModelService> {
  const provider = connection.type === 'azure_open_ai' ? 'azure' : 'openai';
  const client = provider === 'azure' ? await azureClient(connection) : await openAiClient(connection);
  const scrub = scrubber(Object.values(connection.secrets));
  const direct = usesIdentity(connection) ? undefined : new DirectCalls(client, await openPost());
  const post: Post = (path, body, call) =>
    direct?.post(path, body, call) ?? askClient(client, path, { ...optionsOf(call), body });
  return {
    provider,
    async call(api, request, call) {
      try {
        return await send({ client, post }, api, request, call);
      } catch (error) {
        return describeFailure(error, scrub);
      }
    },
  };
}

interface Caller {
  readonly client: OpenAI;
  readonly post: Post;
}

type Post = (path: ModelPath, body: ModelRequest, call: ModelCall) => Promise<Answered>;

/** Whether the key is a token that is renewed. */
function usesIdentity({ configs }: Connection): boolean {
  return configs['auth_mode'] === 'meid_token';
}

const shared = { maxRetries: 0 };

async function openAiClient({ type, configs, secrets }: Connection): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  const written = type === 'serverless' ? (configs['api_base'] ?? '') : (configs['base_url'] ?? '');
  const base = type === 'serverless' && !/\/v1\/?$/.test(written) ? `${written.replace(/\/$/, '')}/v1` : written;
  const { organization } = configs;
  return new Client({
    ...shared,
    // A server of one's own may ask for no key; the client library does not start without one.
    apiKey: secrets['api_key'] || 'none',
    organization: organization === undefined || organization === '' ? null : organization,
    ...(base === '' || base === '_' ? {} : { baseURL: base }),
    fetch: await quickFetch(),
  });
}

async function azureClient(connection: Connection): Promise<OpenAI> {
  const { AzureOpenAI } = await import('openai');
  const { configs, secrets } = connection;
  const identity = usesIdentity(connection)
    ? { azureADTokenProvider: await azureTokenProvider() }
    : { apiKey: secrets['api_key'] ?? '' };
  return new AzureOpenAI({
    ...shared,
    ...identity,
    endpoint: (configs['api_base'] ?? '').replace(/\/$/, ''),
    apiVersion: configs['api_version'] ?? '2024-02-01',
    fetch: await quickFetch(),
  });
}

async function quickFetch(): Promise<typeof globalThis.fetch> {
  return keepingRefusals(answeredFetch(await openFetch()));
}

function send(
  caller: Caller,
  api: 'chat' | 'completion' | 'embedding',
  request: ModelRequest,
  call: ModelCall,
): Promise<ModelResult> {
  if (api === 'embedding') return embed(caller, request, call);
  return api === 'completion' ? complete(caller, request, call) : chat(caller, request, call);
}

async function embed({ post }: Caller, request: ModelRequest, call: ModelCall): Promise<ModelResult> {
  const answered = await post('/embeddings', { encoding_format: 'base64', ...request }, call);
  const reply = answered.json as OpenAI.CreateEmbeddingResponse;
  const [vector = []] = vectorsOf(reply);
  return success(vector, reply.usage, isList(request['input']) ? vectorsOf(reply) : undefined, answered);
}

function optionsOf({ signal, headers }: ModelCall): OpenAI.RequestOptions {
  return { signal, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}

/** In the order of the texts, whatever the order of the answer. */
function vectorsOf({ data }: OpenAI.CreateEmbeddingResponse): readonly Value[] {
  return [...data].sort((one, other) => one.index - other.index).map(({ embedding }) => vectorOf(embedding));
}

function isList(input: Value | undefined): boolean {
  return Array.isArray(input) && input.length > 1;
}

/** Numbers, or 32-bit floats in base64, which is what is asked for; not every service knows that form. */
function vectorOf(embedding: string | readonly number[] | undefined): Value {
  if (typeof embedding !== 'string') return embedding ?? [];
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

async function complete({ client, post }: Caller, request: ModelRequest, call: ModelCall): Promise<ModelResult> {
  const { onText } = call;
  if (request['stream'] === true || onText !== undefined) {
    const body = request as unknown as OpenAI.CompletionCreateParamsStreaming;
    const parts = await client.completions.create({ ...body, stream: true }, optionsOf(call));
    const read = await readCompletionStream(parts, onText);
    return success(read.body, read.usage);
  }
  const answered = await post('/completions', unstreamed(request), call);
  const reply = answered.json as OpenAI.Completion;
  return success(reply.choices[0]?.text ?? '', reply.usage, reply, answered);
}

async function chat({ client, post }: Caller, request: ModelRequest, call: ModelCall): Promise<ModelResult> {
  const { onText, countsTokens = false } = call;
  if (request['stream'] === true || onText !== undefined) {
    const parts = await client.chat.completions.create(streamed(client, request, countsTokens), optionsOf(call));
    const read = await readChatStream(parts, onText);
    return success(read.body, read.usage);
  }
  const answered = await post('/chat/completions', unstreamed(request), call);
  const reply = answered.json as OpenAI.ChatCompletion;
  return success((reply.choices[0]?.message ?? {}) as unknown as Value, reply.usage, reply, answered);
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

function success(
  body: Value,
  usage: TokenCounts | null | undefined,
  whole?: object,
  { retryAfterMs }: Pick<Answered, 'retryAfterMs'> = {},
): ModelResult {
  const told = usage === null || usage === undefined ? {} : { usage: toUsage(usage) };
  const reply = { body, ...told, ...(whole === undefined ? {} : { whole: whole as Value }) };
  return retryAfterMs === undefined ? { ok: true, reply } : { ok: true, reply, retryAfterMs };
}

function toUsage({ prompt_tokens, completion_tokens = 0, total_tokens }: TokenCounts): Usage {
  return { promptTokens: prompt_tokens, completionTokens: completion_tokens, totalTokens: total_tokens };
}
