import {
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelApi,
  parseOwnJson,
  parseYaml,
  stringifyJson,
  stringifyYaml,
  type Usage,
  usageJson,
} from '@unroll/engine';
import type { RecordedAnswer, RecordedCall } from './recorded-call.ts';

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

const formVersion = 1;
const head =
  '# Model calls recorded by flow run --record; flow run --replay answers from them. Secrets were removed.\n';

/** One YAML document for the head and one for each call; texts of several lines stand as such. */
export function stringifyCassette({ connections, calls }: CassetteContent): string {
  const first = { cassette: formVersion, connections: connections as unknown as JsonObject };
  return (
    head + [first, ...calls.map(callValue)].map((document) => stringifyYaml(unshared(document), layout)).join('---\n')
  );
}

const layout = { comment: () => undefined, isInline: () => false, anchor: () => 'a' };

/** Anchors and aliases would be hard to read. */
function unshared(value: JsonValue): JsonValue {
  return parseOwnJson(stringifyJson(value));
}

function callValue({ node, repeat, connection, api, request, answer, isFallback }: RecordedCall): JsonObject {
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
  const [first, ...rest] = text
    .split(/^---$/m)
    .map((part, index) => readDocument(part, `${path}, document ${index + 1}`));
  if (first?.['cassette'] !== formVersion) throw new CassetteError(`${path} is no cassette of this release`);
  const connections = (first['connections'] ?? {}) as unknown as CassetteContent['connections'];
  return { connections, calls: rest.map((document, index) => readCall(document, `${path}, call ${index + 1}`)) };
}

function readDocument(text: string, place: string): JsonObject {
  const { value, diagnostics } = parseYaml({ path: place, text });
  const [problem] = diagnostics;
  if (problem !== undefined) throw new CassetteError(`${place} cannot be read: ${problem.message}`);
  if (!isMapping(value)) throw new CassetteError(`${place} is no mapping`);
  return value;
}

const apis: readonly JsonValue[] = ['chat', 'completion', 'embedding', 'responses'];

function readCall(document: JsonObject, place: string): RecordedCall {
  const { node, repeat = 0, connection = '', api, request, fallback } = document;
  if (typeof node !== 'string' || !apis.includes(api ?? null) || !isMapping(request)) {
    throw new CassetteError(
      `${place}: expected "node", "api" (chat, completion, embedding or responses) and "request"`,
    );
  }
  return {
    node,
    repeat: Number(repeat),
    connection: String(connection),
    ...(fallback === true ? { isFallback: true } : {}),
    api: api as ModelApi,
    request,
    answer: readAnswer(document, place),
  };
}

function readAnswer({ reply, usage, error, logprobs }: JsonObject, place: string): RecordedAnswer {
  if (isMapping(error)) {
    const { code = '', message = '', passed_on: passedOn } = error;
    const told = { code: String(code), message: String(message), retryable: false };
    return passedOn === true ? { error: told, isPassedOn: true } : { error: told };
  }
  if (reply === undefined) throw new CassetteError(`${place}: expected "reply" or "error"`);
  const answer = { body: reply, ...(logprobs === undefined ? {} : { logprobs }) };
  return isMapping(usage) ? { ...answer, usage: readUsage(usage) } : answer;
}

function readUsage({ prompt_tokens = 0, completion_tokens = 0, ...parts }: JsonObject): Usage {
  const [promptTokens, completionTokens] = [Number(prompt_tokens), Number(completion_tokens)];
  const details = Object.entries(parts).flatMap(([name, count]) =>
    Number.isSafeInteger(count)
      ? [[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), count]]
      : [],
  );
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return details.length === 0 ? usage : { ...usage, details: Object.fromEntries(details) };
}
