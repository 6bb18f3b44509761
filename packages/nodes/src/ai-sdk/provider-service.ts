import {
  type ChatModelService,
  type Connection,
  type JsonObject,
  type JsonValue,
  type ModelCall,
  type ModelRequest,
  type ModelResult,
  redactorOf,
} from '@unroll/engine';
import { providerPackage } from '../extras/installed-package.ts';
import type { Asked } from '../openai/describe-failure.ts';
import { type ReadAnswer, unusable } from '../openai/read-answer.ts';
import { untilReset } from '../openai/read-retry-after.ts';
import { embedTexts } from './embed-texts.ts';
import type { AnswerHeaders, CallOptions, LanguageModel, Provider, SupportedUrls } from './language-model.ts';
import { ollamaCall, ollamaPackage } from './ollama-call.ts';
import { openProvider } from './open-provider.ts';
import { type ProviderCall, providerCall } from './provider-call.ts';
import { providerFailure, providerProblem, streamFailure } from './provider-failure.ts';
import { readProviderAnswer } from './read-provider-answer.ts';
import { readProviderStream } from './read-provider-stream.ts';
import { unfetchedImage } from './unfetched-image.ts';

/**
 * A model of any provider of the Vercel AI SDK, spoken to as a chat model. The provider makes one request a call; tries are made,
 * and recorded, outside.
 *
 * @param folders where the provider's package is looked for, nearest first
 * @throws PrepareError where the provider cannot be opened
 */
export async function providerService(connection: Connection, folders: readonly string[]): Promise<ChatModelService> {
  const provider = await openProvider(connection, folders);
  const redactor = redactorOf(connection);
  const asked: Asked = { scrub: (text) => redactor.message(text) };
  const models = new Map<string, LanguageModel>();
  const habits = habitsOf[providerPackage(connection)?.name ?? ''] ?? {};
  return {
    async call(api, request, call): Promise<ModelResult> {
      try {
        if (api === 'embedding') return await embed(provider, request, call, asked);
        const id = String(request['model'] ?? '');
        const model = models.get(id) ?? provider.languageModel(id);
        models.set(id, model);
        return await ask({ model, habits }, api, request, call, asked);
      } catch (thrown) {
        return providerFailure(thrown, asked);
      }
    },
  };
}

/** What a package does otherwise than the service behind it needs. */
interface Habits {
  readonly adapt?: (call: Extract<ProviderCall, { ok: true }>) => Extract<ProviderCall, { ok: true }>;
  /** In place of those it claims. */
  readonly supportedUrls?: SupportedUrls;
}

/** By package. Ollama takes the bytes of images, where its package hands on their addresses. */
const habitsOf: Readonly<Record<string, Habits>> = {
  [ollamaPackage]: { adapt: ollamaCall, supportedUrls: {} },
};

async function ask(
  { model, habits }: { readonly model: LanguageModel; readonly habits: Habits },
  api: 'chat' | 'completion',
  request: ModelRequest,
  call: ModelCall,
  asked: Asked,
): Promise<ModelResult> {
  const common = providerCall(api === 'chat' ? request : asChat(request), model.specificationVersion);
  if (!common.ok) return refusal(common.message);
  const built = habits.adapt?.(common) ?? common;
  const unfetched = unfetchedImage(built.options.prompt, habits.supportedUrls ?? (await model.supportedUrls));
  if (unfetched !== undefined) return refusal(unfetched);
  const options = { ...built.options, abortSignal: call.signal };
  const asFunction = (request['functions'] ?? null) !== null;
  const read = (result: Parameters<typeof readProviderAnswer>[0]): ReadAnswer =>
    readProviderAnswer(result, api, asFunction, built.warnings);
  if (request['stream'] === true || call.onText !== undefined) return await inStream(model, options, call, asked, read);
  const result = await model.doGenerate(options);
  return resultOf(read(result), asked, result.response?.headers);
}

async function inStream(
  model: LanguageModel,
  options: CallOptions,
  { onText }: ModelCall,
  asked: Asked,
  read: (result: Parameters<typeof readProviderAnswer>[0]) => ReadAnswer,
): Promise<ModelResult> {
  const { stream, response } = await model.doStream(options);
  const streamed = await readProviderStream(stream, onText);
  if (streamed.kind === 'failed') return streamFailure(streamed.error, asked);
  if (streamed.kind === 'whole') return resultOf(read(streamed.result), asked, response?.headers);
  return providerProblem(unusable('the stream ended before the answer was complete', ''), asked);
}

function resultOf(read: ReadAnswer, asked: Asked, headers: AnswerHeaders = {}): ModelResult {
  if (!read.ok) return providerProblem(read.problem, asked);
  const retryAfterMs = untilReset((name) => headers[name]);
  return { ok: true, reply: read.reply, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

async function embed(
  provider: Provider,
  request: ModelRequest,
  { signal }: ModelCall,
  asked: Asked,
): Promise<ModelResult> {
  const model = (provider.embeddingModel ?? provider.textEmbeddingModel)?.call(
    provider,
    String(request['model'] ?? ''),
  );
  if (model === undefined) return refusal('this provider makes no embeddings', 'APINotFound');
  return resultOf(await embedTexts(model, request, signal), asked);
}

function asChat(request: ModelRequest): ModelRequest {
  const messages: readonly JsonObject[] = [{ role: 'user', content: (request['prompt'] ?? '') as JsonValue }];
  return { ...request, messages };
}

function refusal(message: string, code = 'UnsupportedRequest'): ModelResult {
  return { ok: false, error: { code, message, retryable: false } };
}
