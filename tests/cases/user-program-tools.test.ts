import type { JsonObject } from '@unroll/engine';
import {
  type ArgumentDefinition,
  argumentSchema,
  attachTools,
  createLambdaTool,
  isToolDescription,
  isToolName,
  type LambdaToolDefinition,
  type LogLine,
  responseLimit,
  type ToolCallResult,
} from '@unroll/nodes/lambda';
import { type LambdaAnswer, type LambdaServer, startLambdaServer } from '@unroll/nodes/testing';
import { describe, expect, test } from 'vitest';
import { readCases } from './case-file.ts';

const documented = '{"content":[{"type":"text","text":"ok"}]}';
const never = new AbortController().signal;

interface SchemaCase {
  readonly id: string;
  readonly why: string;
  readonly args: readonly ArgumentDefinition[];
  readonly required: { readonly valid: boolean; readonly code?: string; readonly json_schema?: JsonObject };
}

test.for(readCases<SchemaCase>('s2_args_schema.jsonl'))('$id: $why', ({ args, required }) => {
  const built = argumentSchema(args);
  expect(built.ok).toBe(required.valid);
  if (built.ok) {
    if (required.json_schema !== undefined) expect(built.schema).toEqual(required.json_schema);
    return;
  }
  expect(built.problems.map(({ code }) => code)).toContain(required.code);
});

interface NameCase {
  readonly tool_name?: string;
  readonly description_length?: number;
  readonly valid: boolean;
}

test.for(readCases<NameCase>('s2_names.jsonl'))(
  'name $tool_name, description of $description_length characters: $valid',
  ({ tool_name: name, description_length: length, valid }) => {
    if (name !== undefined) expect(isToolName(name)).toBe(valid);
    if (length !== undefined) expect(isToolDescription('説'.repeat(length))).toBe(valid);
    expect(name !== undefined || length !== undefined).toBe(true);
  },
);

interface LimitCase {
  readonly tools_listed?: number;
  readonly tools_listed_names?: readonly string[];
  readonly lists?: readonly (readonly string[])[];
  readonly required: {
    readonly attached?: number;
    readonly attached_per_agent?: readonly number[];
    readonly warning?: boolean;
  };
}

test.for(readCases<LimitCase>('s2_tool_limit.jsonl').map((one, at) => ({ ...one, at })))(
  'tool limit $at',
  ({ tools_listed: count, tools_listed_names: names, lists, required }) => {
    const given = lists ?? [names ?? Array.from({ length: count ?? 0 }, (_, index) => `t${index}`)];
    const agents = given.map(attachTools);
    const counts = agents.map(({ attached }) => attached.length);
    expect(counts).toEqual(required.attached_per_agent ?? [required.attached]);
    if (required.warning !== undefined) {
      expect(agents.some(({ warning }) => warning !== undefined)).toBe(required.warning);
    }
    for (const [at, { attached }] of agents.entries()) {
      expect(attached).toEqual([...new Set(given[at])].slice(0, 10));
    }
  },
);

interface RequestCase {
  readonly id: string;
  readonly why?: string;
  readonly llm_args?: JsonObject;
  readonly llm_args_text?: string;
  readonly schema?: Readonly<Record<string, string>>;
  readonly identifiers?: readonly string[];
  readonly required_http?: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly required?: {
    readonly invocations?: number;
    readonly tool_error_to_llm?: boolean;
    readonly body?: string;
    readonly accepted?: boolean;
  };
}

const argsOf = (schema: Readonly<Record<string, string>>): readonly ArgumentDefinition[] =>
  Object.entries(schema).map(([name, annotation]) => ({ field_name: name, schema: { annotation } }));

test.for(readCases<RequestCase>('s2_request.jsonl'))('$id: $why', async (given) => {
  await using server = await startLambdaServer(() => ({ status: 200, body: documented }));
  for (const functionName of given.identifiers ?? ['my-fn']) {
    const tool = createLambdaTool(
      {
        ...definitionAt(server.endpoint, functionName),
        ...(given.schema === undefined ? {} : { args: argsOf(given.schema) }),
      },
      () => {},
    );
    const result = await tool.call(given.llm_args_text ?? given.llm_args ?? {}, never);
    const { required = {} } = given;
    expect(!result.ok && result.toModel).toBe(required.tool_error_to_llm ?? false);
    if (required.accepted === true) expect(result.ok).toBe(true);
  }
  checkSent(server, given);
});

function checkSent({ received }: LambdaServer, { required, required_http: http, identifiers }: RequestCase): void {
  const [sent] = received;
  if (required?.invocations !== undefined) expect(received).toHaveLength(required.invocations);
  if (required?.body !== undefined) expect(sent?.body).toBe(required.body);
  if (identifiers !== undefined) expect(received).toHaveLength(identifiers.length);
  if (http !== undefined) {
    expect(sent).toMatchObject({
      method: http.method,
      path: http.path.replace('{name}', 'my-fn'),
      headers: http.headers,
      body: http.body,
    });
  }
}

interface ResponseCase {
  readonly id: string;
  readonly why: string;
  readonly http: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly body_bytes?: number;
    /** With `い*3` for a letter repeated. */
    readonly body_text?: string;
    /** Before anything is answered. */
    readonly delay_ms?: number;
    readonly content_length?: boolean;
    readonly body_delay_ms?: number;
    readonly headers_delay_ms?: number;
    readonly timeout_ms?: number;
  };
  readonly raise_function_processing_error?: boolean;
  readonly required: {
    readonly result: 'to_llm' | 'abnormal_end';
    readonly text?: string;
    readonly reason?: string;
    readonly invocations?: number;
    readonly must_not_contain?: readonly string[];
    readonly elapsed_below_ms?: number;
    readonly body_must_not_be_read?: boolean;
  };
}

