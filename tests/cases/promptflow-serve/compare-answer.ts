import { Float, isMapping, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import type { CaseAnswer } from './case.ts';
import type { Answer } from './send-request.ts';

/** Headers that are not looked at: of every answer, or of ours alone. */
const passedOver: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date', 'server'],
  ...['cache-control', 'etag', 'last-modified', 'content-disposition', 'content-security-policy'],
  ...['x-flow-run', 'x-flow-passed-over', 'x-content-type-options', 'x-accel-buffering'],
]);
const sets: ReadonlySet<string> = new Set(['allow', 'access-control-allow-methods']);

/** Where an answer is not the one expected, one line a difference. */
export function answerDifferences(expected: CaseAnswer, actual: Answer): readonly string[] {
  const { status = null, content_type: type = null, json, text, raw, incomplete = false } = expected;
  const looked: readonly (readonly [what: string, wanted: JsonValue | undefined, came: JsonValue | undefined])[] = [
    ['status', status, actual.status],
    ['content type', type, actual.headers['content-type'] ?? null],
    ['json', json, json === undefined ? undefined : readJson(actual.text)],
    ['text', text, actual.text],
    ['raw', raw, actual.text],
    ['broken', incomplete, actual.isBroken],
  ];
  const found = looked.flatMap(([what, wanted, came]) =>
    wanted === undefined || matches(wanted, came) ? [] : [`${what}: expected ${shown(wanted)}, got ${shown(came)}`],
  );
  return [...found, ...headerDifferences(expected, actual)];
}

/** Every answer allows all origins. */
function headerDifferences({ headers = {} }: CaseAnswer, actual: Answer): readonly string[] {
  const expected: Readonly<Record<string, string>> = { 'access-control-allow-origin': '*', ...headers };
  const came = Object.entries(actual.headers).filter(([name]) => !passedOver.has(name));
  const names = new Set([...Object.keys(expected), ...came.map(([name]) => name)]);
  return [...names].flatMap((name) => {
    const [wanted, value] = [expected[name], actual.headers[name]];
    const isSame = sets.has(name) ? sorted(wanted) === sorted(value) : wanted === value;
    return isSame ? [] : [`header ${name}: expected ${shown(wanted)}, got ${shown(value)}`];
  });
}

function sorted(list: string | readonly string[] | undefined): string {
  return String(list ?? '')
    .split(/, */)
    .sort()
    .join();
}

/** The text itself where it is no JSON. */
function readJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** 3 is 3.0, `{"$any": true}` is anything. */
export function matches(expected: JsonValue, actual: JsonValue | undefined): boolean {
  if (isMapping(expected) && expected['$any'] === true) return true;
  if (actual === undefined) return false;
  if (isMapping(expected)) {
    const names = Object.keys(expected);
    return (
      isMapping(actual) &&
      names.length === Object.keys(actual).length &&
      names.every((name) => Object.hasOwn(actual, name) && matches(expected[name] ?? null, actual[name]))
    );
  }
  if (Array.isArray(expected)) {
    const items = expected as readonly JsonValue[];
    return (
      Array.isArray(actual) && items.length === actual.length && items.every((item, at) => matches(item, actual[at]))
    );
  }
  return plainNumber(expected) === plainNumber(actual) || stringifyJson(expected) === stringifyJson(actual);
}

function plainNumber(value: JsonValue): unknown {
  return value instanceof Float ? value.valueOf() : value;
}

function shown(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? stringifyJson(value as JsonValue) : JSON.stringify(value);
  return (text ?? 'undefined').slice(0, 600);
}
