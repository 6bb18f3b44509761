import * as z from 'zod';
import { type Asked, type Call, endOf, given, type Json, list, pieces, type Said, spent, type Wire } from './wire.ts';

const base64 = z.base64();
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  thinking: z.string().optional(),
  images: z.array(base64).optional(),
  tool_calls: z
    .array(
      z.object({ id: z.string().optional(), function: z.object({ name: z.string(), arguments: z.looseObject({}) }) }),
    )
    .optional(),
  tool_name: z.string().optional(),
  tool_call_id: z.string().optional(),
});
/** `POST /api/chat` (docs/api.md of Ollama). Members that it does not know it passes over. */
const chatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({ name: z.string(), description: z.string().optional(), parameters: z.looseObject({}) }),
      }),
    )
    .optional(),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
  options: z
    .object({
      temperature: z.number().optional(),
      top_p: z.number().optional(),
      top_k: z.int().optional(),
      num_predict: z.int().optional(),
      seed: z.int().optional(),
      stop: z.array(z.string()).optional(),
    })
    .optional(),
  stream: z.boolean().optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
});

/** Counts neither cached tokens nor those of thoughts apart. */
export const ollamaWire: Wire = {
  base: '/api',
  model: 'llama3.2',
  tells: { cached: false, reasoning: false },
  ends: ['stop', 'length', 'tool_calls'],
  fetchesImages: false,
  problem({ path, body }) {
    if (path !== '/api/chat') return '404 page not found';
    const read = chatRequest.safeParse(body);
    return read.success ? undefined : z.prettifyError(read.error);
  },
  refusal: (words) => ({ error: words }),
  asked,
  whole: (said, body) => ({ ...part(body, said), ...ending(said) }),
  stream(said, body) {
    const { text, thought, calls } = said;
    const parts: readonly Said[] = [
      ...pieces(thought).map((piece) => ({ thought: piece })),
      ...pieces(text).map((piece) => ({ text: piece })),
      ...(calls === undefined ? [] : [{ calls }]),
    ];
    const lines = [
      ...parts.map((one) => ({ ...part(body, one), done: false })),
      { ...part(body, {}), ...ending(said) },
    ];
    return { type: 'application/x-ndjson', events: lines.map((line) => `${JSON.stringify(line)}\n`) };
  },
};

function part({ model }: Json, { text = '', thought, calls }: Said): Json {
  return {
    model,
    created_at: '2026-11-24T00:00:00Z',
    message: {
      role: 'assistant',
      content: text,
      ...(thought === undefined ? {} : { thinking: thought }),
      ...(calls === undefined
        ? {}
        : { tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })) }),
    },
  };
}

/** An answer that calls tools ends by `stop`. */
function ending(said: Said): Json {
  return {
    done: true,
    done_reason: endOf(said) === 'length' ? 'length' : 'stop',
    total_duration: 1,
    load_duration: 1,
    prompt_eval_count: spent.input,
    prompt_eval_duration: 1,
    eval_count: spent.output,
    eval_duration: 1,
  };
}

function asked(body: Json): Asked {
  const messages = list(body['messages']);
  const of = (role: string): readonly Json[] => messages.filter((one) => one['role'] === role);
  const { temperature, top_p, top_k, num_predict, seed, stop, presence_penalty, frequency_penalty } = (body[
    'options'
  ] ?? {}) as Json;
  const { format } = body;
  return {
    system: of('system')
      .map(({ content }) => content)
      .join('\n'),
    texts: of('user').map(({ content }) => String(content)),
    images: of('user').flatMap(({ images }) =>
      ((images ?? []) as readonly string[]).map((one) => `data:image/png;base64,${one}`),
    ),
    calls: of('assistant').flatMap(({ tool_calls: calls }) => list(calls).map(callIn)),
    results: of('tool').map(({ content }) => String(content)),
    tools: list(body['tools']).map((tool) => tool['function'] as Json),
    choice: 'auto',
    schema: format === 'json' ? undefined : format,
    settings: given({
      ...{ temperature, top_p, top_k, max_tokens: num_predict, seed, stop, presence_penalty, frequency_penalty },
      response_format: format === 'json' ? { type: 'json_object' } : undefined,
    }),
  };
}

function callIn({ id, function: called }: Json): Call {
  const { name, arguments: input } = called as Json;
  return { id: String(id), name: String(name), input: input as Json };
}
