import * as z from 'zod';
import {
  type Asked,
  type Call,
  dataEvents,
  given,
  type Json,
  list,
  pieces,
  type Said,
  spent,
  type Wire,
} from './wire.ts';

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({ type: z.literal('input_image'), image_url: z.string(), detail: z.string().optional() }),
]);
const spoken = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(part).min(1)]),
  id: z.string().optional(),
});
const item = z.union([
  spoken,
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
    status: z.literal('completed').optional(),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    status: z.literal('completed').optional(),
    encrypted_content: z.string().optional(),
  }),
]);
/** `POST /v1/responses` (API reference of xAI). `seed`, `top_k` and `min_p` are sent by the maker of its package. */
const responseRequest = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item).min(1)]),
  max_output_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().optional(),
  seed: z.int().optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().optional(),
  parallel_tool_calls: z.boolean().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string(),
        description: z.string().optional(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
      }),
    )
    .optional(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  text: z.strictObject({ format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }) }).optional(),
  reasoning: z.strictObject({ effort: z.enum(['none', 'low', 'medium', 'high', 'xhigh']) }).optional(),
  store: z.boolean().optional(),
  include: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
});

export const xaiWire: Wire = {
  base: '/v1',
  model: 'grok-4.3',
  tells: { cached: true, reasoning: true },
  ends: ['stop', 'tool_calls'],
  fetchesImages: true,
  problem({ path, headers, body }) {
    if (path !== '/v1/responses') return `no such path: ${path}`;
    if (!/^Bearer \S+$/.test(String(headers['authorization'] ?? ''))) return 'no API key was provided';
    const read = responseRequest.safeParse(body);
    if (!read.success) return z.prettifyError(read.error);
    return unansweredCall(list(body['input']));
  },
  refusal: (words) => ({ code: 'Client specified an invalid argument', error: words }),
  asked,
  whole: (said, body) => response(said, body),
  stream(said, body) {
    const whole = response(said, body);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null };
    return dataEvents([
      { type: 'response.created', response: begun },
      ...whole.output.flatMap(itemEvents),
      { type: 'response.completed', response: whole },
    ]);
  },
};

function unansweredCall(input: readonly Json[]): string | undefined {
  const calls = input.filter(({ type }) => type === 'function_call').map((one) => one['call_id']);
  const outputs = input.filter(({ type }) => type === 'function_call_output').map((one) => one['call_id']);
  return calls.join() === outputs.join() ? undefined : 'each function call needs its output';
}

interface Response extends Json {
  readonly output: readonly Json[];
}

function response({ text, thought, calls = [] }: Said, { model }: Json): Response {
  const { input, cached, output, reasoning } = spent;
  const summary = [{ type: 'summary_text', text: thought ?? '' }];
  const content = [{ type: 'output_text', text: text ?? '', annotations: [], logprobs: [] }];
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 0,
    model,
    status: 'completed',
    output: [
      ...(thought === undefined ? [] : [{ type: 'reasoning', id: 'rs_1', summary, status: 'completed' }]),
      ...(text === undefined
        ? []
        : [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]),
      ...calls.map(({ id, name, input: given }, at) => ({
        type: 'function_call',
        id: `fc_${at}`,
        call_id: id,
        name,
        arguments: JSON.stringify(given),
        status: 'completed',
      })),
    ],
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: cached },
      output_tokens_details: { reasoning_tokens: reasoning },
    },
  };
}

function itemEvents(one: Json, at: number): readonly Json[] {
  const place = { item_id: one['id'], output_index: at };
  const added = { ...one, content: [], summary: [], arguments: '' };
  const { content, summary } = one;
  const [said] = list(content);
  const [thought] = list(summary);
  return [
    { type: 'response.output_item.added', item: added, output_index: at },
    ...(thought === undefined
      ? []
      : [
          { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part: { ...thought, text: '' } },
          ...pieces(String(thought['text'])).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            ...place,
            summary_index: 0,
            delta,
          })),
        ]),
    ...pieces(said === undefined ? '' : String(said['text'])).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      content_index: 0,
      delta,
    })),
    { type: 'response.output_item.done', item: one, output_index: at },
  ];
}

function asked(body: Json): Asked {
  const input = list(body['input']);
  const of = (role: string): readonly Json[] => input.filter((one) => one['role'] === role);
  const parts = of('user').flatMap(({ content }) => list(content));
  const { temperature, top_p, top_k, max_output_tokens, seed, stop, presence_penalty, frequency_penalty } = body;
  const { type, schema } = ((body['text'] as Json | undefined)?.['format'] ?? {}) as Json;
  const choice = body['tool_choice'];
  return {
    system: of('system')
      .map(({ content }) => content)
      .join('\n'),
    texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    images: parts.flatMap(({ image_url: url }) => (typeof url === 'string' ? [url] : [])),
    calls: input.filter((one) => one['type'] === 'function_call').map(callIn),
    results: input.filter((one) => one['type'] === 'function_call_output').map(({ output }) => String(output)),
    tools: list(body['tools']).map(({ name, description, parameters }) => ({ name, description, parameters })),
    choice: typeof choice === 'object' && choice !== null ? String((choice as Json)['name']) : String(choice ?? 'auto'),
    schema,
    settings: given({
      ...{ temperature, top_p, top_k, max_tokens: max_output_tokens, seed, stop, presence_penalty, frequency_penalty },
      response_format: type === 'json_object' ? { type } : undefined,
    }),
  };
}

function callIn({ call_id: id, name, arguments: input }: Json): Call {
  return { id: String(id), name: String(name), input: JSON.parse(String(input)) as Json };
}
