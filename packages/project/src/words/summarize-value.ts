import { Image, imageName, isMapping, type JsonValue, RemoteValue, stringifyJson } from '@unroll/engine';
import { fitWidth } from '@unroll/engine/text-width';

const longest = 2000;

/** A value on one line of at most `width` cells: text as text, a model's wish to call a function as a call. */
export function summarizeValue(value: JsonValue | undefined, width: number): string {
  if (value === undefined) return '';
  return fitWidth(oneLine(readable(value)), width);
}

function readable(value: JsonValue): string {
  if (typeof value === 'string') return value.slice(0, longest);
  const text = isTold(value) ? String(value) : (callOf(value) ?? stateOf(value));
  if (text !== undefined) return text.slice(0, longest);
  return short(value, 0).slice(0, longest);
}

/** What is told by its text alone: a picture, an object that stays where the code runs. */
function isTold(value: unknown): boolean {
  return value instanceof Image || value instanceof RemoteValue;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

type Mapping = Readonly<Record<string, JsonValue>>;

/** `search_faq({"query": "…"})` for a model's answer that asks for it, its text for one that asks for nothing. */
function callOf(value: JsonValue): string | undefined {
  if (!isMapping(value)) return undefined;
  const calls = functionsOf(value);
  if (calls.length > 0) return calls.map(({ name, arguments: given }) => `${text(name)}(${text(given)})`).join(', ');
  const isMessage = ('role' in value || 'finish_reason' in value) && typeof value['content'] === 'string';
  return isMessage ? String(value['content']) : undefined;
}

/**
 * What is new in the state of a loop: the answer once it is finished, before that the newest result (`search → …`); of
 * the result of a loop, its status and answer.
 */
function stateOf(value: JsonValue): string | undefined {
  if (!isMapping(value)) return undefined;
  const { finished, content, function_results: results, status, answer } = value;
  if (finished === true && 'content' in value) return text(content);
  if (typeof status === 'string' && 'answer' in value) return answer === null ? status : `${status}: ${text(answer)}`;
  const newest = finished === false && Array.isArray(results) ? (results as readonly JsonValue[]).at(-1) : undefined;
  return isMapping(newest) ? `${text(newest['name'])} → ${contentText(newest['content'])}` : undefined;
}

function contentText(content: JsonValue | undefined): string {
  return Array.isArray(content) ? content.map((part: JsonValue) => text(part)).join(' ') : text(content);
}

function functionsOf(message: Mapping): readonly Mapping[] {
  if (isMapping(message['function_call'])) return [message['function_call']];
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: JsonValue) => (isMapping(call) && isMapping(call['function']) ? [call['function']] : []));
}

function text(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const { text: own } = isMapping(value) ? value : { text: undefined };
  return typeof own === 'string' ? own : stringifyJson(value);
}

function short(value: JsonValue, depth: number): string {
  if (isTold(value)) return String(value);
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value.slice(0, longest));
  if (Array.isArray(value))
    return `[${value
      .slice(0, 20)
      .map((item) => short(item, depth + 1))
      .join(', ')}]`;
  if (!isMapping(value)) return stringifyJson(value);
  const picture = imageName(value);
  if (picture !== undefined) return picture;
  const members = Object.entries(value).map(([key, member]) => `${key}: ${short(member, depth + 1)}`);
  return `{${members.join(', ')}}`;
}
