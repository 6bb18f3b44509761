import type { Connection, ModelCall, ModelRequest, ModelResult, ModelService, Usage, Value } from '@unroll/engine';
import type OpenAI from 'openai';
import { describeFailure, scrubber } from './describe-failure.ts';

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
      ? { azureADTokenProvider: await tokenProvider() }
      : { apiKey: secrets['api_key'] ?? '' };
  return new AzureOpenAI({
    ...shared,
    ...identity,
    endpoint: (configs['api_base'] ?? '').replace(/\/$/, ''),
    apiVersion: configs['api_version'] ?? '2024-02-01',
    fetch: await quickFetch(),
  });
}

async function tokenProvider(): Promise<() => Promise<string>> {
  const { DefaultAzureCredential, getBearerTokenProvider } = await import('@azure/identity');
  return getBearerTokenProvider(new DefaultAzureCredential(), 'https://cognitiveservices.azure.com/.default');
}

/** undici's own fetch keeps connections open and costs less than the global one. */
async function quickFetch(): Promise<typeof globalThis.fetch> {
  const { fetch } = await import('undici');
  return fetch as unknown as typeof globalThis.fetch;
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
    const reply = await client.embeddings.create({ encoding_format: 'float', ...body }, options);
    return success((reply.data[0]?.embedding ?? []) as Value, reply.usage);
  }
  if (api === 'completion') {
    const body = request as unknown as OpenAI.CompletionCreateParamsNonStreaming;
    const reply = await client.completions.create({ ...body, stream: false }, options);
    return success(reply.choices[0]?.text ?? '', reply.usage);
  }
  if (call.onText !== undefined || request['stream'] === true) return stream(client, request, call, options);
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const reply = await client.chat.completions.create({ ...body, stream: false }, options);
  return success((reply.choices[0]?.message ?? {}) as unknown as Value, reply.usage);
}

interface TokenCounts {
  readonly prompt_tokens: number;
  readonly completion_tokens?: number;
  readonly total_tokens: number;
}

function success(body: Value, usage: TokenCounts | null | undefined): ModelResult {
  return { ok: true, reply: { body, ...(usage === null || usage === undefined ? {} : { usage: toUsage(usage) }) } };
}

function toUsage({ prompt_tokens, completion_tokens = 0, total_tokens }: TokenCounts): Usage {
  return { promptTokens: prompt_tokens, completionTokens: completion_tokens, totalTokens: total_tokens };
}

/** A streamed chat answer, joined: its text handed on piece by piece, calls of functions and tools put together. */
async function stream(client: OpenAI, request: ModelRequest, call: ModelCall, options: object): Promise<ModelResult> {
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
  const parts = await client.chat.completions.create(
    { ...body, stream: true, stream_options: body.stream_options ?? { include_usage: true } },
    options,
  );
  const message: MessageInParts = { role: 'assistant', content: null, toolCalls: [] };
  let usage: TokenCounts | null | undefined;
  for await (const part of parts) {
    usage = part.usage ?? usage;
    const delta = part.choices[0]?.delta;
    if (delta === undefined) continue;
    addDelta(message, delta);
    if (typeof delta.content === 'string' && delta.content !== '') call.onText?.(delta.content);
  }
  return success(joinedMessage(message), usage);
}

interface MessageInParts {
  role: string;
  content: string | null;
  functionCall?: { name: string; arguments: string };
  toolCalls: { id: string; type: string; function: { name: string; arguments: string } }[];
}

function addDelta(message: MessageInParts, delta: OpenAI.ChatCompletionChunk.Choice.Delta): void {
  if (typeof delta.content === 'string') message.content = (message.content ?? '') + delta.content;
  if (delta.function_call !== undefined && delta.function_call !== null) {
    message.functionCall ??= { name: '', arguments: '' };
    message.functionCall.name += delta.function_call.name ?? '';
    message.functionCall.arguments += delta.function_call.arguments ?? '';
  }
  for (const call of delta.tool_calls ?? []) {
    const known = message.toolCalls[call.index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    message.toolCalls[call.index] = known;
    known.id += call.id ?? '';
    known.function.name += call.function?.name ?? '';
    known.function.arguments += call.function?.arguments ?? '';
  }
}

function joinedMessage({ role, content, functionCall, toolCalls }: MessageInParts): Value {
  return {
    role,
    content,
    ...(functionCall === undefined ? {} : { function_call: functionCall }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}
