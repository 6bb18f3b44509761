import {
  didYouMean,
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelApi,
  mappingOf,
  parseOwnJson,
  parseYaml,
  stringifyJson,
  stringifyYaml,
  type Usage,
  usageJson,
} from '@unroll/engine';
import { messageProblem } from '../openai/message-problem.ts';
import { isCount } from '../openai/read-usage.ts';
import { callKey, type RecordedAnswer, type RecordedCall } from './recorded-call.ts';

/** What stands in a cassette file. */
export interface CassetteContent {
  readonly connections: Readonly<Record<string, RecordedConnection>>;
  readonly calls: readonly RecordedCall[];
}

/** Enough to prepare a flow without the connection itself. */
export interface RecordedConnection {
  readonly type: string;
  /** How its requests are made; for people. */
  readonly provider: 'azure' | 'openai' | 'plain';
}

/** A cassette that cannot be read, with its path and what is wrong. */
export class CassetteError extends Error {}

/** 1 has no last line of its own. */
const formVersion = 2;
/** YAML's end of what stands in a file. Where it is missing, the last call may be half of one. */
const lastLine = '...\n';
const head =
  '# Model calls recorded by flow run --record; flow run --replay answers from them. Secrets were removed.\n';

/** One YAML document for the head and one for each call; texts of several lines stand as such. */
export function stringifyCassette({ connections, calls }: CassetteContent): string {
  const first = { cassette: formVersion, connections: connections as unknown as JsonObject };
  return (
    head +
    [first, ...calls.map(callValue)].map((document) => stringifyYaml(unshared(document), layout)).join('---\n') +
    lastLine
  );
}

const layout = { comment: () => undefined, isInline: () => false, anchor: () => 'a' };

/** Anchors and aliases would be hard to read. */
function unshared(value: JsonValue): JsonValue {
  return parseOwnJson(stringifyJson(value));
}

export function callValue({ node, repeat, connection, api, request, answer, isFallback }: RecordedCall): JsonObject {
  return {
    node,
    ...(repeat === 0 ? {} : { repeat }),
    connection,
    ...(isFallback === true ? { fallback: true } : {}),
    api,
    request: { ...request },
    ...('error' in answer ? { error: errorValue(answer) } : answerValue(answer)),
  };
}

function errorValue({ error, isPassedOn }: Extract<RecordedAnswer, { error: unknown }>): JsonObject {
  const { code, message } = error;
  return { code, message, ...(isPassedOn === true ? { passed_on: true } : {}) };
}

function answerValue({ body, usage, logprobs }: Exclude<RecordedAnswer, { error: unknown }>): JsonObject {
  const answer = { reply: body, ...(logprobs === undefined ? {} : { logprobs }) };
  if (usage === undefined) return answer;
  const { total_tokens: _, ...counts } = usageJson(usage);
  return { ...answer, usage: counts };
}

/**
 * @param path for error texts
 * @throws CassetteError when the text is no cassette
 */
export function readCassette(text: string, path: string): CassetteContent {
  const whole = text.replace(/(^|\n)\.\.\.\s*$/, '$1');
  const [head = '', ...rest] = whole.split(betweenDocuments);
  const first = readDocument(head, `${path}, document 1`);
  const { cassette: version } = first;
  if (version !== formVersion && version !== 1) throw new CassetteError(`${path} is no cassette of this release`);
  if (version === formVersion && whole === text) throw new CassetteError(cutMessage(path));
  const connections = readConnections(first['connections'] ?? {}, path);
  const documents = rest.map((part, index) => readDocument(part, `${path}, document ${index + 2}`));
  const calls = documents.map((document, index) => readCall(document, `${path}, call ${index + 1}`));
  refuseTwoAnswers(calls, path);
  return { connections, calls };
}

/** JavaScript's own beginnings of lines are those behind U+2028 too, which stands within texts. */
const betweenDocuments = /(?<=^|\n)---(?=\r?\n|$)/;

function readConnections(written: JsonValue, path: string): CassetteContent['connections'] {
  const isRead =
    isMapping(written) && Object.values(written).every((one) => typeof mappingOf(one)['type'] === 'string');
  if (isRead) return written as unknown as CassetteContent['connections'];
  throw new CassetteError(`${path}, document 1: "connections" must be a mapping of names, each with its type`);
}

function cutMessage(path: string): string {
  const mend = 'take out what is left of the last call, end the file with the line "..." and record again';
  return `${path} has lost its end: its last line is not "...", and its last call may be half of one. To mend it, ${mend}`;
}

