import { cutText } from '../secrets/cut-text.ts';
import { DepthError, depthMessage, isTooDeep, OWN_DEPTH, withoutDeepParts } from '../value/depth.ts';
import { Float } from '../value/float.ts';
import { type JsonObject, type JsonValue, parseOwnJson } from '../value/json.ts';
import { undecodable } from './decode-text.ts';
import type { DataEncoding } from './detect-encoding.ts';
import { asRecord, type FileRecord, jsonProblem, repeatedDoubt } from './read-json-lines.ts';
import { repeatedKey } from './repeated-key.ts';

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
    const problem =
      'a JSON file must be a list of objects, or an object whose values are columns of the same length and with the same keys';
    yield { fileLine: undefined, problem };
    return;
  }
  const isBroken = !whole.isWellFormed();
  const doubt = repeatedIn(whole, parsed);
  const records = rows.map((row): FileRecord => {
    const problem = isTooDeep(row) ? `a row is ${depthMessage()}` : isBroken ? undecodableIn(row, encoding) : undefined;
    return problem === undefined ? asRecord(row, undefined) : { fileLine: undefined, problem };
  });
  yield* doubt === undefined ? records : withDoubt(records, doubt);
}

/** Told with the first row that can be read, whichever it stands in: a file has one such warning. */
function withDoubt(records: readonly FileRecord[], doubt: string): readonly FileRecord[] {
  const first = records.find((record) => 'values' in record);
  return records.map((record) => (record === first && 'values' in record ? { ...record, doubt } : record));
}

function repeatedIn(text: string, parsed: JsonValue): string | undefined {
  const repeated = repeatedKey(text, parsed);
  if (repeated === undefined) return undefined;
  return repeatedDoubt(text.slice(0, repeated.at).split('\n').length, repeated.key);
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
  if (!isCollection(value)) return undefined;
  const columns = Object.entries(value);
  const cells = columns.map(([, column]) => column).filter(isCollection);
  const keys = Object.keys(cells[0] ?? {});
  const isWhole = (column: JsonObject): boolean =>
    Object.keys(column).length === keys.length && keys.every((key) => Object.hasOwn(column, key));
  if (cells.length < columns.length || !cells.every(isWhole)) return undefined;
  return keys.map((key) => Object.fromEntries(columns.map(([name], at) => [name, cells[at]?.[key] ?? null])));
}

/** A list is a column too: its keys are the places. */
function isCollection(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !(value instanceof Float);
}
