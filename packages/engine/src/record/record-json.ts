import type { NodeError } from '../node/node-error.ts';
import type { Attempt, Usage } from '../node/node-report.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { NodeRun } from './node-run.ts';

/**
 * A record as other tools read it. Every key of the list is always there, null where there is nothing to tell:
 * `line node kind status inputs output error started_at ended_at latency_ms attempts usage prompt_messages cache`.
 * Times are ISO 8601 in UTC, durations milliseconds. `logprobs`, `logs`, `warnings` and `metrics` follow where a node gave some,
 * then `fingerprint`, `cached_from` and `not_kept` where they are known, `oracle`, true, where the output was given, and
 * `redacted`, the fields in which secrets were replaced.
 */
export function recordJson(run: NodeRun): JsonObject {
  const { startedAt, durationMs } = run;
  const endedAt = startedAt === undefined || durationMs === undefined ? undefined : startedAt + durationMs;
  return {
    line: run.line,
    node: run.node,
    kind: run.kind,
    status: run.status,
    inputs: run.inputs ?? null,
    output: run.output ?? null,
    error: run.error === undefined ? null : errorJson(run.error),
    started_at: timeText(startedAt),
    ended_at: timeText(endedAt),
    latency_ms: durationMs ?? null,
    attempts: run.attempts?.map(attemptJson) ?? null,
    usage: run.usage === undefined ? null : usageJson(run.usage),
    prompt_messages: run.promptMessages ?? null,
    cache: run.cache ?? null,
    ...defined({ logprobs: run.logprobs, logs: run.logs, warnings: run.warnings, metrics: run.metrics }),
    ...defined({
      fingerprint: run.fingerprint,
      cached_from: run.cachedFrom,
      not_kept: run.notKept,
      oracle: run.oracle,
      redacted: run.redacted,
    }),
  };
}

/** Why a node or a row failed, as other tools read it: what is not known is left out. */
export function errorJson({ code, message, retryable, help, cause, trace, service }: NodeError): JsonObject {
  const details = service as JsonObject | undefined;
  return { code, message, retryable, ...defined({ help, cause, trace, service: details }) };
}

function defined(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

function timeText(time: number | undefined): JsonValue {
  return time === undefined ? null : new Date(time).toISOString();
}

function attemptJson({ error, waitedMs, durationMs, fallback }: Attempt): JsonObject {
  return {
    error: error === undefined ? null : errorJson(error),
    waited_ms: waitedMs,
    duration_ms: durationMs,
    ...(fallback === undefined ? {} : { fallback: { ...fallback } }),
  };
}

/** Parts of the tokens stand beside the sums, by the names of `UsageDetails` in small letters: `cached_tokens`. */
export function usageJson({
  promptTokens,
  completionTokens,
  totalTokens,
  details = {},
  untoldCalls,
}: Usage): JsonObject {
  const parts = Object.entries(details).map(([name, count]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    count,
  ]);
  const sums = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens };
  return { ...sums, ...Object.fromEntries(parts), ...defined({ untold_calls: untoldCalls }) };
}
