import type { Connection, JsonObject, JsonValue, ModelCall, ModelRequest } from '@unroll/engine';
import { describe, expect, test } from 'vitest';
import { type Asked, type Ended, endOf, type Said, spent, type Wire } from '../testing/wire.ts';
import { startWireServer, type WireReply } from '../testing/wire-server.ts';
import { wires } from '../testing/wires.ts';
import { writtenDoubts } from '../testing/written-doubts.ts';
import { providerService } from './provider-service.ts';

/** Every provider that has a type of connection, through its own package, against what its service publishes. */
const providers = [
  ...Object.keys(wires).map((type) => ({ name: type, type, configs: {} })),
  { name: 'anthropic, version 3', type: 'anthropic', configs: { package: '@ai-sdk/anthropic-v3' } },
];

const search = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};
const tools = [{ type: 'function', function: search }];
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const question: readonly JsonObject[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: '質問' },
];
const call = { id: 'abcDEF123', name: 'search', input: { q: '同意' } };
const text = 'これは答えです。 An answer that is long enough to come in pieces.';

function withImage(url: string): readonly JsonObject[] {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ];
  return [{ role: 'user', content }];
}

describe.each(providers)('$name', ({ type, configs }) => {
  const wire = wires[type] as Wire;
  const connectionTo = (url: string): Connection => ({
    name: 'mine',
    type,
    configs: { ...configs, base_url: url },
    secrets: { api_key: 'never-shown-1' },
  });

  /** What comes of requests, and what the service understood. */
  async function ask(
    replies: readonly WireReply[],
    requests: readonly ModelRequest[],
    onText?: ModelCall['onText'],
  ): Promise<{ readonly results: readonly JsonObject[]; readonly asked: readonly Asked[] }> {
    await using server = await startWireServer(wire, ...replies);
    const service = await providerService(connectionTo(server.url), [import.meta.dirname]);
    const results: JsonObject[] = [];
    for (const request of requests) {
      const more = { signal: new AbortController().signal, ...(onText === undefined ? {} : { onText }) };
      const result = await service.call('chat', { model: wire.model, max_tokens: 50, ...request }, more);
      results.push(result as unknown as JsonObject);
    }
    expect(server.problems).toEqual([]);
    expect(JSON.stringify(results)).not.toContain('never-shown-1');
    return { results, asked: server.asked };
  }

  const one = async (said: Said, request: ModelRequest, onText?: ModelCall['onText']) => {
    const { results, asked } = await ask([{ said }], [request], onText);
    return { result: results[0], asked: asked[0] };
  };

  test('system, question and settings arrive, the answer and its tokens come back', async () => {
    const { result, asked } = await one({ text }, { messages: question, temperature: 0.5, stop: ['END'] });
    expect(asked).toMatchObject({
      system: 'Be brief.',
      texts: ['質問'],
      settings: { temperature: 0.5, max_tokens: 50 },
    });
    const { cached, reasoning } = wire.tells;
    expect(result).toMatchObject({
      ok: true,
      reply: {
        body: { role: 'assistant', content: text },
        whole: { choices: [{ finish_reason: 'stop' }] },
        usage: { promptTokens: spent.input, completionTokens: spent.output, totalTokens: spent.input + spent.output },
      },
    });
    expect(detailsOf(result)).toEqual({
      ...(cached ? { cachedTokens: spent.cached } : {}),
      ...(reasoning ? { reasoningTokens: spent.reasoning } : {}),
    });
  });

  test('a tool is offered, called, answered, and the answer to that comes', async () => {
    const offered: ModelRequest = { messages: question, tools };
    const first = await one({ calls: [call] }, offered);
    const message = (first.result as { reply?: { body: JsonObject } }).reply?.body ?? {};
    expect(first.asked).toMatchObject({ tools: [search], choice: 'auto' });
    const [made] = (message['tool_calls'] ?? []) as readonly JsonObject[];
    const { name, arguments: given } = (made?.['function'] ?? {}) as { name?: string; arguments?: string };
    expect([name, JSON.parse(given ?? '')]).toEqual([call.name, call.input]);
    expect(first.result).toMatchObject({ reply: { whole: { choices: [{ finish_reason: 'tool_calls' }] } } });
    const found = { role: 'tool', tool_call_id: made?.['id'] ?? '', content: '見つかった' };
    const second = await one({ text }, { ...offered, messages: [...question, message, found] });
    expect(second.asked).toMatchObject({ calls: [{ name: 'search', input: call.input }], results: ['見つかった'] });
    expect(second.result).toMatchObject({ ok: true, reply: { body: { content: text } } });
  });

  test.each<JsonValue>(['required', 'none', { type: 'function', function: { name: 'search' } }])(
    'tool_choice %j is honoured, or told not to be, by check and with the answer',
    async (choice) => {
      const written: JsonObject = { tools, tool_choice: choice };
      const { result, asked } = await one({ text }, { messages: question, ...written });
      const isHonoured =
        asked?.choice === (typeof choice === 'string' ? choice : 'search') || isOnlyTool(asked, choice);
      expect([told(result, 'tool_choice'), doubted(type, written, 'tool_choice')]).toEqual([!isHonoured, !isHonoured]);
    },
  );

  test('an answer in the form of a schema', async () => {
    const schema = {
      type: 'object',
      properties: { colour: { type: 'string' } },
      required: ['colour'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', json_schema: { name: 'colour', strict: true, schema } };
    const { result, asked } = await one({ text: '{"colour":"赤"}' }, { messages: question, response_format: format });
    if (asked?.schema === undefined) {
      expect(asked?.system).toContain(JSON.stringify(schema));
      expect([told(result, 'response_format'), doubted(type, { response_format: format }, 'response_format')]).toEqual([
        true,
        true,
      ]);
    } else expect(asked.schema).toMatchObject({ properties: schema.properties, required: ['colour'] });
    expect(result).toMatchObject({ ok: true, reply: { body: { content: '{"colour":"赤"}' } } });
  });

  test('an image by its bytes, and by its address where the service fetches it', async () => {
    const { result, asked } = await one({ text }, { messages: withImage(pixel) });
    expect(result).toMatchObject({ ok: true });
    expect(asked).toMatchObject({ texts: ['What is this?'], images: [pixel] });
    const address = 'https://example.com/cat.png';
    const { results, asked: understood } = await ask([{ said: { text } }], [{ messages: withImage(address) }]);
    if (wire.fetchesImages) expect(understood).toMatchObject([{ images: [address] }]);
    else {
      expect(results).toMatchObject([{ ok: false, error: { code: 'UnsupportedRequest', retryable: false } }]);
      expect(understood).toEqual([]);
    }
  });

  test.each<readonly [string, Said]>([
    ['text', { text }],
    ['thoughts and text', { thought: '考え中 a thought that is longer', text }],
    ['a call of a tool', { calls: [call] }],
  ])('a stream of %s is what the same answer is as a whole', async (_, said) => {
    const shown: string[] = [];
    const request = { messages: question, tools };
    const { result } = await one(said, request, (piece) => shown.push(piece));
    const whole = await one(said, request);
    expect(comparable(result)).toEqual(comparable(whole.result));
    expect(shown.join('')).toBe(said.text ?? '');
    if (said.text !== undefined) expect(shown.length).toBeGreaterThan(2);
  });

  test('a stream that ends in the middle is no answer, and can be asked for again', async () => {
    const { results } = await ask([{ said: { text }, isCut: true }], [{ messages: question, stream: true }]);
    expect(results).toMatchObject([{ ok: false, error: { code: 'UnusableAnswer', retryable: true } }]);
  });

  test.each(wire.ends)('an answer that ended by %s says so, whole and in a stream', async (ended) => {
    const said: Said = ended === 'tool_calls' ? { calls: [call] } : { text, ended };
    for (const stream of [false, true]) {
      const { result } = await one(said, { messages: question, tools, stream });
      expect(reasonOf(result)).toBe(endOf(said));
      const isCut = (['length', 'content_filter'] as readonly Ended[]).includes(ended);
      expect(warningsOf(result).some((one) => one.includes('the answer was cut off'))).toBe(isCut);
    }
  });

  test.each<readonly [number, string, boolean]>([
    [400, 'BadRequestError', false],
    [401, 'AuthenticationError', false],
    [403, 'PermissionDeniedError', false],
    [404, 'NotFoundError', false],
    [429, 'RateLimitError', true],
    [500, 'InternalServerError', true],
    [503, 'InternalServerError', true],
  ])('%i is %s, retryable: %s, in the words of the service', async (status, code, retryable) => {
    const headers = status === 429 ? { 'retry-after': '7' } : {};
    for (const stream of [false, true]) {
      const refused = { status, message: 'so it said: 理由', headers };
      const { results } = await ask([{ refused }], [{ messages: question, stream }]);
      expect(results).toMatchObject([{ ok: false, error: { code, retryable, service: { status } } }]);
      expect(results).toMatchObject([{ error: { message: expect.stringContaining('so it said: 理由') } }]);
      if (status === 429) expect(results).toMatchObject([{ retryAfterMs: 7000 }]);
    }
  });

  test.each<JsonObject>([
    { temperature: 0.5 },
    { top_p: 0.9 },
    { top_k: 5 },
    { max_tokens: 20 },
    { stop: ['END'] },
    { seed: 7 },
    { presence_penalty: 0.5 },
    { frequency_penalty: 0.5 },
    { response_format: { type: 'json_object' } },
  ])('%j arrives, or check and the answer say that it does not', async (written) => {
    const { result, asked } = await one({ text: '{}' }, { messages: question, ...written });
    const [name = ''] = Object.keys(written);
    const hasArrived = JSON.stringify(asked?.settings[name]) === JSON.stringify(written[name]);
    expect([told(result, name), doubted(type, written, name)]).toEqual([!hasArrived, !hasArrived]);
  });
});

type Told = JsonObject | undefined;

interface Reply {
  readonly body: JsonObject;
  readonly whole: { readonly choices: readonly { readonly finish_reason: string }[] };
  readonly usage?: { readonly details?: JsonObject };
  readonly warnings?: readonly string[];
}

function replyOf(result: Told): Reply {
  expect(result).toMatchObject({ ok: true });
  return (result as unknown as { readonly reply: Reply }).reply;
}

function detailsOf(result: Told): JsonObject {
  return replyOf(result).usage?.details ?? {};
}

function reasonOf(result: Told): string | undefined {
  return replyOf(result).whole.choices[0]?.finish_reason;
}

function warningsOf(result: Told): readonly string[] {
  return replyOf(result).warnings ?? [];
}

/** Ids of calls are made anew where the service gives none. */
function comparable(result: Told): unknown {
  const { body, usage } = replyOf(result);
  return { body, usage, reason: reasonOf(result) };
}

function told(result: Told, name: string): boolean {
  return warningsOf(result).some((one) =>
    new RegExp(`^the provider (does not take|adapts|will no longer take) ${name}`).test(one),
  );
}

function doubted(type: string, written: JsonObject, name: string): boolean {
  const connection = { name: 'mine', type, configs: {}, secrets: { api_key: 'k' } };
  return writtenDoubts(connection, written).some(({ path }) => path?.includes(name) === true);
}

/** Cohere knows no certain tool: the only one that it is told of is required. */
function isOnlyTool(asked: Asked | undefined, choice: JsonValue): boolean {
  return typeof choice === 'object' && asked?.choice === 'required' && asked.tools.length === 1;
}
