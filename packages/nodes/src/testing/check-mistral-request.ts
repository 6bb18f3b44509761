type Json = Readonly<Record<string, unknown>>;

/**
 * What Mistral's API refuses of `POST /v1/chat/completions` and `POST /v1/embeddings` (API reference); undefined for a request
 * that holds: a key, members it knows, roles in an order it takes, ids of tool calls of nine letters and digits.
 */
export function mistralProblem(path: string, headers: Json, body: Json): string | undefined {
  const known = membersOf[path];
  if (known === undefined) return `no Route matched with ${path}`;
  if (!/^Bearer \S+$/.test(String(headers['authorization'] ?? ''))) return 'Unauthorized';
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  return path === '/v1/chat/completions' ? messagesProblem((body['messages'] ?? []) as readonly Json[]) : undefined;
}

const membersOf: Readonly<Record<string, readonly string[]>> = {
  '/v1/chat/completions':
    'model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode safe_prompt reasoning_effort'.split(
      ' ',
    ),
  '/v1/embeddings': 'model input encoding_format output_dimension output_dtype'.split(' '),
};

function messagesProblem(messages: readonly Json[]): string | undefined {
  let open: readonly unknown[] = [];
  for (const message of messages) {
    const problem = orderProblem(message, open);
    if (problem !== undefined) return problem;
    const { role, tool_calls: calls, tool_call_id: id } = message;
    open = role === 'tool' ? open.filter((one) => one !== id) : idsOf(calls);
  }
  const last = messages.at(-1)?.['role'];
  return last === 'user' || last === 'tool' ? undefined : `Expected last role User or Tool but got ${String(last)}`;
}

/** @param open ids of calls that wait for their results */
function orderProblem(
  { role, tool_calls: calls, tool_call_id: id }: Json,
  open: readonly unknown[],
): string | undefined {
  if (role === 'tool') return open.includes(id) ? undefined : 'Unexpected role tool: it answers no tool call before it';
  if (open.length > 0) return 'Not the same number of function calls and responses';
  const isNamed = idsOf(calls).every((one) => /^[a-zA-Z0-9]{9}$/.test(String(one)));
  return isNamed ? undefined : 'Tool call id must be a-z, A-Z, 0-9, with a length of 9';
}

function idsOf(calls: unknown): readonly unknown[] {
  return ((calls ?? []) as readonly Json[]).map(({ id }) => id);
}
