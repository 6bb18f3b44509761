import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { calculates, expressionOf, readCalculation } from './arithmetic.ts';
import { contentWords } from './content-words.ts';
import {
  asksUser,
  isNumber,
  isSearch,
  type OfferedTool,
  type Property,
  propertiesOf,
  required,
} from './offered-tool.ts';
import { joinsThings, splitQuestion } from './split-question.ts';

/** What the stand-in does with tools: the calls it makes at once, or what it learnt from those it made. */
export type ToolUse =
  | { readonly kind: 'calls'; readonly calls: readonly ChosenCall[] }
  | {
      readonly kind: 'results';
      readonly results: readonly ToolText[];
      /** What the user would have to tell, so that the other tools that the question wants can be called. */
      readonly lacking: readonly ToolText[];
      /** Parts of the question that no tool is for. */
      readonly unanswered: readonly string[];
    };

interface ChosenCall {
  readonly name: string;
  readonly given: JsonObject;
}

export interface ToolText {
  readonly name: string;
  readonly text: string;
}

/**
 * Chooses among tools by fixed rules:
 *
 * - a calculation that the question asks for is made by the tool that is called after it;
 * - a tool is wanted when its description, or that of an argument, shares a word with the question, or the question names a
 *   code that it takes, and it was not called;
 * - where none is wanted, the one tool is whose `enum` has a member that the question names, if it only tells something;
 * - all wanted tools whose arguments can be filled are called in one turn, one call for each code that fits a `pattern`, for each named member of an
 *   `enum`, and for each part of a question that has several;
 * - a number comes from the question, then from earlier results; a text from its `enum`, its `pattern`, or is the question;
 * - where nothing can be filled, a tool that takes a `question` asks the user for it; without one the searches are asked.
 *
 * Undefined where no tool takes more than a query: those are searches, asked one after another.
 */
export function useTools(
  question: string,
  tools: readonly OfferedTool[],
  results: readonly ToolText[],
): ToolUse | undefined {
  if (tools.every(isSearch)) return undefined;
  const open = tools.filter((tool) => !asksUser(tool) && !results.some(({ name }) => name === tool.name));
  const computed = results.length === 0 ? computing(open, question) : [];
  if (computed.length > 0) return { kind: 'calls', calls: computed };
  const wanted = wantedOf(open, question);
  const pending = wanted.length > 0 || results.length > 0 ? wanted : namedOf(open, question);
  const calls = [
    ...pending.flatMap((tool) => callsForParts(tool, question, results)),
    ...(results.length === 0 ? searchesForTheRest(tools, question) : []),
  ];
  if (calls.length > 0) return { kind: 'calls', calls };
  const asked = pending.length === 0 || results.length > 0 ? [] : askedInstead(tools, pending, question);
  if (asked.length > 0) return { kind: 'calls', calls: asked };
  const lacking = joinsThings(question) ? pending.flatMap(lackingOf(question)) : [];
  const unanswered = searchesAmong(tools).length > 0 ? [] : partsForNoTool(tools, question);
  return { kind: 'results', results, lacking, unanswered };
}

/** Of a wanted tool that was not called: the text or code that the question does not give. */
function lackingOf(question: string): (tool: OfferedTool) => readonly ToolText[] {
  return (tool) => {
    const [missing] = required(tool).filter((one) => !isNumber(one) && valueFor(one, question, []) === undefined);
    return missing === undefined ? [] : [{ name: tool.name, text: askFor(missing) }];
  };
}

const askFor = ({ name, description = name }: Property): string => `${description}?`;

/** Where a wanted tool cannot be called: the user is asked for what is missing, or what documents say, where nobody can be asked. */
function askedInstead(
  tools: readonly OfferedTool[],
  pending: readonly OfferedTool[],
  question: string,
): readonly ChosenCall[] {
  const asking = tools.find(asksUser);
  if (asking === undefined) return searchesAmong(tools).map(({ name }) => ({ name, given: { query: question } }));
  const [missing] = pending.flatMap((tool) => required(tool));
  if (missing === undefined) return [];
  return [{ name: asking.name, given: { question: askFor(missing) } }];
}

