import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { contentWords } from './content-words.ts';

/** What the stand-in does with tools: the calls it makes at once, or what it learnt from those it made. */
export type ToolUse =
  | { readonly kind: 'calls'; readonly calls: readonly ChosenCall[] }
  | { readonly kind: 'results'; readonly results: readonly ToolText[] };

interface ChosenCall {
  readonly name: string;
  readonly given: JsonObject;
}

export interface ToolText {
  readonly name: string;
  readonly text: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/**
 * Chooses among tools by fixed rules:
 *
 * - a tool is wanted when its description, or that of an argument, shares a word with the question, or the question names a
 *   code that it takes, and it was not called;
 * - all wanted tools whose arguments can be filled are called in one turn, one call for each code that fits a `pattern`;
 * - a number comes from the question, then from earlier results; a text from its `enum`, its `pattern`, or is the question;
 * - where nothing can be filled, a tool that takes a `question` asks the user for it.
 *
 * Undefined where no tool takes more than a query: those are searches, asked one after another.
 */
export function useTools(
  question: string,
  tools: readonly OfferedTool[],
  results: readonly ToolText[],
): ToolUse | undefined {
  if (tools.every(isSearch)) return undefined;
  const words = contentWords(question);
  const pending = tools.filter(
    (tool) =>
      !results.some(({ name }) => name === tool.name) &&
      !asksUser(tool) &&
      (shares(tool, words) || namesCode(tool, question)),
  );
  const calls = pending.flatMap((tool) => callsOf(tool, question, results));
  if (calls.length > 0) return { kind: 'calls', calls };
  const asking = tools.find(asksUser);
  const [missing] = pending.flatMap((tool) => required(tool));
  if (results.length > 0 || asking === undefined || missing === undefined) return { kind: 'results', results };
  return {
    kind: 'calls',
    calls: [{ name: asking.name, given: { question: `${missing.description ?? missing.name}?` } }],
  };
}

interface Property {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly members?: readonly string[];
}

function propertiesOf({ parameters }: OfferedTool): readonly Property[] {
  return Object.entries((parameters['properties'] ?? {}) as Readonly<Record<string, JsonObject>>).map(([name, one]) => {
    const { type, description, pattern, enum: members } = one;
    return {
      name,
      type: typeof type === 'string' ? type : 'string',
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof pattern === 'string' ? { pattern } : {}),
      ...(Array.isArray(members) ? { members: (members as readonly JsonValue[]).map(String) } : {}),
    };
  });
}

function required(tool: OfferedTool): readonly Property[] {
  const names = (tool.parameters['required'] ?? []) as readonly JsonValue[];
  return propertiesOf(tool).filter(({ name }) => names.includes(name));
}

const isText = ({ type, pattern, members }: Property): boolean =>
  type === 'string' && pattern === undefined && members === undefined;

function isSearch(tool: OfferedTool): boolean {
  const properties = propertiesOf(tool);
  return properties.every((one) => one.name === 'query' && isText(one));
}

function asksUser(tool: OfferedTool): boolean {
  return propertiesOf(tool).some(({ name }) => name === 'question');
}

function shares(tool: OfferedTool, words: ReadonlySet<string>): boolean {
  const told = [tool.description, ...propertiesOf(tool).map(({ description = '' }) => description)].join(' ');
  return [...contentWords(told)].some((word) => words.has(word));
}

function namesCode(tool: OfferedTool, question: string): boolean {
  return propertiesOf(tool).some((one) => one.pattern !== undefined && matchesOf(one, question).length > 0);
}

function callsOf(tool: OfferedTool, question: string, results: readonly ToolText[]): readonly ChosenCall[] {
  const properties = propertiesOf(tool);
  const coded = properties.find(({ pattern }) => pattern !== undefined);
  const codes = coded === undefined ? [undefined] : matchesOf(coded, question);
  const filled = codes.map((code) => fill(properties, coded?.name, code, question, results));
  const needed = required(tool).map(({ name }) => name);
  return filled
    .filter((given) => needed.every((name) => given[name] !== undefined))
    .map((given) => ({ name: tool.name, given }));
}

function matchesOf({ pattern = '' }: Property, text: string): readonly string[] {
  const open = new RegExp(pattern.replace(/^\^/, '').replace(/\$$/, ''), 'gu');
  return [...new Set(text.normalize('NFKC').match(open) ?? [])];
}

function fill(
  properties: readonly Property[],
  coded: string | undefined,
  code: string | undefined,
  question: string,
  results: readonly ToolText[],
): JsonObject {
  const numbers = [...numbersIn(question), ...results.flatMap(({ text }) => numbersOf(text))];
  const given: Record<string, JsonValue> = {};
  for (const property of properties) {
    const value = property.name === coded ? code : valueFor(property, question, numbers);
    if (value !== undefined) given[property.name] = value;
  }
  return given;
}

function valueFor({ type, members }: Property, question: string, numbers: number[]): JsonValue | undefined {
  if (type === 'number' || type === 'integer') return numbers.shift();
  if (members === undefined) return type === 'string' ? question.normalize('NFKC').trim() : undefined;
  const asked = question.toLowerCase();
  return members.find((member) => asked.includes(member.toLowerCase()));
}

/** Numbers that stand alone: those in a code such as A-100 are part of it. */
function numbersIn(text: string): readonly number[] {
  const plain = text.normalize('NFKC').replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return (plain.match(/(?<![\w.-])\d+(?:\.\d+)?(?![\w-])/g) ?? []).map(Number);
}

/** Numbers of a result: of its JSON, each in its place. */
function numbersOf(text: string): readonly number[] {
  try {
    return leaves(parseJson(text));
  } catch {
    return numbersIn(text);
  }
}

function leaves(value: JsonValue): readonly number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return value instanceof Number ? [Number(value)] : Object.values(value).flatMap((one: JsonValue) => leaves(one));
}
