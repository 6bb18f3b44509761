import type { ServerResponse } from 'node:http';
import type { ServerReply } from './server-reply.ts';

type Body = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

/** What a scripted reply is as an object `response` of OpenAI's Responses API. */
export function responseObject(
  { message = {}, reasoning, finishReason, usage, logprobs = [] }: ServerReply,
  body: Body,
): object {
  const reason = incompleteReasons[finishReason ?? ''];
  const status = reason === undefined ? 'completed' : 'incomplete';
  const include = (body['include'] ?? []) as readonly string[];
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    model: body['model'],
    output: [
      ...(reasoning === undefined ? [] : [thought(reasoning, include)]),
      ...spoken({ ...message, logprobs }, status, include),
      ...called(message, status),
    ],
    parallel_tool_calls: true,
    previous_response_id: body['previous_response_id'] ?? null,
    store: body['store'] ?? true,
    tools: body['tools'] ?? [],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
      ...usage,
    },
  };
}

const incompleteReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

function thought(encrypted: string, include: readonly string[]): Item {
  const isAsked = include.includes('reasoning.encrypted_content');
  return { type: 'reasoning', id: 'rs_1', summary: [], ...(isAsked ? { encrypted_content: encrypted } : {}) };
}

function spoken({ content, refusal, logprobs }: Item, status: string, include: readonly string[]): readonly Item[] {
  const isAsked = include.includes('message.output_text.logprobs');
  const parts = [
    ...(typeof content === 'string'
      ? [{ type: 'output_text', text: content, annotations: [], ...(isAsked ? { logprobs } : {}) }]
      : []),
    ...(typeof refusal === 'string' ? [{ type: 'refusal', refusal }] : []),
  ];
  return parts.length === 0 ? [] : [{ type: 'message', id: 'msg_1', status, role: 'assistant', content: parts }];
}

function called({ tool_calls: calls = [] }: Item, status: string): readonly Item[] {
  return (calls as readonly { id: string; function: { name: string; arguments: string } }[]).map((call, at) => ({
    type: 'function_call',
    id: `fc_${at + 1}`,
    call_id: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
    status,
  }));
}

/** The same as the events of a stream, which carries no `[DONE]`. `cutAfter`: how many events come before it breaks off. */
export function sendResponseStream(response: ServerResponse, reply: ServerReply, body: Body): void {
  const whole = responseObject(reply, body) as { readonly status: string };
  const text = reply.message?.['content'];
  const pieces = typeof text === 'string' ? (text.match(/[\s\S]{1,4}/gu) ?? []) : [];
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: `response.${whole.status}`, response: whole },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [at, event] of events.slice(0, reply.cutAfter).entries())
    response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`);
  response.end();
}