/** Of a question with several parts of which some want a tool: the others are searched for. */
function searchesForTheRest(tools: readonly OfferedTool[], question: string): readonly ChosenCall[] {
  const rest = partsForNoTool(tools, question);
  return searchesAmong(tools).flatMap(({ name }) => rest.map((query) => ({ name, given: { query } })));
}

function searchesAmong(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  return tools.filter((tool) => isSearch(tool) && propertiesOf(tool).length > 0 && !acts(tool));
}

/** None where no part wants a tool. */
function partsForNoTool(tools: readonly OfferedTool[], question: string): readonly string[] {
  const parts = splitQuestion(question);
  const rest = parts.filter((part) => wantedOf(tools, part).length === 0);
  return rest.length === parts.length ? [] : rest;
}

/** The tool that makes a calculation which the question asks for, or that takes any as an expression. */
function computing(tools: readonly OfferedTool[], question: string): readonly ChosenCall[] {
  const asked = readCalculation(question);
  if (asked === undefined) return [];
  for (const tool of tools) {
    const properties = propertiesOf(tool);
    const [first, second, ...others] = properties.filter(isNumber);
    const description = `${tool.name} ${tool.description}`;
    if (first !== undefined && second !== undefined && others.length === 0 && calculates(asked, description))
      return [{ name: tool.name, given: { [first.name]: asked.numbers[0], [second.name]: asked.numbers[1] } }];
    const expression = properties.find(({ name }) => /^expr/iu.test(name));
    if (expression !== undefined) return [{ name: tool.name, given: { [expression.name]: expressionOf(asked) } }];
  }
  return [];
}

/** Those that share a word with the question, or that take a code which it names. */
function wantedOf(tools: readonly OfferedTool[], question: string): readonly OfferedTool[] {
  const words = contentWords(question);
  return tools.filter((tool) => shares(tool, words) || namesCode(tool, question));
}

/** The one tool whose `enum` has a member that the question names. Nothing is done because a name alone is there. */
function namedOf(tools: readonly OfferedTool[], question: string): readonly OfferedTool[] {
  const named = tools.filter((tool) => propertiesOf(tool).some((one) => membersIn(one, question).length > 0));
  return named.length === 1 && !named.some(acts) ? named : [];
}

const act =
  /start|stop|delet|remov|cancel|creat|updat|send|order|\bbook|\bpay\b|起動|停止|削除|取り消|作成|更新|送信|注文|予約を|確定|支払う/iu;

function acts({ name, description }: OfferedTool): boolean {
  return act.test(`${name} ${description}`);
}

/** Of a question that has parts each part that wants the tool is a call of its own; what it does not say the whole says. */
function callsForParts(tool: OfferedTool, question: string, results: readonly ToolText[]): readonly ChosenCall[] {
  const parts = splitQuestion(question);
  const own = parts.filter((part) => wantedOf([tool], part).length > 0);
  if (parts.length < 2 || own.length === 0) return callsOf(tool, question, results);
  const calls = own.flatMap((part) => {
    const ofPart = callsOf(tool, part, results);
    return ofPart.length > 0 ? ofPart : callsOf(tool, question, results);
  });
  return [...new Map(calls.map((call) => [JSON.stringify(call.given), call])).values()];
}

function shares(tool: OfferedTool, words: ReadonlySet<string>): boolean {
  const description = [tool.description, ...propertiesOf(tool).map(({ description = '' }) => description)].join(' ');
  return [...contentWords(description)].some((word) => words.has(word));
}

function namesCode(tool: OfferedTool, question: string): boolean {
  return propertiesOf(tool).some((one) => one.pattern !== undefined && matchesOf(one, question).length > 0);
}

function callsOf(tool: OfferedTool, question: string, results: readonly ToolText[]): readonly ChosenCall[] {
  const properties = propertiesOf(tool);
  const coded = properties.find((one) => one.pattern !== undefined || membersIn(one, question).length > 1);
  const codes =
    coded === undefined
      ? [undefined]
      : coded.pattern === undefined
        ? membersIn(coded, question)
        : matchesOf(coded, question);
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
  return membersIn({ members }, question)[0];
}

/** Members of an enumeration that a text names. */
function membersIn({ members = [] }: { readonly members?: readonly string[] }, text: string): readonly string[] {
  const asked = text.normalize('NFKC').toLowerCase();
  return members.filter((member) => asked.includes(member.toLowerCase()));
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