/** As two branches leave it that recorded the same call. */
function refuseTwoAnswers(calls: readonly RecordedCall[], path: string): void {
  const known = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const key = callKey(call);
    const before = known.get(key) ?? index;
    known.set(key, before);
    const earlier = calls[before] ?? call;
    if (!isSameAnswer(earlier, call))
      throw new CassetteError(
        `${path}, call ${index + 1}: the call of node "${call.node}" that call ${before + 1} is, with another answer; take out one of them`,
      );
  }
}

export function isSameAnswer(one: RecordedCall, other: RecordedCall): boolean {
  return stringifyJson(callValue(one)) === stringifyJson(callValue({ ...one, answer: other.answer }));
}

function readDocument(text: string, place: string): JsonObject {
  const { value, diagnostics } = parseYaml({ path: place, text });
  const [problem] = diagnostics;
  if (problem !== undefined) throw new CassetteError(`${place} cannot be read: ${problem.message}`);
  if (!isMapping(value)) throw new CassetteError(`${place} is no mapping`);
  return value;
}

const apis: readonly JsonValue[] = ['chat', 'completion', 'embedding', 'responses'];

/** Those that a call may lack are left out by a slip of the pen: then its tokens would not be counted. */
const callKeys = ['node', 'repeat', 'connection', 'fallback', 'api', 'request', 'reply', 'usage', 'logprobs', 'error'];

/** @throws CassetteError */
export function readCall(document: JsonObject, place: string): RecordedCall {
  const { node, repeat = 0, connection = '', api, request, fallback } = document;
  if (typeof node !== 'string' || !apis.includes(api ?? null) || !isMapping(request)) {
    throw new CassetteError(
      `${place}: expected "node", "api" (chat, completion, embedding or responses) and "request"`,
    );
  }
  const strange = Object.keys(document).find((key) => !callKeys.includes(key));
  if (strange !== undefined) {
    const meant = didYouMean(strange, callKeys) ?? `a call has ${callKeys.join(', ')}`;
    throw new CassetteError(`${place}: unknown key "${strange}": ${meant}`);
  }
  if (!isCount(repeat)) throw new CassetteError(`${place}: "repeat" must be the number of a repetition`);
  return {
    node,
    repeat,
    connection: String(connection),
    ...(fallback === true ? { isFallback: true } : {}),
    api: api as ModelApi,
    request,
    answer: readAnswer(document, place),
  };
}

function readAnswer({ api, reply, usage, error, logprobs }: JsonObject, place: string): RecordedAnswer {
  if (error !== undefined && !isMapping(error))
    throw new CassetteError(`${place}: "error" must be a mapping with code and message`);
  if (error !== undefined) {
    if (reply !== undefined) throw new CassetteError(`${place}: a call has "reply" or "error", not both`);
    const { code = '', message = '', passed_on: passedOn } = error;
    const recorded = { code: String(code), message: String(message), retryable: false };
    return passedOn === true ? { error: recorded, isPassedOn: true } : { error: recorded };
  }
  if (reply === undefined) throw new CassetteError(`${place}: expected "reply" or "error"`);
  const answer = { body: readReply(reply, api, place), ...(logprobs === undefined ? {} : { logprobs }) };
  if (usage === undefined) return answer;
  if (!isMapping(usage)) throw new CassetteError(`${place}: "usage" must be a mapping of counts of tokens`);
  return { ...answer, usage: readUsage(usage, place) };
}

/** What would pass for an empty answer. */
function readReply(reply: JsonValue, api: JsonValue | undefined, place: string): JsonValue {
  if (api === 'embedding' && !Array.isArray(reply))
    throw new CassetteError(`${place}: "reply" must be a list of numbers`);
  if (api !== 'chat' && api !== 'responses') return reply;
  if (!isMapping(reply)) throw new CassetteError(`${place}: "reply" must be a message, with role and content`);
  const problem = messageProblem(reply);
  if (problem !== undefined) throw new CassetteError(`${place}: ${problem}`);
  return reply;
}

/** As it is written here: what is no count was not, and no record could hold it. */
function readUsage(written: JsonObject, place: string): Usage {
  const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0, ...parts } = written;
  const wrong = Object.keys(written).find((name) => !isCount(written[name]));
  if (wrong !== undefined || !isCount(promptTokens) || !isCount(completionTokens))
    throw new CassetteError(`${place}: "usage.${wrong}" must be a count of tokens`);
  const details = Object.entries(parts).map(([name, count]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    count,
  ]);
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return details.length === 0 ? usage : { ...usage, details: Object.fromEntries(details) };
}
