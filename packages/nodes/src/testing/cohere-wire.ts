import * as z from 'zod';
import {
  type Asked,
  type Call,
  dataEvents,
  endOf,
  given,
  type Json,
  list,
  pieces,
  type Said,
  spent,
  type Wire,
} from './wire.ts';

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
});
const called = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.union([z.string(), z.array(text)]) }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(z.union([text, image])).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(text)]).optional(),
    tool_calls: z.array(called).min(1).optional(),
    tool_plan: z.string().optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.union([z.string(), z.array(text)]) }),
]);
/** `POST /v2/chat` (API reference of Cohere, "Chat"). */
const chatRequest = z.strictObject({
  stream: z.boolean().optional(),
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .optional(),
  tool_choice: z.enum(['REQUIRED', 'NONE']).optional(),
  response_format: z
    .strictObject({ type: z.enum(['text', 'json_object']), json_schema: z.looseObject({}).optional() })
    .optional(),
  max_tokens: z.int().min(0).optional(),
  stop_sequences: z.array(z.string()).max(5).optional(),
  temperature: z.number().min(0).optional(),
  seed: z.int().min(0).optional(),
  frequency_penalty: z.number().min(0).max(1).optional(),
  presence_penalty: z.number().min(0).max(1).optional(),
  k: z.int().min(0).max(500).optional(),
  p: z.number().min(0.01).max(0.99).optional(),
  thinking: z
    .strictObject({ type: z.enum(['enabled', 'disabled']), token_budget: z.int().min(1).optional() })
    .optional(),
});

const { input, output } = spent;
const usage = {
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
};
const reasons = { stop: 'COMPLETE', length: 'MAX_TOKENS', tool_calls: 'TOOL_CALL', content_filter: 'ERROR' } as const;

export const cohereWire: Wire = {
  base: '/v2',
  model: 'command-a-03-2025',
  tells: { cached: false, reasoning: false },
  ends: ['stop', 'length', 'tool_calls'],
  fetchesImages: true,
  problem({ path, headers, body }) {
    if (path !== '/v2/chat') return `no such path: ${path}`;
    if (!/^Bearer \S+$/.test(String(headers['authorization'] ?? ''))) return 'no api key supplied';
    const read = chatRequest.safeParse(body);
    if (!read.success) return z.prettifyError(read.error);
    const { tools, tool_choice: choice, response_format: format } = read.data;
    if (choice !== undefined && tools === undefined) return 'tool_choice: tools must be set';
    return format?.type === 'json_object' && tools !== undefined
      ? 'response_format: json_object is not supported with tools'
      : undefined;
  },
  refusal: (words) => ({ id: 'e1', message: words }),
  asked,
  whole(said) {
    const { text: words, thought, calls } = said;
    const content = [
      ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought }]),
      ...(words === undefined ? [] : [{ type: 'text', text: words }]),
    ];
    const spoken = { role: 'assistant', content, ...(calls === undefined ? {} : { tool_calls: calls.map(callOut) }) };
    return { id: 'g1', finish_reason: reasons[endOf(said)], message: spoken, usage };
  },
  stream: (said) =>
    dataEvents([
      { type: 'message-start', id: 'g1', delta: { message: { role: 'assistant', content: [], tool_calls: [] } } },
      ...contentEvents(said),
      ...(said.calls ?? []).flatMap(callEvents),
      { type: 'message-end', id: 'g1', delta: { finish_reason: reasons[endOf(said)], usage } },
    ]),
};

function callOut({ id, name, input: given }: Call): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
}

function contentEvents({ text: words, thought }: Said): readonly Json[] {
  const blocks = [
    ...(thought === undefined ? [] : [{ type: 'thinking', name: 'thinking', whole: thought }]),
    ...(words === undefined ? [] : [{ type: 'text', name: 'text', whole: words }]),
  ];
  return blocks.flatMap(({ type, name, whole }, index) => [
    { type: 'content-start', index, delta: { message: { content: { type, [name]: '' } } } },
    ...pieces(whole).map((piece) => ({
      type: 'content-delta',
      index,
      delta: { message: { content: { [name]: piece } } },
    })),
    { type: 'content-end', index },
  ]);
}

function callEvents(call: Call, index: number): readonly Json[] {
  const { id, type, function: called } = callOut(call) as Json & { readonly function: Json };
  const begun = { id, type, function: { name: called['name'], arguments: '' } };
  return [
    { type: 'tool-call-start', index, delta: { message: { tool_calls: begun } } },
    ...pieces(String(called['arguments'])).map((piece) => ({
      type: 'tool-call-delta',
      index,
      delta: { message: { tool_calls: { function: { arguments: piece } } } },
    })),
    { type: 'tool-call-end', index },
  ];
}

function asked(body: Json): Asked {
  const messages = list(body['messages']);
  const of = (role: string): readonly Json[] => messages.filter((one) => one['role'] === role);
  const parts = of('user').flatMap(({ content }) =>
    typeof content === 'string' ? [{ text: content }] : list(content),
  );
  const { temperature, p, k, max_tokens, stop_sequences, seed, presence_penalty, frequency_penalty } = body;
  const { type, json_schema: schema } = (body['response_format'] ?? {}) as Json;
  return {
    system: of('system')
      .map(({ content }) => content)
      .join('\n'),
    texts: parts.flatMap(({ text: one }) => (typeof one === 'string' ? [one] : [])),
    images: parts.flatMap((part: Json) => ('image_url' in part ? [String((part['image_url'] as Json)['url'])] : [])),
    calls: of('assistant').flatMap(({ tool_calls: calls }) => list(calls).map(callIn)),
    results: of('tool').map(({ content }) => String(content)),
    tools: list(body['tools']).map((tool) => tool['function'] as Json),
    choice: String(body['tool_choice'] ?? 'auto').toLowerCase(),
    schema,
    settings: given({
      ...{
        temperature,
        top_p: p,
        top_k: k,
        max_tokens,
        stop: stop_sequences,
        seed,
        presence_penalty,
        frequency_penalty,
      },
      response_format: type === 'json_object' && schema === undefined ? { type } : undefined,
    }),
  };
}

function callIn({ id, function: called }: Json): Call {
  const { name, arguments: input } = called as Json;
  return { id: String(id), name: String(name), input: JSON.parse(String(input)) as Json };
}
