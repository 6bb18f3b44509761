import { type Attributes, type SpanContext, SpanKind } from '@opentelemetry/api';
import {
  type Attempt,
  inTrace,
  isMapping,
  type JsonValue,
  listOf,
  type ModelReply,
  type ModelRequest,
  type Redactor,
  redactedError,
  type TracedModelCall,
  type TracedModelEnd,
  type Usage,
} from '@unroll/engine';
import { inputMessages, outputMessages } from './message-content.ts';
import type { OpenSpan } from './open-span.ts';
import { contentOf, fail, type Recorder, startSpan, traceContextOf } from './recorder.ts';

/** The Responses API, too, is asked in the form of a chat. */
const operations = { chat: 'chat', responses: 'chat', completion: 'text_completion', embedding: 'embeddings' } as const;

/** A call of a model with all its tries: `chat gpt-4o`. Where there were several, each try is a span below it. */
export async function spanOfModelCall<Ended extends TracedModelEnd>(
  recorder: Recorder,
  parent: SpanContext,
  call: TracedModelCall,
  ask: () => Promise<Ended>,
): Promise<Ended> {
  const about = aboutCall(call);
  const name = [about['gen_ai.operation.name'], about['gen_ai.request.model']].filter(Boolean).join(' ');
  const startTime = recorder.now();
  const attributes = { ...about, ...requestAttributes(call) };
  const span = startSpan(recorder, parent, { name, kind: SpanKind.CLIENT, attributes, startTime });
  let isReplayed = false;
  const replayed = (): void => {
    isReplayed = true;
  };
  const ended = await inTrace({ ...traceContextOf(span), replayed }, ask);
  const endTime = recorder.now();
  const { redactor = recorder.redactor } = call;
  reportTries(recorder, { span, name, about, startTime, redactor }, ended.attempts);
  reportEnd(recorder, span, call, ended);
  if (isReplayed) span.setAttribute('unroll.model.replayed', true);
  span.end(endTime);
  if (!isReplayed) measure(recorder, about, endTime - startTime, ended);
  return ended;
}

/** What spans and metrics have in common. */
function aboutCall({ api, request, provider }: TracedModelCall): Attributes {
  const { model } = request;
  const [, address, port] = /^(.*):(\d+)$/.exec(provider?.host ?? '') ?? [];
  return {
    'gen_ai.operation.name': operations[api],
    ...(provider === undefined ? {} : { 'gen_ai.provider.name': provider.name }),
    ...(typeof model === 'string' && model !== '' ? { 'gen_ai.request.model': model } : {}),
    ...(address === undefined ? {} : { 'server.address': address, 'server.port': Number(port) }),
  };
}

const numberKeys = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
] as const;

function requestAttributes({ request, isStream }: TracedModelCall): Attributes {
  const found: Attributes = {};
  for (const key of numberKeys) {
    const value = request[key];
    if (isNumber(value)) found[`gen_ai.request.${key}`] = Number(value);
  }
  const { max_completion_tokens: max, n, stop } = request;
  if (isNumber(max)) found['gen_ai.request.max_tokens'] = Number(max);
  if (isNumber(n) && Number(n) !== 1) found['gen_ai.request.choice.count'] = Number(n);
  const stops = textsIn(stop);
  if (stops.length > 0) found['gen_ai.request.stop_sequences'] = stops;
  if (isStream) found['gen_ai.request.stream'] = true;
  return found;
}

/** A float of Python's is an object. */
function isNumber(value: JsonValue | undefined): boolean {
  return value !== null && typeof value !== 'string' && typeof value !== 'boolean' && Number.isFinite(Number(value));
}

function textsIn(value: JsonValue | undefined): string[] {
  return (typeof value === 'string' ? [value] : listOf(value ?? null)).filter((one) => typeof one === 'string');
}

interface CallSpan {
  readonly span: OpenSpan;
  readonly name: string;
  readonly about: Attributes;
  readonly startTime: number;
  readonly redactor: Redactor;
}

function reportTries(recorder: Recorder, call: CallSpan, attempts: readonly Attempt[]): void {
  if (attempts.length < 2) return;
  const { span, name, about } = call;
  span.setAttribute('unroll.model.tries', attempts.length);
  const { 'server.address': address, 'server.port': port } = about;
  const place = address === undefined ? {} : { 'server.address': address, 'server.port': port };
  let at = call.startTime;
  for (const [index, { waitedMs, durationMs, error }] of attempts.entries()) {
    const startTime = at + waitedMs;
    at = startTime + durationMs;
    const attributes = { 'unroll.model.try': index + 1, ...place };
    const start = { name: `try ${index + 1} of ${name}`, kind: SpanKind.CLIENT, attributes, startTime };
    const tried = startSpan(recorder, span.spanContext(), start);
    const status = error?.service?.status;
    if (status !== undefined) tried.setAttribute('http.response.status_code', status);
    if (error !== undefined) fail(tried, redactedError(error, call.redactor));
    tried.end(at);
  }
}

function reportEnd(recorder: Recorder, span: OpenSpan, call: TracedModelCall, { result }: TracedModelEnd): void {
  const { request, redactor = recorder.redactor } = call;
  if (recorder.capturesContent) reportRequest(redactor, span, request);
  if (!result.ok) {
    const status = result.error.service?.status;
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    fail(span, redactedError(result.error, redactor));
    return;
  }
  const { usage } = result.reply;
  const reasons = finishReasons(result.reply);
  span.setAttributes({
    ...replyAttributes(result.reply, reasons),
    ...(usage === undefined ? {} : usageAttributes(usage)),
  });
  const isText = !('input' in request);
  if (recorder.capturesContent && isText)
    span.setAttribute('gen_ai.output.messages', contentOf(redactor, outputMessages(result.reply, reasons)));
}

function reportRequest(redactor: Redactor, span: OpenSpan, request: ModelRequest): void {
  span.setAttribute('gen_ai.input.messages', contentOf(redactor, inputMessages(request)));
  const { tools } = request;
  if (tools !== undefined) span.setAttribute('gen_ai.tool.definitions', contentOf(redactor, tools));
}

function replyAttributes({ whole }: ModelReply, reasons: string[]): Attributes {
  const { id, model } = isMapping(whole ?? null) ? (whole as { readonly [key: string]: JsonValue }) : {};
  return {
    ...(typeof id === 'string' ? { 'gen_ai.response.id': id } : {}),
    ...(typeof model === 'string' ? { 'gen_ai.response.model': model } : {}),
    ...(reasons.length === 0 ? {} : { 'gen_ai.response.finish_reasons': reasons }),
  };
}

function finishReasons({ whole = null }: ModelReply): string[] {
  const choices = isMapping(whole) ? listOf(whole['choices'] ?? null) : [];
  return choices.flatMap((choice) => {
    const reason = isMapping(choice) ? choice['finish_reason'] : undefined;
    return typeof reason === 'string' ? [reason] : [];
  });
}

function usageAttributes({ promptTokens, completionTokens, details = {} }: Usage): Attributes {
  const { cachedTokens, cacheWriteTokens, reasoningTokens } = details;
  return {
    'gen_ai.usage.input_tokens': promptTokens,
    'gen_ai.usage.output_tokens': completionTokens,
    ...(cachedTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
  };
}

/** What was answered from a recording took no time of a service, and no tokens. */
function measure({ metrics }: Recorder, about: Attributes, ms: number, { result }: TracedModelEnd): void {
  if (metrics === undefined) return;
  metrics.operation(ms, result.ok ? about : { ...about, 'error.type': result.error.code });
  if (result.ok && result.reply.usage !== undefined) metrics.tokens(result.reply.usage, about);
}
