import type { JsonValue, NodeError } from '@unroll/engine';
import { userError } from '../errors/tool-error.ts';
import { roleLine } from '../prompt/role-line.ts';
import { readLeadingPythonList } from './python-literal.ts';

export type ChatMessage = Readonly<Record<string, JsonValue>>;

export type ParsedChat =
  | { readonly ok: true; readonly messages: readonly ChatMessage[] }
  | { readonly ok: false; readonly error: NodeError };

/**
 * Reads a rendered chat prompt as messages, by the rules of Prompt flow's `parse_chat`: a role line is `system:`,
 * `user:`, `assistant:`, `function:` or `tool:`, with at most one `#` before it, alone on its line.
 *
 * @param guard the character that the template engine put after line breaks and before colons of interpolated values;
 *   a role line, and a label such as `name:`, counts only where its line break and colon are the template's own. It is
 *   left out of what is returned.
 * @param images texts that stand for images when they are alone on a line, with the part of the message each becomes
 */
export function parseChat(text: string, guard = '', images?: ReadonlyMap<string, JsonValue>): ParsedChat {
  const messages: Record<string, JsonValue>[] = [];
  const plain = (part: string): string => (guard === '' ? part : part.replaceAll(guard, ''));
  const reading: Reading = { messages, plain, content: (part) => contentOf(plain(part).trim(), images) };
  for (const chunk of text.split(roleLine)) {
    const error = readChunk(chunk, reading);
    if (error !== undefined) return { ok: false, error };
  }
  return { ok: true, messages };
}

export const roles = ['system', 'user', 'assistant', 'function', 'tool'];
const nameAndContent = /name\s*:\s*\n+\s*(\S+)\s*\n*#{0,2}\s*content\s*:\s*\n?([\s\S]*)/;
const callIdAndContent = /tool_call_id\s*:\s*\n+\s*(\S+)\s*\n*#{0,2}\s*content\s*:\s*\n?([\s\S]*)/;
const toolCalls = /tool_calls\s*:\s*\n+\s*(\[[\s\S]*)/;

interface Reading {
  readonly messages: Record<string, JsonValue>[];
  /** A part of the text without the guard. */
  readonly plain: (part: string) => string;
  readonly content: (part: string) => JsonValue;
}

function readChunk(chunk: string, reading: Reading): NodeError | undefined {
  const { messages, plain } = reading;
  const last = messages.at(-1);
  if (last !== undefined && isOpen(last)) {
    if (last['role'] === 'tool') return readToolAnswer(chunk, last, reading);
    const calls = last['role'] === 'assistant' ? readToolCalls(chunk, plain) : undefined;
    if (calls === undefined) return readContent(chunk, last, reading);
    last['tool_calls'] = calls;
    return undefined;
  }
  const role = plain(chunk).trim().toLowerCase();
  if (role === '') return undefined;
  if (!roles.includes(role)) return invalidRole(role);
  messages.push({ role });
  return undefined;
}

function isOpen(message: Record<string, JsonValue>): boolean {
  return message['content'] === undefined && message['tool_calls'] === undefined;
}

function readToolAnswer(
  chunk: string,
  message: Record<string, JsonValue>,
  { plain, content }: Reading,
): NodeError | undefined {
  const match = callIdAndContent.exec(chunk);
  if (match === null) return invalidFormat('tool', toolFormat);
  message['tool_call_id'] = plain(match[1] ?? '');
  message['content'] = content(match[2] ?? '');
  return undefined;
}

function readToolCalls(chunk: string, plain: (part: string) => string): readonly JsonValue[] | undefined {
  const match = toolCalls.exec(chunk);
  return match === null ? undefined : readLeadingPythonList(plain(match[1] ?? ''));
}

function readContent(
  chunk: string,
  message: Record<string, JsonValue>,
  { plain, content }: Reading,
): NodeError | undefined {
  const match = nameAndContent.exec(chunk);
  if (match === null) {
    if (message['role'] === 'function') return invalidFormat('function', functionFormat);
    message['content'] = content(chunk);
    return undefined;
  }
  message['name'] = plain(match[1] ?? '');
  message['content'] = content(match[2] ?? '');
  return undefined;
}

/** A text; where one of its lines is an image, the list of its lines that are not blank. */
function contentOf(text: string, images: ReadonlyMap<string, JsonValue> | undefined): JsonValue {
  const lines = text.split('\n');
  if (images === undefined || !lines.some((line) => images.has(line.trim()))) return text;
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => images.get(line.trim()) ?? { type: 'text', text: line });
}

const functionFormat =
  "'name:\\nfunction_name\\ncontent:\\nfunction_content'. 'name' is required if role is function, and it should be the name of the function whose response is in the content. May contain a-z, A-Z, 0-9, and underscores, with a maximum length of 64 characters.";
const toolFormat =
  "'tool_call_id:\\ntool_call_id\\ncontent:\\ntool_content'. 'tool_call_id' is required if role is tool, and it should be the tool call that this message is responding to. See more details in https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages";
const guide =
  "See more details in https://platform.openai.com/docs/api-reference/chat/create#chat/create-name or view sample 'How to use functions with chat models' in our gallery.";

function invalidFormat(role: 'function' | 'tool', format: string): NodeError {
  const code = role === 'function' ? 'ChatAPIFunctionRoleInvalidFormat' : 'ChatAPIToolRoleInvalidFormat';
  const more = role === 'function' ? ` ${guide}` : '';
  const message = `Failed to parse ${role} role prompt. Please make sure the prompt follows the format: ${format}${more}`;
  return userError(code, message);
}

function invalidRole(role: string): NodeError {
  const lines = roles.map((name) => `'${name}:\\n'`);
  const message = `The Chat API requires a specific format for prompt definition, and the prompt should include separate lines as role delimiters: ${lines.join(',')}. Current parsed role '${role}' does not meet the requirement. If you intend to use the Completion API, please select the appropriate API type and deployment name. If you do intend to use the Chat API, please refer to the guideline at https://aka.ms/pfdoc/chat-prompt or view the samples in our gallery that contain 'Chat' in the name.`;
  return userError('ChatAPIInvalidRole', message);
}
