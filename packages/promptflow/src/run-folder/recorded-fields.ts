import { type JsonObject, type JsonValue, listOf, type NodeError, type Usage } from '@unroll/engine';

/** Prompt flow puts the time before every piece that is written: `[2026-11-21T10:06:39+0000] text`. */
export function printed(value: JsonValue | undefined): string {
  return (text(value) ?? '').replaceAll(/\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}\] /g, '');
}

export function usageOf(metrics: JsonObject): Usage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens } = metrics;
  if (typeof totalTokens !== 'number') return undefined;
  return {
    promptTokens: typeof promptTokens === 'number' ? promptTokens : 0,
    completionTokens: typeof completionTokens === 'number' ? completionTokens : 0,
    totalTokens,
  };
}

/** The class of an error is the innermost of its codes. */
export function errorOf(value: JsonValue | undefined): NodeError | undefined {
  if (value === undefined || value === null) return undefined;
  const error = mapping(value);
  let code = 'Error';
  for (let level = error; text(level['code']) !== undefined; level = mapping(level['innerError'])) {
    code = text(level['code']) ?? code;
  }
  const details = mapping(listOf(error['additionalInfo'])[0])['info'];
  const cause = text(mapping(details)['type']);
  return {
    code,
    message: text(error['message']) ?? '',
    retryable: false,
    ...(cause === undefined ? {} : { cause: { code: cause, message: text(mapping(details)['message']) ?? '' } }),
  };
}

/** Milliseconds; from the measured duration in seconds, else from start and end. One that cannot be counts as none. */
export function durationOf(run: JsonObject): number {
  const { duration } = mapping(run['system_metrics']);
  const seconds = typeof duration === 'number' || typeof duration === 'object' ? Number(duration) : Number.NaN;
  const [start, end] = [time(run['start_time']), time(run['end_time'])];
  const between = start === undefined || end === undefined ? 0 : end - start;
  const measured = Number.isFinite(seconds) ? seconds * 1000 : between;
  return measured >= 0 && measured <= lastTime ? measured : 0;
}

/** The end of the year 9999, the last that times are written with. */
const lastTime = Date.UTC(10_000, 0) - 1;

/** Times are written in UTC, with or without a Z. Before 1970 and after 9999 no run was recorded. */
export function time(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = Date.parse(/Z|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
  return parsed >= 0 && parsed <= lastTime ? parsed : undefined;
}

export function isMapping(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapping(value: JsonValue | undefined): JsonObject {
  return isMapping(value) ? (value as JsonObject) : {};
}

/** What is no mapping is one output, as Prompt flow calls that of a flow that gives a value alone. */
export function outputsOf(value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null || isMapping(value) ? mapping(value) : { output: value };
}

export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
