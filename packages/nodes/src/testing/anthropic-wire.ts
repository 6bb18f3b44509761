import { anthropicProblem } from './check-anthropic-request.ts';
import {
  type Asked,
  type Call,
  type Ended,
  endOf,
  given,
  type Json,
  list,
  pieces,
  type Said,
  spent,
  type Wire,
} from './wire.ts';

const reasons: Readonly<Record<Ended, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Tokens that were read from the cache are counted beside the others, those of thoughts not apart. */
const usage = {
  input_tokens: spent.input - spent.cached,
  cache_read_input_tokens: spent.cached,
  output_tokens: spent.output,
};

export const anthropicWire: Wire = {
  base: '/v1',
  model: 'claude-sonnet-4-5',
  tells: { cached: true, reasoning: false },
  ends: ['stop', 'length', 'tool_calls', 'content_filter'],
  fetchesImages: true,
  problem: ({ path, headers, body }) =>
    anthropicProblem({ method: 'POST', path, headers: headers as Readonly<Record<string, string>>, body }),
  refusal: (words) => ({ type: 'error', error: { type: 'invalid_request_error', message: words } }),
  asked,
  whole: (said, body) => message(said, body),
  stream(said, body) {
    const { content, stop_reason: reason, ...rest } = message(said, body);
    const events: readonly Json[] = [
      { type: 'message_start', message: { ...rest, content: [], stop_reason: null } },
      ...content.flatMap(blockEvents),
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    const told = events.map((event) => `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`);
    return { type: 'text/event-stream', events: told };
  },
};

function message(said: Said, { model }: Json): Json & { readonly content: readonly Json[] } {
  const { text, thought, calls = [] } = said;
  const content = [
    ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: 'c2ln' }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  const shared = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  return { ...shared, content, stop_reason: reasons[endOf(said)] };
}

function blockEvents(block: Json, index: number): readonly Json[] {
  const { type } = block;
  const delta = (members: Json): Json => ({ type: 'content_block_delta', index, delta: members });
  const deltas =
    type === 'text'
      ? pieces(String(block['text'])).map((text) => delta({ type: 'text_delta', text }))
      : type === 'thinking'
        ? [
            ...pieces(String(block['thinking'])).map((thinking) => delta({ type: 'thinking_delta', thinking })),
            delta({ type: 'signature_delta', signature: block['signature'] }),
          ]
        : pieces(JSON.stringify(block['input'])).map((json) => delta({ type: 'input_json_delta', partial_json: json }));
  const empty = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } };
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty[type as keyof typeof empty] } },
    ...deltas,
    { type: 'content_block_stop', index },
  ];
}

function asked(body: Json): Asked {
  const blocks = (role: string): readonly Json[] =>
    list(body['messages'])
      .filter((one) => one['role'] === role)
      .flatMap(({ content }) => list(content));
  const of = (role: string, type: string): readonly Json[] => blocks(role).filter((one) => one['type'] === type);
  const { temperature, top_p, top_k, max_tokens, stop_sequences: stop, tool_choice: choice } = body;
  const { type, name } = (choice ?? {}) as Json;
  const format = ((body['output_config'] as Json | undefined)?.['format'] ?? {}) as Json;
  return {
    system: list(body['system'])
      .map(({ text }) => text)
      .join('\n'),
    texts: of('user', 'text').map(({ text }) => String(text)),
    images: of('user', 'image').map(({ source }) => imageIn(source as Json)),
    calls: of('assistant', 'tool_use')
      .map((one) => one as unknown as Call)
      .map(({ id, name: called, input }) => ({ id, name: called, input })),
    results: of('user', 'tool_result').map(({ content }) => String(content)),
    tools: list(body['tools']).map(({ name: one, description, input_schema: parameters }) => ({
      name: one,
      description,
      parameters,
    })),
    choice: type === 'tool' ? String(name) : type === 'any' ? 'required' : String(type ?? 'auto'),
    schema: format['schema'],
    settings: given({ temperature, top_p, top_k, max_tokens, stop }),
  };
}

function imageIn({ type, url, media_type: media, data }: Json): string {
  return type === 'url' ? String(url) : `data:${media};base64,${data}`;
}
