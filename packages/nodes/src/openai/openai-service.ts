import type { Connection, ModelCall, ModelRequest, ModelResult, ModelService, Usage, Value } from '@unroll/engine';
import type OpenAI from 'openai';
import { openFetch } from '../http/fetch.ts';
import { azureTokenProvider } from './azure-token.ts';
import { describeFailure, scrubber } from './describe-failure.ts';
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
  return {
    provider,
    async call(api, request, call) {
      try {
        return await send(client, api, request, call);
      } catch (error) {
        return describeFailure(error, scrub);
      }
    },
  };
}

const shared = { maxRetries: 0 };

async function openAiClient({ type, configs, secrets }: Connection): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  const written = type === 'serverless' ? (configs['api_base'] ?? '') : (configs['base_url'] ?? '');
  const base = type === 'serverless' && !/\/v1\/?$/.test(written) ? `${written.replace(/\/$/, '')}/v1` : written;
  const { organization } = configs;
  return new Client({
    ...shared,
    apiKey: secrets['api_key'] ?? '',
    organization: organization === undefined || organization === '' ? null : organization,
    ...(base === '' || base === '_' ? {} : { baseURL: base }),
    fetch: await quickFetch(),
  });
}

async function azureClient({ configs, secrets }: Connection): Promise<OpenAI> {
  const { AzureOpenAI } = await import('openai');
  const identity =
    configs['auth_mode'] === 'meid_token'
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
  return keepingRefusals(await openFetch());
}

async function send(
  client: OpenAI,
  api: 'chat' | 'completion' | 'embedding',
  request: ModelRequest,
  call: ModelCall,
): Promise<ModelResult> {
  const options = { signal: call.signal, ...(call.headers === undefined ? {} : { headers: { ...call.headers } }) };
  if (api === 'embedding') {
    const body = request as unknown as OpenAI.EmbeddingCreateParams;
    const reply = await client.embeddings.create({ encoding_format: 'base64', ...body }, options);
    const [first] = reply.data;
    if (!Array.isArray(body.input) || body.input.length < 2) return success(vectorOf(first?.embedding), reply.usage);
    const vectors = inOrder(reply.data).map(({ embedding }) => vectorOf(embedding));
    return success(vectors[0] ?? [], reply.usage, vectors);
  }
  return api === 'completion' ? complete(client, request, call, options) : chat(client, request, call, options);
}

/** Vectors of several texts are told with their places. */
function inOrder(data: readonly OpenAI.Embedding[]): readonly OpenAI.Embedding[] {
  return data.toSorted((left, right) => left.index - right.index);
}

/** Numbers, or 32-bit floats in base64, which is what is asked for; not every service knows that form. */
function vectorOf(embedding: string | readonly number[] | undefined): Value {
  if (typeof embedding !== 'string') return embedding ?? [];
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

async function complete(
  client: OpenAI,
  request: ModelRequest,
  { onText }: ModelCall,
  options: object,
): Promise<ModelResult> {
  if (request['stream'] === true || onText !== undefined) {
    const body = request as unknown as OpenAI.CompletionCreateParamsStreaming;
    const parts = await client.completions.create({ ...body, stream: true }, options);
    const read = await readCompletionStream(parts, onText);
    return success(read.body, read.usage);
  }
  const body = request as unknown as OpenAI.CompletionCreateParamsNonStreaming;
  const reply = await client.completions.create({ ...body, stream: false }, options);
  return success(reply.choices[0]?.text ?? '', reply.usage, reply);
}

async function chat(
  client: OpenAI,
  request: ModelRequest,
  { onText, countsTokens = false }: ModelCall,
  options: object,
): Promise<ModelResult> {
  if (request['stream'] === true || onText !== undefined) {
    const parts = await client.chat.completions.create(streamed(client, request, countsTokens), options);
    const read = await readChatStream(parts, onText);
    return success(read.body, read.usage);
  }
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const reply = await client.chat.completions.create({ ...body, stream: false }, options);
  return success((reply.choices[0]?.message ?? {}) as unknown as Value, reply.usage, reply);
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

function success(body: Value, usage: TokenCounts | null | undefined, whole?: object): ModelResult {
  const told = usage === null || usage === undefined ? {} : { usage: toUsage(usage) };
  return { ok: true, reply: { body, ...told, ...(whole === undefined ? {} : { whole: whole as Value }) } };
}

function toUsage({ prompt_tokens, completion_tokens = 0, total_tokens }: TokenCounts): Usage {
  return { promptTokens: prompt_tokens, completionTokens: completion_tokens, totalTokens: total_tokens };
}
