import { cutText } from '../secrets/cut-text.ts';
import { DepthError, depthMessage, isTooDeep, OWN_DEPTH, withoutDeepParts } from '../value/depth.ts';
import { type JsonObject, type JsonValue, parseOwnJson } from '../value/json.ts';
import { undecodable } from './decode-text.ts';
import type { DataEncoding } from './detect-encoding.ts';
import { asRecord, type FileRecord, jsonProblem } from './read-json-lines.ts';

/**
 * Records of a JSON text: a list of objects, or an object of columns, `{"q": ["a", "b"]}` or `{"q": {"0": "a"}}` (the
 * forms pandas writes).
 */
export async function* readJsonFile(
  text: AsyncIterable<string>,
  encoding: DataEncoding = 'utf-8',
): AsyncGenerator<FileRecord, void> {
  const chunks: string[] = [];
  for await (const chunk of text) chunks.push(chunk);
  const whole = chunks.join('');
  if (whole.trim() === '') return;
  let parsed: JsonValue;
  try {
    parsed = parseRows(whole);
  } catch (error) {
    yield { fileLine: undefined, problem: jsonProblem(error, whole) };
    return;
  }
  const rows = rowsOf(parsed);
  if (rows === undefined) {
    const problem = 'a JSON file must be a list of objects, or an object whose values are columns of the same length';
    yield { fileLine: undefined, problem };
    return;
  }
  const isBroken = !whole.isWellFormed();
  for (const row of rows) {
    const problem = isTooDeep(row) ? `a row is ${depthMessage()}` : isBroken ? undecodableIn(row, encoding) : undefined;
    yield problem === undefined ? asRecord(row, undefined) : { fileLine: undefined, problem };
  }
}

/** The first text in a row, a key or a value, that holds bytes of another encoding. */
function undecodableIn(row: JsonValue, encoding: DataEncoding): string | undefined {
  if (typeof row === 'string') {
    const problem = undecodable(row, encoding);
    return problem === undefined ? undefined : `${problem}, in ${JSON.stringify(cutText(row.toWellFormed(), 60))}`;
  }
  if (typeof row !== 'object' || row === null) return undefined;
  for (const [name, member] of Object.entries(row)) {
    const problem = undecodableIn(name, encoding) ?? undecodableIn(member, encoding);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The rows lie some levels down; one of them that is too deep is read as far as to be seen as such. */
function parseRows(text: string): JsonValue {
  try {
    return parseOwnJson(text);
  } catch (error) {
    if (!(error instanceof DepthError)) throw error;
    return parseOwnJson(withoutDeepParts(text, OWN_DEPTH));
  }
}

function rowsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (typeof value !== 'object' || value === null) return undefined;
  const columns = Object.entries(value as JsonObject).map(([name, column]) => [name, cellsOf(column)] as const);
  const [length = 0] = columns.map(([, cells]) => cells?.length);
  if (columns.some(([, cells]) => cells?.length !== length)) return undefined;
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(columns.map(([name, cells]) => [name, cells?.[at] ?? null])),
  );
}

function cellsOf(column: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(column)) return column as readonly JsonValue[];
  return typeof column === 'object' && column !== null ? Object.values(column as JsonObject) : undefined;
}
