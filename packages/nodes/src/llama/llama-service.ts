import { resolve } from 'node:path';
import type {
  ChatModelService,
  Connection,
  JsonObject,
  JsonValue,
  ModelCall,
  ModelRequest,
  ModelResult,
} from '@unroll/engine';
import { thrownText } from '@unroll/engine';
import { messageParts } from '../openai/message-parts.ts';
import { vainTexts, withWarnings } from '../openai/vain-settings.ts';
import { prefixGrammar } from '../tool-catalogue/prefix-grammar.ts';
import {
  type Llama,
  type LlamaContext,
  type LlamaGrammar,
  type LlamaHistoryItem,
  type LlamaLibrary,
  loadLlamaLibrary,
} from './llama-library.ts';
import { llamaInVain } from './unsent-settings.ts';

/**
 * A model in a GGUF file, run here by llama.cpp (`node-llama-cpp`). Chat only, one answer at a time. What it may say is held
 * by a grammar: `structured_outputs: {choice: […]}` by one that is factored by prefix, so that it holds tens of thousands of
 * names, `{grammar: GBNF}` by your own, `{json: schema}` and `response_format` by that of a JSON Schema.
 *
 * @param folder where the library is looked for, and where the model's path begins
 */
export function llamaService({ configs }: Connection, folder: string): ChatModelService {
  let opened: Promise<Opened> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async call(api, request, call): Promise<ModelResult> {
      const wrong = unsupportedOf(api, request);
      if (wrong !== undefined) return failed('LlamaRequest', wrong);
      opened ??= open(configs, folder);
      const answered = turn.then(async () => answer(await (opened as Promise<Opened>), request, call));
      turn = answered.catch(() => undefined);
      return answered.catch((error: unknown) => {
        opened = undefined;
        return failed('LlamaError', thrownText(error));
      });
    },
  };
}

interface Opened {
  readonly library: LlamaLibrary;
  readonly llama: Llama;
  readonly context: LlamaContext;
  /** Of choices, by the choices: to make one that holds tens of thousands of names takes longer than to answer by it. */
  readonly grammars: Map<string, LlamaGrammar>;
}

const maxGrammars = 8;

async function open(configs: Readonly<Record<string, string>>, folder: string): Promise<Opened> {
  const { model: path, context_size: size, threads } = configs;
  if (path === undefined) throw new Error('the connection names no model: expected the path of a GGUF file as "model"');
  const library = await loadLlamaLibrary(folder);
  const llama = await library.getLlama({
    gpu: configs['gpu'] === 'true' ? 'auto' : false,
    build: 'never',
    logLevel: 'error',
  });
  const model = await llama.loadModel({ modelPath: resolve(folder, path) });
  const context = await model.createContext({
    ...(size === undefined ? {} : { contextSize: Number(size) }),
    ...(threads === undefined ? {} : { threads: Number(threads) }),
  });
  return { library, llama, context, grammars: new Map() };
}

const service = 'a connection of type llama_cpp';

function unsupportedOf(api: string, request: ModelRequest): string | undefined {
  if (api !== 'chat') return `a connection of type llama_cpp answers chat, not ${api}`;
  const offered = ['tools', 'functions'].find((name) => request[name] !== undefined && request[name] !== null);
  if (offered !== undefined) return `${service} takes no ${offered}; hold the answer by structured_outputs`;
  const [refused] = vainTexts(llamaInVain(request), service).refused;
  if (refused !== undefined) return refused;
  const other = messageParts(request).find(({ text }) => typeof text !== 'string');
  return other === undefined
    ? undefined
    : `a part of a message is of type ${String(other['type'])}: ${service} takes texts alone`;
}

async function answer(opened: Opened, request: ModelRequest, call: ModelCall): Promise<ModelResult> {
  const { library, context } = opened;
  const sequence = context.getSequence();
  const session = new library.LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: true });
  try {
    const messages = (request['messages'] ?? []) as readonly JsonObject[];
    session.setChatHistory(messages.slice(0, -1).map(historyItem));
    const grammar = await grammarOf(request, opened);
    const text = await session.prompt(messageText(messages.at(-1)), {
      ...(grammar === undefined ? {} : { grammar }),
      ...sampling(request),
      signal: call.signal,
      ...(call.onText === undefined ? {} : { onTextChunk: call.onText }),
    });
    const { usedInputTokens: promptTokens, usedOutputTokens: completionTokens } = sequence.tokenMeter;
    const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
    const { warnings } = vainTexts(llamaInVain(request), service);
    return { ok: true, reply: withWarnings({ body: { role: 'assistant', content: text }, usage }, warnings) };
  } finally {
    session.dispose();
  }
}

function historyItem(message: JsonObject): LlamaHistoryItem {
  const text = messageText(message);
  if (message['role'] === 'assistant') return { type: 'model', response: [text] };
  return { type: message['role'] === 'system' ? 'system' : 'user', text };
}

function messageText(message: JsonObject | undefined): string {
  const content = message?.['content'] ?? '';
  if (!Array.isArray(content)) return String(content);
  return (content as readonly JsonObject[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

function grammarOfChoice(choice: readonly string[], { library, llama, grammars }: Opened): LlamaGrammar {
  const key = JSON.stringify(choice);
  const known = grammars.get(key);
  if (known !== undefined) return known;
  const made = new library.LlamaGrammar(llama, { grammar: prefixGrammar(choice) });
  if (grammars.size >= maxGrammars) grammars.clear();
  grammars.set(key, made);
  return made;
}

async function grammarOf(request: ModelRequest, opened: Opened): Promise<LlamaGrammar | undefined> {
  const { library, llama } = opened;
  const { choice, grammar, json } = (request['structured_outputs'] ?? {}) as JsonObject;
  if (Array.isArray(choice)) return grammarOfChoice((choice as readonly JsonValue[]).map(String), opened);
  if (typeof grammar === 'string') return new library.LlamaGrammar(llama, { grammar });
  const format = request['response_format'] as { readonly json_schema?: JsonObject } | null | undefined;
  const schema = json ?? format?.json_schema?.['schema'];
  return schema === undefined || schema === null ? undefined : llama.createGrammarForJsonSchema(schema as object);
}

function sampling(request: ModelRequest) {
  const { temperature, top_p: topP, max_tokens: max, max_completion_tokens: maxCompletion, seed } = request;
  const limit = max ?? maxCompletion ?? null;
  return {
    temperature: Number(temperature ?? 0),
    ...(topP === undefined || topP === null ? {} : { topP: Number(topP) }),
    ...(limit === null ? {} : { maxTokens: Number(limit) }),
    ...(seed === undefined || seed === null ? {} : { seed: Number(seed) }),
  };
}

function failed(code: string, message: string): ModelResult {
  return { ok: false, error: { code, message, retryable: false } };
}
