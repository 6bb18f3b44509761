import * as z from 'zod';
import { mistralProblem } from './check-mistral-request.ts';
import {
  type Asked,
  type Call,
  dataEvents,
  type Ended,
  endOf,
  given,
  type Json,
  list,
  pieces,
  spent,
  type Wire,
} from './wire.ts';

/** Services whose format goes back to OpenAI's Chat Completions, by what is their own in it. */
interface ChatFormat extends Pick<Wire, 'base' | 'model' | 'tells' | 'ends' | 'fetchesImages' | 'problem'> {
  readonly seed: string;
  readonly usage: Json;
  /** What was thought, in a message or a piece of one; absent where it is not tried. */
  readonly thought?: string;
  refusal(message: string, status: number): object;
}

function chatWire({ seed, usage, thought: thoughtName, ...format }: ChatFormat): Wire {
  const heading = (body: Json): Json => ({ id: 'a1', created: 0, model: body['model'] });
  const thoughtIn = (thought: string | undefined): Json =>
    thoughtName === undefined || thought === undefined ? {} : { [thoughtName]: thought };
  return {
    ...format,
    asked: (body) => askedInChat(body, seed),
    whole(said, body) {
      const { text = '', thought, calls } = said;
      const message = { role: 'assistant', content: text, ...thoughtIn(thought), ...callsIn(calls) };
      const choices = [{ index: 0, message, finish_reason: endOf(said) }];
      return { ...heading(body), object: 'chat.completion', choices, usage };
    },
    stream(said, body) {
      const { text, thought, calls } = said;
      const deltas = [
        { role: 'assistant', content: '' },
        ...pieces(thought).map(thoughtIn),
        ...pieces(text).map((content) => ({ content })),
        ...(calls === undefined ? [] : [callsIn(calls)]),
      ];
      const chunk = (delta: Json, end: Ended | null, more: Json = {}): Json => ({
        ...heading(body),
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: end }],
        ...more,
      });
      const last = chunk({}, endOf(said), { usage, x_groq: { id: 'r1', usage } });
      return dataEvents([...deltas.map((delta) => chunk(delta, null)), last, '[DONE]']);
    },
  };
}

function callsIn(calls: readonly Call[] = []): Json {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, name, input }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function askedInChat(body: Json, seed: string): Asked {
  const messages = list(body['messages']);
  const of = (role: string): readonly Json[] => messages.filter((one) => one['role'] === role);
  const parts = of('user').flatMap(({ content }) => partsOf(content));
  const format = (body['response_format'] ?? {}) as Json;
  const { temperature, top_p, top_k, max_tokens, stop, presence_penalty, frequency_penalty } = body;
  return {
    system: of('system')
      .map(({ content }) => content)
      .join('\n'),
    texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    images: parts.flatMap(({ image_url: url }) => (url === undefined ? [] : [imageIn(url)])),
    calls: of('assistant').flatMap(({ tool_calls: calls }) => list(calls).map(callOf)),
    results: of('tool').map(({ content }) => String(content)),
    tools: list(body['tools']).map((tool) => tool['function'] as Json),
    choice: choiceIn(body['tool_choice']),
    schema: (format['json_schema'] as Json | undefined)?.['schema'],
    settings: given({
      ...{ temperature, top_p, top_k, max_tokens, stop, presence_penalty, frequency_penalty },
      seed: body[seed],
      response_format: format['type'] === 'json_object' ? { type: 'json_object' } : undefined,
    }),
  };
}

function partsOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ text: content }] : list(content);
}

/** Mistral takes the address itself. */
function imageIn(url: unknown): string {
  return typeof url === 'string' ? url : String((url as Json)['url']);
}

function callOf({ id, function: called }: Json): Call {
  const { name, arguments: input } = called as Json;
  return { id: String(id), name: String(name), input: JSON.parse(String(input)) as Json };
}

function choiceIn(choice: unknown): string {
  if (typeof choice === 'object' && choice !== null) return String(((choice as Json)['function'] as Json)['name']);
  return choice === 'any' ? 'required' : String(choice ?? 'auto');
}

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.string().optional() }),
});
const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string(), name: z.string().optional() }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(z.union([text, image])).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(call).min(1).optional(),
    reasoning: z.string().optional(),
    reasoning_content: z.string().optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).optional(),
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .optional(),
});

/** @param members that the service takes (API reference of the service) */
function chatProblem(members: string): Wire['problem'] {
  const known = members.split(' ');
  return ({ path, headers, body }) => {
    if (!path.endsWith('/chat/completions')) return `Unknown request URL: POST ${path}`;
    if (!/^Bearer \S+$/.test(String(headers['authorization'] ?? ''))) return 'Invalid API Key';
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined) return `property '${unknown}' is unsupported`;
    const read = chatRequest.safeParse(body);
    if (!read.success) return z.prettifyError(read.error);
    return unansweredCall(list(body['messages']));
  };
}

/** Each call is answered before anybody else speaks. */
function unansweredCall(messages: readonly Json[]): string | undefined {
  let open: readonly unknown[] = [];
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool' && !open.includes(id)) return 'a tool message answers no call before it';
    if (role !== 'tool' && open.length > 0) return 'tool_calls must be followed by tool messages';
    open = role === 'tool' ? open.filter((one) => one !== id) : list(calls).map((one) => one['id']);
  }
  return open.length === 0 ? undefined : 'tool_calls must be followed by tool messages';
}

const { input, cached, output, reasoning } = spent;
const counts = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };

export const mistralWire = chatWire({
  base: '/v1',
  model: 'mistral-small-latest',
  tells: { cached: true, reasoning: false },
  ends: ['stop', 'length', 'tool_calls'],
  fetchesImages: false,
  seed: 'random_seed',
  usage: { ...counts, prompt_tokens_details: { cached_tokens: cached } },
  problem: ({ path, headers, body }) => mistralProblem(path, headers, body),
  refusal: (words) => ({ object: 'error', message: words, type: 'invalid_request_error', param: null, code: null }),
});

export const groqWire = chatWire({
  base: '/openai/v1',
  model: 'openai/gpt-oss-20b',
  tells: { cached: true, reasoning: true },
  ends: ['stop', 'length', 'tool_calls'],
  fetchesImages: true,
  seed: 'seed',
  thought: 'reasoning',
  usage: {
    ...counts,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  },
  problem: chatProblem(
    'model messages temperature top_p max_tokens max_completion_tokens stop seed stream stream_options response_format tools tool_choice parallel_tool_calls frequency_penalty presence_penalty user n reasoning_format reasoning_effort include_reasoning service_tier metadata store search_settings compound_custom disable_tool_validation documents citation_options logit_bias logprobs top_logprobs',
  ),
  refusal: (words) => ({ error: { message: words, type: 'invalid_request_error' } }),
});

export const deepseekWire = chatWire({
  base: '',
  model: 'deepseek-chat',
  tells: { cached: true, reasoning: true },
  ends: ['stop', 'length', 'tool_calls', 'content_filter'],
  fetchesImages: true,
  seed: 'seed',
  thought: 'reasoning_content',
  usage: {
    ...counts,
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: input - cached,
    completion_tokens_details: { reasoning_tokens: reasoning },
  },
  problem: chatProblem(
    'model messages thinking temperature top_p max_tokens stop stream stream_options response_format tools tool_choice frequency_penalty presence_penalty logprobs top_logprobs reasoning_effort user_id',
  ),
  refusal: (words) => ({
    error: { message: words, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
  }),
});
