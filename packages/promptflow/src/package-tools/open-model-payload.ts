import type { JsonObject, JsonValue, NodeError } from '@unroll/engine';
import { type GuardedText, userError } from '@unroll/nodes/building-blocks';

type Api = 'chat' | 'completion';

export interface Endpoint {
  readonly url: string;
  readonly key: string;
  /** As requests name it: `LLaMa`, `Dolly`, `GPT-2`, `Falcon`. */
  readonly family: string;
}

export function isServerless(url: string): boolean {
  return url.includes('serverless.ml.azure.com') || url.includes('inference.ai.azure.com');
}

/** The body of a request, in the form the family of the model and the kind of its endpoint take. */
export function buildOpenModelRequest(
  endpoint: Endpoint,
  api: Api,
  prompt: GuardedText,
  parameters: JsonObject,
): { readonly body: JsonValue } | { readonly error: NodeError } {
  const plain = prompt.text.replaceAll(prompt.guard, '');
  if (endpoint.family !== 'LLaMa') {
    return { body: { input_data: { input_string: [plain] }, parameters } };
  }
  const chat = api === 'chat' ? readMessages(prompt) : undefined;
  if (chat !== undefined && 'error' in chat) return chat;
  if (isServerless(endpoint.url)) {
    const shared = { n: 1, ...parameters, max_tokens: parameters['max_new_tokens'] ?? null };
    if (chat === undefined) return { body: { prompt: plain, ...shared } };
    return { body: { model: 'llama-2-7b-hf', messages: chat.messages, ...shared } };
  }
  const input = chat === undefined ? [plain] : chat.messages;
  return { body: { input_data: { input_string: input, parameters: { do_sample: true, ...parameters } } } };
}

/** The text of an answer; undefined where it is in no form that is known. */
export function readOpenModelAnswer(endpoint: Endpoint, api: Api, answer: JsonValue): JsonValue | undefined {
  const first = Array.isArray(answer) ? (answer[0] as JsonObject | undefined)?.['0'] : undefined;
  if (endpoint.family !== 'LLaMa') return first ?? member(answer, 'output');
  if (!isServerless(endpoint.url)) return api === 'chat' ? member(answer, 'output') : first;
  const [choice] = (member(answer, 'choices') ?? []) as readonly JsonObject[];
  return api === 'chat' ? (choice?.['message'] as JsonObject | undefined)?.['content'] : choice?.['text'];
}

function member(value: JsonValue, key: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined;
}

const roleLine = /(?:(?<!\n)\n+)?(system|user|assistant)\s*:\s*\n/i;

/** Roles of these models: `system`, `user` and `assistant`; a role without a text is refused. */
function readMessages({
  text,
  guard,
}: GuardedText): { readonly messages: readonly JsonValue[] } | { readonly error: NodeError } {
  const chunks = text
    .split(roleLine)
    .map((chunk) => chunk.replaceAll(guard, '').trim())
    .filter((chunk) => chunk !== '');
  const messages: JsonValue[] = [];
  for (let at = 0; at < chunks.length; at += 2) {
    const role = (chunks[at] ?? '').toLowerCase();
    const content = chunks[at + 1];
    if (!['system', 'user', 'assistant'].includes(role)) return { error: invalidRole(role) };
    if (content === undefined) {
      const message = 'Unexpected chat format. Please ensure the query matches the chat format of the model used.';
      return { error: userError('OpenModelLLMUserError', message) };
    }
    messages.push({ role, content });
  }
  return { messages };
}

function invalidRole(role: string): NodeError {
  const message = `The Chat API requires a specific format for prompt definition, and the prompt should include separate lines as role delimiters: 'system:\\n','user:\\n','assistant:\\n'. Current parsed role '${role}' does not meet the requirement. If you intend to use the Completion API, please select the appropriate API type and deployment name. If you do intend to use the Chat API, please refer to the guideline at https://aka.ms/pfdoc/chat-prompt or view the samples in our gallery that contain 'Chat' in the name.`;
  return userError('OpenModelLLMUserError', message);
}
