import { type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';
import { contentWords } from './content-words.ts';
import { judgeResults } from './judge-results.ts';
import { isJapanese, note, withoutNote } from './said-by-stand-in.ts';
import { splitQuestion } from './split-question.ts';

/** What the stand-in has read, by who said it. */
export interface ReadTexts {
  /** The user's first text: the task. */
  readonly asked: string;
  /** What the assistant said, in order. */
  readonly said: readonly string[];
  /** Later texts of the user that are JSON objects: results. */
  readonly results: readonly JsonObject[];
}

/**
 * A value that fits a JSON Schema, made of what was asked, by fixed rules:
 *
 * - of an enumeration the member that shares most words with the task, not counting words of members that were said before;
 *   where none shares any, the one whose line in the schema's description (`member: what it is`) answers to a part of the
 *   task; where none does, the last one, but one that gives up where there are no results;
 * - for an answer (`answer`, `final_answer`, `response`, `summary`) what the results say;
 * - for any other text the next name, quotation, date or code of the task that fits its `pattern`; for a number the next one;
 * - for a list of texts the sentences of the task, for a `request` the task itself;
 * - null for what may be null, where the task does not speak of it.
 */
export function fillSchema(schema: JsonObject, read: ReadTexts): JsonValue {
  return fill(schema, { ...read, found: candidatesIn(read.asked), used: new Set() }, '');
}

interface Filling extends ReadTexts {
  readonly found: readonly string[];
  readonly used: Set<string>;
}

function fill(schema: JsonObject, filling: Filling, name: string): JsonValue {
  if (schema['const'] !== undefined) return schema['const'];
  const types = Array.isArray(schema['type']) ? (schema['type'] as readonly JsonValue[]) : [schema['type'] ?? 'string'];
  if (types.includes('null') && !contentWords(filling.asked).has(name)) return null;
  if (Array.isArray(schema['enum']))
    return choose(schema['enum'] as readonly JsonValue[], schema['description'], filling);
  const [type] = types.filter((one) => one !== 'null');
  if (type === 'object') return fillObject(schema, filling);
  if (type === 'array') return fillList(schema, filling);
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer')
    return Number(take(filling, /^-?\d+(\.\d+)?$/) ?? schema['default'] ?? 0);
  return fillText(schema, filling, name);
}

/** Texts are the sentences of the task. */
function fillList(schema: JsonObject, { asked }: Filling): JsonValue {
  return mappingOf(schema['items'])['type'] === 'string' ? sentencesIn(asked) : [];
}

function fillObject(schema: JsonObject, filling: Filling): JsonObject {
  const properties = Object.entries(mappingOf(schema['properties']));
  return Object.fromEntries(properties.map(([name, member]) => [name, fill(mappingOf(member), filling, name)]));
}

function choose(members: readonly JsonValue[], description: JsonValue | undefined, filling: Filling): JsonValue {
  const { asked, said, results } = filling;
  const wanted = contentWords(asked);
  const before = members.filter((member) => said.some((text) => text.includes(String(member))));
  const spent = new Set(before.flatMap((member) => [...contentWords(String(member))]));
  const givesUp = results.length === 0 ? members.find((member) => /^give_?up/i.test(String(member))) : undefined;
  let best = describedMember(members, description, filling) ?? givesUp ?? members.at(-1) ?? null;
  let max = 0;
  for (const member of members) {
    const gain = [...contentWords(String(member))].filter((word) => wanted.has(word) && !spent.has(word)).length;
    if (gain > max) [best, max] = [member, gain];
  }
  return best;
}

/** The first of those whose lines answer to the parts of the task that was not said before. */
function describedMember(
  members: readonly JsonValue[],
  description: JsonValue | undefined,
  { asked, said, found }: Filling,
): JsonValue | undefined {
  if (typeof description !== 'string') return undefined;
  const lines = description.split('\n');
  const passages = members.flatMap((member) => {
    const start = `${String(member)}: `;
    const line = lines.find((one) => one.startsWith(start));
    return line === undefined ? [] : [{ id: String(member), title: line.slice(start.length), text: '' }];
  });
  const answering = splitQuestion(asked).map(
    (part) => (judgeResults(withoutNames(part, found), passages) ?? judgeResults(part, passages))?.id,
  );
  return answering.find((id) => id !== undefined && !said.some((text) => text.includes(id)));
}

/** Names, dates and codes tell what a tool is given and not which tool. */
function withoutNames(text: string, names: readonly string[]): string {
  return names.reduce((left, name) => left.replaceAll(name, ' '), text);
}

function fillText(schema: JsonObject, filling: Filling, name: string): JsonValue {
  if (/answer|response|summary/.test(name)) return answerOf(filling);
  if (name === 'request') return filling.asked;
  const { pattern } = schema;
  const found = take(filling, typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined);
  return found ?? schema['default'] ?? filling.asked;
}

function sentencesIn(text: string): readonly string[] {
  const sentences = text.split(/(?<=[.!?])\s+|(?<=[。？！])|\n/u).map((one) => one.trim());
  return sentences.filter((one) => contentWords(one).size > 0);
}

/** What the results say, one after another. */
function answerOf({ asked, results }: Filling): string {
  const texts = results.map(
    ({ response, error, ...rest }) => response ?? (error === '' || error === undefined ? rest : error),
  );
  const found = texts
    .map((text) => withoutNote(typeof text === 'string' ? text : JSON.stringify(text)))
    .filter((text) => text !== '');
  // What is asked stands last: documentation before it may be in another language.
  const request = asked.trimEnd().split('\n').at(-1) ?? '';
  const answer = found.length > 0 ? found.join(' ') : noResult(request);
  return `${answer}${isJapanese(request) ? '' : ' '}${note(request)}`;
}

function noResult(asked: string): string {
  return isJapanese(asked) ? '答えになる結果がありません。' : 'There is no result to answer with.';
}

/** The next candidate that fits and was not taken; where all that fit were taken, the last of them. */
function take({ found, used }: Filling, pattern?: RegExp): string | undefined {
  const fitting = found.filter((one) => pattern?.test(one) ?? !/^\d+(\.\d+)?$/.test(one));
  const next = fitting.find((one) => !used.has(one)) ?? fitting.at(-1);
  if (next !== undefined) used.add(next);
  return next;
}

/**
 * Quotations, dates, codes, numbers, and names: capitalised words that do not begin a sentence, those among Japanese letters, and
 * Japanese words that a particle of place or possession follows; in their order.
 */
const candidate =
  /"([^"]+)"|'([^']+)'|「([^」]+)」|\b(\d{4}-\d{2}-\d{2})\b|\b([A-Z][A-Z0-9-]*\d[A-Z0-9-]*|\d+(?:\.\d+)?)\b|([A-Z][A-Za-z-]*)(?=[ぁ-んァ-ヶー一-龠])|(?<=[\p{Ll}\p{N},] )(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*)|([ァ-ヶー]{2,}|[一-龠]{2,})(?=の|で|から|まで|行き)/gu;

/** Days and order: they stand before の, or before a name (明日東京で), and name nothing. */
const noNames = /^(?:今日|明日|昨日|明後日|現在|最新|次回|今週|来週|今月|来月|今年|来年)/u;

function candidatesIn(text: string): readonly string[] {
  const found = [...text.matchAll(candidate)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '');
  return found.map((one) => one.replace(noNames, '')).filter((one) => one !== '');
}
