import { expect, test } from 'vitest';
import { recordJson } from './record-json.ts';

test('a node that ran', () => {
  const error = { code: 'RateLimitError', message: 'slow down', retryable: true };
  expect(
    recordJson({
      line: 2,
      node: 'agent_1',
      kind: 'llm',
      status: 'Completed',
      inputs: { query: 'q' },
      output: 'a',
      startedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 600),
      durationMs: 400,
      attempts: [{ error, waitedMs: 0, durationMs: 10 }],
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      promptMessages: [{ role: 'user', content: 'q' }],
      logs: { stdout: 'x', stderr: '' },
      cache: 'miss',
    }),
  ).toEqual({
    line: 2,
    node: 'agent_1',
    kind: 'llm',
    status: 'Completed',
    inputs: { query: 'q' },
    output: 'a',
    error: null,
    started_at: '2026-01-02T03:04:05.600Z',
    ended_at: '2026-01-02T03:04:06.000Z',
    latency_ms: 400,
    attempts: [{ error, waited_ms: 0, duration_ms: 10 }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    prompt_messages: [{ role: 'user', content: 'q' }],
    cache: 'miss',
    logs: { stdout: 'x', stderr: '' },
  });
});

test('a node that did not run has every key, empty', () => {
  expect(recordJson({ line: 0, node: 'b', kind: 'python', status: 'NotRun' })).toEqual({
    line: 0,
    node: 'b',
    kind: 'python',
    status: 'NotRun',
    inputs: null,
    output: null,
    error: null,
    started_at: null,
    ended_at: null,
    latency_ms: null,
    attempts: null,
    usage: null,
    prompt_messages: null,
    cache: null,
  });
});

test('an error keeps its cause and the lines of the user', () => {
  const error = {
    code: 'ToolExecutionError',
    message: 'm',
    retryable: false,
    cause: { code: 'ValueError', message: 'v' },
    trace: ['f.py:1 in f'],
  };
  const json = recordJson({ line: 0, node: 'b', kind: 'python', status: 'Failed', error });
  expect(json).toMatchObject({ error: error });
});

test('what else is known of a node follows, under names of its own', () => {
  const run = { line: 0, node: 'b', kind: 'llm', status: 'Completed', output: 1 } as const;
  const usage = {
    promptTokens: 5,
    completionTokens: 2,
    totalTokens: 7,
    details: { cachedTokens: 3, cacheWriteTokens: 1 },
  };
  expect(
    recordJson({
      ...run,
      usage,
      warnings: ['w'],
      metrics: { mean: 1 },
      fingerprint: 'f',
      cachedFrom: 'r0',
      notKept: 'its output is no JSON',
      oracle: true,
      redacted: ['output'],
      startedAt: 5,
    }),
  ).toEqual({
    ...recordJson(run),
    started_at: '1970-01-01T00:00:00.005Z',
    usage: {
      prompt_tokens: 5,
      completion_tokens: 2,
      total_tokens: 7,
      cached_tokens: 3,
      cache_write_tokens: 1,
    },
    warnings: ['w'],
    metrics: { mean: 1 },
    fingerprint: 'f',
    cached_from: 'r0',
    not_kept: 'its output is no JSON',
    oracle: true,
    redacted: ['output'],
  });
});

test('a try that gave an answer has no error; a service keeps its words, a fallback its name', () => {
  const error = { code: 'E', message: 'm', retryable: true, service: { host: 'h', status: 503, said: 'busy' } };
  const attempts = [
    { error, waitedMs: 0, durationMs: 10 },
    { waitedMs: 1000, durationMs: 20, fallback: { connection: 'spare', model: 'm' } },
  ];
  const json = recordJson({ line: 0, node: 'b', kind: 'llm', status: 'Completed', attempts });
  expect(json['attempts']).toEqual([
    { error, waited_ms: 0, duration_ms: 10 },
    { error: null, waited_ms: 1000, duration_ms: 20, fallback: { connection: 'spare', model: 'm' } },
  ]);
});
