type Json = Readonly<Record<string, unknown>>;

/** A request to `POST /v1/messages`, as far as it is checked. */
export interface AnthropicRequest {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json | undefined;
}

/**
 * What Anthropic's Messages API refuses (API reference, "Create a Message"); undefined for a request that holds: version and
 * key, members it knows, a limit of tokens, turns of user and assistant that begin with the user, blocks of their roles, each
 * `tool_use` answered by the very next message, before anything else in it.
 */
export function anthropicProblem({ method, path, headers, body }: AnthropicRequest): string | undefined {
  if (method !== 'POST' || path !== '/v1/messages') return 'not_found_error: Not Found';
  if (!/^\S+$/.test(String(headers['x-api-key'] ?? ''))) return 'authentication_error: x-api-key header is required';
  if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
  if (body === undefined) return 'The request body is not valid JSON';
  const unknown = Object.keys(body).find((key) => !members.includes(key));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'model: Field required';
  if (!Number.isInteger(body['max_tokens']) || Number(body['max_tokens']) < 1) return 'max_tokens: Field required';
  return settingProblem(body) ?? toolsProblem(body) ?? turnsProblem(body);
}

const members =
  'model messages max_tokens system metadata stop_sequences stream temperature top_p top_k tools tool_choice thinking service_tier container context_management mcp_servers output_config cache_control'.split(
    ' ',
  );

function settingProblem(body: Json): string | undefined {
  const { temperature, top_p: topP, thinking, max_tokens: max, tools, tool_choice: choice } = body;
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1)) {
    return 'temperature: Input should be less than or equal to 1';
  }
  if (temperature !== undefined && topP !== undefined) return '`temperature` and `top_p` cannot both be specified';
  if (choice !== undefined && tools === undefined) return 'tool_choice: may only be specified while providing `tools`';
  const { type, budget_tokens: budget } = (thinking ?? {}) as Json;
  if (type !== 'enabled') return undefined;
  if (!(Number(budget) >= 1024)) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  if (Number(budget) >= Number(max)) return '`max_tokens` must be greater than `thinking.budget_tokens`';
  return temperature === undefined ? undefined : '`temperature` may only be set to 1 when thinking is enabled';
}

function toolsProblem({ tools = [] }: Json): string | undefined {
  for (const [at, { name, input_schema: schema }] of (tools as readonly Json[]).entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) return `tools.${at}.name: String should match pattern`;
    if ((schema as Json | undefined)?.['type'] !== 'object') return `tools.${at}.input_schema.type: Field required`;
  }
  return undefined;
}

function turnsProblem({ messages, tools }: Json): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  const turns = (messages as readonly Json[]).map(({ role, content }): Turn => ({ role, blocks: blocksOf(content) }));
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  for (const [at, turn] of turns.entries()) {
    const problem = turnProblem(turn, turns[at - 1]);
    if (problem !== undefined) return `messages.${at}: ${problem}`;
  }
  return endProblem(turns, tools !== undefined);
}

interface Turn {
  readonly role: unknown;
  readonly blocks: readonly Json[];
}

function turnProblem({ role, blocks }: Turn, before: Turn | undefined): string | undefined {
  if (role === before?.role) return 'roles must alternate between "user" and "assistant"';
  const problem = blocks.map((block) => blockProblem(String(role), block)).find((one) => one !== undefined);
  return problem ?? callsProblem(before?.blocks ?? [], blocks);
}

function endProblem(turns: readonly Turn[], hasTools: boolean): string | undefined {
  const last = turns.at(-1);
  const text = last?.blocks.at(-1)?.['text'];
  if (last?.role === 'assistant' && typeof text === 'string' && /\s$/.test(text)) {
    return 'messages: final assistant content cannot end with trailing whitespace';
  }
  const usesTools = turns.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_use'));
  return usesTools && !hasTools ? 'tools: requests with `tool_use` blocks must define tools' : undefined;
}

function blocksOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as readonly Json[]);
}

const blockChecks: Readonly<Record<string, (block: Json) => boolean>> = {
  text: ({ text }) => typeof text === 'string' && text.trim() !== '',
  image: ({ source }) => {
    const { type, media_type: media, data, url } = (source ?? {}) as Json;
    if (type === 'url') return /^https:/.test(String(url));
    return type === 'base64' && /^image\/(jpeg|png|gif|webp)$/.test(String(media)) && typeof data === 'string';
  },
  tool_use: ({ id, name, input }) =>
    /^[a-zA-Z0-9_-]+$/.test(String(id)) && typeof name === 'string' && typeof input === 'object' && input !== null,
  tool_result: ({ tool_use_id: id }) => typeof id === 'string',
  thinking: ({ thinking, signature }) => typeof thinking === 'string' && typeof signature === 'string',
};
const blocksOfRoles: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking'],
};

function blockProblem(role: string, block: Json): string | undefined {
  const type = String(block['type']);
  if (blocksOfRoles[role]?.includes(type) !== true) return `a ${type} block may not stand in a message of ${role}`;
  return blockChecks[type]?.(block) === true ? undefined : `this ${type} block is not valid`;
}

function callsProblem(before: readonly Json[], blocks: readonly Json[]): string | undefined {
  const calls = before.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
  const left = calls.filter((id) => !results.includes(id));
  if (left.length > 0) return '`tool_use` ids were found without `tool_result` blocks immediately after';
  if (results.some((id) => !calls.includes(id))) return 'unexpected `tool_use_id` found in `tool_result` blocks';
  const isFirst = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result');
  return isFirst ? undefined : '`tool_result` blocks must come first in the content';
}