test.for(readCases<ResponseCase>('s2_response.jsonl'))('$id: $why', async ({ http, required, ...given }) => {
  await using server = await startLambdaServer(() => answerOf(http, required.body_must_not_be_read));
  const lines: LogLine[] = [];
  const tool = createLambdaTool(
    {
      ...definitionAt(server.endpoint),
      ...(given.raise_function_processing_error === undefined
        ? {}
        : { raiseFunctionProcessingError: given.raise_function_processing_error }),
      ...(http.timeout_ms === undefined ? {} : { timeoutMs: http.timeout_ms }),
    },
    (line) => lines.push(line),
  );
  const startedAt = performance.now();
  const result = await tool.call({}, never);
  const elapsed = performance.now() - startedAt;
  checkResult(result, required);
  expect(server.received).toHaveLength(required.invocations ?? 1);
  if (required.elapsed_below_ms !== undefined) expect(elapsed).toBeLessThan(required.elapsed_below_ms);
  if (required.body_must_not_be_read === true) expect(server.bytesSent()).toBeLessThan(http.body_bytes ?? 0);
  const logged = lines.map(({ text }) => text).join('\n');
  if (result.ok && result.text.length > 2) expect(logged).not.toContain(result.text);
});

function checkResult(result: ToolCallResult, required: ResponseCase['required']): void {
  expect(result.ok ? 'to_llm' : 'abnormal_end').toBe(required.result);
  if (required.text !== undefined) expect(result.ok && result.text).toBe(required.text);
  if (required.reason !== undefined) expect(!result.ok && result.error.code).toBe(required.reason);
  for (const text of required.must_not_contain ?? []) expect(result.ok && result.text).not.toContain(text);
}

/** @param isHeld the body waits until its length, which stands in the headers, has been read and refused */
function answerOf(http: ResponseCase['http'], isHeld = false): LambdaAnswer {
  const { status, headers, body_bytes: bytes, content_length: hasLength } = http;
  const body = http.body ?? http.body_text?.replace(/(\S)\*(\d+)/gu, (_, letter, times) => letter.repeat(times));
  const delay = http.body_delay_ms ?? http.headers_delay_ms ?? http.delay_ms ?? (isHeld ? heldMs : undefined);
  const padding = bytes === undefined ? '' : 'x'.repeat(bytes - '{"content":[{"type":"text","text":""}]}'.length);
  return {
    status,
    body: body ?? `{"content":[{"type":"text","text":"${padding}"}]}`,
    ...(headers === undefined ? {} : { headers }),
    ...(delay === undefined ? {} : { bodyDelayMs: delay }),
    ...(hasLength === false ? { isChunked: true } : {}),
  };
}

const heldMs = 3000;

interface LogCase {
  readonly id: string;
  readonly config?: { readonly logging_args_schema: boolean };
  readonly event?: string;
  readonly required: { readonly log_contains?: readonly string[]; readonly log_must_not_contain?: readonly string[] };
}

describe('what is logged', () => {
  const secret = { argument: '秘密の引数', result: '秘密の結果', stack: 'at handler (index.js:1)' };
  /** The cases name what must or must not be there; these are the words that show it. */
  const shown: Readonly<Record<string, string>> = {
    'JSON schema of the arguments': '"properties":{"q"',
    'tool name': 'search_manual',
    'AWS request id': '8476a536',
    'request id: none': 'request id: none',
    errorType: 'errorType KaboomError',
    'argument values': secret.argument,
    'return value': secret.result,
    'return value text': secret.result,
    'stack trace': secret.stack,
  };

  test.for(readCases<LogCase>('s2_logging.jsonl'))('$id $event', async ({ config, event = 'call', required }) => {
    const id = event.includes('without') ? undefined : '8476a536-e9f4-11e8-9739-2dfe598c3fcd';
    const failed = event.includes('function error');
    await using server = await startLambdaServer(() => ({
      status: 200,
      headers: {
        ...(id === undefined ? {} : { 'x-amzn-requestid': id }),
        ...(failed ? { 'x-amz-function-error': 'Unhandled' } : {}),
      },
      body: failed
        ? JSON.stringify({ errorType: 'KaboomError', errorMessage: secret.result, trace: [secret.stack] })
        : JSON.stringify({ content: [{ type: 'text', text: secret.result }] }),
    }));
    const lines: LogLine[] = [];
    const tool = createLambdaTool(
      {
        ...definitionAt(server.endpoint),
        args: [{ field_name: 'q', schema: { annotation: 'string' } }],
        loggingArgsSchema: config?.logging_args_schema ?? false,
        raiseFunctionProcessingError: event.includes('raise=true'),
      },
      (line) => lines.push(line),
    );
    await tool.call({ q: secret.argument }, never);
    const logged = lines.map(({ text }) => text).join('\n');
    for (const name of required.log_contains ?? []) expect(logged).toContain(shown[name] ?? name);
    for (const name of required.log_must_not_contain ?? []) expect(logged).not.toContain(shown[name] ?? name);
  });
});

test('the limit of an answer is 80 KB', () => {
  expect(responseLimit).toBe(80 * 1024);
});

function definitionAt(endpoint: string, functionName = 'my-fn'): LambdaToolDefinition {
  return {
    name: 'search_manual',
    target: {
      functionName,
      region: 'ap-northeast-1',
      endpoint,
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example' },
    },
  };
}
